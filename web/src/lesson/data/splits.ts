import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Plan } from "../../charts/chart.js";
import type * as plot from "../../charts/plot.js";
import type { Column, Sheet } from "../../charts/sheet.js";
import { saved } from "../../charts/strings.js";
import { heads, touches } from "../../panel/panel.js";
import type { Sample } from "../../state/view.js";
import { number } from "../../text/format.js";
import { short } from "../../text/strings.js";
import type { Model } from "../../training/series.js";
import { legend, looks, type Key } from "../../charts/looks.js";
import { average, roundUp } from "../chapter/measure.js";
import { Pointed } from "../../charts/pointed.js";
import { lines as chart } from "../../charts/lines-strings.js";

const words = {
  heading: "Every split: test RMSE ÷ ridge’s",
  x: "÷ ridge’s; left of 1 is better",
  line: (name: string, model: string) => `${name}, ${model}`,
  data: "Data of this chart",
  describe: "Dot plot of test RMSE divided by ridge regression’s, a dot for each split, and a bar from 1 to their mean.",
  one: (line: string, mean: number, low: number, high: number) => `${line}: ${number(mean)} on average, from ${number(low)} to ${number(high)}.`,
  table: "Table",
  split: "Split",
  cursor: "Split under the cursor",
  at: (line: string, split: number, rmse: number, ridge: number) => `${line}, split ${split}: test RMSE ${number(rmse, 4)} ÷ ridge’s ${number(ridge, 4)} = ${(rmse / ridge).toFixed(3)}`,
  units: "Test RMSE, in the units of each target.",
};

/** One split of a table: test RMSE in units of the target. */
export interface Split {
  readonly trial: number;
  readonly mean: number;
  readonly ridge: number;
  readonly quadratic: number; // NaN where it could not be fitted
  readonly rmse: ReadonlyMap<Model, number>; // without those that failed
}

/** A table and its splits so far. */
export interface Row {
  readonly sample: Sample;
  readonly name: string;
  readonly target: string; // "" before it was read
  readonly size: number; // rows
  readonly splits: readonly Split[];
  readonly whole: boolean; // all that were asked for are there
  readonly failure: string; // why there is none
}

const SURE = 2; // standard errors of a mean over splits, at the least, that chance does not explain

/** The mean over splits of (b − a) ÷ ridge, its standard deviation from split to split, and whether the mean is more than that of chance. NaN with fewer than two splits. */
export function chances({ splits }: Row, a: Model, b: Model): { readonly difference: number; readonly spread: number; readonly sure: boolean } {
  const all = splits.map((split) => ((split.rmse.get(b) ?? Number.NaN) - (split.rmse.get(a) ?? Number.NaN)) / split.ridge).filter((v) => !Number.isNaN(v));
  if (all.length < 2) return { difference: Number.NaN, spread: Number.NaN, sure: false };
  const difference = average(all);
  const spread = Math.sqrt(all.reduce((sum, v) => sum + (v - difference) ** 2, 0) / (all.length - 1));
  return { difference, spread, sure: Math.abs(difference) > (SURE * spread) / Math.sqrt(all.length) };
}

const HEIGHT = 30; // px, of one model's line
const MARGIN = { top: 8, bottom: 44, right: 16 }; // px
const TICK = 36; // px, room for a number of the axis
const NEAR = 24; // px, no dot farther from a pointer is meant

/** A dot. */
interface Point {
  readonly key: string; // sample, split and model
  readonly line: string;
  readonly model: Model;
  readonly split: Split;
  readonly rmse: number;
  readonly ratio: number; // rmse ÷ ridge's
}

interface Scale {
  readonly low: number;
  readonly high: number;
  readonly step: number; // from a tick to the next
}

/** Each split's test RMSE ÷ ridge's, a dot each, and a bar from ridge to their mean. */
class Splits extends Pointed<string> {
  @property({ attribute: false }) accessor rows: readonly Row[] = [];
  @property({ attribute: false }) accessor models: readonly Model[] = [];
  @property() accessor waiting = "";

  protected override willUpdate(): void {
    if (this.cursor !== null && this.points().length === 0) this.cursor = null; // the next run began under it
  }

