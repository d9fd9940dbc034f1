import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { observeSize, painted, touches } from "../panel/panel.js";
import { script } from "../panel/script.js";
import { Chart } from "./chart.js";
import { dataTable, savedColumns } from "./data.js";
import type * as plot from "./plot.js";
import type { Sheet } from "./sheet.js";
import type { ChartSpec, Content, Room } from "./spec.js";

const SIZE = 15; // px, of a chart's texts

/**
 * A chart that Plot draws, as large as its frame, with a cursor, a line that
 * reads it, the control that saves it, and its data as a table that opens.
 */
class Plotted extends Chart {
  @property({ attribute: false }) accessor spec!: ChartSpec<unknown>;
  @state() private accessor cursor: unknown = null; // where a pointer or a key has put it; null: nowhere
  private readonly long = measure();
  @state() private accessor room: Room = { width: 0, height: 0, long: this.long }; // as it was observed: to ask for it would have the browser lay out the page

  private plot: typeof plot | null = null; // still on its way
  private observer: ResizeObserver | undefined;
  private drawn: { readonly room: Room; readonly of: readonly unknown[] | undefined } | undefined; // what the drawing was made for
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
    if (!this.spec.content && !this.matches(":hover")) this.cursor = null; // the next run has begun under it
  }

  /** Where the cursor is in the data that there is now; null: nowhere. */
  private get place(): unknown {
    return this.cursor === null ? null : (this.spec.content?.cursor.stays(this.cursor) ?? null);
  }

  protected override render(): TemplateResult {
    const { place } = this;
    const { title, caption = title, look = "", height, waiting, data, content } = this.spec;
    return html`<figure class="chart ${look}">
      ${caption === "" ? nothing : html`<figcaption>${caption}</figcaption>`}
      <div class="frame" data-scale=${content?.y?.type ?? ""} style=${height === undefined ? nothing : `height:${height}px`}>
        <div class="plot" role="img" aria-label=${content ? content.summary() : waiting}></div>
        ${content ? this.over(content, place) : html`<p class="empty">${waiting}</p>`}
      </div>
      <p class="readout" aria-hidden="true">${content && (place === null ? content.cursor.hint?.(touches()) : content.cursor.says(place))}</p>
      ${this.saving(title, data, () => (content ? dataTable(`${data}, ${title}`, content.columns(), content.rows, content.note) : nothing))}
    </figure>`;
  }

  /** The layer of the cursor. */
  private over({ cursor, stands, margin }: Content<unknown>, place: unknown): TemplateResult {
    const { left, right, top, bottom } = margin(this.room);
    const { width, height } = this.room;
    const size = { width: width - left - right, height: height - top - bottom };
    const { places, first } = cursor;
    const known = places.indexOf(place);
    const at = known < 0 ? first : known;
    const chosen = places[at]; // by keys
    return html`<div class="over" style="inset:${top}px ${right}px ${bottom}px ${left}px" @pointerdown=${this.press} @pointermove=${this.point} @pointerleave=${this.leave} @click=${this.pick}>
      ${width === 0 ? nothing : [stands?.(size, place), place === null ? nothing : cursor.mark(place, size)]}
      <input
        type="range"
        min="0"
        max=${places.length - 1}
        step="1"
        .value=${String(at)}
        aria-label=${cursor.name}
        aria-valuetext=${chosen === undefined ? "" : cursor.says(chosen)}
        @input=${({ target }: Event) => {
          if (this.pressed) (target as HTMLInputElement).value = String(at); // the slider's own idea of where it was pressed is not the picture's
          else this.cursor = places[Number((target as HTMLInputElement).value)] ?? null;
        }}
        @keydown=${({ key }: KeyboardEvent) => {
          this.pressed = false;
          if (key === "Enter" && chosen !== undefined) cursor.choose?.(chosen, true);
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

  protected override draw(): void {
    const box = this.querySelector(".plot");
    if (!box) return;
    const { plot: Plot, room } = this;
    const { width, height } = room;
    const content = Plot && width > 0 && height > 0 ? this.spec.content : null;
    if (!Plot || !content) return box.replaceChildren(this.instead);
    const { moves } = content;
    const drawn = box.querySelector("svg");
    if (drawn && moves && this.drawn?.room === room && same(moves.of, this.drawn.of)) return moves.move(drawn, room);
    this.drawn = { room, of: moves?.of };
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
    if (this.due) this.draw();
    return {
      what: name,
      title,
      described: content.summary(),
      notes: content.notes ?? [],
      legend: content.legend,
      columns: savedColumns(content.columns()),
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
    if (changed.has("spec") && !same(this.spec.of, changed.get("spec")?.of)) this.drawSoon();
  }

  private observe(): void {
    const frame = this.querySelector(".frame");
    if (!frame) return;
    this.observer = observeSize(frame, (width, height) => {
      this.room = { width, height, long: this.long };
      this.drawSoon();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("pointerdown", this.elsewhere);
    this.observer?.disconnect();
  }
}

/** Measures texts, in px. The page's letters are asked for once: each time would have the browser style the page anew. */
function measure(): Room["long"] {
  const pen = document.createElement("canvas").getContext("2d");
  let family = "";
  return (text, weight = 400) => {
    if (!pen) return 0;
    family ||= getComputedStyle(document.body).fontFamily;
    pen.font = `${weight} ${SIZE}px ${family}`;
    return pen.measureText(text).width;
  };
}

function same(a: readonly unknown[] | undefined, b: readonly unknown[] | undefined): boolean {
  return a !== undefined && b !== undefined && a.length === b.length && a.every((value, i) => value === b[i]);
}

function focused(event: Event): boolean {
  return (event.currentTarget as HTMLElement).contains(document.activeElement);
}

/** A chart on the page. More of it than its spec says is for who looks at it from elsewhere. */
export function chart<Place, More = unknown>(spec: ChartSpec<Place> & More): TemplateResult {
  return html`<ifm-chart .spec=${spec}></ifm-chart>`;
}

customElements.define("ifm-chart", Plotted);
