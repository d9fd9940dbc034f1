import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Measure } from "../../engine/protocol.js";
import { segments } from "../../panel/inputs.js";
import { Panel, prop } from "../../panel/panel.js";
import { count, number } from "../../text/format.js";
import { short } from "../../text/strings.js";
import { close, type Search, type Tried } from "../../training/search.js";
import type { Model } from "../../training/series.js";
import type { Column } from "../data.js";
import { chart } from "../element.js";
import { axisX, axisY, gridY, hair, hold, share, type Point, type Range } from "../marks.js";
import type { Entry } from "../sheet.js";
import type { Content } from "../spec.js";
import { search as strings } from "./strings.js";

const SYMBOLS = ["circle", "square", "triangle"] as const;
const GLYPHS = { circle: "●", square: "■", triangle: "▲" } as const;
const DASHES = ["", "6 3", "2 3"] as const;
const GAP = 1; // places between two encodings
const HEADROOM = 2.5; // how far over the best the axis goes, in distances of ridge
const NARROW = 480; // px

/** A candidate in its place. */
interface Spot {
  readonly at: number; // in what was tried
  readonly one: Tried;
  readonly x: number;
}

/** Where candidates stand. */
interface Layout {
  readonly penalties: readonly number[]; // from weak to strong
  readonly encodings: readonly boolean[];
  readonly wide: number; // places of an encoding, with the gap behind it
  readonly ranks: readonly number[];
  readonly spots: readonly Spot[]; // of those with an error
}

/** What a search on a table has tried: the error on validation rows, or the mean over folds with its standard error, by λ for each rank and encoding. */
class Searched extends Panel {
  @prop accessor all: readonly Search[] = [];
  @property() accessor lead: Model = "ifm"; // shown until the reader chooses
  @prop accessor lambdas: readonly number[] = []; // that are to be tried
  @property() accessor measure: Measure = "rmse";
  @property() accessor target = "";
  @property({ type: Boolean }) accessor several = false; // trials, of which this is the first
  @state() private accessor chosen: Model | "" = ""; // by the reader

  protected override render(): TemplateResult {
    const { all, measure, target } = this;
    const found = all.find(({ model }) => model === (this.chosen || this.lead)) ?? all[0];
    const title = strings.title(found?.folds ?? 0, measure, target);
    const says = found ? tells(found, this.several) : "";
    const layout = found && layoutOf(found, this.lambdas);
    const content = found && layout && layout.spots.length > 0 ? contentOf(found, layout, measure, says) : null;
    return html`<div class="search">
      <div class="head">
        <p class="caption">${title}</p>
        ${all.length < 2
          ? nothing
          : segments<Model>("searched", strings.model, Object.fromEntries(all.map(({ model }) => [model, short[model]])), found?.model, (model) => (this.chosen = model))}
      </div>
      <p class="note keys">${found && layout ? legend(found, layout).map(({ name, glyph }) => html`<span class="entry">${glyph} ${name}</span> `) : nothing}</p>
      ${chart({ name: "search", title, caption: "", look: "scatter", waiting: strings.soon, data: strings.data, content })}
      <p class="note" data-note="search">${says}</p>
    </div>`;
  }
}

/** The penalties of one encoding from weak to strong, ridge behind them, which has the strongest of all; then the next encoding's. */
function layoutOf({ tried }: Search, lambdas: readonly number[]): Layout {
  const penalties = [...new Set([...lambdas, ...tried.filter(({ rank }) => rank > 0).map(({ lambda }) => lambda)])].sort((a, b) => a - b);
  const encodings = [...new Set(tried.map(({ hats }) => hats))];
  const ranks = [...new Set(tried.map(({ rank }) => rank))].filter((rank) => rank > 0).sort((a, b) => a - b);
  const wide = penalties.length + 1 + GAP;
  const spots = tried.flatMap((one, at): Spot[] => (Number.isFinite(one.error) ? [{ at, one, x: (one.hats ? encodings.indexOf(true) : 0) * wide + (one.rank === 0 ? penalties.length : penalties.indexOf(one.lambda)) }] : []));
  return { penalties, encodings, wide, ranks, spots };
}

