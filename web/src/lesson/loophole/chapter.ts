import { html, nothing, type TemplateResult } from "lit";
import { lineChart, type Drawing, type Line } from "../../charts/lines.js";
import { legend, looks } from "../../charts/looks.js";
import "../../charts/matrices/matrix.js";
import type { Panelled } from "../../charts/matrices/matrix.js";
import type { Matrix, ModelFile } from "../../engine/protocol.js";
import type { Input } from "../../panel/form.js";
import { heads } from "../../panel/panel.js";
import { encode, type Spec } from "../../state/spec.js";
import { isFrame } from "../../state/view.js";
import { count, fraction, number, percent } from "../../text/format.js";
import { quantity, say, type Phrase, type Quantity } from "../../text/phrase.js";
import { short } from "../../text/strings.js";
import { bounds, Chapter, choice, formulary, settings, type Content, type First } from "../chapter/chapter.js";
import { formulas } from "../chapter/formulas.gen.js";
import { last, roundUp } from "../chapter/measure.js";
import type { Job, Track } from "../chapter/runner.js";
import { crosses, height, learnt, minus, missed, hollow } from "./cross.js";
import "./crosses.js";
import { loophole as strings } from "./strings.js";

type Settings = {
  readonly d: number;
  readonly k: number;
  readonly n: number;
  readonly test: number;
  readonly noise: number;
  readonly solver: Spec["solver"];
  readonly iterations: number;
  readonly seed: number;
};

const NEARLY = 0.4; // of a row's size: who misses no more has copied it, 84 % of its squares at least
const NOTHING = 0.9; // who misses more has not
const ENDED = 0.02; // of the second-order part: what is left where the bias is over

/** What FM of one rank has learnt. */
interface Learnt {
  readonly whole: Float64Array; // UUᵀ
  readonly crosses: readonly number[]; // features
  readonly tallest: number; // feature
}

/** How FM writes a truth of the wrong sign: a column copies a row, and rank by rank the rows are covered. */
class Loophole extends Chapter<Settings> {
  protected readonly name = "loophole";
  protected readonly words = strings;
  protected readonly initial: Settings = { d: 10, k: 2, n: 400, test: 200, noise: 0, solver: "agd", iterations: 300, seed: 1 };
  protected readonly inputs: readonly Input[] = [
    bounds("d", 4, 16),
    bounds("k", 1, 8),
    bounds("n", 10, 5000),
    bounds("test", 10, 5000),
    bounds("noise", 0, 2),
    choice("solver", ["agd", "gauss-newton"]),
    bounds("iterations", 1, 3000),
    bounds("seed"),
  ];

  private rank = 1; // that is shown of FM
  private readonly read = new WeakMap<ModelFile, Learnt>();

  /** No more eigenvalues than columns. */
  protected override adjusted(values: Settings): Settings {
    return { ...values, k: Math.min(values.k, values.d) };
  }

  protected async jobs(): Promise<readonly Job[]> {
    const { values } = this;
    const fm = ranks(values).map((rank): Job => ({ query: encode(spec(values, "fm", rank)), cell: 0, group: `fm ${rank}`, theory: rank === 1, asks: rank === 1 ? ["truth", "model"] : ["model"] }));
    return [...fm, ...others(values).map((rank): Job => ({ query: encode(spec(values, "ifm", rank)), cell: 0, group: `ifm ${rank}`, theory: false }))];
  }

  protected content(): Content {
    const { values } = this;
    const ran = this.ran ?? values;
    const lines = this.lines(ran);
    const framed = isFrame(this.view);
    return {
      text: html`${formulary(formulas.cross, formulas.spilt, formulas.triangle)}
        <p class="about">${strings.reaches}</p>
        <p class="about">${strings.price}</p>`,
      cost: strings.cost(ranks(values).length + others(values).length, seconds(values, this.pool.size)),
      body: html`
        <ifm-crosses .truth=${this.truth} ?framed=${framed}></ifm-crosses>
        <h4 aria-level=${framed ? 2 : nothing}>${strings.learns}</h4>
        <p class="about">${strings.each}</p>
        ${this.chosen(ran)}
        <ifm-matrix .heading=${strings.maps} .panels=${this.panels(ran)}></ifm-matrix>
        ${legend(lines)}
        ${lineChart({ heading: strings.heading, drawing: this.drawing(ran, lines), mark: this.rank, waiting: strings.waiting[this.runner.phase] })}
        ${this.table(ran)}
      `,
      answer: this.answer(),
      brief: this.brief(),
      says: this.says(ran),
      live: strings.live(ran.n, ran.test, ran.d, ran.k, ran.noise, ran.solver, ran.iterations, ran.seed),
      more: nothing,
    };
  }

  private of(ran: Settings, model: "fm" | "ifm", rank: number): Track | undefined {
    return this.tracks[model === "fm" ? rank - 1 : ran.d + rank - 1];
  }

  private get truth(): Matrix | null {
    return this.tracks[0]?.truth ?? null;
  }

