import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { lineChart, powers, type Drawing, type Line } from "../charts/lines.js";
import { legend, looks } from "../charts/looks.js";
import type { EngineError, Point, Table } from "../engine/protocol.js";
import type { Input } from "../panel/form.js";
import { heads } from "../panel/panel.js";
import { encode, type Spec } from "../state/spec.js";
import { isFrame } from "../state/view.js";
import { cell, count, number } from "../text/format.js";
import { quantity, say, type Phrase } from "../text/phrase.js";
import { short } from "../text/strings.js";
import { laws, type Law } from "./beside/least.js";
import { bounds, Chapter, choice, formulary, settings, type Content } from "./chapter/chapter.js";
import { decadesOf, place } from "./chapter/decades.js";
import { formulas } from "./chapter/formulas.gen.js";
import { decades, diverged, last, median, succeeded, SUCCESS } from "./chapter/measure.js";
import { over, type Job, type Track } from "./chapter/runner.js";
import "./columns.js";
import "./distribution.js";
import { same, shapeAt, type Family } from "./shape.js";
import { moments as strings, type Reach } from "./strings.js";

const MODELS = ["gfm", "ifm"] as const;
type Model = (typeof MODELS)[number];
type Shown = keyof typeof strings.shown;
type Measure = Exclude<Shown, "both">;
const SHOWN: readonly Shown[] = ["both", "errorM", "errorW", "rmse"];
const BOTH = ["errorM", "rmse"] as const;

type Settings = {
  readonly features: Family;
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
  readonly law: Law; // of the second picture
  readonly seed: number;
};

/** Iterations that each solver is given unless the reader says otherwise: few of Algorithm 1, whose rows are drawn anew for each. */
const ENOUGH: Readonly<Record<Spec["solver"], number>> = { default: 100, als: 60, agd: 100, auto: 60, "gauss-newton": 60, scaled: 60, algorithm1: 25, centred: 25, printed: 25 };

const DASHES = ["", "7 4", "2 4", "9 3 1 3"] as const;
const DEEPEST = 16; // decades drawn at most
const PREDICTS = 0.05; // of the targets' sd, at most, to be called good
const WORSE = 3; // times as large: a larger error, not another draw of the same
const MOST = 2; // the τ of slider columns that are Gaussian

/** A column of the table of endings. */
interface Column {
  readonly model: Model;
  readonly ratio: number; // n/(dk)
  readonly measure: Measure;
  readonly name: string;
}

/** A line that there will be. */
interface Series extends Column, Pick<Line, "colour" | "dash" | "symbol"> {}

/** Recovery against τ, of gFM, which has to invert it, and of iFM, which has not. */
class Moments extends Chapter<Settings> {
  @property({ attribute: false }) accessor table: Table | null = null; // the reader's, if one is open

  protected readonly name = "diagonal";
  protected readonly words = strings;
  protected readonly initial: Settings = {
    features: "slider", taus: [2, 0.5, 0.1, 0.02, 0.005, 0.001, 0], ratios: [10, 30], d: 24, k: 2, trials: 3, iterations: ENOUGH.agd,
    solver: "agd", batches: "fresh", moments: "true", inverse: "refuse", law: "true", seed: 1,
  };
  protected readonly inputs: readonly Input[] = [
    choice("features", ["slider", "threepoint"]),
    { key: "taus", kind: "floats", min: 0, max: 20, most: 10 },
    { key: "ratios", kind: "floats", min: 1, max: 500, most: 4 },
    bounds("d", 2, 100),
    bounds("k", 1, 10),
    bounds("trials", 1, 50),
    bounds("iterations", 1, 500),
    choice("solver", ["agd", "algorithm1", "gauss-newton"]),
    choice("batches", ["fresh", "reused"]),
    choice("moments", ["estimated", "true"]),
    choice("inverse", ["refuse", "pseudo", "divide"]),
    bounds("seed"),
  ];

