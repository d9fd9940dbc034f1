import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Measure } from "../../engine/protocol.js";
import { heads, touches } from "../../panel/panel.js";
import { count, number } from "../../text/format.js";
import { short } from "../../text/strings.js";
import { close, type Search, type Tried } from "../../training/search.js";
import type { Model } from "../../training/series.js";
import type { Plan } from "../chart.js";
import type * as plot from "../plot.js";
import { Pointed } from "../pointed.js";
import type { Entry, Sheet } from "../sheet.js";
import { search as strings } from "./strings.js";

const SYMBOLS = ["circle", "square", "triangle"] as const;
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

/** What a search on a table has tried: the error on validation rows, or the mean over folds with its standard error, by λ for each rank and encoding. */
class Searched extends Pointed<number> {
  @property({ attribute: false }) accessor all: readonly Search[] = [];
  @property() accessor lead: Model = "ifm"; // shown until the reader chooses
  @property({ attribute: false }) accessor lambdas: readonly number[] = []; // that are to be tried
  @property() accessor measure: Measure = "rmse";
  @property() accessor target = "";
  @property({ type: Boolean }) accessor several = false; // trials, of which this is the first
  @state() private accessor chosen: Model | "" = ""; // by the reader

  private get shown(): Search | undefined {
    return this.all.find(({ model }) => model === (this.chosen || this.lead)) ?? this.all[0];
  }