/** How the candidates of a rank are told from others. */
function look(i: number): { readonly symbol: (typeof SYMBOLS)[number]; readonly dash: string } {
  return { symbol: SYMBOLS[i % SYMBOLS.length] ?? "circle", dash: DASHES[Math.floor(i / SYMBOLS.length) % DASHES.length] ?? "" };
}

function legend({ model, tried, whole }: Search, { ranks }: Layout): (Entry & { readonly glyph: string })[] {
  return [
    ...ranks.map((rank, i) => ({ ...look(i), name: strings.rank(rank), colour: model, glyph: GLYPHS[look(i).symbol] })),
    ...(tried.some(({ rank }) => rank === 0) ? [{ name: strings.ridge, colour: "base", dash: null, symbol: "diamond" as const, glyph: "◆" }] : []),
    { name: whole ? strings.chosen : strings.leads, colour: model, dash: null, symbol: "ring", glyph: "◯" },
  ];
}

function named({ rank, lambda, weights, hats, again }: Tried): string {
  return strings.candidate(rank, lambda, weights, hats) + (again ? strings.again : "");
}

function tells(found: Search, several: boolean): string {
  const lead = found.tried[found.best];
  if (!lead) return "";
  const told = strings.lead(short[found.model], named(lead), lead.error, lead.spread, found.folds, found.whole);
  return [told, ...(found.folds > 0 ? [strings.close(close(found), found.tried.length)] : []), ...(several ? [strings.first] : [])].join(" ");
}

/** From the lowest to well above ridge, beyond which candidates stand at the edge. */
function heights(spots: readonly Spot[]): Range {
  const low = Math.min(...spots.map(({ one }) => one.error - (one.spread || 0)));
  const most = Math.max(...spots.map(({ one }) => one.error + (one.spread || 0)));
  const ridge = Math.max(...spots.filter(({ one }) => one.rank === 0).map(({ one }) => one.error));
  const high = Number.isFinite(ridge) && ridge > low ? Math.min(most, low + HEADROOM * (ridge - low)) : most;
  const room = 0.06 * (high - low) || 0.05 * Math.abs(low) || 1;
  return [low - room, high + room];
}

