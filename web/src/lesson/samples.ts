import { html, nothing, type TemplateResult } from "lit";
import { lineChart, type Drawing } from "../charts/lines.js";
import { legend } from "../charts/looks.js";
import type { Savable, Sheet } from "../charts/sheet.js";
import type { EngineError, Point } from "../engine/protocol.js";
import type { Input } from "../panel/form.js";
import { heads } from "../panel/panel.js";
import { encode, parse, type Spec } from "../state/spec.js";
import { isFrame, writeLink } from "../state/view.js";
import { cell, count, number } from "../text/format.js";
import { plain, quantity, say, type Phrase, type Quantity } from "../text/phrase.js";
import { bounds, Chapter, choice, formulary, settings, type Content, type First } from "./chapter/chapter.js";
import { formulas } from "./chapter/formulas.gen.js";
import { diverged, roundUp, succeeded } from "./chapter/measure.js";
import { over, type Job, type Track } from "./chapter/runner.js";
import { cliffs as beside } from "./beside/strings.js";
import { axes, free, lines, type Axis, type Cliff } from "./cliffs.js";
import { samples as strings } from "./strings.js";

type Settings = {
  readonly model: "fm" | "gfm" | "ifm";
  readonly solver: Spec["solver"];
  readonly scenario: Spec["scenario"];
  readonly truth: Spec["truth"];
  readonly features: Spec["features"];
  readonly sweep: "rank" | "tau";
  readonly ratios: readonly number[];
  readonly ks: readonly number[];
  readonly taus: readonly number[];
  readonly d: number;
  readonly k: number; // of a map over τ
  readonly trials: number;
  readonly iterations: number;
  readonly across: Axis; // of the second picture
  readonly seed: number;
};

/** Iterations that each solver is given unless the reader says otherwise. */
const ENOUGH: Readonly<Record<Spec["solver"], number>> = { default: 1000, als: 300, agd: 1000, auto: 100, "gauss-newton": 100, scaled: 500, algorithm1: 100, centred: 100, printed: 20 };

const RATIOS = [1, 1.5, 2, 2.5, 3, 4, 6] as const;
const RATIOS_OF_ALGORITHM = [6, 12, 24, 48, 96] as const; // it needs more rows

const LEVEL = 1.2; // times as many rows, below which it is the same number

/** What ends a run without finding the truth: a failure to count, not one of the page. */
const MISSES = ["DivergedError", "SingularMomentError"];

/** How often the truth is found, over n/(dk) and the rank or τ. */
class Samples extends Chapter<Settings> implements Savable {
  protected readonly name = "samples";
  protected readonly words = strings;
  protected readonly initial: Settings = {
    model: "ifm", solver: "gauss-newton", scenario: "mixed", truth: "orthonormal", features: "gaussian", sweep: "rank",
    ratios: RATIOS, ks: [1, 2, 4], taus: [2, 0.5, 0.1, 0.02], d: 24, k: 2, trials: 8, iterations: ENOUGH["gauss-newton"], across: "free", seed: 1,
  };
  private points: readonly Point[] = []; // of the run that is shown

  protected override get every(): readonly Input[] {
    return [
      choice("model", ["ifm", "fm", "gfm"]),
      choice("solver", ["gauss-newton", "agd", "scaled", "algorithm1"]),
      choice("scenario", ["mixed", "psd", "flipped"]),
      choice("truth", ["orthonormal", "gaussian"]),
      choice("sweep", ["rank", "tau"]),
      { key: "ratios", kind: "floats", min: 0.2, max: 200, most: 10 },
      { key: "ks", kind: "ints", min: 1, max: 20, most: 6 },
      { key: "taus", kind: "floats", min: 0, max: 20, most: 8 },
      choice("features", ["gaussian", "uniform", "laplace", "exponential", "threepoint", "slider"]),
      bounds("k", 1, 20),
      bounds("d", 4, 100),
      bounds("trials", 1, 50),
      bounds("iterations", 1, 10000),
      choice("across", axes),
      bounds("seed"),
    ];
  }

  /** The same in another order: those that the settings leave something to choose of. */
  protected get inputs(): readonly Input[] {
    const { model, sweep } = this.values;
    const without = { rank: { keys: ["taus", "k"], features: ["threepoint", "slider"] }, tau: { keys: ["ks"], features: ["gaussian", "uniform", "laplace", "exponential"] } }[sweep];
    return this.every
      .filter(({ key }) => !without.keys.includes(key))
      .map((input) => {
        if (input.kind !== "choice") return input;
        const left = input.key === "features" ? without.features : input.key === "solver" && model === "fm" ? ["algorithm1"] : []; // Algorithm 1 has no FM
        return { ...input, options: input.options.filter((option) => !left.includes(option)) };
      });
  }