  /** Of FM's run of a rank that is over. */
  private learnt(rank: number): Learnt | null {
    const [file, d] = [this.tracks[rank - 1]?.model, this.truth?.d];
    if (!file || !d) return null;
    const known = this.read.get(file);
    if (known) return known;
    const whole = learnt(file);
    const tallest = whole.reduce((best, v, at) => (at % (d + 1) === 0 && v > (whole[best * (d + 1)] ?? 0) ? at / (d + 1) : best), 0);
    const found = { whole, crosses: crosses(d, whole), tallest };
    this.read.set(file, found);
    return found;
  }

  /** Test RMSE at the end ÷ sd of the second-order part, NaN before. */
  private left(ran: Settings, model: "fm" | "ifm", rank: number): number {
    const track = this.of(ran, model, rank);
    return track?.done ? last(track.test) / (this.tracks[0]?.theory?.secondOrder ?? Number.NaN) : Number.NaN;
  }

  private names(features: readonly number[]): string[] {
    return features.map((j) => this.truth?.names[j] ?? "");
  }

  /** The slider of the rank, and what is seen there in words. */
  private chosen(ran: Settings): TemplateResult {
    const rank = Math.min(this.rank, ran.d);
    const track = this.of(ran, "fm", rank);
    const found = this.learnt(rank);
    const said = found && track ? strings.found(rank, this.names(found.crosses), percent(last(track.errorM))) : strings.waiting[this.runner.phase];
    return html`<div class="turned">
      <label class="slide">
        <span>${strings.rank} <b class="num">${rank}</b></span>
        <input
          type="range"
          data-slider="rank"
          min="1"
          max=${ran.d}
          .value=${String(rank)}
          ?disabled=${!this.truth}
          aria-valuetext=${said}
          @input=${(e: Event) => {
            this.rank = Number((e.target as HTMLInputElement).value);
            this.requestUpdate();
          }}
        />
      </label>
      <p class="note found" aria-hidden="true">${said}</p>
    </div>`;
  }

  private shown: { readonly of: Learnt | null; readonly truth: Matrix | null; readonly panels: Panelled[] } | null = null;

  /** The truth, FM's UUᵀ and what it misses off the diagonal; the same ones as long as they are of the same. */
  private panels(ran: Settings): Panelled[] {
    const rank = Math.min(this.rank, ran.d);
    const { truth } = this;
    const found = this.learnt(rank);
    if (this.shown && this.shown.of === found && this.shown.truth === truth && found) return this.shown.panels;
    const of = (values: Float64Array): Matrix | null => truth && { ...truth, values, eigenvalues: new Float64Array() };
    const left = truth && found && minus(truth.values, hollow(truth.d, found.whole));
    const panels = [
      { key: "truth", title: strings.truth, note: "", values: truth },
      { key: "fm", title: strings.whole(rank), note: strings.shown, values: found && of(found.whole), crosses: found?.crosses ?? [] },
      { key: "left", title: strings.left, note: truth && left ? strings.unexplained(fraction(Math.hypot(...left) / Math.hypot(...truth.values))) : "", values: left && of(left) },
    ];
    this.shown = { of: found, truth, panels };
    return panels;
  }

  private lines(ran: Settings): Line[] {
    const line = (model: "fm" | "ifm", every: readonly number[]): Line => {
      const done = every.filter((rank) => !Number.isNaN(this.left(ran, model, rank)));
      return { ...looks[model], name: short[model], x: done.map((rank) => (model === "fm" ? rank : 2 * rank)), y: done.map((rank) => this.left(ran, model, rank)) };
    };
    const theory = this.tracks[0]?.theory;
    const noise = theory && ran.noise > 0 ? [{ name: strings.noise, colour: "base", dash: "", symbol: "" as const, x: [1, ran.d], y: [1, 1].map(() => (ran.noise * theory.sd) / theory.secondOrder) }] : [];
    return [line("fm", ranks(ran)), line("ifm", others(ran)), ...noise];
  }