  protected override render(): TemplateResult {
    const points = this.points();
    const at = points.find(({ key }) => key === this.cursor);
    return html`${legend(this.keys())}
    <figure class="chart splits">
      <figcaption>${words.heading}</figcaption>
      <div class="frame" style="height:${MARGIN.top + MARGIN.bottom + HEIGHT * this.rows.length * this.models.length}px">
        <div class="plot" role="img" aria-label=${points.length > 0 ? this.describe() : this.waiting}></div>
        ${points.length > 0 ? this.cursorOver(points, at) : html`<p class="empty">${this.waiting}</p>`}
      </div>
      <p class="readout" aria-hidden="true">${at ? says(at) : points.length > 0 ? chart.hint(touches()) : ""}</p>
      <ifm-save .of=${this} heading=${words.heading}></ifm-save>
      ${this.folded(words.data, () => this.table())}
    </figure>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("rows") || changed.has("models")) this.drawSoon();
  }

  private keys(): Key[] {
    return this.models.map((model) => ({ ...looks[model], dash: "", name: short[model] }));
  }

  /** Line by line from the top, those of a line from the left. */
  private points(): Point[] {
    return this.rows.flatMap((row) =>
      this.models.flatMap((model) =>
        row.splits
          .flatMap((split): Point[] => {
            const rmse = split.rmse.get(model);
            return rmse === undefined ? [] : [{ key: `${row.sample} ${split.trial} ${model}`, line: words.line(row.name, short[model]), model, split, rmse, ratio: rmse / split.ridge }];
          })
          .sort((a, b) => a.ratio - b.ratio),
      ),
    );
  }

  private lines(): string[] {
    return this.rows.flatMap((row) => this.models.map((model) => words.line(row.name, short[model])));
  }

  private left(): number {
    return Math.max(...this.lines().map((name) => 12 + 7 * name.length));
  }

  private cursorOver(points: readonly Point[], at: Point | undefined): TemplateResult {
    const place = this.place(points);
    const [x, y] = at ? place(at) : [0, 0];
    return this.over({
      box: `left:${this.left()}px;right:${MARGIN.right}px;top:${MARGIN.top}px;bottom:${MARGIN.bottom}px`,
      places: points.map(({ key }) => key),
      first: 0,
      name: words.cursor,
      says: (key) => points.filter((point) => point.key === key).map(says).join(""),
      marks: at ? html`<div class="pin" data-cursor style="left:${100 * x}%;top:${100 * y}%"></div>` : nothing,
    });
  }

  /** Where a dot is, in shares of the axes. */
  private place(points: readonly Point[]): (point: Point) => readonly [number, number] {
    const { low, high } = scale(points);
    const lines = this.lines();
    return ({ line, ratio }) => [(ratio - low) / (high - low), (lines.indexOf(line) + 0.5) / lines.length];
  }

  protected override meant(x: number, y: number, box: DOMRect): string | null {
    const points = this.points();
    const place = this.place(points);
    const off = (point: Point): number => {
      const [left, top] = place(point);
      return Math.hypot(left * box.width - x, top * box.height - y);
    };
    const best = points.reduce<{ key: string | null; off: number }>((least, point) => (off(point) < least.off ? { key: point.key, off: off(point) } : least), { key: null, off: NEAR });
    return best.key;
  }

  protected override index(places: readonly string[]): number {
    return this.cursor === null ? -1 : places.indexOf(this.cursor);
  }

  private describe(): string {
    return [
      words.describe,
      ...this.rows.flatMap((row) =>
        this.models.flatMap((model) => {
          const all = row.splits.flatMap((split) => (split.rmse.get(model) ?? Number.NaN) / split.ridge).filter((v) => !Number.isNaN(v));
          return all.length > 0 ? [words.one(words.line(row.name, short[model]), average(all), Math.min(...all), Math.max(...all))] : [];
        }),
      ),
    ].join(" ");
  }

  protected override plan(Plot: typeof plot): Plan | null {
    const points = this.points();
    if (points.length === 0) return null;
    const names = this.lines();
    const { low, high, step } = scale(points);
    const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, i) => low + i * step);
    const digits = step < 0.1 ? 2 : 1;
    const room = ((this.width - this.left() - MARGIN.right) * step) / (high - low);
    const named = ticks.filter((v) => room >= TICK || Math.round((v - 1) / step) % 2 === 0); // with 1 among them
    const means = [...new Set(points.map(({ line }) => line))].map((line) => {
      const own = points.filter((point) => point.line === line);
      return { line, model: own[0]?.model ?? "ifm", mean: average(own.map(({ ratio }) => ratio)) };
    });
    const marks: plot.Markish[] = [
      Plot.gridX(ticks, { stroke: "var(--rule)", strokeOpacity: 1 }),
      Plot.gridX([1], { stroke: "var(--ink)", strokeOpacity: 1 }),
      Plot.axisX(named, { tickSize: 4, tickFormat: (v: number) => v.toFixed(digits), label: words.x, labelAnchor: "center", labelArrow: "none", fill: "var(--quiet)" }),
      Plot.axisY(names, { tickSize: 0, tickPadding: 8, fill: "var(--ink)" }),
      ...means.map(({ line, model, mean }) => Plot.line([{ x: 1, y: line }, { x: mean, y: line }], { x: "x", y: "y", stroke: `var(--${looks[model].colour})`, strokeWidth: 8, strokeOpacity: 0.3 })),
      ...this.models.map((model) => Plot.dot(points.filter((point) => point.model === model), { x: "ratio", y: "line", symbol: looks[model].symbol, fill: `var(--${looks[model].colour})`, stroke: "var(--ground)", strokeWidth: 1, r: 5 })),
    ];
    return {
      margin: { ...MARGIN, left: this.left() },
      x: { domain: [low, high], label: words.x },
      y: { type: "point", domain: names, label: null, padding: 0.5 },
      marks,
    };
  }

  override sheet(): Sheet | null {
    const all = this.rows.flatMap((row) => row.splits.map((split) => ({ row, split })));
    if (all.length === 0) return null;
    const rmse = (name: string, of: (split: Split) => number | undefined): Column => ({ name: saved.error(name, "rmse", saved.theTarget), values: all.map(({ split }) => of(split) ?? Number.NaN) });
    return {
      what: "splits",
      title: words.heading,
      described: this.describe(),
      notes: [],
      legend: this.models.map((model) => ({ ...looks[model], name: short[model], dash: null })),
      columns: [
        { name: words.table, values: all.map(({ row }) => row.name) },
        { name: saved.target, values: all.map(({ row }) => row.target) },
        { name: words.split, values: all.map(({ split }) => split.trial + 1) },
        rmse(saved.baseline(short.mean), (split) => split.mean),
        rmse(saved.baseline(short.ridge), (split) => split.ridge),
        rmse(saved.baseline(short.quadratic), (split) => split.quadratic),
        ...this.models.map((model) => rmse(short[model], (split) => split.rmse.get(model))),
      ],
      picture: this.picture(),
    };
  }

  private table(): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label="${words.data}, ${words.heading}">
      <table class="numbers">
        ${heads([words.table, words.split, short.mean, short.ridge, short.quadratic, ...this.models.map((model) => short[model])])}
        <tbody>
          ${this.rows.flatMap((row) =>
            row.splits.map(
              (split) => html`<tr>
                <th scope="row">${row.name}</th>
                <td>${split.trial + 1}</td>
                <td>${number(split.mean, 4)}</td>
                <td>${number(split.ridge, 4)}</td>
                <td>${number(split.quadratic, 4)}</td>
                ${this.models.map((model) => html`<td data-split="${row.sample} ${split.trial} ${model}" data-value=${split.rmse.get(model) ?? Number.NaN}>${number(split.rmse.get(model) ?? Number.NaN, 4)}</td>`)}
              </tr>`,
            ),
          )}
        </tbody>
      </table>
      <p class="note">${words.units}</p>
    </div>`;
  }
}

/** From the best to the worst, with 1, which is ridge. */
function scale(points: readonly Point[]): Scale {
  const values = [1, ...points.map(({ ratio }) => ratio)];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const step = roundUp((most - least + 0.02) / 5);
  return { low: step * Math.floor(least / step - 0.1), high: step * Math.ceil(most / step + 0.1), step };
}

function says({ line, split, rmse }: Point): string {
  return words.at(line, split.trial + 1, rmse, split.ridge);
}

customElements.define("ifm-splits", Splits);
