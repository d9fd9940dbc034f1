import { html, type TemplateResult } from "lit";
import { lineChart, powers, type Drawing, type Line } from "../../charts/lines.js";
import { legend, looks } from "../../charts/looks.js";
import { heads } from "../../panel/panel.js";
import { encode } from "../../state/spec.js";
import { cell, count, number } from "../../text/format.js";
import { quantity, say, type Phrase } from "../../text/phrase.js";
import { short } from "../../text/strings.js";
import { settings } from "../chapter/chapter.js";
import { decades, last, median } from "../chapter/measure.js";
import type { Job, Track } from "../chapter/runner.js";
import { Experiment, type Shown } from "./experiment.js";
import { start as strings } from "./strings.js";

type Given = {
  readonly starts: readonly number[];
  readonly seed: number;
};

const MODELS = ["fm", "ifm"] as const;
type Model = (typeof MODELS)[number];

const D = 30;
const K = 3;
const N = 1800;
const TRIALS = 5;
const ITERATIONS = 60;
const STUCK = 0.05; // of the second-order part: an end above it has not found the truth
const CLOSE = 1e-6; // as a share: what is nearer differs by rounding
const DEEPEST = 12; // decades drawn at most

/** The test RMSE that FM and iFM end at, by the size of the U that they start from. */
class Start extends Experiment<Given> {
  protected readonly chapter = "psd";
  protected readonly name = "start";
  private tracks: readonly Track[] = [];

  protected override get runs(): number {
    return MODELS.length * TRIALS * this.values.starts.length;
  }

  protected override async measure(values: Given): Promise<void> {
    const jobs = values.starts.flatMap((norm) =>
      Array.from({ length: TRIALS }, (_, trial) =>
        MODELS.map((_, model): Job => ({ query: encode(settings({ d: D, k: K, n: N, seed: values.seed, start: norm, test: 1000, trials: TRIALS, iterations: ITERATIONS, solver: "agd", models: [...MODELS], scenario: "psd" })), cell: trial * MODELS.length + model, group: `${norm} ${trial}`, theory: true })),
      ).flat(),
    );
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
      body: html`${legend(MODELS.map((model) => ({ ...looks[model], name: short[model] })))}
        ${lineChart({ heading: strings.heading, drawing: drawing(lines), waiting: strings.waiting })}
        ${this.table(ran)}`,
      says: this.says(ran),
      live: strings.live(D, K, N, TRIALS, ITERATIONS, ran.seed),
    };
  }

  /** Where a model ends from a start, in each trial. */
  private ends(ran: Given, model: Model, norm: number): number[] {
    const first = ran.starts.indexOf(norm) * TRIALS * MODELS.length;
    return this.tracks
      .slice(first, first + TRIALS * MODELS.length)
      .filter((track, i) => i % MODELS.length === MODELS.indexOf(model) && track.done)
      .map((track) => last(track.test) / (track.theory?.secondOrder ?? Number.NaN));
  }

  /** How many trials have not found the truth. */
  private stuck(ran: Given, model: Model, norm: number): number {
    return this.ends(ran, model, norm).filter((end) => !(end < STUCK)).length;
  }

  private lines(ran: Given): Line[] {
    if (!this.ran) return [];
    const norms = [...ran.starts].sort((a, b) => a - b);
    return MODELS.map((model): Line => {
      const ends = norms.map((norm) => this.ends(ran, model, norm));
      return { ...looks[model], name: short[model], x: norms.map(Math.log10), y: ends.map(median), low: ends.map((all) => Math.min(...all)), high: ends.map((all) => Math.max(...all)) };
    });
  }

  private table(ran: Given): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.table(ITERATIONS)}>
      <table class="numbers">
        <caption>${strings.table(ITERATIONS)}</caption>
        ${heads([strings.column, ...MODELS.map((model) => short[model])])}
        <tbody>
          ${[...ran.starts].sort((a, b) => a - b).map(
            (norm) => html`<tr>
              <th scope="row">${cell(norm)}</th>
              ${MODELS.map((model) => {
                const end = median(this.ends(ran, model, norm));
                return html`<td data-start="${model} ${norm}" data-value=${end} data-stuck=${this.stuck(ran, model, norm)}>${number(end)}${strings.stuck(this.stuck(ran, model, norm), TRIALS)}</td>`;
              })}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private says(ran: Given): Phrase {
    if (!this.ran || this.phase === "running") return [];
    const norms = [...ran.starts].sort((a, b) => this.stuck(ran, "fm", a) - this.stuck(ran, "fm", b) || a - b);
    const [best, worst] = [norms[0] ?? Number.NaN, norms.at(-1) ?? Number.NaN];
    const stuck = (norm: number): ReturnType<typeof quantity> => quantity("fm", this.stuck(ran, "fm", norm), count(this.stuck(ran, "fm", norm)));
    const told = this.stuck(ran, "fm", worst) > this.stuck(ran, "fm", best) ? strings.fm(cell(worst), stuck(worst), cell(best), stuck(best), TRIALS) : strings.level;
    const ifm = ran.starts.map((norm) => median(this.ends(ran, "ifm", norm)));
    const [low, high] = [Math.min(...ifm), Math.max(...ifm)];
    const ahead = Math.min(...ran.starts.map((norm) => median(this.ends(ran, "fm", norm)))) < low;
    return say`${told} ${strings.same(quantity("ifm", low), quantity("ifm", high), high < low * (1 + CLOSE))}${ahead ? say` ${strings.ahead}` : ""}`;
  }
}

function drawing(lines: readonly Line[]): Drawing | null {
  const all = lines.flatMap(({ y, low = [], high = [] }) => [...y, ...low, ...high]).filter((v) => v > 0 && Number.isFinite(v));
  const places = lines[0]?.x ?? [];
  if (all.length === 0) return null;
  const high = Math.ceil(Math.log10(Math.max(...all)));
  const low = Math.max(Math.min(Math.floor(Math.log10(Math.min(...all))), high - 1), high - DEEPEST);
  const norm = (x: number): string => cell(Number((10 ** x).toPrecision(6)));
  return {
    lines,
    x: { domain: [(places[0] ?? 0) - 0.2, (places.at(-1) ?? 0) + 0.2], ticks: places, label: strings.x, format: norm, value: (x) => 10 ** x },
    y: { type: "log", domain: [10 ** low, 10 ** high], ticks: decades(low, high), label: strings.heading, format: powers },
    at: (x) => strings.at(norm(x)),
  };
}

customElements.define("ifm-start", Start);
