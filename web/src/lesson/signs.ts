import { html, nothing, type TemplateResult } from "lit";
import type { Panelled } from "../charts/matrices/matrix.js";
import "../charts/matrices/spectrum.js";
import type { Input } from "../panel/form.js";
import { encode, type Spec } from "../state/spec.js";
import { count, number, percent } from "../text/format.js";
import { quantity, say, type Phrase } from "../text/phrase.js";
import { short } from "../text/strings.js";
import { bounds, Chapter, choice, formulary, settings, type Content } from "./chapter/chapter.js";
import { formulas } from "./chapter/formulas.gen.js";
import { legend, looks, type Drawing, type Line } from "./chapter/lines.js";
import { last, roundUp } from "./chapter/measure.js";
import type { Job, Track } from "./chapter/runner.js";
import { signs as strings } from "./strings.js";

const MODELS = ["fm", "ifm"] as const;
type Model = (typeof MODELS)[number];

type Settings = {
  readonly d: number;
  readonly k: number;
  readonly ranks: readonly number[];
  readonly n: number;
  readonly test: number;
  readonly noise: number;
  readonly solver: Spec["solver"];
  readonly iterations: number;
  readonly seed: number;
};

const COUNTS = 0.01; // of the truth's largest eigenvalue: what is nearer to zero is not counted
const HIDDEN = 0.7; // of the second-order part, about what half of its variance leaves
const LEVEL = 0.02; // of the second-order part: what is nearer than this has caught up

/** The signs of the eigenvalues that FM and iFM find, and what FM can make up by rank. */
class Signs extends Chapter<Settings> {
  protected readonly name = "spectrum";
  protected readonly words = strings;
  protected readonly initial: Settings = { d: 20, k: 6, ranks: [1, 2, 4, 8, 12, 15, 18], n: 600, test: 1000, noise: 0.1, solver: "agd", iterations: 300, seed: 1 };
  protected readonly inputs: readonly Input[] = [
    bounds("d", 3, 60),
    bounds("k", 2, 12),
    { key: "ranks", kind: "ints", min: 1, max: 60, most: 10 },
    bounds("n", 10, 20000),
    bounds("test", 10, 20000),
    bounds("noise", 0, 2),
    choice("solver", ["agd", "gauss-newton", "scaled"]),
    bounds("iterations", 1, 2000),
    bounds("seed"),
  ];

  /** No more eigenvalues than columns. */
  protected override adjusted(values: Settings): Settings {
    return { ...values, k: Math.min(values.k, values.d) };
  }

  protected async jobs(): Promise<readonly Job[]> {
    const { values } = this;
    return runs(values).map(({ model, rank }): Job => {
      const shown = rank === (model === "fm" ? values.k : enough(values));
      return { query: encode(spec(values, model, rank)), cell: 0, group: `${model} ${rank}`, theory: model === "fm" && shown, weight: columnsOf(model, rank), asks: shown ? ["truth", "interaction"] : [] };
    });
  }

  protected content(): Content {
    const { values } = this;
    const ran = this.ran ?? values;
    const lines = this.lines(ran);
    return {
      text: formulary(formulas.signed),
      cost: strings.cost(runs(values).length, seconds(values, this.pool.size)),
      body: html`
        <ifm-spectrum .panels=${this.panels(ran)} .slots=${Math.min(ran.d, 2 * enough(ran))}></ifm-spectrum>
        <h4>${strings.second}</h4>
        <p class="about">${strings.more}</p>
        ${formulary(formulas.shifted)}
        ${legend(lines)}
        <ifm-lines .heading=${strings.heading} .drawing=${this.drawing(ran, lines)} .waiting=${strings.waiting[this.runner.phase]}></ifm-lines>
        ${this.table(ran)}
      `,
      answer: this.answer(ran),
      brief: this.brief(ran),
      says: this.says(ran),
      live: strings.live(ran.n, ran.test, ran.d, ran.k, ran.noise, ran.solver, ran.iterations, ran.seed),
      more: nothing,
    };
  }

  private of(ran: Settings, model: Model, rank: number): Track | undefined {
    return this.tracks[runs(ran).findIndex((run) => run.model === model && run.rank === rank)];
  }

  private get base(): Track | undefined {
    return this.tracks.find((track) => track.job.theory);
  }

  /** Truth, FM and iFM, the two with equally many numbers in their factors where k is even. */
  private panels(ran: Settings): Panelled[] {
    const fm = this.of(ran, "fm", ran.k);
    const ifm = this.of(ran, "ifm", enough(ran));
    return [
      { key: "truth", title: strings.truth, note: "", values: fm?.truth ?? null },
      { key: "fm", title: strings.ranked(short.fm, ran.k), note: "", values: fm?.interaction ?? null },
      { key: "ifm", title: strings.ranked(short.ifm, enough(ran)), note: "", values: ifm?.interaction ?? null },
    ];
  }

