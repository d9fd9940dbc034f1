import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { lineChart, powers, type Axis, type Drawing, type Line } from "../../charts/lines.js";
import { legend } from "../../charts/looks.js";
import { heads, Panel } from "../../panel/panel.js";
import type { View } from "../../state/view.js";
import { decadesOf, place } from "../chapter/decades.js";
import { decades } from "../chapter/measure.js";
import { slices, type Laid, type Place, type Setting } from "./lay.js";
import { swept as strings } from "./strings.js";
import type { Sweep } from "./sweep.js";

const MOST_LINES = 9; // in one picture
const MOST_TICKS = 10; // across
const WIDE = 20; // times the least value above 0: they stand by their logarithms then

/** What of the runs can be shown. */
export interface Shown<Measure extends string> {
  readonly key: Measure;
  readonly name: string;
  readonly caption: string;
  readonly share: boolean; // of all runs of a place
}

/** The results of a sweep that was run elsewhere: as lines where there are few, and as a table whose places can be run here. */
export abstract class SweptPanel<T, Measure extends string> extends Panel {
  @property({ attribute: false }) accessor sweep!: Sweep;
  @property({ attribute: false }) accessor view!: View;
  @state() private accessor shown: Measure | null = null; // null: the first that there is something of
  @state() private accessor only = ""; // the setting whose rows are drawn, where all are too many; what no setting is: the first

  protected abstract readonly place: "swept" | "swept-sky"; // in the page, as a fragment names it
  protected readonly least: string = "3.2rem"; // of a column

  private laid: { readonly of: Sweep; readonly as: Laid<T> } | null = null;

  protected get as(): Laid<T> {
    if (this.laid?.of !== this.sweep) this.laid = { of: this.sweep, as: this.lay() };
    return this.laid.as;
  }

  protected abstract lay(): Laid<T>;

  /** What there is something of. */
  protected abstract get choices(): readonly Shown<Measure>[];

  protected get heading(): string {
    return this.sweep.name;
  }

  /** Whose numbers these are. */
  protected abstract get from(): string;

  /** What of the file stands beside another chapter; "": nothing. */
  protected abstract get elsewhere(): TemplateResult | typeof nothing;

  protected abstract value(runs: readonly T[], of: Measure): number;

  /** Between what the middle half of a place's runs lies; null where that is not asked. */
  protected abstract spread(runs: readonly T[], of: Measure): readonly [number, number] | null;

  protected abstract said(runs: readonly T[], of: Measure): string;

  protected abstract setting(setting: Setting): string;

  /** What goes across, "" where nothing does, and one of its values. */
  protected abstract axis(key: string): string;
  protected abstract across(value: number): string;

  /** Whether what goes across is a number, and not a name that has one. */
  protected counted(_key: string): boolean {
    return true;
  }

  /** Whether a column is drawn. */
  protected drawn(_value: number): boolean {
    return true;
  }

  protected abstract look(row: readonly Setting[], i: number): Pick<Line, "colour" | "dash" | "symbol">;

  /** What a place with runs in it is made of: a link, where it can be run here. */
  protected abstract inner(place: Place<T>, named: string, said: string): TemplateResult | string;

  /** What follows from all of it, in words, and what follows the table. */
  protected abstract get told(): TemplateResult | typeof nothing;
  protected abstract get below(): TemplateResult | typeof nothing;

  protected override render(): TemplateResult {
    const { sweep, as, choices, place } = this;
    const shown = choices.find(({ key }) => key === this.shown) ?? choices[0];
    if (!shown) return html``;
    const columns = as.across === null ? [] : as.values.flatMap((value, i) => (this.drawn(value) ? [i] : []));
    const parts = columns.length < 2 ? [] : slices(as, MOST_LINES);
    const part = parts.find(({ value }) => value === this.only) ?? parts[0];
    const many = as.rows.length > MOST_LINES && !part;
    const drawn = columns.length < 2 || many ? null : this.drawing(as, part, columns, shown);
    return html`<section class="swept" aria-labelledby="${place}-title">
      <h3 id="${place}-title" tabindex="-1"><span class="badge">${strings.badge}</span> ${this.heading}</h3>
      <p class="about">${this.from} ${sweep.here === sweep.version ? nothing : strings.other(sweep.version, sweep.here)} ${this.elsewhere}</p>
      <p class="about">${as.same.length === 0 ? "" : strings.same(as.same.map((one) => this.setting(one)))} ${as.tied.map(({ by, settings }) => strings.tied(this.setting(by), settings.map((one) => this.setting(one)))).join(" ")}</p>
      ${this.told}
      <p class="go">
        <label class="pick">
          <span>${strings.show}</span>
          <select name="measure" @change=${(e: Event) => (this.shown = choices.find(({ key }) => key === (e.target as HTMLSelectElement).value)?.key ?? null)}>
            ${choices.map(({ key, name }) => html`<option value=${key} .selected=${key === shown.key}>${name}</option>`)}
          </select>
        </label>
        ${part ? this.parts(parts, part) : nothing}
        <button class="close" @click=${() => this.tell("ifm-swept", null)}>${strings.close}</button>
      </p>
      ${drawn ? html`${legend(drawn.lines)} ${lineChart({ heading: shown.caption, drawing: drawn, waiting: "" })}` : many && as.across !== null ? html`<p class="note">${strings.many(as.rows.length)}</p>` : nothing}
      ${this.table(as, shown)} ${this.below}
    </section>`;
  }

