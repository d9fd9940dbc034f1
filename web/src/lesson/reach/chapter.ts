import { html, nothing, type TemplateResult } from "lit";
import type { Matrix } from "../../engine/protocol.js";
import type { Input } from "../../panel/form.js";
import { encode } from "../../state/spec.js";
import { number, signed } from "../../text/format.js";
import { quantity, say, type Phrase, type Quantity } from "../../text/phrase.js";
import { bounds, Chapter, formulary, settings, type Content } from "../chapter/chapter.js";
import { formulas } from "../chapter/formulas.gen.js";
import { last } from "../chapter/measure.js";
import type { Job, Track } from "../chapter/runner.js";
import { distance, gap, product, standing, walls, type Point } from "./geometry.js";
import { reach as strings, space } from "./strings.js";
import { headed, type Path, type Scene } from "./view.js";

const MODELS = ["fm", "ifm"] as const;
type Model = (typeof MODELS)[number];
const PAIRS = ["m12", "m13", "m23"] as const;

type Settings = {
  readonly m12: number;
  readonly m13: number;
  readonly m23: number;
  readonly n: number;
  readonly test: number;
  readonly iterations: number;
  readonly seed: number;
};

const D = 3;
const NEAR = 1.25; // of a boundary's distance from the truth: FM is on its way there
const ZERO = 0.1; // of the truth's size: nothing is learnt
const GROWS = 1.02; // ‖u‖ at the end ÷ at half of the iterations
const SETTLES = 1.001;
const TWICE = 0.2; // of RMSE ÷ distance, 2 over all rows
const NOWHERE: Path = { points: [], sizes: [] };

/** Three columns, rank 1: where FM and iFM go in the space of the three pairs. */
class Reach extends Chapter<Settings> {
  protected readonly name = "reach";
  protected readonly words = strings;
  protected readonly initial: Settings = { m12: -0.9, m13: -0.7, m23: -0.5, n: 2000, test: 2000, iterations: 300, seed: 1 };
  protected readonly inputs: readonly Input[] = [
    ...PAIRS.map((key) => ({ key, kind: "float", min: -1, max: 1 }) as const),
    bounds("n", 10, 20000),
    bounds("test", 10, 20000),
    bounds("iterations", 1, 1000),
    bounds("seed"),
  ];

  protected async jobs(): Promise<readonly Job[]> {
    const { m12, m13, m23, ...shared } = this.values;
    const query = encode(settings({ ...shared, scenario: "mixed", truth: "orthonormal", pairs: [m12, m13, m23].join(), d: D, k: 1, rank: 1, models: MODELS }));
    return MODELS.map((_, cell): Job => ({ query, cell, group: "", theory: false, path: true }));
  }

  protected content(): Content {
    const ran = this.ran ?? this.values;
    return {
      text: formulary(formulas.square, formulas.inverse, formulas.edge),
      cost: strings.cost,
      body: html`${this.sliders()}<ifm-space .scene=${this.scene()} .waiting=${strings.waiting[this.runner.phase]}></ifm-space>`,
      answer: this.answer(ran),
      says: this.says(ran),
      live: strings.live(ran.n, ran.test, ran.iterations, ran.seed),
      more: nothing,
    };
  }

  /** The truth. Once there was a run, another follows when a slider is let go of. */
  private sliders(): TemplateResult {
    const { values } = this;
    return html`<fieldset class="truth">
      <legend>${strings.place}</legend>
      ${PAIRS.map(
        (key, i) => html`<label class="slide">
          <span>${strings.axes[i]} <b class="num">${signed(values[key], 2)}</b></span>
          <input
            type="range"
            data-pair=${key}
            min="-1"
            max="1"
            step="0.05"
            .value=${String(values[key])}
            aria-label=${strings.keys[key]}
            aria-valuetext=${signed(values[key], 2)}
            @input=${(e: Event) => this.change(key, Number((e.target as HTMLInputElement).value))}
            @change=${this.follow}
          />
        </label>`,
      )}
      <button class="flip" @click=${this.flip}>${strings.flip}</button>
    </fieldset>`;
  }

  /** Runs again where the truth was moved after a run, or while there was one. */
  private readonly follow = (): void => {
    if (this.ran !== null && truthOf(this.ran).join() !== truthOf(this.values).join()) void this.run();
  };

  protected override async begin(values: Settings): Promise<void> {
    await super.begin(values);
    if (this.runner.phase === "done") this.follow();
  }

  private readonly flip = (): void => {
    const { values } = this;
    for (const key of PAIRS) this.change(key, -values[key] + 0); // no −0
    this.follow();
  };

  private seen: { readonly key: string; readonly scene: Scene } | null = null;

