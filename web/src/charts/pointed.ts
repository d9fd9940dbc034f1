import { html, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { Plotted } from "./chart.js";

/** What the layer over a picture is made of. */
export interface Over<Place> {
  readonly box: string; // its style: where the axes are
  readonly places: readonly Place[];
  readonly first: number; // the place that the keyboard begins at
  readonly name: string; // of the cursor
  readonly says: (place: Place) => string;
  readonly marks: unknown; // of the cursor, in shares of the box
  readonly choose?: ((place: Place, byKey: boolean) => void) | null; // by a press on it, or Enter
}

/** A chart with a cursor that a pointer, a finger or the arrow keys move from place to place. */
export abstract class Pointed<Place> extends Plotted {
  @state() protected accessor cursor: Place | null = null;

  private pressed = false; // by a pointer, not moved by a key

  /** What a pointer means so many px from the left and the top of a box; null: nothing. */
  protected abstract meant(x: number, y: number, box: DOMRect): Place | null;

  /** Where the cursor is among the places; −1: nowhere. */
  protected abstract index(places: readonly Place[]): number;

  protected over({ box, places, first, name, says, marks, choose = null }: Over<Place>): TemplateResult {
    const at = this.index(places) < 0 ? first : this.index(places);
    const place = places[at];
    return html`<div class="over" style=${box} @pointerdown=${this.press} @pointermove=${this.point} @pointerleave=${this.leave} @click=${(e: MouseEvent) => this.pick(e, choose)}>
      ${marks}
      <input
        type="range"
        min="0"
        max=${places.length - 1}
        step="1"
        .value=${String(at)}
        aria-label=${name}
        aria-valuetext=${place === undefined ? "" : says(place)}
        @input=${(e: Event) => this.slide(e.target as HTMLInputElement, places, first)}
        @keydown=${(e: KeyboardEvent) => {
          this.pressed = false;
          if (e.key === "Enter" && place !== undefined) choose?.(place, true);
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

  private under(event: MouseEvent): Place | null {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return this.meant(event.clientX - box.left, event.clientY - box.top, box);
  }

  private pick(event: MouseEvent, choose: Over<Place>["choose"]): void {
    const place = this.under(event);
    if (place !== null) choose?.(place, false);
  }

  private readonly point = (event: PointerEvent): void => {
    const over = event.currentTarget as HTMLElement;
    const place = this.under(event);
    if (place !== null || !focused(over)) this.cursor = place;
  };

  private readonly press = (event: PointerEvent): void => {
    this.pressed = true;
    this.point(event);
  };

  /** The slider's own idea of where it was pressed is not the picture's. */
  private slide(input: HTMLInputElement, places: readonly Place[], first: number): void {
    const at = this.index(places);
    if (this.pressed) input.value = String(at < 0 ? first : at);
    else this.cursor = places[Number(input.value)] ?? null;
  }

  /** A finger that was lifted leaves the reading, until another touches elsewhere. */
  private readonly leave = (event: PointerEvent): void => {
    if (event.pointerType !== "touch" && !focused(event.currentTarget as HTMLElement)) this.cursor = null;
  };

  private readonly elsewhere = (event: PointerEvent): void => {
    if (event.pointerType === "touch" && !this.contains(event.target as Node)) this.cursor = null;
  };

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("pointerdown", this.elsewhere);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("pointerdown", this.elsewhere);
  }
}

function focused(over: HTMLElement): boolean {
  return over.contains(document.activeElement);
}