  protected override adjusted(values: Settings, before: Settings, key: string): Settings {
    const solver = values.model === "fm" && values.solver === "algorithm1" ? "gauss-newton" : values.solver;
    return {
      ...values,
      solver,
      ...(solver === before.solver ? {} : { iterations: ENOUGH[solver] }),
      ...((solver === "algorithm1") === (before.solver === "algorithm1") ? {} : { ratios: solver === "algorithm1" ? RATIOS_OF_ALGORITHM : RATIOS }),
      ...(key === "sweep" ? { features: values.sweep === "tau" ? ("threepoint" as const) : ("gaussian" as const) } : {}),
    };
  }

  protected async jobs(): Promise<readonly Job[]> {
    const { values } = this;
    const query = encode(spec(values));
    const { points } = await this.runner.info(query);
    this.points = points;
    return Array.from({ length: values.trials }, (_, trial) =>
      points.map((_, point): Job => {
        const at = point * values.trials + trial;
        return { query, cell: at, group: `${at}`, theory: false, weight: (points[point]?.n ?? 1) * (points[point]?.k ?? 1) };
      }),
    ).flat();
  }

  protected override expects({ kind }: EngineError): boolean {
    return MISSES.includes(kind);
  }

  protected content(): Content {
    const { values } = this;
    const ran = this.ran ?? values;
    const rows = values.sweep === "rank" ? values.ks : values.taus;
    return {
      text: formulary(formulas.numbers, formulas.room),
      cost: strings.cost(values.ratios.length * rows.length * values.trials),
      body: html`${this.map(ran)} ${this.cliffs(ran)}`,
      answer: this.answer(ran),
      brief: this.brief(ran),
      says: this.says(ran),
      live: strings.live(ran.features, ran.truth, ran.scenario, single(ran), ran.d, ran.sweep === "tau" ? ran.k : Number.NaN, ran.trials, ran.solver, ran.iterations, ran.seed),
      more: html`<label class="pick">
        <span>${beside.across}</span>
        <select class="across" @change=${(e: Event) => this.change("across", (e.target as HTMLSelectElement).value)}>
          ${axes.map((axis) => html`<option value=${axis} .selected=${axis === values.across}>${beside.axes[axis]}</option>`)}
        </select>
      </label>`,
    };
  }

  /** What the second picture counts in is no setting of the runs. */
  protected override get stale(): boolean {
    return this.ran !== null && this.query({ ...this.ran, across: this.values.across }) !== this.query();
  }

  private of(point: number): Track[] {
    return this.tracks.filter((_, i) => i % this.points.length === point);
  }

  private at(ran: Settings, row: number, ratio: number): number {
    return this.points.findIndex((point) => point.ratio === ratio && (ran.sweep === "rank" ? point.k === row : Math.abs(point.tau - row) < 1e-9 * Math.max(1, row)));
  }

  private map(ran: Settings): TemplateResult {
    const upright = ran.sweep === "rank" ? ran.ks : ran.taus;
    const ratios = [...ran.ratios].sort((a, b) => a - b);
    const rows = [...upright].sort((a, b) => b - a);
    const name = ran.sweep === "rank" ? "k" : "τ";
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.caption(ran.model, ran.solver, ran.trials, this.whole)}>
      <table class="phase" style="--columns:${ratios.length};--least:${ran.trials < 10 ? 2.2 : 3.2}rem">
        <caption>${strings.caption(ran.model, ran.solver, ran.trials, this.whole)}</caption>
        ${heads([strings.corner(name), ...ratios.map((ratio) => cell(ratio))])}
        <tbody>
          ${rows.map(
            (row) => html`<tr>
              <th scope="row">${cell(row)}</th>
              ${ratios.map((ratio) => this.cell(ran, row, ratio, `${name} = ${cell(row)}, n = ${cell(ratio)} dk`))}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <ifm-save .of=${this} heading=${strings.title}></ifm-save>`;
  }

  /** The share of trials that found the truth, a line for each row of the map, its rows counted in either unit. */
  private cliffs(ran: Settings): TemplateResult {
    const { across } = this.values;
    const upright = [...(ran.sweep === "rank" ? ran.ks : ran.taus)].sort((a, b) => a - b);
    const ratios = [...ran.ratios].sort((a, b) => a - b);
    const all = upright.map((row): Cliff => {
      const k = ran.sweep === "rank" ? row : ran.k;
      const points = ratios.flatMap((ratio) => {
        const at = this.at(ran, row, ratio);
        const ended = this.of(at).filter(over).filter(counts);
        return ended.length > 0 ? [{ n: this.points[at]?.n ?? Number.NaN, share: ended.filter(succeeded).length / ended.length }] : [];
      });
      return { name: `${ran.sweep === "rank" ? "k" : "τ"} = ${cell(row)}`, k, d: ran.d, unit: across === "dk" ? ran.d * k : numbers(ran, k), n: points.map(({ n }) => n), share: points.map(({ share }) => share) };
    });
    const drawn = lines(all, beside.bound, ran.sweep === "rank");
    const places = drawn.flatMap(({ x }) => x);
    const most = Math.max(...places);
    const step = roundUp(most / 8);
    const drawing: Drawing | null = places.length === 0 ? null : {
      lines: drawn,
      x: { domain: [0, 1.02 * most], ticks: Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => Number((i * step).toPrecision(6))), label: beside.axes[across], format: (x) => cell(Number(x.toPrecision(3))) },
      y: { type: "linear", domain: [0, 1], ticks: [0, 0.5, 1], label: beside.share, format: String },
      at: (x) => beside.place(beside.axes[across], number(x, 3)),
    };
    return html`<div class="cliffs">${legend(drawn)} ${lineChart({ heading: beside.heading(across), drawing, waiting: strings.waiting[this.runner.phase] })}</div>`;
  }

