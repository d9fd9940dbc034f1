import { html, type TemplateResult } from "lit";
import { lineChart, powers, type Drawing, type Line, type Scale } from "../charts/lines.js";
import { legend, looks } from "../charts/looks.js";
import type { Input } from "../panel/form.js";
import { heads } from "../panel/panel.js";
import { encode, type Spec } from "../state/spec.js";
import { isFrame } from "../state/view.js";
import { number } from "../text/format.js";
import { quantity, say, type Phrase } from "../text/phrase.js";
import { short } from "../text/strings.js";
import "./beside/start.js";
import { bounds, Chapter, choice, formulary, held, rowsOf, settings, type Content, type First } from "./chapter/chapter.js";
import { formulas } from "./chapter/formulas.gen.js";
import { average, decades, last, meanOf, roundUp } from "./chapter/measure.js";
import type { Job, Track } from "./chapter/runner.js";
import { figure1 as strings } from "./strings.js";

const SCENARIOS = ["psd", "flipped", "mixed"] as const;
const MODELS = ["fm", "ifm"] as const;
type Scenario = (typeof SCENARIOS)[number];
type Model = (typeof MODELS)[number];

type Settings = {
  readonly d: number;
  readonly k: number;
  readonly rows: number; // of training, in units of d·k
  readonly test: number;
  readonly trials: number;
  readonly iterations: number;
  readonly solver: Spec["solver"];
  readonly starts: readonly number[]; // of the second picture
  readonly seed: number;
};

const DEPTH = 12; // decades of the log axis, before there is data below them
const DEEPEST = 18; // decades drawn at most
const UNLEARNT = 0.75; // of what a linear model leaves: an ending above it has not learnt the interactions
const STUCK = 0.9; // and one above it explains less than a fifth of their variance
const TIGHT = 0.1; // of what a linear model leaves: an ending below it has found the truth, and only its pace is left to explain

/** Figure 1 of the paper: three truths, FM and iFM, mean and band over trials. */
class Figure1 extends Chapter<Settings> {
  protected readonly name = "psd";
  protected readonly words = strings;
  protected readonly initial: Settings = { d: 100, k: 5, rows: 30, test: 10000, trials: 10, iterations: 100, solver: "agd", starts: [0.01, 1, 10, 100, 1000], seed: 1 };
  protected readonly inputs: readonly Input[] = [
    bounds("d", 2, 300),
    bounds("k", 1, 20),
    { key: "rows", kind: "float", min: 0.5, max: 200 },
    bounds("test", 10, 50000),
    bounds("trials", 1, 50),
    bounds("iterations", 1, 2000),
    choice("solver", ["agd", "gauss-newton", "scaled", "auto"]),
    { key: "starts", kind: "floats", min: 1e-6, max: 1e6, most: 8 },
    bounds("seed"),
  ];
  private scale: "linear" | "log" = "linear";

  protected async jobs(): Promise<readonly Job[]> {
    const { trials } = this.values;
    return Array.from({ length: trials }, (_, trial) =>
      SCENARIOS.flatMap((scenario) => MODELS.map((_, model): Job => ({ query: encode(spec(this.values, scenario)), cell: trial * MODELS.length + model, group: `${scenario} ${trial}`, theory: model === 0 }))),
    ).flat();
  }

  protected content(): Content {
    const { values } = this;
    const ran = this.ran ?? values;
    const lines = SCENARIOS.map((scenario) => this.lines(ran, scenario));
    const y = this.axis(ran, lines.flat());
    return {
      text: formulary(formulas.psd),
      cost: strings.cost(6 * values.trials, seconds(values, this.pool.size), this.pool.size),
      body: html`
        ${legend(MODELS.map((model) => ({ ...looks[model], name: short[model] })))}
        <div class="three">
          ${SCENARIOS.map((scenario, i) => {
            const drawing = y ? drawingOf(ran, lines[i] ?? [], y) : null;
            return lineChart({ name: scenario, heading: strings.heading[scenario], drawing, waiting: strings.waiting[this.runner.phase] });
          })}
        </div>
        ${this.endings()}
      `,
      answer: this.answer(),
      brief: this.brief(),
      says: this.says(ran),
      live: strings.live(spec(ran, "psd").n, held(ran.rows, ran.d, ran.k, ran.test), ran.test, ran.d, ran.k, ran.trials, this.whole, ran.solver, ran.seed),
      more: html`<label class="pick">
        <span>${strings.axis}</span>
        <select
          class="axis"
          @change=${(e: Event) => {
            this.scale = (e.target as HTMLSelectElement).value === "log" ? "log" : "linear";
            this.requestUpdate();
          }}
        >
          ${(["linear", "log"] as const).map((scale) => html`<option value=${scale} .selected=${scale === this.scale}>${strings.scales[scale]}</option>`)}
        </select>
      </label>`,
      after: html`<ifm-start .pool=${this.pool} .values=${{ starts: values.starts, seed: values.seed }} .own=${this.query()} .framed=${isFrame(this.view)}></ifm-start>`,
    };
  }