  private parts(parts: readonly Setting[], part: Setting): TemplateResult {
    return html`<label class="pick">
      <span>${strings.part}</span>
      <select name="part" @change=${(e: Event) => (this.only = (e.target as HTMLSelectElement).value)}>
        ${parts.map((one) => html`<option value=${one.value} .selected=${one === part}>${this.setting(one)}</option>`)}
      </select>
    </label>`;
  }

  private row(settings: readonly Setting[]): string {
    return settings.map((one) => this.setting(one)).join(", ") || strings.all;
  }

  private table(as: Laid<T>, { key, name, caption, share }: Shown<Measure>): TemplateResult {
    const label = (value: number): string => (as.across === null ? "" : this.across(value));
    const head = as.across === null ? [strings.what, name] : [this.axis(as.across), ...as.values.map(label)];
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${caption}>
      <table class="phase" style="--columns:${as.values.length};--least:${this.least}">
        <caption>${caption}</caption>
        ${heads(head)}
        <tbody>
          ${as.rows.map(({ settings, places }) => {
            const row = this.row(settings);
            return html`<tr><th scope="row">${row}</th>${places.map((place, i) => this.cell(place, key, share, [row, label(as.values[i] ?? Number.NaN)].filter(Boolean).join(", ")))}</tr>`;
          })}
        </tbody>
      </table>
    </div>`;
  }

  private cell(place: Place<T>, of: Measure, share: boolean, named: string): TemplateResult {
    const { runs } = place;
    if (runs.length === 0) return html`<td class="none">${strings.none}</td>`;
    const v = this.value(runs, of);
    return html`<td data-value=${v} data-runs=${runs.length} style="--share:${share ? (100 * v).toFixed(0) : 0}%">${this.inner(place, named, this.said(runs, of))}</td>`;
  }

  /** The lines of all rows, or of those of one setting. */
  private drawing(as: Laid<T>, part: Setting | undefined, columns: readonly number[], { key, name, share }: Shown<Measure>): Drawing {
    const values = columns.map((i) => as.values[i] ?? Number.NaN);
    const across = (v: number): string => this.across(v);
    const [first = 0, end = 1] = [values[0], values.at(-1)];
    const wide = this.counted(as.across ?? "") && first >= 0 && end / (values.find((v) => v > 0) ?? end) > WIDE;
    const x = wide ? values.map((v) => place(v, values)) : values;
    const axis: Omit<Axis, "label"> = wide ? decadesOf(values, across) : { domain: [first, end], ticks: values, format: across };
    const rows = as.rows.flatMap(({ settings, places }) => (part && !settings.some(({ key, value }) => key === part.key && value === part.value) ? [] : [{ settings: settings.filter(({ key }) => key !== part?.key), places }]));
    const lines = rows.map(({ settings, places }, i): Line => {
      const runs = columns.map((at) => places[at]?.runs ?? []);
      const held = runs.map((some) => this.value(some, key));
      const there = held.flatMap((v, at) => (Number.isFinite(v) ? [at] : []));
      const spread = there.flatMap((at) => [this.spread(runs[at] ?? [], key) ?? []]).filter((one) => one.length === 2);
      const band = spread.length === there.length && !share ? { low: spread.map(([low]) => low ?? Number.NaN), high: spread.map(([, high]) => high ?? Number.NaN) } : {};
      return { name: this.row(settings), ...this.look(settings, i), x: there.map((at) => x[at] ?? 0), y: there.map((at) => held[at] ?? 0), ...band };
    });
    const all = lines.flatMap(({ y, low = [], high = [] }) => [...y, ...low, ...high]).filter((v) => v > 0 && v < Number.POSITIVE_INFINITY);
    const y: Omit<Drawing["y"], "label"> = share || all.length === 0 ? { type: "linear", domain: [0, 1], ticks: [0, 0.5, 1], format: strings.share } : heights(Math.min(...all), Math.max(...all));
    return {
      lines: lines.map((line) => ({ ...line, high: line.high?.map((v) => Math.min(v, y.domain[1])) })),
      x: { ...axis, ticks: thinned(axis.ticks), label: this.axis(as.across ?? "") },
      y: { ...y, label: name },
      at: (v) => strings.place(this.axis(as.across ?? ""), axis.format(v)),
    };
  }
}

/** As many places of an axis as have room for their names on a phone. */
function thinned(places: readonly number[]): readonly number[] {
  const every = places.length > MOST_TICKS ? Math.ceil((places.length - 1) / 6) : 1;
  return places.filter((_, i) => i % every === 0);
}

/** A logarithmic axis from one value to another: by powers of ten, or by 1, 2 and 5 where it is short. */
function heights(least: number, most: number): Pick<Drawing["y"], "type" | "domain" | "ticks" | "format"> {
  const [low, high] = [Math.floor(Math.log10(least)), Math.max(Math.ceil(Math.log10(most)), Math.floor(Math.log10(least)) + 1)];
  if (high - low > 3) return { type: "log", domain: [10 ** low, 10 ** high], ticks: decades(low, high), format: powers };
  const steps = Array.from({ length: high - low + 1 }, (_, i) => [1, 2, 5].map((m) => Number(`${m}e${low + i}`))).flat();
  const from = steps.findLastIndex((v) => v <= least * (1 + 1e-9));
  const to = steps.findIndex((v) => v >= most * (1 - 1e-9));
  const ticks = steps.slice(Math.max(0, Math.min(from, to - 1)), to + 1);
  return { type: "log", domain: [ticks[0] ?? 1, ticks.at(-1) ?? 10], ticks, format: strings.across };
}
