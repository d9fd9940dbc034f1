import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { lineChart, powers, type Axis, type Drawing, type Line } from "../../charts/lines.js";
import { legend } from "../../charts/looks.js";
import { decades } from "../../charts/ticks.js";
import { pick } from "../../panel/inputs.js";
import { heads, Panel, scrolling } from "../../panel/panel.js";
import type { View } from "../../state/view.js";
import { decadesOf, place } from "../chapter/decades.js";
import { slices, type Laid, type Place, type Setting } from "./lay.js";
import { swept as strings } from "./strings.js";
import type { Sweep } from "./sweep.js";

const MOST_LINES = 9; // in one picture
const MOST_TICKS = 10; // across
const WIDE = 20; // times the least value above 0: they stand by their logarithms then

/** What can be shown of places; T is what stands in them. */
export interface Measure<T> {
  readonly key: string;
  readonly name: string;
  readonly caption: string;
  readonly isShare: boolean; // of all that stands in a place
  readonly value: (all: readonly T[]) => number;
  readonly says: (value: number, all: readonly T[]) => string;
  /** Between what their middle half lies, where that is drawn. */
  readonly spread?: (all: readonly T[]) => readonly [number, number];
}

/** How a sweep is shown. */
export interface Showing<T> {
  readonly measures: readonly Measure<T>[]; // that there is something of
  readonly heading: string;
  readonly from: string; // whose numbers these are
  readonly elsewhere: TemplateResult | typeof nothing; // what of the file stands beside another chapter
  readonly told?: TemplateResult | typeof nothing; // what follows from all of it
  readonly below?: TemplateResult; // beneath the table
  readonly least?: string; // width of a column
  readonly isNamed?: boolean; // what goes across has names, which the numbers stand for
  /** The name of a setting, of what goes across, and of one of its values. */
  readonly setting: (setting: Setting) => string;
  readonly axis: (key: string) => string;
  readonly across: (value: number) => string;
  readonly isDrawn?: (value: number) => boolean;
  readonly look: (row: readonly Setting[], i: number) => Pick<Line, "colour" | "dash" | "symbol">;
  /** What a place is made of: a link or a button, where it can be run here. */
  readonly inner: (place: Place<T>, named: string, said: string) => TemplateResult | string;
}

/** A sweep that was run elsewhere: as lines if there are few, and as a table whose places can be run here. */
export abstract class SweptPanel<T> extends Panel {
  @property({ attribute: false }) accessor sweep!: Sweep;
  @property({ attribute: false }) accessor view!: View;
  @state() private accessor shown = ""; // the key of a measure; "": the first
  @state() private accessor only = ""; // the setting whose rows are drawn if all are too many; otherwise the first

  protected abstract readonly place: "swept" | "swept-sky"; // in the page, as a fragment names it
  protected as!: Laid<T>;

  protected abstract lay(): Laid<T>;

  protected abstract showing(): Showing<T>;

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("sweep")) this.as = this.lay();
  }

  protected override render(): TemplateResult {
    const { sweep, as, place } = this;
    const showing = this.showing();
    const { measures, heading, from, elsewhere, told = nothing, below = nothing, setting: name } = showing;
    const shown = measures.find(({ key }) => key === this.shown) ?? measures[0];
    if (!shown) return html``;
    const columns = as.across === null ? [] : as.values.flatMap((value, i) => ((showing.isDrawn?.(value) ?? true) ? [i] : []));
    const parts = columns.length < 2 ? [] : slices(as, MOST_LINES);
    const part = parts.find(({ value }) => value === this.only) ?? parts[0];
    const many = as.rows.length > MOST_LINES && !part;
    const drawn = columns.length < 2 || many ? null : drawingOf(as, showing, part, columns, shown);
    return html`<section class="swept" aria-labelledby="${place}-title">
      <h3 id="${place}-title" tabindex="-1"><span class="badge">${strings.badge}</span> ${heading}</h3>
      <p class="about">${from} ${sweep.here === sweep.version ? nothing : strings.other(sweep.version, sweep.here)} ${elsewhere}</p>
      <p class="about">${as.same.length === 0 ? "" : strings.same(as.same.map(name))} ${as.tied.map(({ by, settings }) => strings.tied(name(by), settings.map(name))).join(" ")}</p>
      ${told}
      <p class="go">
        ${pick(strings.show, measures.map(({ key }) => key), shown.key, (key) => measures.find((one) => one.key === key)?.name ?? "", (key) => (this.shown = key), "measure")}
        ${part ? pick(strings.part, parts.map(({ value }) => value), part.value, (value) => name({ key: part.key, value }), (value) => (this.only = value), "part") : nothing}
        <button class="close" @click=${() => this.tell("ifm-swept", null)}>${strings.close}</button>
      </p>
      ${drawn ? html`${legend(drawn.lines)} ${lineChart({ heading: shown.caption, drawing: drawn, waiting: "" })}` : many && as.across !== null ? html`<p class="note">${strings.many(as.rows.length)}</p>` : nothing}
      ${tableOf(as, showing, shown)} ${below}
    </section>`;
  }
}

