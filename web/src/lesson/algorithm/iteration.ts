import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { answerOf, inPlace, type Lease } from "../../engine/calls.js";
import type { Pool } from "../../engine/pool.js";
import type { EngineError, IterationMatrices } from "../../engine/protocol.js";
import { segments } from "../../panel/inputs.js";
import { Panel, sentence, table } from "../../panel/panel.js";
import { problem } from "../../panel/problem.js";
import { encode } from "../../state/spec.js";
import { number, power } from "../../text/format.js";
import { counted } from "../../text/strings.js";
import { specOf } from "../chapter/settings.js";
import { blank, model, stages, stopOf, type Form, type Shown, type Stage, type Stop, type Walked } from "./stops.js";

const words = {
  forms: { printed: "as printed", algorithm1: "with the missing term" } satisfies Record<Form, string>,
  lines: { estimate: "H(r) of Eq. 7, for line 5", correct: "𝓜 of Eq. 7, for line 5", orthogonalise: "Line 5: U and its QR", update: "Line 5: V; line 6: w" } satisfies Record<Stage, string>,
};

const FORMS = ["printed", "algorithm1"] as const satisfies readonly Form[];
const D = 8;
const K = 3;
const N = 1440;
const ITERATIONS = 5;
const TEST = 10; // rows: the truth is known, and nothing is told of predictions
const SMALL = 0.7; // power of the shades: small entries stay visible
const KEYS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Algorithm 1 on a small problem, one step at a time, as printed and with the term that is missing there. */
class Iteration extends Panel {
  @property({ attribute: false }) accessor pool!: Pool;
  @property({ attribute: false }) accessor seed!: number;
  @state() private accessor form: Form = "printed";
  @state() private accessor at = 0; // the step, from 0, of all iterations
  @state() private accessor failed: EngineError | null = null;
  @state() private accessor walks: Readonly<Record<Form, readonly Walked[]>> | null = null;

  private ending: AbortController | null = null; // while it is computed

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("seed")) return;
    this.ending?.abort();
    Object.assign(this, { ending: null, walks: null, at: 0 });
    void this.walk();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated && !this.walks && !this.failed) void this.walk();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.ending?.abort();
    this.ending = null;
  }

  /** Runs both forms on the same rows. */
  private async walk(): Promise<void> {
    if (this.ending) return;
    const ending = new AbortController();
    Object.assign(this, { ending, failed: null });
    this.requestUpdate();
    const { result: walks, error } = await answerOf(
      inPlace(ending.signal, () => this.pool.lease(null), async (lease) => ({
        printed: await walk(lease, query("printed", this.seed)),
        algorithm1: await walk(lease, query("algorithm1", this.seed)),
      })),
    );
    if (ending !== this.ending) return;
    Object.assign(this, { ending: null, walks, failed: error });
    this.requestUpdate();
  }

  private go(by: number): void {
    if (!this.walks) return void this.walk();
    this.at = Math.min(Math.max(this.at + by, 0), this.last);
  }

  private get last(): number {
    return ITERATIONS * stages.length - 1;
  }

  private readonly key = (event: KeyboardEvent): void => {
    const by = KEYS[event.key];
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation(); // these keys are this picture's while one of its buttons has the focus
    this.go(by);
  };

  protected override render(): TemplateResult {
    const { walks, form, at, failed, seed } = this;
    const [t, stage] = [Math.floor(at / stages.length), at % stages.length];
    const name = stages[stage] ?? "estimate";
    const walked = walks?.[form][t];
    const stop = walked ? stopOf(walked, form, name) : blank(D);
    return html`<section class="experiment iteration" data-phase=${walks ? "done" : this.ending ? "running" : "idle"} aria-labelledby="algorithm-iteration">
      <h3 id="algorithm-iteration">The misprint, step by step</h3>
      <p class="about">The same algorithm, small enough to look at: d = ${D} columns, a truth of rank k = ${K}, ${N.toLocaleString("en")} new rows in each iteration. Each iteration estimates how wrong M is, corrects the estimate, orthogonalises U, and updates the model. The switch begins with the paper’s version, without the term.</p>
      ${segments("iteration-form", "The correction (Eq. 7)", words.forms, form, (each) => (this.form = each), { isShown: true })}
      <div class="go" role="group" aria-label="Steps of the algorithm" @keydown=${this.key}>
        <button class="back" aria-disabled=${!walks || at === 0} @click=${() => this.go(-1)}>Back</button>
        <button class="main forth" aria-disabled=${(walks !== null && at === this.last) || this.ending !== null} @click=${() => this.go(1)}>Next</button>
        <p class="takes">Or the keys ← and →, once a button is chosen.</p>
      </div>
      ${failed ? html`<div class="error" role="alert"><p>${problem(failed)}</p></div>` : nothing}
      <p class="leg"><b>Iteration ${t + 1} of ${ITERATIONS}, step ${stage + 1} of ${stages.length}: ${name}</b> <span>${words.lines[name]}</span></p>
      <p class="found" role="status">${stop.told.length > 0 ? sentence(stop.told) : failed ? "" : "Computing …"}</p>
      ${maps(stop)}
      ${this.errors(t, name === "update")}
      <p class="made">Live: computed in this browser. Gaussian columns, d = ${D}, k = ${K}, ${N.toLocaleString("en")} fresh rows in each of ${counted(ITERATIONS, "iteration")}, PSD truth with its diagonal kept, seed ${seed}; gFM by Algorithm 1, in units of the standardized rows.</p>
    </section>`;
  }

  /** How far off each form is after the iterations that the reader has seen. */
  private errors(t: number, ended: boolean): TemplateResult {
    const { walks } = this;
    const after = (form: Form, i: number): number => (i > t + (ended ? 1 : 0) ? Number.NaN : (walks?.[form][Math.max(i - 1, 0)]?.errors[i === 0 ? 0 : 1] ?? Number.NaN));
    const places = Array.from({ length: ITERATIONS + 1 }, (_, i) => i);
    const rows = FORMS.map(
      (form) => html`<tr class="gfm">
        <th scope="row">${words.forms[form]}</th>
        ${places.map((i) => html`<td data-error="${form} ${i}" data-value=${after(form, i)}>${number(after(form, i))}</td>`)}
      </tr>`,
    );
    return table("‖M − M*‖ / ‖M*‖ after each iteration so far", ["Iteration", ...places.map(String)], rows);
  }
}