  /** Test RMSE at the end ÷ sd of the second-order part, NaN before. */
  private left(ran: Settings, model: Model, rank: number): number {
    const track = this.of(ran, model, rank);
    return track?.done ? last(track.test) / (this.base?.theory?.secondOrder ?? Number.NaN) : Number.NaN;
  }

  /** What nothing can predict, on the same scale. */
  private floor(ran: Settings): number {
    const theory = this.base?.theory;
    return theory ? (ran.noise * theory.sd) / theory.secondOrder : Number.NaN;
  }

  private lines(ran: Settings): Line[] {
    const every = ranks(ran);
    const models = MODELS.map((model): Line => {
      const done = every.filter((rank) => !Number.isNaN(this.left(ran, model, rank)));
      return { ...looks[model], name: short[model], x: done, y: done.map((rank) => this.left(ran, model, rank)) };
    });
    const floor = this.floor(ran);
    const ends = Number.isNaN(floor) ? [] : [every[0] ?? 1, every.at(-1) ?? 1];
    return ran.noise > 0 ? [...models, { name: strings.noise, colour: "base", dash: "", symbol: "", x: ends, y: ends.map(() => floor) }] : models;
  }

  private drawing(ran: Settings, lines: readonly Line[]): Drawing | null {
    const every = lines.filter((line) => line.symbol !== "").flatMap((line) => line.y);
    if (every.length === 0) return null;
    const most = Math.max(1, ...every);
    const high = most <= 1 ? 1 : roundUp(most);
    const step = roundUp(ran.d / 10);
    const ticks = Array.from({ length: Math.floor(ran.d / step) }, (_, i) => (i + 1) * step);
    const unit = roundUp(high / 5);
    return {
      lines,
      x: { domain: [Math.min(0.5, ran.d / 40), ran.d + 0.5], ticks, label: strings.x, format: String },
      y: { type: "linear", domain: [0, high], ticks: Array.from({ length: Math.floor(high / unit + 1e-9) + 1 }, (_, i) => Number((i * unit).toPrecision(12))), label: strings.heading, format: String },
      at: strings.at,
    };
  }