  /** What the second picture shows is no setting of the first. */
  protected override get stale(): boolean {
    return this.ran !== null && this.query({ ...this.ran, starts: this.values.starts }) !== this.query();
  }

  /** The tracks of a scenario and a model, a trial each. */
  private of(scenario: Scenario, model: Model): Track[] {
    const at = SCENARIOS.indexOf(scenario) * MODELS.length + MODELS.indexOf(model);
    return this.tracks.filter((_, i) => i % (SCENARIOS.length * MODELS.length) === at);
  }

  /** One for the three, known from the first trial; the log axis grows down to where the lines and their bands end. */
  private axis(ran: Settings, lines: readonly Line[]): Scale | null {
    const first = this.tracks.slice(0, SCENARIOS.length * MODELS.length);
    const means = first.flatMap((track) => (track.started ? [track.started.mean] : []));
    if (means.length === 0) return null;
    const most = Math.max(...means);
    if (this.scale === "linear") {
      const step = roundUp(most / 5);
      const ticks = Array.from({ length: Math.floor((1.12 * most) / step) + 1 }, (_, i) => Number((i * step).toPrecision(12)));
      return { type: "linear", domain: [0, 1.12 * most], ticks, label: strings.y, format: String };
    }
    const high = Math.ceil(Math.log10(most));
    const depth = Math.min(DEPTH, 4 + Math.ceil(ran.iterations / 8));
    const least = Math.min(...lines.flatMap((line) => [...line.y, ...(line.low ?? [])]).filter((v) => v > 0));
    const low = Math.max(Math.min(high - depth, Math.floor(Math.log10(least))), high - DEEPEST);
    return { type: "log", domain: [10 ** low, 10 ** high], ticks: decades(low, high), label: strings.y, format: powers };
  }

  private lines(ran: Settings, scenario: Scenario): Line[] {
    return MODELS.flatMap((model): Line[] => {
      const mean = meanOf(this.of(scenario, model), ran.iterations);
      const band = mean.trials > 1 ? { low: mean.low, high: mean.high } : {};
      return mean.x.length === 0 ? [] : [{ ...looks[model], name: short[model], x: mean.x, y: mean.y, ...band }];
    });
  }

  /** RMSE at the end ÷ what a linear model leaves, mean over the trials that are over; NaN before. */
  private left(scenario: Scenario, model: Model): number {
    const base = this.of(scenario, "fm").map((track) => track.theory?.secondOrder ?? Number.NaN);
    return average(this.of(scenario, model).flatMap((track, trial) => (track.done ? [last(track.test) / (base[trial] ?? Number.NaN)] : [])));
  }