  /** The same one for the same paths, so that it is drawn once. */
  private scene(): Scene {
    const stale = this.stale;
    const key = [truthOf(this.values).join(), stale, this.tracks.map((track) => `${track.job.query} ${track.path.length}`)].join(";");
    if (key !== this.seen?.key) this.seen = { key, scene: { truth: truthOf(this.values), paths: { fm: this.path("fm"), ifm: this.path("ifm") }, stale } };
    return this.seen.scene;
  }

  private of(model: Model): Track | undefined {
    return this.tracks[MODELS.indexOf(model)];
  }

  private path(model: Model): Path {
    const path = this.of(model)?.path;
    return path ? { points: path.map(pointOf), sizes: path.map((m) => sizeOf(model, m)) } : NOWHERE;
  }

  /** ‖u‖ of FM at the end ÷ at half of its iterations. */
  private growth({ sizes }: Path): number {
    return last(sizes) / (sizes[Math.floor((sizes.length - 1) / 2)] ?? Number.NaN);
  }

  private answer(ran: Settings): string | null {
    const truth = truthOf(ran);
    const path = this.path("fm");
    const end = path.points.at(-1);
    if (this.runner.phase !== "done" || !end || standing(truth) !== "outside") return null;
    const zero: Point = [0, 0, 0];
    if (distance(end, zero) < ZERO * distance(truth, zero)) return "zero";
    if (distance(end, truth) > NEAR * distance(headed(truth, end), truth)) return null;
    const growth = this.growth(path);
    return growth > GROWS ? "wall" : growth < SETTLES ? "stops" : null;
  }

  private says(ran: Settings): Phrase {
    const [fm, ifm] = [this.of("fm"), this.of("ifm")];
    const path = this.path("fm");
    const end = path.points.at(-1);
    const there = this.path("ifm").points.at(-1);
    if (this.runner.phase !== "done" || !fm || !ifm || !end || !there) return [];
    const truth = truthOf(ran);
    const told: Phrase[] = [];
    const none = (value: number): Quantity => quantity("none", value);
    const of = (value: number): Quantity => quantity("fm", value, signed(value));
    const plain = (value: number): Quantity => quantity("fm", value);
    const iterations = path.points.length - 1;
    const away = distance(end, truth);
    switch (standing(truth)) {
      case "outside": {
        const [wall = truth] = walls(truth);
        told.push(strings.outside(space.point(truth), quantity("none", product(truth), signed(product(truth))), space.point(wall), none(gap(truth))));
        told.push(strings.fm(iterations, space.point(end), of(product(end)), plain(away), plain(last(fm.test)), Math.abs(last(fm.test) / away - 2) < TWICE));
        const to = headed(truth, end);
        if (distance(to, truth) > gap(truth)) told.push(strings.other(space.point(to), none(distance(to, truth))));
        const half = Math.floor(iterations / 2);
        told.push(strings.size(plain(last(path.sizes)), half, plain(path.sizes[half] ?? Number.NaN)));
        const answer = this.answer(ran);
        if (answer === "wall") told.push(strings.grows);
        if (answer === "stops") told.push(strings.settles);
        break;
      }
      case "approached":
        told.push(strings.approached(space.point(truth)), strings.found(iterations, space.point(end), plain(away), plain(last(path.sizes))));
        break;
      case "reached":
        told.push(strings.reached(space.point(truth), quantity("none", product(truth), number(product(truth)))), strings.found(iterations, space.point(end), plain(away), plain(last(path.sizes))));
    }
    const ended = quantity("ifm", distance(there, truth));
    told.push(strings.ifm(ifm.path.length - 1, ended, quantity("ifm", last(ifm.test))));
    return told.flatMap((phrase, i) => (i === 0 ? phrase : say` ${phrase}`));
  }
}

function truthOf({ m12, m13, m23 }: Settings): Point {
  return [m12, m13, m23];
}

/** The three pairs, for one standard deviation of both columns, whose variance is 1/d. */
function pointOf({ values }: Matrix): Point {
  return [(values[1] ?? Number.NaN) / D, (values[2] ?? Number.NaN) / D, (values[5] ?? Number.NaN) / D];
}

/** ‖u‖ of FM, whose UUᵀ has the eigenvalue ‖u‖²; √(‖u‖‖v‖) of iFM, the eigenvalues of whose sym(UVᵀ) are that far apart. */
function sizeOf(model: Model, { eigenvalues }: Matrix): number {
  const [high = Number.NaN, low = Number.NaN] = [eigenvalues[0], eigenvalues[1]];
  return Math.sqrt((model === "fm" ? high : high - low) / D);
}

customElements.define("ifm-reach", Reach);