  private table(ran: Settings): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.table}>
      <table class="numbers ranks">
        <caption>${strings.table}</caption>
        <thead>
          <tr>
            <th scope="col">${strings.rank}</th>
            ${MODELS.map((model) => html`<th scope="col">${strings.numbers[model]}</th><th scope="col">${strings.ends(short[model])}</th><th scope="col">${strings.errors(short[model])}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${ranks(ran).map(
            (rank) => html`<tr>
              <th scope="row">${rank}</th>
              ${MODELS.map((model) => {
                const left = this.left(ran, model, rank);
                const run = tried(ran, model).includes(rank);
                return html`<td>${run ? count(numbers(ran, model, rank)) : ""}</td><td data-left="${model} ${rank}" data-value=${left}>${run ? number(left) : ""}</td><td data-off="${model} ${rank}" data-value=${this.error(ran, model, rank)}>${run ? number(this.error(ran, model, rank)) : ""}</td>`;
              })}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  /** ‖M − M*‖ / ‖M*‖ at the end, NaN before. */
  private error(ran: Settings, model: Model, rank: number): number {
    const track = this.of(ran, model, rank);
    return track?.done ? last(track.errorM) : Number.NaN;
  }

  /** How many eigenvalues are clearly above zero and clearly below, of the truth or of a model. */
  private counted(values: Panelled["values"], truth: Panelled["values"]): readonly [above: number, below: number] {
    const most = Math.max(0, ...(truth?.eigenvalues ?? []).map(Math.abs));
    const all = [...(values?.eigenvalues ?? [])];
    return [all.filter((v) => v > COUNTS * most).length, all.filter((v) => v < -COUNTS * most).length];
  }

  /** Whether more rank cures FM: the rank from which on it is level with iFM of the rank that the truth needs. */
  private answer(ran: Settings): string | null {
    const [truth] = this.panels(ran);
    const fair = this.left(ran, "ifm", enough(ran));
    if (!this.ended || !truth?.values || Number.isNaN(fair) || this.counted(truth.values, truth.values)[1] === 0) return null;
    const level = this.level(ran, fair);
    return level === undefined ? "never" : 2 * level <= ran.d ? "early" : "late";
  }

  /** FM's ranks that came to an end. */
  private ranked(ran: Settings): number[] {
    return ranks(ran).filter((rank) => !Number.isNaN(this.left(ran, "fm", rank)));
  }

  private level(ran: Settings, fair: number): number | undefined {
    const done = this.ranked(ran);
    return done.find((rank) => done.every((r) => r < rank || this.left(ran, "fm", r) <= fair + LEVEL));
  }

  private brief(ran: Settings): Phrase {
    const need = enough(ran);
    const fair = this.left(ran, "ifm", need);
    const top = this.ranked(ran).at(-1);
    if (this.answer(ran) === null || top === undefined) return [];
    const level = this.level(ran, fair);
    return level === undefined
      ? strings.brief.never(top, quantity("fm", this.left(ran, "fm", top)), need, quantity("ifm", fair))
      : strings.brief.level(level, numbers(ran, "fm", level), need, numbers(ran, "ifm", need));
  }

  private says(ran: Settings): Phrase {
    const [truth, fm, ifm] = this.panels(ran);
    if (this.runner.phase !== "done" || !truth?.values) return [];
    const need = enough(ran);
    const told: Phrase[] = [];
    for (const { key, values } of [fm, ifm].flatMap((panel) => panel ?? [])) {
      const model = key === "fm" ? "fm" : "ifm";
      if (!values) continue;
      const [above, below] = this.counted(values, truth.values);
      told.push(strings.counts(strings.ranked(short[model], model === "fm" ? ran.k : need), quantity(model, above, count(above)), quantity(model, below, count(below))));
    }
    told.push(strings.equal(numbers(ran, "fm", ran.k), numbers(ran, "ifm", need)));
    const [low, fair] = [this.left(ran, "fm", ran.k), this.left(ran, "ifm", need)];
    if (Number.isNaN(low) || Number.isNaN(fair)) return joined(told);
    told.push(strings.bias(ran.k, quantity("fm", low), need, quantity("ifm", fair)));
    const [most, true_] = [fm?.values, truth.values].map((values) => values?.eigenvalues[0] ?? Number.NaN);
    if (low < HIDDEN && low > fair + LEVEL && most !== undefined && true_ !== undefined && most > 1.5 * true_) told.push(strings.hidden(quantity("fm", most), quantity("none", true_)));
    told.push(...this.catching(ran, need, fair));
    return joined(told);
  }

  /** From which rank on FM is level with iFM of the rank that the truth needs, and at what price. */
  private catching(ran: Settings, need: number, fair: number): Phrase[] {
    const level = this.level(ran, fair);
    const top = this.ranked(ran).at(-1);
    if (level === undefined) return top === undefined ? [] : [strings.never(top, quantity("fm", this.left(ran, "fm", top)), top >= ran.d - 1)];
    if (level <= need) return [];
    const told = [strings.level(level, numbers(ran, "fm", level), numbers(ran, "ifm", need), ran.n)];
    const [fm, ifm] = [this.error(ran, "fm", level), this.error(ran, "ifm", need)];
    if (ran.noise > 0 && fm > 1.1 * ifm) told.push(strings.price(quantity("fm", fm, percent(fm)), quantity("ifm", ifm, percent(ifm))));
    return [...told, strings.silent];
  }
}

function joined(told: readonly Phrase[]): Phrase {
  return told.flatMap((phrase, i) => (i === 0 ? phrase : say` ${phrase}`));
}

/** The rank at which iFM has as many positive and negative eigenvalues to give as the truth asks for. */
function enough({ k }: Settings): number {
  return Math.ceil(k / 2);
}

/** The ranks that are tried: those asked for that the columns allow, and the three that the text speaks of. */
function ranks(values: Settings): number[] {
  return [...new Set([...values.ranks, enough(values), values.k, values.d])].filter((rank) => rank <= values.d).sort((a, b) => a - b);
}

/** iFM's, which is done at rank k/2: those up to k, and the last. */
function tried(values: Settings, model: Model): number[] {
  return ranks(values).filter((rank) => model === "fm" || rank <= values.k || rank === values.d);
}

/** Those with eigenvalues to show first. */
function runs(values: Settings): { readonly model: Model; readonly rank: number }[] {
  const shown = [{ model: "fm", rank: values.k }, { model: "ifm", rank: enough(values) }] as const;
  const others = MODELS.flatMap((model) => tried(values, model).map((rank) => ({ model, rank })));
  return [...shown, ...others.filter(({ model, rank }) => !shown.some((run) => run.model === model && run.rank === rank))];
}

/** In the factors. */
function numbers({ d }: Settings, model: Model, rank: number): number {
  return (model === "fm" ? 1 : 2) * d * rank;
}

/** The columns that an iteration goes through: those of the factors, and two. */
function columnsOf(model: Model, rank: number): number {
  return (model === "fm" ? 1 : 2) * rank + 2;
}

const PER_NUMBER = 0.75e-9; // s, for one number of the design and one column of the factors in one iteration, with SIMD

/** About how long all runs take. */
function seconds(values: Settings, engines: number): number {
  const columns = runs(values).reduce((sum, { model, rank }) => sum + columnsOf(model, rank), 0);
  return ((values.n + values.test) * values.d * columns * values.iterations * PER_NUMBER) / Math.max(1, engines);
}

/** The run of a model at a rank: the rows are the same for all of them. */
function spec({ ranks: _, ...shared }: Settings, model: Model, rank: number): Spec {
  return settings({ ...shared, scenario: "mixed", truth: "orthonormal", models: [model], rank });
}

customElements.define("ifm-signs", Signs);