  private endings(): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.endings}>
      <table class="numbers endings">
        <caption>${strings.endings}</caption>
        ${heads([strings.truth, ...MODELS.map((model) => short[model])])}
        <tbody>
          ${SCENARIOS.map(
            (scenario) => html`<tr>
              <th scope="row">${strings.row[scenario]}</th>
              ${MODELS.map((model) => {
                const value = this.left(scenario, model);
                return html`<td data-ending="${model} ${scenario}" data-value=${value}>${number(value)}</td>`;
              })}
            </tr>`,
          )}
        </tbody>
      </table>
      <p class="note">${strings.reading}</p>
    </div>`;
  }

  /** Where FM ends on the flipped truth. */
  private answer(): string | null {
    const [flipped, psd] = [this.left("flipped", "fm"), this.left("psd", "fm")];
    if (!this.ended || Number.isNaN(flipped) || Number.isNaN(psd) || psd > UNLEARNT) return null;
    return flipped > STUCK ? "stuck" : flipped > 3 * psd ? "worse" : "same";
  }

  /** FM's runs in the first trial of (a) and (b), which come before iFM's on the same rows and before (c). */
  protected override first({ trials }: Settings): First {
    return { runs: 2 * MODELS.length, needed: (run) => MODELS[run % MODELS.length] === "fm", trials };
  }

  private brief(): Phrase {
    const of = (model: Model, scenario: Scenario) => quantity(model, this.left(scenario, model));
    return this.answer() === null ? [] : strings.brief(of("fm", "psd"), of("fm", "flipped"), Number.isNaN(this.left("flipped", "ifm")) ? null : of("ifm", "flipped"));
  }

  /** What the log axis shows, once all runs are over. */
  private says(ran: Settings): Phrase {
    if (this.runner.phase !== "done") return [];
    const [a, b] = [this.of("psd", "ifm"), this.of("flipped", "ifm")];
    const same = a.every((track, trial) => track.done && track.test.every((v, i) => v === b[trial]?.test[i]) && track.test.length === b[trial]?.test.length);
    const mean = meanOf(a, ran.iterations);
    const end = mean.y.length - 1;
    const half = Math.floor(end / 2);
    const factor = (mean.y[half] ?? Number.NaN) / (mean.y[end] ?? Number.NaN);
    const gradient = ran.solver === "agd" || ran.solver === "scaled";
    const slow = gradient && end >= 20 && factor >= 1.5 && factor <= 3 && this.left("psd", "ifm") < TIGHT;
    return [
      ...this.above(ran),
      ...(this.left("psd", "fm") > UNLEARNT ? say`${strings.unlearnt} ` : []),
      ...strings.ends({
        fmA: quantity("fm", this.left("psd", "fm")),
        fmB: quantity("fm", this.left("flipped", "fm")),
        fmC: quantity("fm", this.left("mixed", "fm")),
        ifmB: quantity("ifm", this.left("flipped", "ifm")),
        ifmC: quantity("ifm", this.left("mixed", "ifm")),
      }),
      ...(same ? [" ", strings.same] : []),
      ...(slow ? say` ${strings.slow(half, end, quantity("ifm", factor, number(factor, 2)))}` : []),
    ];
  }

  /** What ends above what a linear model leaves: for want of rows, or of iterations where it still falls. */
  private above(ran: Settings): Phrase {
    const worse = SCENARIOS.flatMap((scenario) => MODELS.map((model) => ({ scenario, model }))).filter(({ scenario, model }) => this.left(scenario, model) > 1);
    if (worse.length === 0) return [];
    const falls = worse.every(({ scenario, model }) => {
      const { y } = meanOf(this.of(scenario, model), ran.iterations);
      return last(y) < 0.9 * (y[Math.floor((y.length - 1) / 2)] ?? Number.NaN);
    });
    const names = worse.map(({ scenario, model }) => strings.one(short[model], scenario));
    const told = falls ? strings.tooShort(names, ran.iterations) : strings.tooFew(names, spec(ran, "psd").n);
    return say`${told} `;
  }
}

function drawingOf(ran: Settings, lines: readonly Line[], y: Scale): Drawing {
  const step = roundUp(ran.iterations / 5);
  const ticks = Array.from({ length: Math.floor(ran.iterations / step) + 1 }, (_, i) => i * step);
  return { lines, x: { domain: [0, ran.iterations], ticks, label: strings.x, format: String }, y, at: strings.at };
}

/** The run of one panel. */
function spec({ rows, starts: _, ...shared }: Settings, scenario: Scenario): Spec {
  return settings({ ...shared, scenario, models: MODELS, n: rowsOf(rows, shared.d, shared.k, shared.test) });
}

const PER_NUMBER = 0.75e-9; // s, for one number of the design and one column of the factors in one iteration, with SIMD

/** About how long all runs take. */
function seconds(values: Settings, engines: number): number {
  const { n, test, d, k, trials, iterations } = spec(values, "psd");
  return ((6 * trials * (n + test) * d * (k + 2) * iterations) / Math.max(1, engines)) * PER_NUMBER;
}

customElements.define("ifm-figure1", Figure1);