  protected override get every(): readonly Input[] {
    return [...this.inputs, choice("law", laws)];
  }

  /** What the second picture shows is no setting of the first. */
  protected override get stale(): boolean {
    return this.ran !== null && this.query({ ...this.ran, law: this.values.law }) !== this.query();
  }

  private shown: Shown = "both";
  private points: readonly Point[] = []; // of the run that is shown
  private position = 0; // of the column that is looked at

  protected override adjusted(values: Settings, _before: Settings, key: string): Settings {
    const taus = values.features === "slider" ? [...new Set(values.taus.map((tau) => Math.min(tau, MOST)))] : values.taus;
    return { ...values, taus, ...(key === "solver" ? { iterations: ENOUGH[values.solver] } : {}) };
  }

  protected async jobs(): Promise<readonly Job[]> {
    const { values } = this;
    const queries = MODELS.map((model) => encode(spec(values, model)));
    const { points } = await this.runner.info(queries[0] ?? "");
    this.points = points;
    return Array.from({ length: values.trials }, (_, trial) =>
      points.flatMap((_, point) =>
        queries.map((query, i): Job => ({ query, cell: point * values.trials + trial, group: `${i} ${point} ${trial}`, theory: false, weight: points[point]?.n ?? 1 })),
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
    const framed = isFrame(this.view);
    const here = shapeAt(values.features, this.position).tau;
    return {
      text: formulary(formulas.tau, formulas.slider),
      cost: strings.cost(runs),
      body: html`
        <ifm-distribution
          .family=${values.features}
          .position=${this.position}
          .beside=${this.beside(ran, here)}
          @family=${(e: CustomEvent<string>) => this.change("features", e.detail)}
          @position=${(e: CustomEvent<number>) => {
            this.position = e.detail;
            this.requestUpdate();
          }}
        ></ifm-distribution>
        ${legend(this.series(ran))}
        ${lineChart({ heading: this.shown === "both" ? strings.most(strings.heading.both, Math.max(...ran.ratios)) : strings.heading[this.shown], drawing: this.drawing(lines), mark: this.mark(ran, here), waiting: strings.waiting[this.runner.phase] })}
        ${this.endings(ran)}
      `,
      answer: this.answer(ran),
      brief: this.brief(ran),
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
      after: html`<ifm-least
          .pool=${this.pool}
          .values=${{ features: values.features, d: values.d, k: values.k, seed: values.seed }}
          .own=${this.query()}
          .law=${values.law}
          .framed=${framed}
          @law=${(e: CustomEvent<Law>) => this.change("law", e.detail)}
        ></ifm-least>
        <section class="holds" aria-labelledby="diagonal-holds">
          <h4 id="diagonal-holds" aria-level=${framed ? 2 : nothing}>${strings.holds}</h4>
          ${strings.honest.map((paragraph) => html`<p class="about">${paragraph}</p>`)}
        </section>
        <ifm-columns .table=${this.table} ?framed=${framed}></ifm-columns>`,
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

  private results(model: Model, ratio: number, tau: number, shown: Measure): number[] {
    return this.of(model, this.at(ratio, tau)).filter((track) => track.done).map((track) => value(track, shown)).filter((v) => Number.isFinite(v));
  }

  /** What is drawn: of each model one measure for every number of rows, or, for the most of them, what it recovers beside what it predicts. */
  private series(ran: Settings): readonly Series[] {
    const { shown } = this;
    if (shown !== "both") return MODELS.flatMap((model) => ran.ratios.map((ratio, i) => ({ ...looks[model], dash: DASHES[i] ?? "", name: strings.line(short[model], ratio), model, ratio, measure: shown })));
    return MODELS.flatMap((model) => BOTH.map((measure, i) => ({ ...looks[model], dash: DASHES[i] ?? "", name: strings.part[measure](short[model]), model, ratio: Math.max(...ran.ratios), measure })));
  }

  private lines(ran: Settings): Line[] {
    const taus = [...ran.taus].sort((a, b) => a - b);
    return this.series(ran).map(({ model, ratio, measure, ...look }): Line => {
      const all = taus.map((tau) => ({ x: place(tau, taus), values: this.results(model, ratio, tau, measure) })).filter(({ values }) => values.length > 0);
      const over = (reduce: (values: readonly number[]) => number): number[] => all.map(({ values }) => reduce(values));
      const band = ran.trials > 1 ? { low: over((v) => Math.min(...v)), high: over((v) => Math.max(...v)) } : {};
      return { ...look, x: all.map(({ x }) => x), y: over(median), ...band };
    });
  }

  private drawing(lines: readonly Line[]): Drawing | null {
    const taus = [...(this.ran ?? this.values).taus].sort((a, b) => a - b);
    const all = lines.flatMap((line) => [...line.y, ...(line.low ?? []), ...(line.high ?? [])]).filter((v) => v > 0);
    if (all.length === 0) return null;
    const high = Math.max(0, Math.ceil(Math.log10(Math.max(...all))));
    const low = Math.max(Math.min(-3, Math.floor(Math.log10(Math.min(...all)))), high - DEEPEST);
    const axis = decadesOf(taus, cell);
    return {
      lines,
      x: { ...axis, label: strings.x },
      y: { type: "log", domain: [10 ** low, 10 ** high], ticks: decades(low, high), label: this.shown === "both" ? strings.both : strings.heading[this.shown], format: powers },
      at: (x) => `τ = ${axis.format(x)}`,
    };
  }

  /** How the runs of each point ended: the error of M for every number of rows where both are drawn, and beside it the RMSE of the most. */
  private endings(ran: Settings): TemplateResult {
    const { shown } = this;
    const taus = [...ran.taus].sort((a, b) => b - a);
    const every = MODELS.flatMap((model) => ran.ratios.map((ratio) => ({ model, ratio, name: strings.line(short[model], ratio) })));
    const columns: readonly Column[] = shown !== "both" ? every.map((one) => ({ ...one, measure: shown })) : every.flatMap((one) => BOTH.flatMap((measure) => (measure === "errorM" || one.ratio === Math.max(...ran.ratios) ? [{ ...one, measure, name: strings.part[measure](one.name) }] : [])));
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.table(strings.heading[shown])}>
      <table class="numbers">
        <caption>${strings.table(strings.heading[shown])}</caption>
        ${heads(["τ", ...columns.map(({ name }) => name)])}
        <tbody>
          ${taus.map(
            (tau) => html`<tr>
              <th scope="row">${cell(tau)}</th>
              ${columns.map(({ model, ratio, measure }) => {
                const found = median(this.results(model, ratio, tau, measure));
                const tracks = this.of(model, this.at(ratio, tau));
                const refused = tracks.filter(wasRefused).length;
                const lost = tracks.filter(diverged).length;
                const parts = [...(Number.isNaN(found) ? [] : [number(found)]), ...(refused > 0 ? [strings.refused(refused, ran.trials)] : []), ...(lost > 0 ? [strings.diverged(lost, ran.trials)] : [])];
                return html`<td data-cell="${model} ${ratio} ${tau}${shown === "both" && measure === "rmse" ? " rmse" : ""}" data-value=${found} data-refused=${refused}>${parts.length > 0 ? parts.join("; ") : "–"}</td>`;
              })}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  /** Where the column that is looked at stands on the chart; NaN where the chart does not reach. */
  private mark(ran: Settings, tau: number): number {
    return tau > Math.max(...ran.taus) * (1 + 1e-9) ? Number.NaN : place(tau, ran.taus);
  }

  /** What the run says of the τ nearest to that of the column that is looked at, with the most rows. */
  private beside(ran: Settings, here: number): string {
    const at = place(here, ran.taus);
    const ratio = Math.max(...ran.ratios);
    const ended = ran.taus.filter((tau) => MODELS.every((model) => this.of(model, this.at(ratio, tau)).some(over)));
    const nearest = ended.reduce((best, tau) => (Math.abs(place(tau, ran.taus) - at) < Math.abs(place(best, ran.taus) - at) ? tau : best), ended[0] ?? Number.NaN);
    if (Number.isNaN(nearest)) return strings.besideNone;
    const [gfm, ifm] = MODELS.map((model) => {
      const found = median(this.results(model, ratio, nearest, "errorM"));
      return Number.isNaN(found) ? strings.noFit : number(found);
    });
    return strings.beside(cell(nearest), ratio, gfm ?? "", ifm ?? "");
  }

  /** The smallest and the largest τ that gFM came to an end at, with the most rows. */
  private span(ran: Settings): { readonly ratio: number; readonly least: number | undefined; readonly most: number | undefined } {
    const ratio = Math.max(...ran.ratios);
    const taus = [...ran.taus].sort((a, b) => a - b);
    const has = (tau: number): boolean => this.results("gfm", ratio, tau, "errorM").length > 0;
    return { ratio, least: taus.find(has), most: taus.findLast(has) };
  }

  /** gFM's trials at a τ, with the most rows, that came to an end, and how many of them without a model. */
  private lost(ran: Settings, tau: number): { readonly of: number; readonly refused: number; readonly diverged: number } {
    const tracks = this.of("gfm", this.at(Math.max(...ran.ratios), tau)).filter(over);
    return { of: tracks.length, refused: tracks.filter(wasRefused).length, diverged: tracks.filter(diverged).length };
  }

  /** How gFM fares where τ is smallest, against where it is largest: what the answer and the explanation go by. */
  private fate(ran: Settings): "nothing" | "matrix" | "both" | null {
    const { ratio, least, most } = this.span(ran);
    const nearest = Math.min(...ran.taus);
    const { of, refused, diverged } = this.lost(ran, nearest);
    if (most === undefined || nearest === most || of === 0) return null;
    if (refused + diverged > of / 2) return "both"; // no model at all
    const median_ = (tau: number, shown: Measure): number => median(this.results("gfm", ratio, tau, shown));
    const [near, far, rmse] = [median_(least ?? nearest, "errorM"), median_(most, "errorM"), median_(least ?? nearest, "rmse")];
    if (!(near > WORSE * far && near >= SUCCESS)) return "nothing";
    return rmse < PREDICTS && near > 2 * rmse ? "matrix" : "both";
  }

  private answer(ran: Settings): string | null {
    return this.ended ? this.fate(ran) : null;
  }

  /** A trial of every pair of τ and n. */
  protected override first({ trials }: Settings): { readonly runs: number; readonly trials: number } {
    return { runs: this.points.length * MODELS.length, trials };
  }

  private brief(ran: Settings): Phrase {
    const { ratio, least, most } = this.span(ran);
    const nearest = Math.min(...ran.taus);
    const { of: all, refused, diverged } = this.lost(ran, nearest);
    if (this.answer(ran) === null || least === undefined || most === undefined) return [];
    if (refused + diverged > all / 2) return strings.briefLost(cell(nearest), quantity("gfm", refused + diverged, count(refused + diverged)), all);
    const of = (tau: number, shown: Measure) => quantity("gfm", median(this.results("gfm", ratio, tau, shown)));
    return strings.brief(cell(most), of(most, "errorM"), of(most, "rmse"), cell(least), of(least, "errorM"), of(least, "rmse"));
  }

  /** What the largest and the smallest τ that gFM was given tell. */
  private says(ran: Settings): Phrase {
    if (this.runner.phase !== "done") return [];
    const { ratio, least, most } = this.span(ran);
    const told: Phrase[] = [];
    if (least !== undefined && least === most) {
      const [gfm, ifm] = MODELS.map((model) => quantity(model, median(this.results(model, ratio, least, "errorM"))));
      if (gfm && ifm) told.push(strings.single(ratio, cell(least), gfm, ifm, ran.taus.length > 1));
    }
    if (least !== undefined && most !== undefined && least < most) {
      const of = (model: Model, tau: number, shown: Measure): number => median(this.results(model, ratio, tau, shown));
      const [near, far, rmse] = [of("gfm", least, "errorM"), of("gfm", most, "errorM"), of("gfm", least, "rmse")];
      told.push(strings.gfm(ratio, cell(most), quantity("gfm", far), cell(least), quantity("gfm", near)));
      const [ifmNear, ifmFar] = [of("ifm", least, "errorM"), of("ifm", most, "errorM")];
      if (Number.isFinite(ifmNear) && Number.isFinite(ifmFar)) told.push(strings.ifm(quantity("ifm", ifmFar), quantity("ifm", ifmNear)));
      const hidden = rmse < PREDICTS && near > 2 * rmse;
      if (near > WORSE * far && near >= SUCCESS) told.push(hidden ? strings.predicts(quantity("gfm", rmse), this.shown === "both") : strings.astray(quantity("gfm", rmse)));
      else told.push(strings.keeps);
      if (near > WORSE * far && near >= SUCCESS && hidden && least === 0 && ran.solver === "gauss-newton") told.push(strings.chance);
      if (near > WORSE * far && near >= SUCCESS && hidden && ran.solver === "agd") told.push(strings.pace(ran.iterations));
    }
    const gone = [...ran.taus].sort((a, b) => b - a).filter((tau) => {
      const { of, refused, diverged } = this.lost(ran, tau);
      return of > 0 && refused + diverged === of;
    });
    if (gone.length > 0) told.push(strings.gone(gone.map(cell), ratio));
    const reach = this.reach(ran);
    if (ran.solver === "algorithm1" && reach.length > 0) told.push(strings.reach(reach, (reach.at(-1)?.tau.value ?? Number.NaN) < (reach[0]?.tau.value ?? Number.NaN)));
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

  /** For each number of rows the smallest τ down to which gFM finds the truth in every trial, and what has to be large there. */
  private reach(ran: Settings): Reach[] {
    const taus = [...ran.taus].sort((a, b) => b - a);
    return [...ran.ratios].sort((a, b) => a - b).flatMap((ratio) => {
      const found = taus.findIndex((tau) => {
        const tracks = this.of("gfm", this.at(ratio, tau));
        return tracks.length === 0 || !tracks.every(succeeded);
      });
      const tau = taus[(found < 0 ? taus.length : found) - 1];
      const n = this.points[this.at(ratio, tau ?? Number.NaN)]?.n;
      return tau === undefined || tau === 0 || n === undefined ? [] : [{ ratio, tau: quantity("gfm", tau, cell(tau)), ...product(tau, n, ran.moments === "true") }];
    });
  }
}

/** What has to be large for Algorithm 1: τn where moments are known, τ√n where estimated ones are refused below 1/√n. */
function product(tau: number, n: number, known: boolean): Pick<Reach, "known" | "product"> {
  const value = tau * (known ? n : Math.sqrt(n));
  return { known, product: quantity("none", value, number(value, 2)) };
}

/** Whether τ was too small for gFM. */
function wasRefused(track: Track): boolean {
  return track.error?.kind === "SingularMomentError";
}

function value(track: Track, shown: Measure): number {
  return shown === "rmse" ? last(track.test) / (track.started?.mean ?? Number.NaN) : last(track[shown]);
}

/** The sweep of one model: gFM on a truth whose diagonal is kept, iFM on one without. */
function spec(values: Settings, model: Model): Spec {
  return settings({ ...values, sweep: "tau", scenario: "psd", truth: "orthonormal", diagonal: model === "gfm" ? "kept" : "zero", models: [model], test: 1000 });
}

customElements.define("ifm-moments", Moments);
