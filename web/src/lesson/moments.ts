import { html, nothing, type TemplateResult } from "lit";
import { cell, number } from "../format.js";
import { quantity, say, type Phrase } from "../phrase.js";
import type { EngineError, Point } from "../protocol.js";
import { encode, type Spec } from "../spec.js";
import { bounds, choice, Chapter, settings, type Content } from "./chapter.js";
import type { Input } from "../form.js";
import { legend, looks, powers, type Drawing, type Line } from "./lines.js";
import { decades, diverged, last, median } from "./measure.js";
import { over, type Job, type Track } from "./runner.js";
import { moments as strings, short } from "../strings.js";

const MODELS = ["gfm", "ifm"] as const;
type Model = (typeof MODELS)[number];
const SHOWN = ["errorM", "errorW", "rmse"] as const;
export type Shown = (typeof SHOWN)[number];

type Settings = {
  readonly features: "threepoint" | "slider";
  readonly taus: readonly number[];
  readonly ratios: readonly number[];
  readonly d: number;
  readonly k: number;
  readonly trials: number;
  readonly iterations: number;
  readonly solver: Spec["solver"];
  readonly batches: Spec["batches"];
  readonly moments: Spec["moments"];
  readonly inverse: Spec["inverse"];
  readonly seed: number;
};

/** Iterations that each solver is given unless the reader says otherwise: few of Algorithm 1, whose rows are drawn anew for each. */
const ENOUGH: Readonly<Record<Spec["solver"], number>> = { agd: 100, auto: 60, "gauss-newton": 60, scaled: 60, algorithm1: 25, printed: 25 };

const DASHES = ["", "7 4", "2 4", "9 3 1 3"] as const;
const DEEPEST = 16; // decades drawn at most
const PREDICTS = 0.05; // of the targets' sd, at most, to be called good

/** Recovery against τ, of gFM, which has to invert it, and of iFM, which has not. */
class Moments extends Chapter<Settings> {
  protected readonly name = "diagonal";
  protected readonly words = strings;
  protected readonly initial: Settings = {
    features: "threepoint", taus: [2, 0.5, 0.1, 0.02, 0.005, 0.001, 0], ratios: [10, 30], d: 30, k: 2, trials: 5, iterations: ENOUGH.algorithm1,
    solver: "algorithm1", batches: "fresh", moments: "true", inverse: "refuse", seed: 1,
  };
  protected readonly inputs: readonly Input[] = [
    choice("features", ["threepoint", "slider"]),
    { key: "taus", kind: "floats", min: 0, max: 20, most: 10 },
    { key: "ratios", kind: "floats", min: 1, max: 500, most: 4 },
    bounds("d", 2, 100),
    bounds("k", 1, 10),
    bounds("trials", 1, 50),
    bounds("iterations", 1, 500),
    choice("solver", ["gauss-newton", "algorithm1", "agd"]),
    choice("batches", ["fresh", "reused"]),
    choice("moments", ["estimated", "true"]),
    choice("inverse", ["refuse", "pseudo"]),
    bounds("seed"),
  ];
  private shown: Shown = "errorM";
  private points: readonly Point[] = []; // of the run that is shown

  protected override adjusted(values: Settings, _before: Settings, key: string): Settings {
    return key === "solver" ? { ...values, iterations: ENOUGH[values.solver] } : values;
  }

  protected async jobs(): Promise<readonly Job[]> {
    const { values } = this;
    const queries = MODELS.map((model) => encode(spec(values, model)));
    const { points } = await this.runner.info(queries[0] ?? "");
    this.points = points;
    return Array.from({ length: values.trials }, (_, trial) =>
      points.flatMap((_, point) =>
        queries.map((query, i): Job => {
          const cell = point * values.trials + trial;
          return { query, cell, group: `${i} ${cell}`, theory: false };
        }),
      ),
    ).flat();
  }

  protected override expects({ kind }: EngineError): boolean {
    return kind === "SingularMomentError" || kind === "DivergedError";
  }

  protected content(): Content {
    const { values } = this;
    const ran = this.ran ?? values;
    const runs = MODELS.length * values.trials * values.taus.length * values.ratios.length;
    const lines = this.lines(ran);
    return {
      text: nothing,
      cost: strings.cost(runs),
      body: html`
        ${legend(keys(ran.ratios))}
        <ifm-lines .heading=${strings.heading[this.shown]} .drawing=${this.drawing(lines)} .waiting=${strings.waiting[this.runner.phase]}></ifm-lines>
        ${this.table(ran)}
      `,
      answer: this.answer(ran),
      says: this.says(ran),
      live: strings.live(ran.features, ran.d, ran.k, ran.trials, this.whole, ran.solver, ran.batches === "fresh", ran.moments === "true", ran.inverse === "pseudo", ran.seed),
      more: html`<label class="pick">
        <span>${strings.show}</span>
        <select
          class="shown"
          @change=${(e: Event) => {
            const found = SHOWN.find((shown) => shown === (e.target as HTMLSelectElement).value);
            this.shown = found ?? this.shown;
            this.requestUpdate();
          }}
        >
          ${SHOWN.map((shown) => html`<option value=${shown} .selected=${shown === this.shown}>${strings.shown[shown]}</option>`)}
        </select>
      </label>`,
    };
  }