  sheet(): Sheet | null {
    const { ran } = this;
    const picture = this.querySelector<HTMLTableElement>("table.phase");
    if (!ran || !picture) return null;
    const cells = this.points.flatMap((point, at) => {
      const ended = this.of(at).filter(over).filter(counts);
      return ended.length > 0 ? [{ point, over: ended.length, found: ended.filter(succeeded).length }] : [];
    });
    if (cells.length === 0) return null;
    const title = strings.caption(ran.model, ran.solver, ran.trials, this.whole);
    return {
      what: "map",
      title,
      described: plain([`${title}. `, ...this.says(ran)]),
      notes: [],
      legend: [],
      columns: [
        { name: ran.sweep === "rank" ? "k" : "τ", values: cells.map(({ point }) => (ran.sweep === "rank" ? point.k : point.tau)) },
        { name: strings.data.n, values: cells.map(({ point }) => point.ratio) },
        { name: "n", values: cells.map(({ point }) => point.n) },
        { name: strings.data.over, values: cells.map((one) => one.over) },
        { name: strings.data.found, values: cells.map((one) => one.found) },
      ],
      picture,
    };
  }

  /** A cell: how many of the trials that count found the truth, and a link to that run; "–" where all failed otherwise. */
  private cell(ran: Settings, row: number, ratio: number, name: string): TemplateResult {
    const at = this.at(ran, row, ratio);
    const point = this.points[at];
    const ended = point ? this.of(at).filter(over) : [];
    const tracks = ended.filter(counts);
    if (!point || tracks.length === 0) return html`<td class="none" data-cell="${row} ${ratio}">${ended.length > 0 ? "–" : "·"}</td>`;
    const found = tracks.filter(succeeded).length;
    const wanted = parse(point.query).spec;
    return html`<td data-cell="${row} ${ratio}" data-found=${found} data-over=${tracks.length} style="--share:${((100 * found) / tracks.length).toFixed(0)}%">
      <a href="${location.pathname}${writeLink(wanted, { ...this.view, sample: "none", chapter: "none", embed: "0" })}#figure" target=${isFrame(this.view) ? "_blank" : nothing} aria-label=${strings.open(point.held ? strings.heldAt(name, point.n) : name, found, tracks.length)} @click=${(event: MouseEvent) => this.open(event, wanted)}>${found}/${tracks.length}${point.held ? "*" : ""}</a>
    </td>`;
  }