/** Runs an iteration at a time, and keeps the matrices of each. */
async function walk(lease: Lease, query: string): Promise<Walked[]> {
  const { run } = await lease.start(query, 0);
  const latest = (): Promise<IterationMatrices> => lease.call("iterationMatrices", { run });
  const next = async (): Promise<number> => (await lease.call("next", { run, ms: 0 })).errorM[0] ?? Number.NaN;
  await latest(); // the engine records from here on
  const walked: Walked[] = [];
  let before: readonly number[] = Array.from({ length: D * D }, () => 0);
  let error = await next(); // of the start
  for (let i = 0; i < ITERATIONS; i++) {
    const errors = [error, await next()] as const;
    const matrices = await latest();
    walked.push({ matrices, before, errors });
    before = model(matrices);
    error = errors[1];
  }
  lease.close(run);
  return walked;
}

/** Matrices as tables of numbers, each cell shaded by its own on one scale. */
function maps({ maps: all }: Stop): TemplateResult {
  const most = all.reduce((size, { values }) => values.reduce((m, v) => Math.max(m, Math.abs(v)), size), 0);
  const exponent = most > 0 ? Math.min(0, Math.ceil(Math.log10(most))) : 0;
  return html`<div class="shades">${all.map((shown) => shaded(shown, most, exponent))}</div>
    <p class="note">${most > 0 ? `One scale for all maps, from −${number(most, 2)} to +${number(most, 2)}. Blue and + is positive, orange and − negative.${exponent < 0 ? ` Numbers in units of ${power(exponent)}.` : ""}` : "\u00a0"}</p>`;
}

function shaded({ title, rows, columns, values }: Shown, most: number, exponent: number): TemplateResult {
  const across = Array.from({ length: columns }, (_, j) => j);
  return html`<div>
    <p aria-hidden="true">${title}</p>
    <table data-map aria-label=${title}>
      <thead>
        <tr><td></td>${across.map((j) => html`<th scope="col">${j + 1}</th>`)}</tr>
      </thead>
      <tbody>
        ${Array.from(
          { length: rows },
          (_, i) => html`<tr>
            <th scope="row">${i + 1}</th>
            ${across.map((j) => {
              const value = values[i * columns + j];
              if (value === undefined) return html`<td>–</td>`;
              return html`<td class="${value < 0 ? "below" : "above"} ${i === j && rows === columns ? "own" : ""}" style="--share:${Math.round(100 * (Math.abs(value) / (most || 1)) ** SMALL)}%" data-value=${value}>${entry(value / 10 ** exponent)}</td>`;
            })}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A number in units of the scale. */
function entry(value: number): string {
  return Math.abs(value) < 0.005 ? "0" : `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(Math.abs(value) < 0.995 ? 2 : 1).replace(/^0/, "")}`;
}

/** The run that is stepped through: of both forms the same rows and the same truth. */
function query(solver: Form, seed: number): string {
  return encode(specOf({ d: D, k: K, n: N, seed, test: TEST, iterations: ITERATIONS, solver, batches: "fresh", models: ["gfm"], scenario: "psd", truth: "orthonormal", diagonal: "kept" }));
}

customElements.define("ifm-iteration", Iteration);
