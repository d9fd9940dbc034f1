import { html, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Contest } from "../../engine/protocol.js";
import { Panel } from "../../panel/panel.js";
import type { Painted } from "./editor.js";
import { bent, FEATURES } from "./pairs.js";
import { stems as strings } from "./strings.js";

const REACH = 5; // the largest eigenvalue of six features whose pairs are 1 at most

interface Spectrum {
  readonly values: readonly number[];
  readonly vectors: readonly number[]; // row by row
}

/** The eigenvalues of M as stems from zero, each a slider; its eigenvectors stay. */
class Stems extends Panel {
  @property({ attribute: false }) accessor contest: Contest | null = null;
  @state() private accessor asked: readonly number[] | null = null; // while one is dragged
  @state() private accessor told = "";

  private base: Spectrum | null = null; // what was there when it began

  protected override render(): TemplateResult {
    const values = this.asked ?? (this.contest ? sorted(this.contest).values : []);
    return html`<fieldset class="stemmed">
      <legend>${strings.title}</legend>
      ${Array.from({ length: FEATURES }, (_, i) => {
        const value = clean(values[i] ?? 0);
        const [from, to] = [Math.min(0, value), Math.max(0, value)].map((v) => (50 * (v + REACH)) / REACH);
        return html`<label class=${value > 0 ? "positive" : value < 0 ? "negative" : ""} style="--from:${from}%;--to:${to}%">
          <span>${strings.name(i)}</span>
          <input
            type="range"
            min=${-REACH}
            max=${REACH}
            step="0.05"
            .value=${String(value)}
            ?disabled=${!this.contest}
            aria-valuetext=${said(value)}
            @input=${(e: Event) => this.drag(i, Number((e.target as HTMLInputElement).value))}
            @change=${(e: Event) => this.drop(i, Number((e.target as HTMLInputElement).value))}
          />
          <b class="num">${said(value)}</b>
        </label>`;
      })}
      <p class="note bent" role="status">${this.told || strings.about}</p>
    </fieldset>`;
  }

  private made(i: number, value: number): ReturnType<typeof bent> | null {
    this.base ??= this.contest && sorted(this.contest);
    if (!this.base) return null;
    this.asked = this.base.values.map((v, at) => (at === i ? value : v));
    return bent(this.asked, this.base.vectors);
  }

  private drag(i: number, value: number): void {
    const made = this.made(i, value);
    if (made) this.dispatchEvent(new CustomEvent<Painted>("paint", { detail: { pairs: made.pairs, rests: false } }));
  }

  private drop(i: number, value: number): void {
    const made = this.made(i, value);
    if (!made) return;
    this.told = strings.told(i, value, made.held);
    Object.assign(this, { asked: null, base: null });
    this.dispatchEvent(new CustomEvent<Painted>("paint", { detail: { pairs: made.pairs, rests: true } }));
  }
}

/** The largest eigenvalue first, with its vectors. */
function sorted({ eigenvalues, vectors }: Contest): Spectrum {
  const order = [...eigenvalues].map((_, i) => i).sort((a, b) => (eigenvalues[b] ?? 0) - (eigenvalues[a] ?? 0));
  return { values: order.map((i) => eigenvalues[i] ?? 0), vectors: order.flatMap((i) => [...vectors.subarray(i * FEATURES, (i + 1) * FEATURES)]) };
}

/** As a link and a cell have numbers. */
function said(value: number): string {
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;
}

/** Without what rounding leaves of a zero. */
function clean(value: number): number {
  return Math.abs(value) < 0.005 ? 0 : value;
}

customElements.define("ifm-stems", Stems);
