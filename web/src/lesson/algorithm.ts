import { html, nothing, type TemplateResult } from "lit";
import { lineChart, powers, type Drawing, type Line } from "../charts/lines.js";
import { legend, looks } from "../charts/looks.js";
import type { EngineError } from "../engine/protocol.js";
import type { Input } from "../panel/form.js";
import { heads, seen } from "../panel/panel.js";
import { script } from "../panel/script.js";
import { problems } from "../panel/strings.js";
import { encode, type Spec } from "../state/spec.js";
import { isFrame } from "../state/view.js";
import { number } from "../text/format.js";
import { quantity, say, type Phrase, type Quantity } from "../text/phrase.js";
import "./beside/ranks.js";
import { bounds, Chapter, choice, formulary, held, rowsOf, settings, type Content } from "./chapter/chapter.js";
import { formulas } from "./chapter/formulas.gen.js";
import { decades, diverged, lastAbove, lastHalf, rate, recovery } from "./chapter/measure.js";
import type { Job, Track } from "./chapter/runner.js";
import { runs } from "./chapter/strings.js";
import { algorithm as strings } from "./strings.js";

const RUNS = ["gfm", "centred", "printed", "ifm"] as const;
const FIRST = ["printed", "gfm", "centred", "ifm"] as const satisfies readonly Which[]; // the same as they are run: what the question is about, then what it is held against
type Which = (typeof RUNS)[number];

type Settings = {
  readonly features: Spec["features"];
  readonly tau: number;
  readonly d: number;
  readonly k: number;
  readonly rows: number; // of an iteration, in units of d·k
  readonly iterations: number;
  readonly batches: Spec["batches"];
  readonly moments: Spec["moments"];
  readonly inverse: Spec["inverse"];
  readonly ranks: readonly number[]; // of the second picture
  readonly seed: number;
};

const look = {
  gfm: looks.gfm,
  centred: { colour: "gfm", dash: "9 3 1 3", symbol: "circle" },
  printed: { colour: "gfm", dash: "7 4", symbol: "square" },
  ifm: looks.ifm,
} as const;
const DEEPEST = 14; // decades drawn at most
const TEST = 1000; // rows
const TINY = 1e-6; // a τ that no rows nor exact moments let one divide by, as in core/moment
const MOST = 500; // rows of an iteration, in units of d·k
const STANDS = 0.97; // an iteration: a rate from here to its inverse is no change of size that so few iterations tell

/** Algorithm 1, corrected and as printed, against what its analysis says. */
class Algorithm extends Chapter<Settings> {
  protected readonly name = "algorithm";
  protected readonly words = strings;
  protected readonly initial: Settings = { features: "gaussian", tau: 1, d: 40, k: 3, rows: 60, iterations: 12, batches: "fresh", moments: "estimated", inverse: "refuse", ranks: [2, 4, 8, 12], seed: 1 };
  protected readonly inputs: readonly Input[] = [
    bounds("d", 2, 200),
    bounds("k", 1, 10),
    { key: "rows", kind: "float", min: 1, max: MOST },
    bounds("iterations", 3, 100),
    choice("features", ["gaussian", "uniform", "laplace", "exponential", "threepoint", "slider"]),
    bounds("tau", 0, 20),
    choice("batches", ["fresh", "reused"]),
    choice("moments", ["estimated", "true"]),
    choice("inverse", ["refuse", "pseudo", "divide"]),
    { key: "ranks", kind: "ints", min: 1, max: 20, most: 6 },
    bounds("seed"),
  ];

  private unloaded = false; // the script of the picture has not come

  /** The picture of an iteration is loaded when the chapter comes near. */
  protected override firstUpdated(): void {
    void seen(this, "60% 0px")
      .then(() => script(() => import("./iteration/iteration.js"), (is) => {
        this.unloaded = is;
        this.requestUpdate();
      }));
  }

  protected async jobs(): Promise<readonly Job[]> {
    return FIRST.map((which) => ({ query: encode(spec(this.values, which)), cell: 0, group: which, theory: which === "ifm" }));
  }

  protected override expects({ kind }: EngineError): boolean {
    return kind === "SingularMomentError" || kind === "DivergedError";
  }

