import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Column, Sheet } from "../export/sheet.js";
import { number } from "../format.js";
import { Plotted } from "../panel.js";
import type * as plot from "../plot.js";
import type { Model } from "../series.js";
import { saved, short, splits as strings } from "../strings.js";
import type { Sample } from "../view.js";
import { legend, looks, type Line } from "./lines.js";
import { average, roundUp } from "./measure.js";

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
const MARGIN = { top: 8, bottom: 44 }; // px

/** Each split's test RMSE ÷ ridge's, a dot each, and a bar from ridge to their mean. */
class Splits extends Plotted {
  static override properties = { rows: { attribute: false }, models: { attribute: false }, waiting: {} };

  declare rows: readonly Row[];
  declare models: readonly Model[];
  declare waiting: string;

  constructor() {
    super();
    this.rows = [];
    this.models = [];
    this.waiting = "";
  }

  protected override render(): TemplateResult {
    const points = this.points();
    return html`${legend(this.keys())}
    <figure class="chart splits">
      <figcaption>${strings.heading}</figcaption>
      <div class="frame" style="height:${MARGIN.top + MARGIN.bottom + HEIGHT * this.rows.length * this.models.length}px">
        <div class="plot" role="img" aria-label=${points.length > 0 ? this.describe() : this.waiting}></div>
        ${points.length > 0 ? nothing : html`<p class="empty">${this.waiting}</p>`}
      </div>
      <ifm-save .of=${this} heading=${strings.heading}></ifm-save>
      <details class="under" @toggle=${(e: Event) => (this.open = (e.target as HTMLDetailsElement).open)}>
        <summary>${strings.data}</summary>
        ${this.open ? this.table() : nothing}
      </details>
    </figure>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (["rows", "models", "width", "plot"].some((key) => changed.has(key))) this.drawSoon();
  }

  private keys(): Line[] {
    return this.models.map((model) => ({ ...looks[model], dash: "", name: short[model], x: [], y: [] }));
  }

  private points(): { readonly line: string; readonly model: Model; readonly ratio: number }[] {
    return this.rows.flatMap((row) => row.splits.flatMap((split) => [...split.rmse].map(([model, rmse]) => ({ line: strings.line(row.name, short[model]), model, ratio: rmse / split.ridge }))));
  }

  private describe(): string {
    return [
      strings.describe,
      ...this.rows.flatMap((row) =>
        this.models.flatMap((model) => {
          const all = row.splits.flatMap((split) => (split.rmse.get(model) ?? Number.NaN) / split.ridge).filter((v) => !Number.isNaN(v));
          return all.length > 0 ? [strings.one(strings.line(row.name, short[model]), average(all), Math.min(...all), Math.max(...all))] : [];
        }),
      ),
    ].join(" ");
  }

  protected override draw(): void {
    const place = this.querySelector(".plot");
    const Plot = this.plot;
    const points = this.points();
    if (!place || !Plot || this.width === 0 || points.length === 0) {
      place?.replaceChildren(this.instead);
      return;
    }
    const names = this.rows.flatMap((row) => this.models.map((model) => strings.line(row.name, short[model])));
    const values = [1, ...points.map(({ ratio }) => ratio)];
    const step = roundUp((Math.max(...values) - Math.min(...values) + 0.02) / 5);
    const [low, high] = [step * Math.floor(Math.min(...values) / step - 0.1), step * Math.ceil(Math.max(...values) / step + 0.1)];
    const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, i) => low + i * step);
    const digits = step < 0.1 ? 2 : 1;
    const means = [...new Set(points.map(({ line }) => line))].map((line) => {
      const own = points.filter((point) => point.line === line);
      return { line, model: own[0]?.model ?? "ifm", mean: average(own.map(({ ratio }) => ratio)) };
    });
    const marks: plot.Markish[] = [
      Plot.gridX(ticks, { stroke: "var(--rule)", strokeOpacity: 1 }),
      Plot.gridX([1], { stroke: "var(--ink)", strokeOpacity: 1 }),
      Plot.axisX(ticks, { tickSize: 4, tickFormat: (v: number) => v.toFixed(digits), label: strings.x, labelAnchor: "center", labelArrow: "none", fill: "var(--quiet)" }),
      Plot.axisY(names, { tickSize: 0, tickPadding: 8, fill: "var(--ink)" }),
      ...means.map(({ line, model, mean }) => Plot.line([{ x: 1, y: line }, { x: mean, y: line }], { x: "x", y: "y", stroke: `var(--${looks[model].colour})`, strokeWidth: 8, strokeOpacity: 0.3 })),
      ...this.models.map((model) => Plot.dot(points.filter((point) => point.model === model), { x: "ratio", y: "line", symbol: looks[model].symbol, fill: `var(--${looks[model].colour})`, stroke: "var(--ground)", strokeWidth: 1, r: 5 })),
    ];
    const picture = Plot.plot({
      width: this.width,
      height: place.clientHeight,
      marginLeft: Math.max(...names.map((name) => 12 + 7 * name.length)),
      marginRight: 16,
      marginTop: MARGIN.top,
      marginBottom: MARGIN.bottom,
      className: "curve-svg",
      style: { fontSize: "13px", overflow: "visible" },
      x: { domain: [low, high], label: strings.x },
      y: { type: "point", domain: names, label: null, padding: 0.5 },
      marks,
    });
    picture.setAttribute("aria-hidden", "true");
    place.replaceChildren(picture);
  }

  override sheet(): Sheet | null {
    const all = this.rows.flatMap((row) => row.splits.map((split) => ({ row, split })));
    if (all.length === 0) return null;
    const rmse = (name: string, of: (split: Split) => number | undefined): Column => ({ name: saved.rmse(name, saved.theTarget), values: all.map(({ split }) => of(split) ?? Number.NaN) });
    return {
      what: "splits",
      title: strings.heading,
      described: this.describe(),
      notes: [],
      legend: this.models.map((model) => ({ ...looks[model], name: short[model], dash: null })),
      columns: [
        { name: strings.table, values: all.map(({ row }) => row.name) },
        { name: saved.target, values: all.map(({ row }) => row.target) },
        { name: strings.split, values: all.map(({ split }) => split.trial + 1) },
        rmse(saved.baseline(short.mean), (split) => split.mean),
        rmse(saved.baseline(short.ridge), (split) => split.ridge),
        rmse(saved.baseline(short.quadratic), (split) => split.quadratic),
        ...this.models.map((model) => rmse(short[model], (split) => split.rmse.get(model))),
      ],
      picture: this.picture(),
    };
  }

  private table(): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label="${strings.data}, ${strings.heading}">
      <table class="numbers">
        <thead>
          <tr>
            <th scope="col">${strings.table}</th>
            <th scope="col">${strings.split}</th>
            <th scope="col">${short.mean}</th>
            <th scope="col">${short.ridge}</th>
            <th scope="col">${short.quadratic}</th>
            ${this.models.map((model) => html`<th scope="col">${short[model]}</th>`)}
          </tr>
        </thead>
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
      <p class="note">${strings.units}</p>
    </div>`;
  }
}

customElements.define("ifm-splits", Splits);