  private drawing(ran: Settings, lines: readonly Line[]): Drawing | null {
    const every = lines.filter((line) => line.symbol !== "").flatMap((line) => line.y);
    if (every.length === 0) return null;
    const high = Math.max(...every) <= 1 ? 1 : roundUp(Math.max(...every));
    return {
      lines,
      x: { domain: [0.5, ran.d + 0.5], ticks: ranks(ran), label: strings.x, format: String },
      y: { type: "linear", domain: [0, high], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => Number((share * high).toPrecision(6))), label: strings.heading, format: String },
      at: (rank) => strings.at(rank, ran.d),
    };
  }

  private table(ran: Settings): TemplateResult {
    const { columns } = strings;
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.table}>
      <table class="numbers">
        <caption>${strings.table}</caption>
        ${heads([columns.rank, columns.numbers, columns.crosses, columns.most, columns.fm, columns.ifm])}
        <tbody>
          ${ranks(ran).map((rank) => {
            const found = this.learnt(rank);
            const [fm, ifm] = [this.left(ran, "fm", rank), rank % 2 === 0 ? this.left(ran, "ifm", rank / 2) : Number.NaN];
            return html`<tr>
              <th scope="row">${rank}</th>
              <td>${count(rank * ran.d)}</td>
              <td data-crosses=${rank} data-value=${found?.crosses.join(",") ?? ""}>${found ? this.names(found.crosses).join(", ") || strings.none : ""}</td>
              <td>${found ? number(height(ran.d, found.whole, found.tallest)) : ""}</td>
              <td data-left="fm ${rank}" data-value=${fm}>${Number.isNaN(fm) ? "" : number(fm)}</td>
              <td data-left="ifm ${rank / 2}" data-value=${ifm}>${Number.isNaN(ifm) ? "" : number(ifm)}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
  }

  /** What FM of rank 1 misses of the row whose diagonal entry is largest, NaN before. */
  private get alone(): number {
    const [truth, found] = [this.truth, this.learnt(1)];
    return truth && found ? missed(truth, found.whole, found.tallest) : Number.NaN;
  }

  private answer(): string | null {
    const share = this.alone;
    if (Number.isNaN(share)) return null;
    return share <= NEARLY ? "all" : share >= NOTHING ? "none" : "some";
  }

  /** FM of rank 1, which alone the question is about. */
  protected override first(): First {
    return { runs: 1, trials: 1 };
  }

  private brief(): Phrase {
    const { alone } = this;
    const tallest = this.learnt(1)?.tallest;
    return tallest === undefined || Number.isNaN(alone) ? [] : strings.brief(this.names([tallest])[0] ?? "", quantity("fm", alone, percent(alone)));
  }

  private says(ran: Settings): Phrase {
    const [truth, found, share] = [this.truth, this.learnt(1), this.alone];
    if (this.runner.phase !== "done" || !truth || !found || Number.isNaN(share)) return [];
    const { d, tallest } = { d: truth.d, tallest: found.tallest };
    const [name = ""] = this.names([tallest]);
    const off = quantity("fm", share, percent(share));
    const told: Phrase[] = [];
    if (share <= NEARLY) {
      const row = truth.values.subarray(tallest * d, (tallest + 1) * d).filter((_, i) => i !== tallest);
      told.push(strings.copied(name, off, row.filter((v) => v < 0).length, row.length), strings.hides(quantity("fm", height(d, found.whole, tallest))));
    } else told.push(strings.partly(name, off));
    const every = ranks(ran);
    const least = this.floor(ran) + ENDED;
    const over = every.find((rank) => every.every((r) => r < rank || this.left(ran, "fm", r) <= least));
    if (over === undefined) told.push(strings.never(d, quantity("fm", this.left(ran, "fm", d))));
    else {
      told.push(strings.ends(over, d, over * d, quantity("fm", this.left(ran, "fm", 1)), near(quantity("fm", this.left(ran, "fm", over)))));
      if (over > 1) told.push(strings.tiles(every.filter((rank) => rank < over && this.learnt(rank)?.crosses.length === rank).length, over - 1));
    }
    const even = others(ran).find((rank) => this.left(ran, "ifm", rank) <= least);
    if (even !== undefined) told.push(strings.ifm(even, 2 * d * even, near(quantity("ifm", this.left(ran, "ifm", even)))));
    return told.flatMap((phrase, i) => (i === 0 ? phrase : say` ${phrase}`));
  }

  /** What nothing can predict, on the same scale. */
  private floor(ran: Settings): number {
    const theory = this.tracks[0]?.theory;
    return theory ? (ran.noise * theory.sd) / theory.secondOrder : Number.NaN;
  }
}

/** With so many digits as mean something to a reader. */
function near(of: Quantity): Quantity {
  return of.value < 0.0005 ? { ...of, text: strings.tiny } : of;
}

/** FM's ranks. */
function ranks({ d }: Settings): number[] {
  return Array.from({ length: d }, (_, i) => i + 1);
}

/** iFM's: each has as many numbers as FM has at twice its rank. */
function others({ d }: Settings): number[] {
  return Array.from({ length: Math.floor(d / 2) }, (_, i) => i + 1);
}

const PER_ITERATION = 1.5e-5; // s, of an engine beside the work on rows
const PER_NUMBER = 0.75e-9; // s, for one number of the design and one column of the factors in one iteration, with SIMD

/** About how long all runs take. */
function seconds(values: Settings, engines: number): number {
  const columns = [...ranks(values), ...others(values).map((rank) => 2 * rank)];
  return columns.reduce((sum, rank) => sum + values.iterations * (PER_ITERATION + (values.n + values.test) * values.d * (rank + 2) * PER_NUMBER), 0) / Math.max(1, engines);
}

/** The run of a model at a rank: the rows are the same for all of them. */
function spec(values: Settings, model: "fm" | "ifm", rank: number): Spec {
  return settings({ ...values, scenario: "flipped", truth: "orthonormal", models: [model], rank });
}

customElements.define("ifm-loophole", Loophole);