  protected content(): Content {
    const { values } = this;
    const ran = this.ran ?? values;
    const lines = this.lines();
    const framed = isFrame(this.view);
    return {
      text: formulary(formulas.moments, formulas.floor),
      cost: strings.cost(RUNS.length, seconds(values, this.pool.size)),
      body: html`
        ${legend([...RUNS.map((which) => ({ ...look[which], name: strings.name[which] })), { ...floorLook, name: strings.floor }])}
        ${lineChart({ heading: strings.heading, drawing: this.drawing(ran, lines), waiting: strings.waiting[this.runner.phase] })}
        ${this.rates(ran)}
      `,
      answer: this.answer(),
      brief: this.brief(),
      says: this.says(ran),
      live: strings.live(spec(ran, "gfm").n, held(ran.rows, ran.d, ran.k, TEST), ran.d, ran.k, ran.seed, ran.batches === "fresh", ran.features, hasTau(ran) ? ran.tau : Number.NaN),
      more: nothing,
      after: html`<ifm-iteration .pool=${this.pool} .seed=${values.seed} .begun=${this.runner.phase === "done"} .framed=${framed}></ifm-iteration>
        ${this.unloaded ? html`<p class="note" role="status">${problems.partLost(strings.picture)}</p>` : nothing}
        <ifm-ranks .pool=${this.pool} .values=${{ d: Math.max(values.d, ...values.ranks), ranks: values.ranks, seed: values.seed }} .own=${this.query()} .framed=${framed}></ifm-ranks>`,
    };
  }

  /** What the second picture shows is no setting of the first. */
  protected override get stale(): boolean {
    return this.ran !== null && this.query({ ...this.ran, ranks: this.values.ranks }) !== this.query();
  }

  private track(which: Which): Track | undefined {
    return this.tracks[FIRST.indexOf(which)];
  }

  private errors(which: Which): number[] {
    const track = this.track(which);
    return track ? recovery(track) : [];
  }

  private floor(): number {
    return this.track("ifm")?.theory?.floor ?? Number.NaN;
  }

  private lines(): Line[] {
    const lines = RUNS.flatMap((which): Line[] => {
      const errors = this.errors(which);
      return errors.length === 0 ? [] : [{ ...look[which], name: strings.name[which], x: this.track(which)?.iteration ?? [], y: errors }];
    });
    return [...lines, ...this.reference()];
  }

  /** The long run that iFM tends to, back from its last record and so beside the end of its curve, while that is below its start. */
  private reference(): Line[] {
    const errors = this.errors("ifm");
    const end = lastAbove(errors);
    if (!(this.floor() > 0) || end <= 2) return [];
    const level = (i: number): number => (errors[end] ?? Number.NaN) * this.floor() ** (i - end);
    const places = Array.from({ length: end - 1 }, (_, i) => i + 2).filter((i) => level(i) <= (errors[0] ?? Number.NaN));
    return [{ ...floorLook, name: strings.floor, x: places.map((i) => this.track("ifm")?.iteration[i] ?? Number.NaN), y: places.map(level) }];
  }

  /** What an iteration multiplies an error by: iFM's in the last half, since it changes on the way to the long run. */
  private rate(which: Which): number {
    const errors = this.errors(which);
    return which === "ifm" ? rate(errors, lastHalf(errors)) : rate(errors);
  }

  private drawing(ran: Settings, lines: readonly Line[]): Drawing | null {
    const all = lines.flatMap((line) => line.y).filter((v) => Number.isFinite(v) && v > 0);
    if (all.length === 0) return null;
    const high = Math.max(1, Math.ceil(Math.log10(Math.max(...all))));
    const low = Math.max(Math.min(-4, Math.floor(Math.log10(Math.min(...all)))), high - DEEPEST);
    const step = Math.max(1, Math.ceil(ran.iterations / 12));
    const ticks = Array.from({ length: Math.floor(ran.iterations / step) + 1 }, (_, i) => i * step);
    return {
      lines,
      x: { domain: [0, ran.iterations], ticks, label: strings.x, format: String },
      y: { type: "log", domain: [10 ** low, 10 ** high], ticks: decades(low, high), label: strings.y, format: powers },
      at: strings.at,
    };
  }

