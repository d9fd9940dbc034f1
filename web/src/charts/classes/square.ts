import { html, nothing, svg, type PropertyValues, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Told } from "../../engine/protocol.js";
import { heads, touches } from "../../panel/panel.js";
import { number } from "../../text/format.js";
import type { Plan } from "../chart.js";
import type * as plot from "../plot.js";
import { Pointed } from "../pointed.js";
import { colour } from "./look.js";
import { classes as shared } from "./strings.js";
import type { Teller, Tellers } from "./told.js";

/** What such a chart says of itself. */
export interface Words {
  title(what: string): string;
  readonly x: string;
  readonly y: string;
  readonly cursor: string;
  hint(touch: boolean): string;
  readonly data: string; // the table's
}

/** The points of who is looked at, in shares. */
export interface Points {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
}

/** A column of the table below: how it is called, what is in it, and how that is written if it is no share. */
export type Column = readonly [name: string, values: ArrayLike<number>, write?: (value: number) => string];

const MARGIN = { left: 56, right: 16, top: 26, bottom: 40 };

/** A chart of the unit square, of what is told of two classes, with a cursor from point to point. */
export abstract class Square<Seen> extends Pointed<number> {
  @property({ attribute: false }) accessor classes: Tellers | null = null;
  @property() accessor what = ""; // class 1, in words

  protected abstract readonly words: Words;
  protected abstract readonly radius: number; // px, of the cursor's mark

  /** What is drawn of what is told of one. */
  protected abstract of(told: Told): Seen;
  protected abstract points(seen: Seen): Points;
  protected abstract describe(all: Tellers, seen: Seen): string;
  protected abstract says(seen: Seen, i: number): string;
  protected abstract columns(seen: Seen): readonly Column[];

  /** The marks above the grid and the diagonal. */
  protected abstract marks(Plot: typeof plot, all: Tellers, seen: Seen): Plan["marks"];

  /** The point that the keyboard begins at. */
  protected first(_: Seen): number {
    return 0;
  }

  /** What stands below. */
  protected below(): TemplateResult | typeof nothing {
    return nothing;
  }

  protected get whose(): Teller {
    return this.classes?.told[0]?.[0] ?? "ifm";
  }

  protected get own(): Told | undefined {
    return this.classes?.told[0]?.[1];
  }

  /** px between the axes. */
  protected get across(): number {
    return this.width - MARGIN.left - MARGIN.right;
  }

  protected override render(): TemplateResult {
    const { words, own } = this;
    const seen = own && this.of(own);
    const last = seen ? this.points(seen).x.length - 1 : -1;
    const at = this.cursor === null ? null : Math.min(this.cursor, last);
    const title = words.title(this.what);
    return html`<figure class="chart scatter">
        <figcaption>${title}</figcaption>
        <div class="frame">
          <div class="plot" role="img" aria-label=${this.classes && seen ? this.describe(this.classes, seen) : title}></div>
          ${seen
            ? this.over({
                box: `left:${MARGIN.left}px;right:${MARGIN.right}px;top:${MARGIN.top}px;bottom:${MARGIN.bottom}px`,
                places: Array.from({ length: last + 1 }, (_, i) => i),
                first: this.first(seen),
                name: words.cursor,
                says: (i) => this.says(seen, i),
                marks: at === null ? nothing : this.mark(this.points(seen), at),
              })
            : html`<p class="empty">${shared.soon}</p>`}
        </div>
        <p class="readout" aria-hidden="true">${!seen ? "" : at === null ? words.hint(touches()) : this.says(seen, at)}</p>
        <ifm-save .of=${this} heading=${title}></ifm-save>
        ${this.folded(words.data, () => (seen ? this.table(this.columns(seen)) : nothing))}
      </figure>
      ${this.below()}`;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("classes")) this.drawSoon();
  }

  /** In shares of the box. */
  private mark({ x, y }: Points, i: number): TemplateResult {
    return html`<svg class="mark" aria-hidden="true">${svg`<circle cx="${100 * (x[i] ?? 0)}%" cy="${100 * (1 - (y[i] ?? 0))}%" r=${this.radius} style="fill:var(--${colour(this.whose)})" />`}</svg>`;
  }

  protected override index(places: readonly number[]): number {
    return this.cursor === null ? -1 : Math.min(this.cursor, places.length - 1);
  }

  protected override meant(x: number, y: number, box: DOMRect): number | null {
    const points = this.own && this.points(this.of(this.own));
    return points ? this.nearest(points, x / box.width, 1 - y / box.height, box) : null;
  }

  /** The point that is meant by a place, in shares of the box; null: none. */
  protected abstract nearest(points: Points, x: number, y: number, box: DOMRect): number | null;

  protected override plan(Plot: typeof plot): Plan | null {
    const { classes: all, own, words } = this;
    if (!all || !own) return null;
    return {
      margin: MARGIN,
      name: "scatter-svg",
      x: { domain: [0, 1] },
      y: { domain: [0, 1] },
      marks: [
        Plot.gridY({ ticks: 5, stroke: "var(--rule)", strokeOpacity: 1 }),
        Plot.gridX({ ticks: 5, stroke: "var(--rule)", strokeOpacity: 1 }),
        Plot.axisX({ ticks: 5, tickSize: 0, tickPadding: 8, label: words.x, labelArrow: "none", fill: "var(--quiet)" }),
        Plot.axisY({ ticks: 5, tickSize: 0, tickPadding: 8, label: words.y, labelArrow: "none", labelAnchor: "top", labelOffset: 40, fill: "var(--quiet)" }),
        Plot.line([[0, 0], [1, 1]], { stroke: "var(--base)", strokeWidth: 1.5, strokeDasharray: "2 3" }),
        ...this.marks(Plot, all, this.of(own)),
      ],
    };
  }

  private table(columns: readonly Column[]): TemplateResult {
    const [first, ...others] = columns;
    const at = ([, values, write = number]: Column, i: number): string => write(values[i] ?? 0);
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${this.words.data}>
      <table class="numbers">
        ${heads(columns.map(([name]) => name))}
        <tbody>
          ${first && Array.from(first[1], (_, i) => html`<tr><th scope="row">${at(first, i)}</th>${others.map((column) => html`<td>${at(column, i)}</td>`)}</tr>`)}
        </tbody>
      </table>
    </div>`;
  }
}