function contentOf(found: Search, layout: Layout, measure: Measure, says: string): Content<number> {
  const { tried, best, model, folds, whole } = found;
  const { penalties, encodings, wide, ranks, spots } = layout;
  const ends: Range = [-0.5, encodings.length * wide - GAP - 0.5];
  const [low, high] = heights(spots);
  const leads = whole ? strings.chosen : strings.leads;
  const up = ({ x, one: { error } }: Spot, off = 0): Point => [x, hold([low, high], error + off)];
  const { columns } = strings;
  return {
    notes: [says],
    legend: legend(found, layout),
    rows: [...tried.keys()],
    svg: "search-svg",
    x: { domain: [...ends] },
    y: { domain: [low, high] },
    margin: () => ({ left: 56, right: 12, top: 30, bottom: 40 }),
    summary() {
      const ranges = ranks.map((rank) => {
        const errors = spots.filter(({ one }) => one.rank === rank).map(({ one }) => one.error);
        return errors.length === 0 ? "" : strings.range(rank, Math.min(...errors), Math.max(...errors));
      });
      return [strings.describe(folds, measure), ...ranges, says].join(" ");
    },
    columns: (): Column[] => [
      { name: strings.model, values: tried.map(() => short[model]) },
      { name: columns.numbers, head: columns.numbers, values: tried.map(({ hats }) => strings.numbers(hats)), cell: (numbers, at) => `${numbers}${at === best ? ` (${leads})` : ""}` },
      { name: columns.rank, head: columns.rank, values: tried.map(({ rank }) => rank), cell: (rank) => (rank === 0 ? strings.ridge : count(rank)) },
      { name: columns.lambda, head: columns.lambda, values: tried.map(({ lambda }) => lambda), cell: (lambda, at) => (tried[at]?.rank === 0 ? "" : number(lambda, 2)) },
      { name: columns.weights, head: columns.weights, values: tried.map(({ weights }) => weights), cell: (weights) => (weights > 0 ? number(weights, 2) : "") },
      { name: columns.error(measure), head: columns.error(measure), values: tried.map(({ error }) => error), cell: (error) => (Number.isFinite(error) ? number(error) : strings.none) },
      ...(folds > 0
        ? [
            { name: columns.spread, head: columns.spread, values: tried.map(({ spread }) => spread), cell: (spread: number) => (Number.isFinite(spread) ? number(spread, 2) : "") },
            { name: columns.folds, head: columns.folds, values: tried.map(({ folds }) => folds), cell: count },
          ]
        : []),
      { name: columns.iteration, head: columns.iteration, values: tried.map(({ iteration }) => iteration), cell: count },
    ],
    cursor: {
      name: strings.cursor,
      hint: strings.hint,
      places: spots.map(({ at }) => at),
      first: Math.max(0, spots.findIndex(({ at }) => at === best)),
      says(at) {
        const one = tried[at];
        return one ? strings.at(named(one), one.error, one.spread, folds > 0 ? one.folds : 0, one.iteration, at === best ? leads : "") : "";
      },
      mark: (at) => hair(share(ends, spots.find((spot) => spot.at === at)?.x ?? 0)),
      at(x, _, { width }) {
        const value = ends[0] + (x / width) * (ends[1] - ends[0]);
        const near = spots.filter((spot) => Math.abs(spot.x - value) <= 0.5);
        return near.reduce<Spot | null>((lowest, spot) => (lowest && lowest.one.error <= spot.one.error ? lowest : spot), null)?.at ?? null;
      },
      stays: (at) => (spots.some((spot) => spot.at === at) ? at : null),
    },
    marks(Plot, { width }) {
      const places = encodings.length * (penalties.length + 1);
      const every = Math.ceil(places / (width < NARROW ? 6 : 20));
      const ticks = encodings.flatMap((_, group) => penalties.map((lambda, i): [number, string] => [group * wide + i, i % every === 0 && (every === 1 || i < penalties.length - 1) ? number(lambda, 1) : ""]));
      const ridges = tried.some(({ rank }) => rank === 0) ? encodings.map((_, group): [number, string] => [group * wide + penalties.length, "∞"]) : [];
      const names = new Map([...ticks, ...ridges]);
      const colour = `var(--${model})`;
      const chains = ranks.flatMap((rank, i) => encodings.map((hats) => ({ ...look(i), path: spots.filter(({ one }) => one.rank === rank && one.hats === hats).sort((a, b) => a.x - b.x).map((spot) => up(spot)) })));
      return [
        gridY(Plot, 4),
        axisY(Plot, 4, null, { tickFormat: (v: number) => number(v) }),
        axisX(Plot, [...names.keys()], strings.x(tried.some(({ weights }) => weights > 0)), { tickFormat: (x: number) => names.get(x) ?? "", labelAnchor: "center" }),
        Plot.text(encodings.length < 2 ? [] : encodings, { x: encodings.map((_, group) => group * wide - 0.5), frameAnchor: "top", dy: -22, textAnchor: "start", text: (hats: boolean) => strings.encoding(hats, width < NARROW), fill: "var(--quiet)" }),
        ...spots.filter(({ one }) => one.spread > 0).map((spot) => Plot.line([up(spot, -spot.one.spread), up(spot, spot.one.spread)], { stroke: spot.one.rank === 0 ? "var(--base)" : colour, strokeWidth: 1, strokeOpacity: 0.7 })),
        ...chains.map(({ path, dash }) => Plot.line(path, { stroke: colour, strokeWidth: 1.5, strokeDasharray: dash })),
        ...chains.map(({ path, symbol }) => Plot.dot(path, { symbol, fill: colour, r: 4 })),
        Plot.dot(spots.filter(({ one }) => one.rank === 0).map((spot) => up(spot)), { symbol: "diamond", fill: "var(--base)", r: 5 }),
        Plot.dot(spots.filter(({ at }) => at === best).map((spot) => up(spot)), { className: "ring", stroke: colour, strokeWidth: 2, r: 8, fill: "none" }),
        Plot.dot(spots.filter(({ one }) => one.error > high).map(({ x }) => [x, high]), { className: "exit", symbol: "triangle", fill: colour, stroke: "var(--ground)", strokeWidth: 1, r: 5 }),
      ];
    },
  };
}

customElements.define("ifm-search", Searched);
