import { html, type TemplateResult } from "lit";
import { lineChart, type Drawing, type Line } from "../../charts/lines.js";
import { legend } from "../../charts/looks.js";
import type { EngineError } from "../../engine/protocol.js";
import { heads } from "../../panel/panel.js";
import { encode, type Spec } from "../../state/spec.js";
import { cell, number } from "../../text/format.js";
import { quantity, type Phrase } from "../../text/phrase.js";
import { rowsOf, settings } from "../chapter/chapter.js";
import { last, rate, recovery } from "../chapter/measure.js";
import type { Job, Track } from "../chapter/runner.js";
import { Experiment, type Shown } from "./experiment.js";
import { ranks as strings } from "./strings.js";

type Given = {
  readonly d: number;
  readonly ranks: readonly number[];
  readonly seed: number;
};

const FORMS = ["algorithm1", "centred"] as const satisfies readonly Spec["solver"][];
type Form = (typeof FORMS)[number];

const RATIO = 20; // rows of an iteration, in units of d·k
const ITERATIONS = 15;
const TEST = 10; // rows: the truth is known, and nothing is told of predictions
const looks = {
  algorithm1: { colour: "gfm", dash: "7 4", symbol: "square" },
  centred: { colour: "gfm", dash: "", symbol: "triangle" },
} as const;
const promise = { colour: "base", dash: "1 4", symbol: "" } as const;

/** What an iteration of gFM's Algorithm 1 multiplies its error by, times √(n/kd), by the rank: constant in the theorem, growing like √k in the abstract. */
class Ranks extends Experiment<Given> {
  protected readonly chapter = "algorithm";
  protected readonly name = "ranks";
  private tracks: readonly Track[] = [];

  protected override get runs(): number {
    return FORMS.length * this.values.ranks.length;
  }

  protected override expects({ kind }: EngineError): boolean {
    return kind === "DivergedError";
  }

  protected override async measure(values: Given): Promise<void> {
    const jobs = values.ranks.flatMap((k) => FORMS.map((form): Job => ({ query: query(values, form, k), cell: 0, group: `${form} ${k}`, theory: false })));
    const tracks = await this.round(jobs);
    if (tracks) Object.assign(this, { tracks, ran: values });
  }

  protected shown(): Shown {
    const ran = this.ran ?? this.values;
    const lines = this.lines(ran);
    return {
      title: strings.title,
      lead: strings.lead,
      cost: strings.cost(this.runs),
      choice: html``,
      body: html`${legend([...FORMS.map((form) => ({ ...looks[form], name: strings.line[form] })), { ...promise, name: strings.promise }])}
        ${lineChart({ heading: strings.heading, drawing: drawing(lines), waiting: strings.waiting })}
        ${this.table(ran)}`,
      says: this.says(ran),
      live: strings.live(ran.d, RATIO, ITERATIONS, ran.seed),
    };
  }

  private of(ran: Given, form: Form, k: number): readonly number[] {
    const track = this.tracks[ran.ranks.indexOf(k) * FORMS.length + FORMS.indexOf(form)];
    return track?.done ? recovery(track) : [];
  }

  /** Times the root of what n is in units of d·k, which the theorem's rate falls by. */
  private shaped(ran: Given, form: Form, k: number): number {
    return rate(this.of(ran, form, k)) * Math.sqrt(rowsOf(RATIO, ran.d, k, TEST) / (ran.d * k));
  }

  /** ‖M − M*‖ / ‖M*‖ after the first iteration. */
  private first(ran: Given, form: Form, k: number): number {
    return this.tracks[ran.ranks.indexOf(k) * FORMS.length + FORMS.indexOf(form)]?.errorM[1] ?? Number.NaN;
  }

  private lines(ran: Given): Line[] {
    if (!this.ran) return [];
    const all = [...ran.ranks].sort((a, b) => a - b);
    const measured = FORMS.map((form): Line => {
      const x = all.filter((k) => Number.isFinite(this.shaped(ran, form, k)));
      return { ...looks[form], name: strings.line[form], x, y: x.map((k) => this.shaped(ran, form, k)) };
    });
    const [from] = measured.flatMap(({ x, y }, i) => (FORMS[i] === "centred" && x.length > 0 ? [{ k: x[0] ?? 1, y: y[0] ?? 1 }] : []));
    return from ? [...measured, { ...promise, name: strings.promise, x: all, y: all.map((k) => from.y * Math.sqrt(k / from.k)) }] : measured;
  }

  private table(ran: Given): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.table}>
      <table class="numbers">
        <caption>${strings.table}</caption>
        ${heads(strings.columns)}
        <tbody>
          ${[...ran.ranks].sort((a, b) => a - b).map(
            (k) => html`<tr>
              <th scope="row">${cell(k)}</th>
              ${FORMS.map((form) => html`<td data-first="${form} ${k}" data-value=${this.first(ran, form, k)}>${number(this.first(ran, form, k))}</td>`)}
              ${FORMS.map((form) => html`<td data-shaped="${form} ${k}" data-value=${this.shaped(ran, form, k)}>${number(this.shaped(ran, form, k))}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private says(ran: Given): Phrase {
    if (!this.ran || this.phase === "running") return [];
    const all = [...ran.ranks].sort((a, b) => a - b).filter((k) => Number.isFinite(this.shaped(ran, "centred", k)));
    const [low, high] = [all[0] ?? 0, last(all)];
    if (all.length < 2) return strings.tooFew;
    const of = (form: Form, k: number, what: "first" | "shaped"): ReturnType<typeof quantity> => quantity("gfm", this[what](ran, form, k));
    const fall = this.shaped(ran, "centred", high) / this.shaped(ran, "centred", low);
    return strings.told(low, high, of("centred", low, "shaped"), of("centred", high, "shaped"), fall, of("algorithm1", high, "first"), of("centred", high, "first"));
  }
}

function drawing(lines: readonly Line[]): Drawing | null {
  const [places, all] = [[...new Set(lines.flatMap(({ x }) => x))].sort((a, b) => a - b), lines.flatMap(({ y }) => y)];
  if (all.length === 0) return null;
  const top = Math.ceil(Math.max(...all));
  return {
    lines,
    x: { domain: [Math.min(...places) - 0.5, Math.max(...places) + 0.5], ticks: places, label: strings.x, format: String },
    y: { type: "linear", domain: [0, top], ticks: Array.from({ length: top + 1 }, (_, i) => i), label: strings.heading, format: String },
    at: strings.at,
  };
}

function query({ d, seed }: Given, solver: Form, k: number): string {
  return encode(settings({ d, k, n: rowsOf(RATIO, d, k, TEST), seed, test: TEST, iterations: ITERATIONS, solver, batches: "fresh", models: ["gfm"], scenario: "psd", truth: "orthonormal", diagonal: "kept" }));
}

customElements.define("ifm-ranks", Ranks);