  /** The trials of a model at a point. */
  private of(model: Model, point: number): Track[] {
    const at = MODELS.indexOf(model);
    const stride = this.points.length * MODELS.length;
    return this.tracks.filter((_, i) => i % stride === point * MODELS.length + at);
  }

  private at(ratio: number, tau: number): number {
    return this.points.findIndex((point) => point.ratio === ratio && same(point.tau, tau));
  }

  private results(model: Model, ratio: number, tau: number, shown: Shown): number[] {
    return this.of(model, this.at(ratio, tau)).filter((track) => track.done).map((track) => value(track, shown)).filter((v) => Number.isFinite(v));
  }

  private lines(ran: Settings): Line[] {
    const taus = [...ran.taus].sort((a, b) => a - b);
    return MODELS.flatMap((model) =>
      ran.ratios.map((ratio, i): Line => {
        const all = taus.map((tau) => ({ x: place(tau, taus), values: this.results(model, ratio, tau, this.shown) })).filter(({ values }) => values.length > 0);
        const over = (reduce: (values: readonly number[]) => number): number[] => all.map(({ values }) => reduce(values));
        const band = ran.trials > 1 ? { low: over((v) => Math.min(...v)), high: over((v) => Math.max(...v)) } : {};
        return { ...looks[model], dash: DASHES[i] ?? "", name: strings.line(short[model], ratio), x: all.map(({ x }) => x), y: over(median), ...band };
      }),
    );
  }

  private drawing(lines: readonly Line[]): Drawing | null {
    const taus = [...(this.ran ?? this.values).taus].sort((a, b) => a - b);
    const all = lines.flatMap((line) => [...line.y, ...(line.low ?? []), ...(line.high ?? [])]).filter((v) => v > 0);
    if (all.length === 0) return null;
    const high = Math.max(0, Math.ceil(Math.log10(Math.max(...all))));
    const low = Math.max(Math.min(-3, Math.floor(Math.log10(Math.min(...all)))), high - DEEPEST);
    const places = taus.map((tau) => place(tau, taus));
    const value = (x: number): number => {
      const nearest = places.reduce((best, at, i) => (Math.abs(at - x) < Math.abs((places[best] ?? 0) - x) ? i : best), 0);
      return taus[nearest] ?? Number.NaN;
    };
    const tauAt = (x: number): string => cell(value(x));
    const [first = 0, end = 0] = [places[0], places.at(-1)];
    const room = Math.max(0.15, 0.04 * (end - first));
    return {
      lines,
      x: { type: "linear", domain: [first - room, end + room], ticks: places, label: strings.x, format: tauAt, value },
      y: { type: "log", domain: [10 ** low, 10 ** high], ticks: decades(low, high), label: strings.heading[this.shown], format: powers },
      at: (x) => `τ = ${tauAt(x)}`,
    };
  }

