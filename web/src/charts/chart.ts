// What every chart shares.
import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { after } from "../engine/pending.js";
import { observeSize, painted, Panel } from "../panel/panel.js";
import { script } from "../panel/script.js";
import type * as plot from "./plot.js";
import type { Savable, Sheet } from "./sheet.js";
import { charts } from "./strings.js";

export const SIZE = 13; // px, of a chart's texts

/** A panel with a picture. It is drawn in a task of its own, so that several of them never hold up the reader together. */
export abstract class Chart extends Panel implements Savable {
  @state() protected accessor open = false; // its table is

  private due = false;
  private saves = false; // it has told that there is something to save

  /** All that a file of it is made of; null while there is nothing to see. */
  abstract sheet(): Sheet | null;

  protected abstract draw(): void;

  /** What stands where there is no picture: nothing, or that it cannot be drawn. All else works without it. */
  protected instead = "";

  protected lost = (is: boolean): void => {
    this.instead = is ? charts.lost : "";
    this.drawSoon();
  };

  /** A table of its data that opens. */
  protected folded(summary: string, table: () => TemplateResult | typeof nothing): TemplateResult {
    return html`<details class="under" @toggle=${(e: Event) => (this.open = (e.target as HTMLDetailsElement).open)}>
      <summary>${summary}</summary>
      ${this.open ? table() : nothing}
    </details>`;
  }

  protected drawSoon(): void {
    if (this.due) return;
    this.due = true;
    after(0, () => {
      this.due = false;
      this.draw();
      if (this.saves || !this.sheet()) return;
      this.saves = true;
      this.tell("ifm-savable", null);
    });
  }
}

/** Left free around the axes, px. */
interface Margin {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** What Plot draws; its size, its margins and its style are the chart's. */
export interface Plan extends Required<Pick<plot.PlotOptions, "x" | "y" | "marks">> {
  readonly margin: Margin;
  readonly name?: string; // of a class that its styles have
}

/** A chart that Plot draws, as large as its .frame, with its data in a table that opens. It is drawn anew when that changes. */
export abstract class Plotted extends Chart {
  @state() protected accessor width = 0;
  @state() protected accessor height = 0; // as it was observed: to ask for it would have the browser lay out the page

  private plot: typeof plot | null = null; // still on its way

  private observer: ResizeObserver | undefined;

  constructor() {
    super();
    void painted()
      .then(() => script(() => import("./plot.js"), this.lost))
      .then((plot) => {
        this.plot = plot;
        this.drawSoon();
      });
  }

  /** What is to be drawn so many px high; null: nothing; "stays": what is there is it. */
  protected abstract plan(Plot: typeof plot, height: number): Plan | "stays" | null;

  protected override draw(): void {
    const box = this.querySelector(".plot");
    if (!box) return;
    const { plot: Plot, width, height } = this;
    const plan = Plot && width > 0 && height > 0 ? this.plan(Plot, height) : null;
    if (!Plot || !plan) return box.replaceChildren(this.instead);
    if (plan === "stays") return;
    const { margin: { left, right, top, bottom }, name = "curve-svg", ...what } = plan;
    const picture = Plot.plot({ width, height, marginLeft: left, marginRight: right, marginTop: top, marginBottom: bottom, className: name, style: { fontSize: `${SIZE}px`, overflow: "visible" }, ...what });
    picture.setAttribute("aria-hidden", "true");
    box.replaceChildren(picture);
  }

  /** The drawing of what there is now. */
  protected picture(): SVGSVGElement | null {
    this.draw();
    return this.querySelector<SVGSVGElement>(".plot > svg");
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.observe(); // it was moved
  }

  protected override firstUpdated(): void {
    this.observe();
  }

  private observe(): void {
    const frame = this.querySelector(".frame");
    if (!frame) return;
    this.observer = observeSize(frame, (width, height) => {
      Object.assign(this, { width, height });
      this.drawSoon();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer?.disconnect();
  }
}
