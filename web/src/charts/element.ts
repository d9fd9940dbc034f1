import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { heads, observeSize, painted } from "../panel/panel.js";
import { script } from "../panel/script.js";
import { number } from "../text/format.js";
import { Chart } from "./chart.js";
import type * as plot from "./plot.js";
import type { Sheet } from "./sheet.js";
import type { ChartSpec, Column, Content, Room } from "./spec.js";

const SIZE = 13; // px, of a chart's texts

/**
 * A chart that Plot draws, as large as its frame, with a cursor, a line that
 * reads it, the control that saves it, and its data as a table that opens.
 */
class Plotted extends Chart {
  @property({ attribute: false }) accessor spec!: ChartSpec<unknown>;
  @state() private accessor cursor: unknown = null; // a place; null: nowhere
  @state() private accessor width = 0;
  @state() private accessor height = 0; // as it was observed: to ask for it would have the browser lay out the page

  private plot: typeof plot | null = null; // still on its way
  private observer: ResizeObserver | undefined;
  private pen: CanvasRenderingContext2D | null | undefined; // measures texts
  private pressed = false; // the cursor, by a pointer: no key has moved it since

  constructor() {
    super();
    void painted()
      .then(() => script(() => import("./plot.js"), this.lost))
      .then((plot) => {
        this.plot = plot;
        this.drawSoon();
      });
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("spec")) return;
    this.dataset["chart"] = this.spec.name;
    if (this.cursor !== null) this.cursor = this.spec.content?.cursor.stays(this.cursor) ?? null;
  }

  protected override render(): TemplateResult {
    const { title, caption = title, look = "", height, waiting, data, content } = this.spec;
    return html`<figure class="chart ${look}">
      ${caption === "" ? nothing : html`<figcaption>${caption}</figcaption>`}
      <div class="frame" data-scale=${content?.y?.type ?? ""} style=${height === undefined ? nothing : `height:${height}px`}>
        <div class="plot" role="img" aria-label=${content ? content.summary() : waiting}></div>
        ${content ? this.over(content) : html`<p class="empty">${waiting}</p>`}
      </div>
      <p class="readout" aria-hidden="true">${content && (this.cursor === null ? content.cursor.hint : content.cursor.says(this.cursor))}</p>
      <ifm-save .of=${this} heading=${title}></ifm-save>
      ${this.folded(data, () => (content ? table(`${data}, ${title}`, content) : nothing))}
    </figure>`;
  }

  /** The layer of the cursor. */
  private over({ cursor, stands, margin }: Content<unknown>): TemplateResult {
    const { left, right, top, bottom } = margin(this.room);
    const size = { width: this.width - left - right, height: this.height - top - bottom };
    const { places, first } = cursor;
    const known = this.cursor === null ? -1 : places.indexOf(this.cursor);
    const at = known < 0 ? first : known;
    const place = places[at];
    return html`<div class="over" style="inset:${top}px ${right}px ${bottom}px ${left}px" @pointerdown=${this.press} @pointermove=${this.point} @pointerleave=${this.leave} @click=${this.pick}>
      ${this.width === 0 ? nothing : [stands?.(size), this.cursor === null ? nothing : cursor.mark(this.cursor, size)]}
      <input
        type="range"
        min="0"
        max=${places.length - 1}
        step="1"
        .value=${String(at)}
        aria-label=${cursor.name}
        aria-valuetext=${place === undefined ? "" : cursor.says(place)}
        @input=${({ target }: Event) => {
          if (this.pressed) (target as HTMLInputElement).value = String(at); // the slider's own idea of where it was pressed is not the picture's
          else this.cursor = places[Number((target as HTMLInputElement).value)] ?? null;
        }}
        @keydown=${({ key }: KeyboardEvent) => {
          this.pressed = false;
          if (key === "Enter" && place !== undefined) cursor.choose?.(place, true);
        }}
        @focus=${() => {
          if (!this.pressed) this.cursor ??= places[first] ?? null;
        }}
        @blur=${() => {
          this.pressed = false;
          this.cursor = null;
        }}
      />
    </div>`;
  }

  /** What an event over the picture means. */
  private under(event: MouseEvent): unknown {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return this.spec.content?.cursor.at(event.clientX - box.left, event.clientY - box.top, box) ?? null;
  }

  private readonly pick = (event: MouseEvent): void => {
    const place = this.under(event);
    if (place !== null) this.spec.content?.cursor.choose?.(place, false);
  };

  private readonly point = (event: PointerEvent): void => {
    const place = this.under(event);
    if (place !== null || !focused(event)) this.cursor = place;
  };

  private readonly press = (event: PointerEvent): void => {
    this.pressed = true;
    this.point(event);
  };

  /** A finger that was lifted leaves the reading, until another touches elsewhere. */
  private readonly leave = (event: PointerEvent): void => {
    if (event.pointerType !== "touch" && !focused(event)) this.cursor = null;
  };

  private readonly elsewhere = (event: PointerEvent): void => {
    if (event.pointerType === "touch" && !this.contains(event.target as Node)) this.cursor = null;
  };

  private get room(): Room {
    return { width: this.width, height: this.height, long: this.long };
  }

  private readonly long = (text: string, weight: number): number => {
    this.pen ??= document.createElement("canvas").getContext("2d");
    if (!this.pen) return 0;
    this.pen.font = `${weight} ${SIZE}px ${getComputedStyle(document.body).fontFamily}`; // its own would have the browser lay out the page
    return this.pen.measureText(text).width;
  };

  protected override draw(): void {
    const box = this.querySelector(".plot");
    if (!box) return;
    const { plot: Plot, width, height, room } = this;
    const content = Plot && width > 0 && height > 0 ? this.spec.content : null;
    if (!Plot || !content) return box.replaceChildren(this.instead);
    const { left, right, top, bottom } = content.margin(room);
    const { x, y, svg: className = "curve-svg" } = content;
    const marks = content.marks(Plot, room);
    const picture = Plot.plot({ width, height, marginLeft: left, marginRight: right, marginTop: top, marginBottom: bottom, className, style: { fontSize: `${SIZE}px`, overflow: "visible" }, x, y, marks });
    picture.setAttribute("aria-hidden", "true");
    box.replaceChildren(picture);
  }

  override sheet(): Sheet | null {
    const { name, title, content } = this.spec;
    if (!content) return null;
    this.draw();
    return {
      what: name,
      title,
      described: content.summary(),
      notes: content.notes ?? [],
      legend: content.legend,
      columns: content.columns().flatMap(({ name, values }) => (name === undefined ? [] : [{ name, values }])),
      picture: this.querySelector<SVGSVGElement>(".plot > svg"),
    };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("pointerdown", this.elsewhere);
    if (this.hasUpdated) this.observe(); // it was moved
  }

  protected override firstUpdated(): void {
    this.observe();
  }

  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get("spec")?.of;
    if (changed.has("spec") && !(before && this.spec.of?.every((value, i) => value === before[i]))) this.drawSoon();
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
    document.removeEventListener("pointerdown", this.elsewhere);
    this.observer?.disconnect();
  }
}

function focused(event: Event): boolean {
  return (event.currentTarget as HTMLElement).contains(document.activeElement);
}

function table(name: string, { columns, rows, note }: Content<unknown>): TemplateResult {
  const shown = columns().filter(({ head }) => head !== undefined);
  const [first, ...others] = shown;
  const written = ({ values, cell = (value) => (value === undefined ? "" : number(value, 4)) }: Column, row: number): unknown => cell(values[row] as number, row);
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${name}>
    <table class="numbers">
      ${heads(shown.map(({ head = "" }) => head))}
      <tbody>
        ${rows.map(
          (row) => html`<tr data-row=${row}>
            <th scope="row">${first && written(first, row)}</th>
            ${others.map((column) => html`<td data-column=${column.head} data-value=${column.values[row]}>${written(column, row)}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>
    ${note ? html`<p class="note">${note}</p>` : nothing}
  </div>`;
}

customElements.define("ifm-chart", Plotted);