  /** How the runs of each point ended. */
  private table(ran: Settings): TemplateResult {
    const taus = [...ran.taus].sort((a, b) => b - a);
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.table(strings.heading[this.shown])}>
      <table class="numbers">
        <caption>${strings.table(strings.heading[this.shown])}</caption>
        <thead>
          <tr>
            <th scope="col">τ</th>
            ${MODELS.flatMap((model) => ran.ratios.map((ratio) => html`<th scope="col">${strings.line(short[model], ratio)}</th>`))}
          </tr>
        </thead>
        <tbody>
          ${taus.map(
            (tau) => html`<tr>
              <th scope="row">${cell(tau)}</th>
              ${MODELS.flatMap((model) =>
                ran.ratios.map((ratio) => {
                  const found = median(this.results(model, ratio, tau, this.shown));
                  const tracks = this.of(model, this.at(ratio, tau));
                  const refused = tracks.filter(wasRefused).length;
                  const lost = tracks.filter(diverged).length;
                  const parts = [...(Number.isNaN(found) ? [] : [number(found)]), ...(refused > 0 ? [strings.refused(refused, ran.trials)] : []), ...(lost > 0 ? [strings.diverged(lost, ran.trials)] : [])];
                  return html`<td data-cell="${model} ${ratio} ${tau}" data-value=${found} data-refused=${refused}>${parts.length > 0 ? parts.join("; ") : "–"}</td>`;
                }),
              )}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  /** The smallest and the largest τ that gFM came to an end at, with the most rows. */
  private span(ran: Settings): { readonly ratio: number; readonly least: number | undefined; readonly most: number | undefined } {
    const ratio = Math.max(...ran.ratios);
    const taus = [...ran.taus].sort((a, b) => a - b);
    const has = (tau: number): boolean => this.results("gfm", ratio, tau, "errorM").length > 0;
    return { ratio, least: taus.find(has), most: taus.findLast(has) };
  }

  /** What gFM loses between them. */
  private answer(ran: Settings): string | null {
    const { ratio, least, most } = this.span(ran);
    if (this.runner.phase !== "done" || least === undefined || most === undefined || least === most) return null;
    const of = (tau: number, shown: Shown): number => median(this.results("gfm", ratio, tau, shown));
    const [near, far] = [of(least, "errorM"), of(most, "errorM")];
    if (!(near > 3 * far)) return "nothing";
    return of(least, "rmse") < PREDICTS ? "matrix" : "both";
  }

  /** What the largest and the smallest τ that gFM was given tell. */
  private says(ran: Settings): Phrase {
    if (this.runner.phase !== "done") return [];
    const { ratio, least, most } = this.span(ran);
    const told: Phrase[] = [];
    if (least !== undefined && least === most) {
      const [gfm, ifm] = MODELS.map((model) => quantity(model, median(this.results(model, ratio, least, "errorM"))));
      if (gfm && ifm) told.push(strings.single(ratio, cell(least), gfm, ifm));
    }
    if (least !== undefined && most !== undefined && least < most) {
      const of = (model: Model, tau: number, shown: Shown): number => median(this.results(model, ratio, tau, shown));
      const [near, far] = [of("gfm", least, "errorM"), of("gfm", most, "errorM")];
      const rmse = of("gfm", least, "rmse");
      told.push(strings.gfm(ratio, cell(most), quantity("gfm", far), cell(least), quantity("gfm", near)));
      const [ifmNear, ifmFar] = [of("ifm", least, "errorM"), of("ifm", most, "errorM")];
      if (Number.isFinite(ifmNear) && Number.isFinite(ifmFar)) told.push(strings.ifm(quantity("ifm", ifmFar), quantity("ifm", ifmNear)));
      const predicts = rmse < PREDICTS && near > 2 * rmse;
      if (near > 3 * far) told.push(predicts ? strings.predicts(quantity("gfm", rmse)) : strings.astray(quantity("gfm", rmse)));
      if (near > 3 * far && predicts && least === 0 && ran.solver === "gauss-newton") told.push(strings.chance);
    }
    const gfm = this.tracks.filter((track) => over(track) && track.job.query.includes("models=gfm"));
    const refused = gfm.filter(wasRefused).length;
    const lost = gfm.filter(diverged).length;
    if (lost > 0) told.push(strings.lost(lost, gfm.length));
    if (refused > 0) told.push(strings.refusals(refused, gfm.length, ran.moments === "true"));
    if (ran.solver === "algorithm1" && refused + lost > 0) told.push(strings.others);
    const held = this.points.filter((point) => point.held).length;
    if (held > 0) told.push(strings.held(held));
    return told.flatMap((phrase, i) => (i === 0 ? phrase : say` ${phrase}`));
  }
}

/** Whether τ was too small for gFM. */
function wasRefused(track: Track): boolean {
  return track.error?.kind === "SingularMomentError";
}

function value(track: Track, shown: Shown): number {
  return shown === "rmse" ? last(track.test) / (track.started?.mean ?? Number.NaN) : last(track[shown]);
}

function same(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));
}

/** Where a τ stands on the axis: its logarithm, and 0 a step to the left of the smallest. */
function place(tau: number, taus: readonly number[]): number {
  const least = Math.min(...taus.filter((t) => t > 0));
  return tau > 0 ? Math.log10(tau) : (Number.isFinite(least) ? Math.log10(least) : 0) - 0.4;
}

function keys(ratios: readonly number[]): Line[] {
  return MODELS.flatMap((model) => ratios.map((ratio, i) => ({ ...looks[model], dash: DASHES[i] ?? "", name: strings.line(short[model], ratio), x: [], y: [] })));
}

/** The sweep of one model: gFM on a truth whose diagonal is kept, iFM on one without. */
function spec(values: Settings, model: Model): Spec {
  return settings({ ...values, sweep: "tau", scenario: "psd", truth: "orthonormal", diagonal: model === "gfm" ? "kept" : "zero", models: [model], test: 1000 });
}

customElements.define("ifm-moments", Moments);
