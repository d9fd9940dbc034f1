import { html, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { lineChart, powers, type Drawing, type Line } from "../../charts/lines.js";
import { legend } from "../../charts/looks.js";
import type { EngineError } from "../../engine/protocol.js";
import { heads } from "../../panel/panel.js";
import { encode } from "../../state/spec.js";
import { count, number } from "../../text/format.js";
import { quantity, type Phrase } from "../../text/phrase.js";
import { rowsOf, settings } from "../chapter/chapter.js";
import { decades, median, succeeded } from "../chapter/measure.js";
import type { Job } from "../chapter/runner.js";
import { Experiment, type Shown } from "./experiment.js";
import { powerLaw } from "./fit.js";
import { least as strings } from "./strings.js";

/** What Algorithm 1 divides by: the true τ, an estimated one unless that is too small, or any. */
export const laws = ["true", "estimated", "divided"] as const;
export type Law = (typeof laws)[number];

type Given = {
  readonly features: "slider" | "threepoint";
  readonly d: number;
  readonly k: number;
  readonly seed: number;
};

const RATIOS = [20, 40, 80, 160] as const; // rows of an iteration, in units of d·k
const TRIALS = 3;
const HALVINGS = 7; // of the interval of log τ, so that its end is known to 7 %
const INTERVAL = [2e-4, 1] as const; // of τ
const ITERATIONS = 25;
const TEST = 10; // rows: the truth is known, and nothing is told of predictions
const SLOPES = [-1, -0.5] as const;
const looks = {
  true: { colour: "gfm", dash: "", symbol: "circle" },
  estimated: { colour: "gfm", dash: "7 4", symbol: "square" },
  divided: { colour: "gfm", dash: "2 4", symbol: "triangle" },
} as const;
const guides = ["1 4", "9 3 1 3"] as const;

/** The least τ of some rows, in every trial, in rising order. */
interface Found {
  readonly n: number;
  readonly tau: readonly number[];
}

/** The least τ at which Algorithm 1 finds gFM's truth, by the number of rows. */
class Least extends Experiment<Given> {
  @property() accessor law: Law = "true";

  protected readonly chapter = "diagonal";
  protected readonly name = "least";
  private found: Partial<Record<Law, readonly Found[]>> = {};

  protected override get runs(): number {
    return RATIOS.length * TRIALS * HALVINGS;
  }

  protected override expects({ kind }: EngineError): boolean {
    return kind === "SingularMomentError" || kind === "DivergedError";
  }

  protected override async measure(values: Given): Promise<void> {
    const { law } = this;
    let cases = RATIOS.flatMap((ratio) => Array.from({ length: TRIALS }, (_, trial) => ({ n: rowsOf(ratio, values.d, values.k, TEST), trial, low: Math.log(INTERVAL[0]), high: Math.log(INTERVAL[1]) })));
    for (let i = 0; i < HALVINGS; i++) {
      const tracks = await this.round(cases.map(({ n, trial, low, high }): Job => ({ query: query(values, law, n, Math.exp((low + high) / 2)), cell: trial, group: `${n} ${trial}`, theory: false })));
      if (!tracks) return;
      cases = cases.map((one, at) => {
        const track = tracks[at];
        const middle = (one.low + one.high) / 2;
        return track && succeeded(track) ? { ...one, high: middle } : { ...one, low: middle };
      });
      if (JSON.stringify(this.ran) !== JSON.stringify(values)) this.found = {};
      this.ran = values;
      const [least, most] = INTERVAL;
      const tau = ({ low, high }: (typeof cases)[number]): number => (low === Math.log(least) || high === Math.log(most) ? Number.NaN : Math.exp((low + high) / 2));
      const sizes = [...new Set(cases.map(({ n }) => n))];
      this.found = { ...this.found, [law]: sizes.map((n) => ({ n, tau: cases.filter((one) => one.n === n).map(tau).sort((a, b) => a - b) })) };
    }
  }

  protected shown(): Shown {
    const ran = this.ran ?? this.values;
    const lines = this.lines();
    return {
      title: strings.title,
      lead: strings.lead,
      cost: strings.cost(this.runs),
      choice: this.choice(),
      body: html`${legend([...laws.map((law) => ({ ...looks[law], name: strings.line[law] })), ...SLOPES.map((slope, i) => ({ colour: "base", dash: guides[i] ?? "", symbol: "" as const, name: strings.guide(slope) }))])}
        ${lineChart({ heading: strings.heading, drawing: this.drawing(lines), waiting: strings.waiting })}
        ${this.products()}`,
      says: this.says(),
      live: strings.live(ran.features, ran.d, ran.k, TRIALS, ITERATIONS, ran.seed),
    };
  }

  private choice(): TemplateResult {
    return html`<fieldset class="switch either">
      <legend>${strings.choice}</legend>
      <div class="options">
        ${laws.map(
          (law) => html`<label>
            <input type="radio" name="least-law" value=${law} .checked=${law === this.law} @change=${() => this.choose(law)} />
            <span class="face"><b>${strings.names[law]}</b></span>
          </label>`,
        )}
      </div>
    </fieldset>`;
  }

  /** What is chosen travels in the chapter's link; once one is measured, another is measured at its choice. */
  private choose(law: Law): void {
    this.dispatchEvent(new CustomEvent("law", { detail: law }));
    if (this.ran && !this.found[law]) void this.updateComplete.then(() => this.start());
  }

  private lines(): Line[] {
    const measured = laws.flatMap((law): Line[] => {
      const found = (this.found[law] ?? []).filter(({ tau }) => Number.isFinite(median(tau)));
      if (found.length === 0) return [];
      return [{ ...looks[law], name: strings.line[law], x: found.map(({ n }) => Math.log10(n)), y: found.map(({ tau }) => median(tau)), low: found.map(({ tau }) => tau[0] ?? Number.NaN), high: found.map(({ tau }) => tau.at(-1) ?? Number.NaN) }];
    });
    const { n, law } = this.law_();
    if (Number.isNaN(law.slope)) return measured;
    return [...measured, ...SLOPES.map((slope, i): Line => ({ colour: "base", dash: guides[i] ?? "", symbol: "", name: strings.guide(slope), x: n.map(Math.log10), y: n.map((v) => law.at(v, slope)) }))];
  }

  /** What is measured under the law that is chosen, and the line through it. */
  private law_(): { readonly n: readonly number[]; readonly tau: readonly number[]; readonly law: ReturnType<typeof powerLaw> } {
    const found = this.found[this.law] ?? [];
    const [n, tau] = [found.map((one) => one.n), found.map((one) => median(one.tau))];
    return { n, tau, law: powerLaw(n, tau) };
  }

  private drawing(lines: readonly Line[]): Drawing | null {
    const all = lines.flatMap(({ y }) => y).filter((v) => v > 0);
    const sizes = [...new Set(laws.flatMap((law) => (this.found[law] ?? []).map(({ n }) => n)))].sort((a, b) => a - b);
    if (all.length === 0) return null;
    const [low, high] = [Math.floor(Math.log10(Math.min(...all))), Math.ceil(Math.log10(Math.max(...all)))];
    const places = sizes.map(Math.log10);
    const rows = (x: number): string => count(Math.round(10 ** x));
    return {
      lines,
      x: { domain: [(places[0] ?? 0) - 0.05, (places.at(-1) ?? 1) + 0.05], ticks: places, label: strings.x, format: rows, value: (x) => Math.round(10 ** x) },
      y: { type: "log", domain: [10 ** low, 10 ** Math.max(high, low + 1)], ticks: decades(low, Math.max(high, low + 1)), label: strings.y, format: powers },
      at: (x) => strings.at(Math.round(10 ** x)),
    };
  }

  /** τn and τ√n, of which one stays. */
  private products(): TemplateResult {
    const { n, tau } = this.law_();
    const sizes = n.length > 0 ? n : RATIOS.map((ratio) => rowsOf(ratio, this.values.d, this.values.k, TEST));
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.table(strings.names[this.law])}>
      <table class="numbers">
        <caption>${strings.table(strings.names[this.law])}</caption>
        ${heads(strings.columns)}
        <tbody>
          ${sizes.map((rows, i) => {
            const least = tau[i] ?? Number.NaN;
            return html`<tr>
              <th scope="row">${count(rows)}</th>
              <td data-rows=${rows} data-value=${least}>${number(least)}</td>
              <td>${number(least * rows)}</td>
              <td>${number(least * Math.sqrt(rows))}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
  }

  private says(): Phrase {
    const { law } = this.law_();
    if (Number.isNaN(law.slope) || this.phase === "running") return [];
    return strings.told[this.law](quantity("gfm", law.slope));
  }
}

/** A run of gFM on columns of this τ. */
function query({ features, d, k, seed }: Given, law: Law, n: number, tau: number): string {
  return encode(
    settings({
      features, d, k, n, tau, seed, test: TEST, trials: TRIALS, iterations: ITERATIONS, solver: "algorithm1", batches: "fresh", models: ["gfm"], scenario: "psd", truth: "orthonormal", diagonal: "kept",
      moments: law === "true" ? "true" : "estimated",
      inverse: law === "divided" ? "divide" : "refuse",
    }),
  );
}

customElements.define("ifm-least", Least);
