import { html, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Panelled } from "../../charts/matrices/matrix.js";
import { after } from "../../engine/pending.js";
import type { Matrix } from "../../engine/protocol.js";
import { Panel } from "../../panel/panel.js";
import { count, number } from "../../text/format.js";
import { counted } from "../../text/strings.js";
import { waiting } from "../chapter/strings.js";
import { crossed, hollow, largest, minus, named, strongest } from "./cross.js";

const words = {
  title: "Build a cross",
  panels: { truth: "True M*", whole: "UUᵀ", hollow: "FM: without it", left: "M* − FM" },
  notes: { whole: "with its diagonal", left: (most: number) => `at most ${number(most, 2)}` },
  square: "Largest on the hidden diagonal",
  kept: "Largest error in the copied rows",
  spilt: "Largest entry spilt elsewhere",
  told: (names: readonly string[], negative: number, of: number, whole: boolean) =>
    whole
      ? `${counted(names.length, "column")} for ${count(names.length + 1)} features: every row is copied, so FM has the whole true matrix, at any c.`
      : `${names.length === 1 ? "One column copies the row" : `${count(names.length)} columns copy the rows`} of ${named(names)}: ${counted(of, "pair")}, ${count(negative)} of them negative.`,
};

const STEPS = 60; // of the slider
const SEEN = 42; // where the cross is seen: c² is 88 times the largest entry that is left
const [LEAST, MOST] = [0.3, 1000]; // c² at its ends, in units of the largest entry that is left
const FRAME = 80; // ms of a step that plays, of 60
const STILL = { step: 15, ms: 1200 }; // of those that wish to see nothing move

/** Crosses built by hand, of a truth that is there: c grows as a slider is moved, or by itself once it is asked to. */
class Crosses extends Panel {
  @property({ attribute: false }) accessor truth: Matrix | null = null;
  @state() private accessor columns = 1; // of U
  @state() private accessor at = SEEN; // the slider
  @state() private accessor playing = false;

  private next: (() => void) | undefined; // step

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.playing = false;
    this.next?.();
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has("playing") && !changed.has("at")) return;
    this.next?.();
    if (!this.playing) return;
    const { step, ms } = matchMedia("(prefers-reduced-motion: reduce)").matches ? STILL : { step: 1, ms: FRAME };
    this.next = after(ms, () => {
      this.at = Math.min(STEPS, this.at + step);
      this.playing = this.at < STEPS;
    });
  }

  protected override render(): TemplateResult {
    const { truth, at } = this;
    const d = truth?.d ?? 0;
    const columns = Math.min(this.columns, Math.max(1, d - 1));
    const most = truth ? largest(d, truth.values, [], false) : Number.NaN;
    const features = truth ? strongest(truth).slice(0, columns) : [];
    const whole = truth && crossed(truth, features, LEAST * (MOST / LEAST) ** (at / STEPS));
    const square = whole ? Math.max(...features.map((j) => whole[j * (d + 1)] ?? 0)) : Number.NaN;
    const [kept, spilt] = truth && whole ? [largest(d, minus(whole, truth.values), features, true), largest(d, whole, features, false)] : [Number.NaN, Number.NaN];
    return html`<div class="building">
      <h3>${words.title}</h3>
      <p>Take one feature. Its number in u is c. The number of every other feature is the true weight of its pair with that feature, divided by c. Then uuᵀ has the whole row, signs included, with c² on the hidden diagonal. What spills into other pairs is divided by c², so it fades as c grows.</p>
      <div class="turned">
        <button class="play" aria-pressed=${String(this.playing)} ?disabled=${!truth} @click=${this.play}>${this.playing ? "Pause" : "Let c grow"}</button>
        <label class="slide">
          <span>c</span>
          <input type="range" data-slider="c" min="0" max=${STEPS} .value=${String(at)} ?disabled=${!truth} aria-valuetext=${truth ? `${number(square)} on the hidden diagonal, up to ${number(spilt)} spilt elsewhere` : waiting.idle} @input=${(e: Event) => Object.assign(this, { playing: false, at: Number((e.target as HTMLInputElement).value) })} />
        </label>
        <label class="slide">
          <span>Columns of U, a row each <b class="num">${columns}</b></span>
          <input type="range" data-slider="columns" min="1" max=${Math.max(1, d - 1)} .value=${String(columns)} ?disabled=${!truth} @input=${(e: Event) => (this.columns = Number((e.target as HTMLInputElement).value))} />
        </label>
      </div>
      <ifm-matrix .heading=${"A cross, built by hand"} .panels=${panels(truth, whole, features, Math.max(kept, this.unwritten(truth, whole)))}></ifm-matrix>
      <dl class="measures">
        ${([["square", square], ["kept", kept], ["spilt", spilt]] as const).map(([key, value]) => html`<div><dt>${words[key]}</dt><dd class="num" data-of=${key} data-value=${value}>${number(rounded(value, most))}</dd></div>`)}
      </dl>
      <p class="note said">${truth ? `${said(truth, features)}${columns === d - 1 ? "" : ` ${spilt < 0.05 * most ? "c is large: nearly nothing is spilt, and FM’s map shows the cross alone." : spilt > most ? "c is still small: what is spilt elsewhere is as large as the true entries." : "The larger c, the less is spilt elsewhere."}`}` : waiting.idle}</p>
    </div>`;
  }

  /** The largest entry of what FM misses. */
  private unwritten(truth: Matrix | null, whole: Float64Array | null): number {
    return truth && whole ? largest(truth.d, minus(truth.values, whole), [], false) : Number.NaN;
  }

  private readonly play = (): void => {
    if (!this.playing && (this.at === SEEN || this.at === STEPS)) this.at = 0; // it grows from the start
    this.playing = !this.playing;
  };
}

function panels(truth: Matrix | null, whole: Float64Array | null, features: readonly number[], most: number): Panelled[] {
  const of = (values: Float64Array | null): Matrix | null => truth && values && { ...truth, values, eigenvalues: new Float64Array() };
  const without = truth && whole && hollow(truth.d, whole);
  return [
    { key: "truth", title: words.panels.truth, note: "", values: truth },
    { key: "whole", title: words.panels.whole, note: words.notes.whole, values: of(whole), crosses: features },
    { key: "fm", title: words.panels.hollow, note: "", values: of(without) },
    { key: "left", title: words.panels.left, note: words.notes.left(rounded(most, 1)), values: of(truth && without && minus(truth.values, without)) },
  ];
}

/** What these rows hold, in words. */
function said(truth: Matrix, features: readonly number[]): string {
  const { d, values, names } = truth;
  const pairs = [...values].filter((_, at) => Math.floor(at / d) < at % d && (features.includes(Math.floor(at / d)) || features.includes(at % d)));
  return words.told(features.map((j) => names[j] ?? ""), pairs.filter((v) => v < 0).length, pairs.length, features.length === d - 1);
}

/** 0 for what is rounding beside a size. */
function rounded(value: number, size: number): number {
  return value < 1e-12 * size ? 0 : value;
}

customElements.define("ifm-crosses", Crosses);