  /** Each line's rate, beside what the theorem makes of it. */
  private rates(ran: Settings): TemplateResult {
    const shape = Math.sqrt(spec(ran, "gfm").n / (ran.k * ran.d));
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.rates}>
      <table class="numbers">
        <caption>${strings.rates}</caption>
        ${heads([strings.run, strings.rate, strings.shaped, strings.floor])}
        <tbody>
          ${RUNS.map((which) => {
            const found = this.rate(which);
            return html`<tr class=${which === "ifm" ? "ifm" : "gfm"}>
              <th scope="row">${strings.name[which]}</th>
              <td data-rate=${which} data-value=${found}>${number(found)}</td>
              <td>${which === "gfm" || which === "centred" ? number(found * shape) : "–"}</td>
              <td data-value=${which === "ifm" ? this.floor() : nothing}>${which === "ifm" ? number(this.floor()) : "–"}</td>
            </tr>`;
          })}
        </tbody>
      </table>
      <p class="note">${strings.reading}</p>
    </div>`;
  }

  /** How far from the truth the algorithm as printed ends, in units of its start. */
  private growth(): number {
    const errors = this.errors("printed");
    return this.lost("printed") ? Number.POSITIVE_INFINITY : (errors[lastAbove(errors)] ?? Number.NaN) / (errors[0] ?? Number.NaN);
  }

  private fate(): "grows" | "stays" | "shrinks" | null {
    const growth = this.growth();
    return Number.isNaN(growth) ? null : growth >= 2 ? "grows" : growth > 0.5 ? "stays" : "shrinks";
  }

  private answer(): string | null {
    return this.ended ? this.fate() : null;
  }

  /** The algorithm as printed. */
  protected override first(): { readonly runs: number; readonly trials: number } {
    return { runs: 1, trials: 1 };
  }

  private brief(): Phrase {
    const ends = (which: Which): number => {
      const errors = this.errors(which);
      return this.lost(which) ? Number.POSITIVE_INFINITY : (errors[lastAbove(errors)] ?? Number.NaN);
    };
    const [begins, printed, corrected] = [this.errors("printed")[0] ?? Number.NaN, ends("printed"), ends("gfm")];
    if (Number.isNaN(printed)) return [];
    return strings.brief(quantity("gfm", begins), quantity("gfm", printed), Number.isNaN(corrected) ? null : quantity("gfm", corrected));
  }

  private says(ran: Settings): Phrase {
    const told = this.printed(ran);
    const lost = RUNS.filter((which) => this.lost(which));
    const left = (["gfm", "ifm"] as const).filter((which) => lost.includes(which));
    const { n } = spec(ran, "gfm");
    const gfm = this.rate("gfm");
    const shaped = quantity("gfm", gfm * Math.sqrt(n / (ran.k * ran.d)));
    if (gfm < 1 && !lost.includes("gfm")) told.push(strings.shrinks(quantity("gfm", gfm), shaped), ...(scales(ran) ? [strings.scales] : []));
    const after = (["gfm", "centred"] as const).map((which) => quantity("gfm", this.track(which)?.errorM[1] ?? Number.NaN));
    if (after[0] && after[1] && after.every(({ value }) => Number.isFinite(value))) told.push(strings.centred(after[0], after[1]));
    if (gfm >= 1 && !lost.includes("gfm")) told.push(strings.stays(quantity("gfm", gfm)));
    if (left.length > 0) told.push(strings.left(left.map((which) => strings.corrected[which]), n, left.includes("gfm") && hasTau(ran)));
    const refused = RUNS.filter((which) => this.track(which)?.error?.kind === "SingularMomentError").length;
    if (refused > 0) told.push(runs.refusals(refused, RUNS.length - 1, ran.moments === "true" || (hasTau(ran) && ran.tau < TINY)));
    const ifm = this.rate("ifm");
    if (ifm < 1 && this.floor() > 0 && !lost.includes("ifm")) told.push(strings.floored(quantity("ifm", ifm), quantity("none", this.floor())), ...this.overtaken());
    if (ifm >= 1 && !lost.includes("ifm")) told.push(strings.ifmStays(quantity("ifm", ifm), n));
    return told.flatMap((phrase, i) => (i === 0 ? phrase : say` ${phrase}`));
  }

  /** Which of gFM and iFM is ahead, each measured against its own truth, and why. */
  private overtaken(): Phrase[] {
    const [gfm, ifm] = [this.errors("gfm"), this.errors("ifm")];
    const end = Math.min(gfm.length, ifm.length) - 1;
    if (end < 1 || this.lost("gfm")) return [];
    const ahead = (i: number): boolean => (gfm[i] ?? Number.NaN) < (ifm[i] ?? Number.NaN);
    const of = (which: "gfm" | "ifm", i: number): Quantity => quantity(which, (which === "gfm" ? gfm : ifm)[i] ?? Number.NaN);
    if (!ahead(end)) return [strings.behind(of("gfm", end), of("ifm", end))];
    let from = end;
    while (from > 1 && ahead(from - 1)) from--;
    return from === 1 ? [] : [strings.overtakes(of("ifm", 1), of("gfm", 1), from, of("gfm", end), of("ifm", end)), strings.diagonal];
  }

  /** How the algorithm fared as printed. */
  private printed({ k }: Settings): Phrase[] {
    const fate = this.fate();
    const found = this.rate("printed");
    const trace = strings.trace(quantity("none", -k / 2, number(-k / 2, 2)));
    if (this.lost("printed")) return [strings.printedLost];
    if (fate === null || Number.isNaN(found)) return [];
    if (fate === "grows") return [strings.grows(quantity("none", this.growth())), k === 2 ? strings.growsByChance : trace];
    if (fate === "shrinks") return [k === 1 ? strings.printedRankOne : strings.printedShrinks(quantity("none", found))];
    if (found < STANDS) return [strings.printedShrinks(quantity("none", found))];
    if (found > 1 / STANDS) return [strings.printedTurns(quantity("none", found)), k === 2 ? strings.growsByChance : trace];
    return [k === 2 ? strings.printedRankTwo : strings.printedStays];
  }

  /** Whether a run ended beyond all numbers. */
  private lost(which: Which): boolean {
    const track = this.track(which);
    return track !== undefined && diverged(track);
  }
}

const floorLook = { colour: "base", dash: "1 4", symbol: "" } as const;

function hasTau(values: Settings): boolean {
  return values.features === "threepoint" || values.features === "slider";
}

/** Whether four times the rows can be asked for and would keep the theorem's constant, which is for fresh rows: not where estimated moments, or what stands in for their inverse, decide. */
function scales(ran: Settings): boolean {
  const clear = !hasTau(ran) || ran.tau >= 1 / Math.sqrt(spec(ran, "gfm").n);
  return ran.batches === "fresh" && ran.inverse !== "pseudo" && clear && 4 * ran.rows <= MOST && !held(4 * ran.rows, ran.d, ran.k, TEST);
}

const PER_DRAW = 80e-9; // s, for one number of a design that is drawn, with SIMD
const PER_NUMBER = 1e-9; // s, for one number of the design and one column of the factors in one iteration

/** About how long the three runs take. */
function seconds(values: Settings, engines: number): number {
  const { n, test, d, k, iterations } = spec(values, "gfm");
  const draws = values.batches === "fresh" ? iterations : 1;
  const numbers = n * d * (draws * PER_DRAW + iterations * (k + 2) * PER_NUMBER) + test * d * iterations * k * PER_NUMBER;
  return Math.ceil(RUNS.length / Math.max(1, engines)) * numbers;
}

/** The run of one line: gFM on a truth whose diagonal is kept, iFM on one without. */
function spec({ rows, ranks: _, ...shared }: Settings, which: Which): Spec {
  return settings({
    ...shared,
    scenario: "psd",
    truth: "orthonormal",
    diagonal: which === "ifm" ? "zero" : "kept",
    models: [which === "ifm" ? "ifm" : "gfm"],
    solver: which === "printed" || which === "centred" ? which : "algorithm1",
    n: rowsOf(rows, shared.d, shared.k, TEST),
    test: TEST,
  });
}

customElements.define("ifm-algorithm", Algorithm);