  /** Opens a run in the figure, unless the reader asks for a tab of its own or the chapter stands alone in a frame. */
  private open(event: MouseEvent, wanted: Spec): void {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || isFrame(this.view)) return;
    event.preventDefault();
    this.tell("ifm-open", wanted);
  }

  /** From how many rows on, in units of dk, the truth is found in every trial, for each row of the map that was tried. */
  private firsts(ran: Settings): { readonly row: number; readonly name: string; readonly first: number | undefined }[] {
    const rows = [...(ran.sweep === "rank" ? ran.ks : ran.taus)].sort((a, b) => a - b);
    const ratios = [...ran.ratios].sort((a, b) => a - b);
    const counted = (row: number, ratio: number): Track[] => this.of(this.at(ran, row, ratio)).filter(counts);
    const tried = rows.filter((row) => ratios.some((ratio) => counted(row, ratio).length > 0));
    return tried.map((row) => {
      const asked = ratios.filter((ratio) => counted(row, ratio).length > 0);
      const name = `${ran.sweep === "rank" ? "k" : "τ"} = ${cell(row)}`;
      return { row, name, first: asked.find((ratio) => asked.filter((r) => r >= ratio).every((r) => counted(row, r).every(succeeded))) };
    });
  }

  /** The lowest and the highest rank, with the rows that each free number of theirs needs; null where the map tells one of them not, or neither within it. */
  private ends(ran: Settings): { readonly trend: "falls" | "stays" | "rises"; readonly low: End; readonly high: End } | null {
    if (ran.sweep !== "rank") return null;
    const firsts = this.firsts(ran);
    const [low, high] = [firsts[0], firsts.at(-1)];
    if (firsts.length < 2 || low?.first === undefined || high?.first === undefined) return null;
    if (Math.max(low.first, high.first) <= Math.min(...ran.ratios)) return null; // both begin below the map
    const [from, to] = [low, high].map(({ row, first = Number.NaN }): End => ({ rank: row, ratio: first, each: (this.points[this.at(ran, row, first)]?.n ?? Number.NaN) / numbers(ran, row) })) as [End, End];
    const trend = to.each < from.each / LEVEL ? "falls" : to.each > from.each * LEVEL ? "rises" : "stays";
    return { trend, low: from, high: to };
  }

  /** How the number of rows that each of a truth's free numbers needs changes with k. */
  private answer(ran: Settings): string | null {
    return this.ended ? (this.ends(ran)?.trend ?? null) : null;
  }

  /** A trial of every cell. */
  protected override first({ trials }: Settings): First {
    return { runs: this.points.length, trials };
  }

  private brief(ran: Settings): Phrase {
    const ends = this.ends(ran);
    return ends ? strings.brief(ends.low.rank, quantity(ran.model, ends.low.each), ends.high.rank, quantity(ran.model, ends.high.each)) : [];
  }

  /** From how many rows on the truth is found. */
  private says(ran: Settings): Phrase {
    if (this.runner.phase !== "done") return [];
    const firsts = this.firsts(ran);
    const told: Phrase[] = [];
    if (firsts.some(({ first }) => first !== undefined)) told.push(strings.firsts(firsts.map(({ name, first }) => (first === undefined ? strings.never(name) : strings.first(name, quantity(ran.model, first, cell(first)))))));
    else if (firsts.length > 0) told.push(strings.nowhere);
    const ends = this.ends(ran);
    if (ends) {
      const { trend, low, high } = ends;
      const of = ({ ratio }: End): Quantity => quantity(ran.model, ratio, cell(ratio));
      const each = (end: End): Quantity => quantity(ran.model, end.each);
      const rows = ({ rank, ratio }: End): number => this.points[this.at(ran, rank, ratio)]?.n ?? Number.NaN;
      told.push(strings.trend[trend](low.rank, each(low), high.rank, each(high)));
      if (trend !== "falls" && high.ratio < low.ratio / LEVEL) told.push(strings.artefact(of(low), of(high)));
      if (rows(high) > rows(low)) told.push(strings.total(cell(low.rank), quantity(ran.model, rows(low), count(rows(low))), cell(high.rank), quantity(ran.model, rows(high), count(rows(high)))));
    }
    if (firsts.length > 0 && firsts.every(({ first }) => first === Math.min(...ran.ratios))) told.push(strings.below);
    const held = this.points.filter((point) => point.held).length;
    if (held > 0) told.push(strings.held(held));
    const refused = this.tracks.filter((track) => track.error?.kind === "SingularMomentError").length;
    const lost = this.tracks.filter(diverged).length;
    if (refused + lost > 0) told.push([strings.missed(refused, lost)]);
    return told.flatMap((phrase, i) => (i === 0 ? phrase : say` ${phrase}`));
  }
}

interface End {
  readonly rank: number;
  readonly ratio: number; // n/(dk) from which the truth is found in every trial
  readonly each: number; // the same in rows for each free number
}

/** The free numbers of a truth of rank k. */
function numbers({ d, truth, scenario, model }: Settings, k: number): number {
  return free(d, k, { truth, scenario, diagonal: model === "gfm" ? "kept" : "zero" });
}

/** Whether a run says something of the truth's being found: it ended, if in an error then in one that is a miss. */
function counts(track: Track): boolean {
  return over(track) && (track.error === null || MISSES.includes(track.error.kind));
}

/** Whether the truth called "of both signs" has one eigenvalue only, in all or some of the map. */
function single({ truth, scenario, sweep, k, ks }: Settings): boolean {
  return truth === "orthonormal" && scenario === "mixed" && (sweep === "rank" ? ks.includes(1) : k === 1);
}

/** The sweep. gFM has a truth whose diagonal is kept, since it can write no other. */
function spec({ model, across: _, ...values }: Settings): Spec {
  return settings({ ...values, diagonal: model === "gfm" ? "kept" : "zero", models: [model], test: 100 });
}

customElements.define("ifm-samples", Samples);