/** A row by its settings. */
function rowOf<T>({ setting }: Showing<T>, settings: readonly Setting[]): string {
  return settings.map(setting).join(", ") || strings.all;
}

function tableOf<T>(as: Laid<T>, showing: Showing<T>, { name, caption, isShare, value, says }: Measure<T>): TemplateResult {
  const label = (at: number): string => (as.across === null ? "" : showing.across(at));
  const head = as.across === null ? [strings.what, name] : [showing.axis(as.across), ...as.values.map(label)];
  const cell = (place: Place<T>, named: string): TemplateResult => {
    const { runs } = place;
    if (runs.length === 0) return html`<td class="none">${strings.none}</td>`;
    const v = value(runs);
    return html`<td data-value=${v} data-runs=${runs.length} style="--share:${isShare ? (100 * v).toFixed(0) : 0}%">${showing.inner(place, named, says(v, runs))}</td>`;
  };
  const rows = as.rows.map(({ settings, places }) => {
    const row = rowOf(showing, settings);
    return html`<tr><th scope="row">${row}</th>${places.map((place, i) => cell(place, [row, label(as.values[i] ?? Number.NaN)].filter(Boolean).join(", ")))}</tr>`;
  });
  return scrolling(caption, html`<table class="phase" style="--columns:${as.values.length};--least:${showing.least ?? "3.2rem"}">
    <caption>${caption}</caption>
    ${heads(head)}
    <tbody>
      ${rows}
    </tbody>
  </table>`);
}

/** The lines of all rows, or of those of one setting. */
function drawingOf<T>(as: Laid<T>, showing: Showing<T>, part: Setting | undefined, columns: readonly number[], { name, isShare, value, spread }: Measure<T>): Drawing {
  const values = columns.map((i) => as.values[i] ?? Number.NaN);
  const axis = showing.axis(as.across ?? "");
  const [first = 0, end = 1] = [values[0], values.at(-1)];
  const isWide = !showing.isNamed && first >= 0 && end / (values.find((v) => v > 0) ?? end) > WIDE;
  const x = isWide ? values.map((v) => place(v, values)) : values;
  const across: Omit<Axis, "label"> = isWide ? decadesOf(values, showing.across) : { domain: [first, end], ticks: values, format: showing.across };
  const rows = as.rows.filter(({ settings }) => !part || settings.some(({ key, value: own }) => key === part.key && own === part.value));
  const lines = rows.map(({ settings, places }, i): Line => {
    const rest = settings.filter(({ key }) => key !== part?.key);
    const runs = columns.map((at) => places[at]?.runs ?? []);
    const y = runs.map((some) => value(some));
    const there = y.flatMap((v, at) => (Number.isFinite(v) ? [at] : []));
    const bands = spread ? there.map((at) => spread(runs[at] ?? [])) : null;
    return { ...showing.look(rest, i), name: rowOf(showing, rest), x: there.map((at) => x[at] ?? 0), y: there.map((at) => y[at] ?? 0), low: bands?.map(([low]) => low), high: bands?.map(([, high]) => high) };
  });
  const all = lines.flatMap(({ y, low = [], high = [] }) => [...y, ...low, ...high]).filter((v) => v > 0 && v < Number.POSITIVE_INFINITY);
  const y: Omit<Drawing["y"], "label"> = isShare || all.length === 0 ? { type: "linear", domain: [0, 1], ticks: [0, 0.5, 1], format: strings.share } : heights(Math.min(...all), Math.max(...all));
  return {
    lines: lines.map((line) => ({ ...line, high: line.high?.map((v) => Math.min(v, y.domain[1])) })),
    x: { ...across, ticks: thinned(across.ticks), label: axis },
    y: { ...y, label: name },
    at: (v) => strings.place(axis, across.format(v)),
  };
}

/** As many places of an axis as have room for their names on a phone. */
function thinned(places: readonly number[]): readonly number[] {
  const every = places.length > MOST_TICKS ? Math.ceil((places.length - 1) / 6) : 1;
  return places.filter((_, i) => i % every === 0);
}

/** A logarithmic axis by powers of ten, or by 1, 2 and 5 if it is short. */
function heights(least: number, most: number): Pick<Drawing["y"], "type" | "domain" | "ticks" | "format"> {
  const [low, high] = [Math.floor(Math.log10(least)), Math.max(Math.ceil(Math.log10(most)), Math.floor(Math.log10(least)) + 1)];
  if (high - low > 3) return { type: "log", domain: [10 ** low, 10 ** high], ticks: decades(low, high), format: powers };
  const steps = Array.from({ length: high - low + 1 }, (_, i) => [1, 2, 5].map((m) => Number(`${m}e${low + i}`))).flat();
  const from = steps.findLastIndex((v) => v <= least * (1 + 1e-9));
  const to = steps.findIndex((v) => v >= most * (1 - 1e-9));
  const ticks = steps.slice(Math.max(0, Math.min(from, to - 1)), to + 1);
  return { type: "log", domain: [ticks[0] ?? 1, ticks.at(-1) ?? 10], ticks, format: strings.across };
}