  protected override render(): TemplateResult {
    const found = this.shown;
    const spots = found ? this.spots(found) : [];
    const { left, right, top, bottom } = this.margins();
    const at = this.index(spots.map((spot) => spot.at));
    const spot = spots[at];
    const [low, high] = this.ends(found);
    return html`<div class="search">
      <div class="head">
        <p class="caption">${strings.title(found?.folds ?? 0, this.measure, this.target)}</p>
        ${this.all.length < 2
          ? nothing
          : html`<fieldset class="segments">
              <legend class="seen-not">${strings.model}</legend>
              ${this.all.map(({ model }) => html`<label><input type="radio" name="searched" value=${model} .checked=${model === found?.model} @change=${() => (this.chosen = model)} /><span>${short[model]}</span></label>`)}
            </fieldset>`}
      </div>
      <p class="note keys">${found ? this.legend(found).map(({ name, glyph }) => html`<span class="entry">${glyph} ${name}</span> `) : nothing}</p>
      <figure class="chart scatter">
        <div class="frame">
          <div class="plot" role="img" aria-label=${found && spots.length > 0 ? this.describe(found) : strings.soon}></div>
          ${found && spots.length > 0
            ? this.over({
                box: `left:${left}px;right:${right}px;top:${top}px;bottom:${bottom}px`,
                places: spots.map((one) => one.at),
                first: Math.max(0, spots.findIndex((one) => one.at === found.best)),
                name: strings.cursor,
                says: (place) => this.says(found, place),
                marks: spot ? html`<div class="hair" style="left:${(100 * (spot.x - low)) / (high - low)}%"></div>` : nothing,
              })
            : html`<p class="empty">${strings.soon}</p>`}
        </div>
        <p class="readout" aria-hidden="true">${!found ? "" : spot ? this.says(found, spot.at) : strings.hint(touches())}</p>
        <ifm-save .of=${this} heading=${strings.title(found?.folds ?? 0, this.measure, this.target)}></ifm-save>
        ${this.folded(strings.data, () => (found ? this.table(found) : nothing))}
      </figure>
      <p class="note" data-note="search">${found ? this.tells(found) : nothing}</p>
    </div>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("all") || changed.has("chosen") || changed.has("lead")) this.drawSoon();
  }

  /** Where each candidate with an error stands: the penalties of one encoding from weak to strong, ridge behind them, which has the strongest of all; then the next encoding's. */
  private spots({ tried }: Search): Spot[] {
    const places = this.penalties(tried);
    const wide = places.length + 1 + GAP;
    return tried.flatMap((one, at) => (Number.isFinite(one.error) ? [{ at, one, x: (one.hats ? this.encodings(tried).indexOf(true) : 0) * wide + (one.rank === 0 ? places.length : places.indexOf(one.lambda)) }] : []));
  }

  private penalties(tried: readonly Tried[]): number[] {
    return [...new Set([...this.lambdas, ...tried.filter(({ rank }) => rank > 0).map(({ lambda }) => lambda)])].sort((a, b) => a - b);
  }

  private encodings(tried: readonly Tried[]): boolean[] {
    return [...new Set(tried.map(({ hats }) => hats))];
  }

  private ends(found: Search | undefined): [number, number] {
    const [places, encodings] = found ? [this.penalties(found.tried).length, this.encodings(found.tried).length] : [1, 1];
    return [-0.5, Math.max(1, encodings) * (places + 1 + GAP) - GAP - 0.5];
  }

  private ranks({ tried }: Search): number[] {
    return [...new Set(tried.map(({ rank }) => rank))].filter((rank) => rank > 0).sort((a, b) => a - b);
  }

  private legend(found: Search): (Entry & { readonly glyph: string })[] {
    const glyphs = { circle: "●", square: "■", triangle: "▲" } as const;
    const ranks = this.ranks(found).map((rank, i) => {
      const symbol = SYMBOLS[i % SYMBOLS.length] ?? "circle";
      return { name: strings.rank(rank), colour: found.model, dash: DASHES[Math.floor(i / SYMBOLS.length) % DASHES.length] ?? "", symbol, glyph: glyphs[symbol] };
    });
    const ridge = found.tried.some(({ rank }) => rank === 0) ? [{ name: strings.ridge, colour: "base", dash: null, symbol: "diamond" as const, glyph: "◆" }] : [];
    return [...ranks, ...ridge, { name: found.whole ? strings.chosen : strings.leads, colour: found.model, dash: null, symbol: "ring" as const, glyph: "◯" }];
  }

  private what({ rank, lambda, weights, hats, again }: Tried): string {
    return strings.candidate(rank, lambda, weights, hats) + (again ? strings.again : "");
  }

  private says(found: Search, at: number): string {
    const one = found.tried[at];
    if (!one) return "";
    return strings.at(this.what(one), one.error, one.spread, found.folds > 0 ? one.folds : 0, one.iteration, at === found.best ? (found.whole ? strings.chosen : strings.leads) : "");
  }

  private tells(found: Search): string {
    const lead = found.tried[found.best];
    if (!lead) return "";
    const told = strings.lead(short[found.model], this.what(lead), lead.error, lead.spread, found.folds, found.whole);
    return [told, ...(found.folds > 0 ? [strings.close(close(found), found.tried.length)] : []), ...(this.several ? [strings.first] : [])].join(" ");
  }

  private describe(found: Search): string {
    return [strings.describe(found.folds, this.measure), ...this.ranks(found).map((rank) => this.range(found, rank)), this.tells(found)].join(" ");
  }

  private range({ tried }: Search, rank: number): string {
    const errors = tried.filter((one) => one.rank === rank && Number.isFinite(one.error)).map(({ error }) => error);
    return errors.length === 0 ? "" : strings.range(rank, Math.min(...errors), Math.max(...errors));
  }

  private margins(): { left: number; right: number; top: number; bottom: number } {
    return { left: 56, right: 12, top: 30, bottom: 40 };
  }

  protected override meant(x: number, _: number, box: DOMRect): number | null {
    const found = this.shown;
    const [low, high] = this.ends(found);
    const value = low + (x / box.width) * (high - low);
    const spots = found ? this.spots(found) : [];
    const near = spots.filter((spot) => Math.abs(spot.x - value) <= 0.5);
    const best = near.reduce<Spot | null>((lowest, spot) => (lowest && lowest.one.error <= spot.one.error ? lowest : spot), null);
    return best?.at ?? null;
  }

  protected override index(places: readonly number[]): number {
    return this.cursor === null ? -1 : places.indexOf(this.cursor);
  }

  /** From the lowest to well above ridge, beyond which candidates stand at the edge. */
  private heights(spots: readonly Spot[]): [number, number] {
    const low = Math.min(...spots.map(({ one }) => one.error - (one.spread || 0)));
    const most = Math.max(...spots.map(({ one }) => one.error + (one.spread || 0)));
    const ridge = Math.max(...spots.filter(({ one }) => one.rank === 0).map(({ one }) => one.error));
    const high = Number.isFinite(ridge) && ridge > low ? Math.min(most, low + HEADROOM * (ridge - low)) : most;
    const room = 0.06 * (high - low) || 0.05 * Math.abs(low) || 1;
    return [low - room, high + room];
  }

  protected override plan(Plot: typeof plot): Plan | null {
    const found = this.shown;
    const spots = found ? this.spots(found) : [];
    if (!found || spots.length === 0) return null;
    const [low, high] = this.heights(spots);
    const places = this.penalties(found.tried);
    const encodings = this.encodings(found.tried);
    const wide = places.length + 1 + GAP;
    const every = this.width < NARROW ? Math.ceil((encodings.length * (places.length + 1)) / 6) : Math.ceil((encodings.length * (places.length + 1)) / 20);
    const ticks = encodings.flatMap((_, group) => places.map((lambda, i) => ({ x: group * wide + i, text: i % every === 0 && (every === 1 || i < places.length - 1) ? number(lambda, 1) : "" })));
    const ridges = found.tried.some(({ rank }) => rank === 0) ? encodings.map((_, group) => ({ x: group * wide + places.length, text: strings.ridge })) : [];
    const names = new Map([...ticks, ...ridges].map(({ x, text }) => [x, text]));
    const colour = `var(--${found.model})`;
    const held = (v: number): number => Math.min(Math.max(v, low), high);
    const lead = spots.find(({ at }) => at === found.best);
    const chains = this.ranks(found).flatMap((rank, i) => encodings.map((hats) => ({ i, path: spots.filter(({ one }) => one.rank === rank && one.hats === hats).sort((a, b) => a.x - b.x) })));
    return {
      margin: this.margins(),
      name: "search-svg",
      x: { domain: this.ends(found) },
      y: { domain: [low, high] },
      marks: [
        Plot.gridY({ ticks: 4, stroke: "var(--rule)", strokeOpacity: 1 }),
        Plot.axisY({ ticks: 4, tickSize: 0, tickPadding: 8, tickFormat: (v: number) => number(v), label: null, fill: "var(--quiet)" }),
        Plot.axisX([...names.keys()], { tickSize: 0, tickPadding: 8, tickFormat: (x: number) => names.get(x) ?? "", label: strings.x(found.tried.some(({ weights }) => weights > 0)), labelArrow: "none", labelAnchor: "center", fill: "var(--quiet)" }),
        Plot.text(encodings.length < 2 ? [] : encodings.map((hats, group) => ({ x: group * wide - 0.5, hats })), { x: "x", frameAnchor: "top", dy: -22, textAnchor: "start", text: ({ hats }: { hats: boolean }) => strings.encoding(hats, this.width < NARROW), fill: "var(--quiet)" }),
        ...spots.filter(({ one }) => one.spread > 0).map(({ x, one }) => Plot.line([[x, held(one.error - one.spread)], [x, held(one.error + one.spread)]], { stroke: one.rank === 0 ? "var(--base)" : colour, strokeWidth: 1, strokeOpacity: 0.7 })),
        ...chains.map(({ i, path }) => Plot.line(path, { x: "x", y: ({ one }: Spot) => held(one.error), stroke: colour, strokeWidth: 1.5, strokeDasharray: DASHES[Math.floor(i / SYMBOLS.length) % DASHES.length] ?? "" })),
        ...chains.map(({ i, path }) => Plot.dot(path, { x: "x", y: ({ one }: Spot) => held(one.error), symbol: SYMBOLS[i % SYMBOLS.length] ?? "circle", fill: colour, r: 4 })),
        Plot.dot(spots.filter(({ one }) => one.rank === 0), { x: "x", y: ({ one }: Spot) => held(one.error), symbol: "diamond", fill: "var(--base)", r: 5 }),
        Plot.dot(lead ? [lead] : [], { className: "ring", x: "x", y: ({ one }: Spot) => held(one.error), stroke: colour, strokeWidth: 2, r: 8, fill: "none" }),
        Plot.dot(spots.filter(({ one }) => one.error > high), { className: "exit", x: "x", y: () => high, symbol: "triangle", fill: colour, stroke: "var(--ground)", strokeWidth: 1, r: 5 }),
      ],
    };
  }

  private table(found: Search): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.data}>
      <table>
        ${heads([strings.columns.numbers, strings.columns.rank, strings.columns.lambda, strings.columns.weights, strings.columns.error(this.measure), ...(found.folds > 0 ? [strings.columns.spread, strings.columns.folds] : []), strings.columns.iteration])}
        <tbody>
          ${found.tried.map(
            (one, at) => html`<tr ?data-best=${at === found.best}>
              <th scope="row">${strings.numbers(one.hats)}${at === found.best ? ` (${found.whole ? strings.chosen : strings.leads})` : ""}</th>
              <td>${one.rank === 0 ? strings.ridge : count(one.rank)}</td>
              <td>${one.rank === 0 ? "" : number(one.lambda, 2)}</td>
              <td>${one.weights > 0 ? number(one.weights, 2) : ""}</td>
              <td>${Number.isFinite(one.error) ? number(one.error) : strings.none}</td>
              ${found.folds > 0 ? html`<td>${Number.isFinite(one.spread) ? number(one.spread, 2) : ""}</td><td>${count(one.folds)}</td>` : nothing}
              <td>${count(one.iteration)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  override sheet(): Sheet | null {
    const found = this.shown;
    if (!found || this.spots(found).length === 0) return null;
    const { tried } = found;
    return {
      what: "search",
      title: strings.title(found.folds, this.measure, this.target),
      described: this.describe(found),
      notes: [this.tells(found)],
      legend: this.legend(found),
      columns: [
        { name: strings.model, values: tried.map(() => short[found.model]) },
        { name: strings.columns.numbers, values: tried.map(({ hats }) => strings.numbers(hats)) },
        { name: strings.columns.rank, values: tried.map(({ rank }) => rank) },
        { name: strings.columns.lambda, values: tried.map(({ lambda }) => lambda) },
        { name: strings.columns.weights, values: tried.map(({ weights }) => weights) },
        { name: strings.columns.error(this.measure), values: tried.map(({ error }) => error) },
        ...(found.folds > 0 ? [{ name: strings.columns.spread, values: tried.map(({ spread }) => spread) }, { name: strings.columns.folds, values: tried.map(({ folds }) => folds) }] : []),
        { name: strings.columns.iteration, values: tried.map(({ iteration }) => iteration) },
      ],
      picture: this.picture(),
    };
  }
}

customElements.define("ifm-search", Searched);
