import { html, nothing, type TemplateResult } from "lit";
import type { Matrix } from "../engine/protocol.js";
import type { Input } from "../panel/form.js";
import { heads } from "../panel/panel.js";
import { encode, type Spec } from "../state/spec.js";
import { number, percent } from "../text/format.js";
import { quantity, say, type Phrase, type Whose } from "../text/phrase.js";
import { short } from "../text/strings.js";
import { bounds, Chapter, choice, formulary, settings, type Content } from "./chapter/chapter.js";
import { formulas } from "./chapter/formulas.gen.js";
import { last } from "./chapter/measure.js";
import type { Job, Track } from "./chapter/runner.js";
import { interaction as strings } from "./strings.js";
import { surfaceOf } from "./surface.js";

const MODELS = ["fm", "ifm"] as const;
type Model = (typeof MODELS)[number];

type Settings = {
  readonly scenario: Spec["scenario"];
  readonly k: number;
  readonly rank: number;
  readonly n: number;
  readonly test: number;
  readonly noise: number;
  readonly iterations: number;
  readonly seed: number;
};

const NEAR = 0.1; // of the product's variance: closer to all or nothing than chance and a reader can tell
const HALF = [0.25, 0.75] as const;

/** Two columns: what a plane can do with a product, and what FM and iFM make of it. */
class Interaction extends Chapter<Settings> {
  protected readonly name = "interaction";
  protected readonly words = strings;
  protected readonly initial: Settings = { scenario: "mixed", k: 2, rank: 1, n: 500, test: 10000, noise: 0.1, iterations: 100, seed: 1 };
  protected readonly inputs: readonly Input[] = [
    choice("scenario", ["psd", "flipped", "mixed"]),
    bounds("k", 1, 2),
    bounds("rank", 1, 2),
    bounds("n", 10, 100000),
    bounds("test", 100, 100000),
    bounds("noise", 0, 2),
    bounds("iterations", 1, 1000),
    bounds("seed"),
  ];

  protected async jobs(): Promise<readonly Job[]> {
    const query = encode(spec(this.values));
    return MODELS.map((_, cell): Job => ({ query, cell, group: "", theory: true, asks: ["truth", "interaction", "model"] }));
  }

  protected content(): Content {
    const ran = this.ran ?? this.values;
    const model = this.of("ifm")?.model ?? null;
    return {
      text: formulary(formulas.plane),
      cost: strings.cost,
      body: html`<ifm-surface .surface=${this.surface(model)} .waiting=${strings.waiting[this.runner.phase]}></ifm-surface>${this.table()}`,
      answer: this.answer(ran),
      brief: this.brief(),
      says: this.says(ran),
      live: strings.live(ran.n, ran.test, ran.noise, ran.rank, ran.seed),
      more: nothing,
    };
  }

  private seen: { readonly file: Track["model"]; readonly surface: ReturnType<typeof surfaceOf> | null } = { file: null, surface: null };

  /** The same one for the same file, so that it is drawn once. */
  private surface(file: Track["model"]): ReturnType<typeof surfaceOf> | null {
    if (file !== this.seen.file) this.seen = { file, surface: file && surfaceOf(file) };
    return this.seen.surface;
  }

  private of(model: Model): Track | undefined {
    return this.tracks[MODELS.indexOf(model)];
  }

  /** What ridge regression, the plane, explains of the product's part of y: 1 − (its RMSE² − noise²) / the product's variance. */
  private explained(ran: Settings): number {
    const { started, theory } = this.of("ifm") ?? {};
    if (!started || !theory) return Number.NaN;
    return 1 - (started.ridge ** 2 - (ran.noise * theory.sd) ** 2) / theory.secondOrder ** 2;
  }

  /** What there is of the product on the test rows, within its own chance and that of the noise; nothing to decide where they drown it. */
  private answer(ran: Settings): string | null {
    const theory = this.of("ifm")?.theory;
    const share = this.explained(ran);
    if (this.runner.phase !== "done" || !theory || Number.isNaN(share)) return null;
    // On the test rows a mean of n squares of products of Gaussians is off by √8/√n of itself, one of noise by √2/√n; of the
    // plane's three weights each costs its share of what the training rows leave, and a weight of x₁ thrice that of the product.
    const noise = ((ran.noise * theory.sd) / theory.secondOrder) ** 2;
    const chance = (Math.sqrt(8) + Math.SQRT2 * noise) / Math.sqrt(ran.test) + (7 + 3 * noise) / ran.n;
    if (2 * chance > HALF[0]) return null;
    if (Math.abs(share) < Math.max(NEAR, 2 * chance)) return "nothing";
    return share > 1 - NEAR ? "all" : share > HALF[0] && share < HALF[1] ? "half" : null;
  }

  private brief(): Phrase {
    const { started, test = [] } = this.of("ifm") ?? {};
    return started && test.length > 0 ? strings.brief(quantity("ridge", started.ridge), quantity("ifm", last(test))) : [];
  }

  /** m of the truth or of a model, in target units for a standard deviation of both columns, whose variance is ½. */
  private weight(m: Matrix | null | undefined): number {
    return m?.values[1] ?? Number.NaN;
  }

  private table(): TemplateResult {
    const { started, theory, truth } = this.of("ifm") ?? {};
    const rows: readonly { readonly key: "truth" | "ridge" | Model; readonly name: string; readonly m: number; readonly rmse: number }[] = [
      { key: "truth", name: strings.truth, m: this.weight(truth), rmse: Number.NaN },
      { key: "ridge", name: strings.plane, m: Number.NaN, rmse: started?.ridge ?? Number.NaN },
      ...MODELS.map((model) => ({ key: model, name: short[model], m: this.weight(this.of(model)?.interaction), rmse: last(this.of(model)?.test ?? []) })),
    ];
    const mean = started?.mean ?? Number.NaN;
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.table}>
      <table class="numbers">
        <caption>${strings.table}</caption>
        ${heads([strings.who, strings.weight, strings.rmse, strings.share])}
        <tbody>
          ${rows.map(
            ({ key, name, m, rmse }) => html`<tr class=${key} data-row=${key}>
              <th scope="row">${name}</th>
              <td data-weight=${m}>${key === "ridge" && theory ? strings.none : number(m)}</td>
              <td data-rmse=${rmse}>${number(rmse)}</td>
              <td>${Number.isNaN(rmse) ? "–" : percent(1 - (rmse / mean) ** 2)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  private says(ran: Settings): Phrase {
    const { started, theory, truth } = this.of("ifm") ?? {};
    if (this.runner.phase !== "done" || !started || !theory) return [];
    const share = this.explained(ran);
    const told: Phrase[] = [strings.parts(quantity("none", theory.sd), quantity("none", theory.secondOrder))];
    told.push(strings.ridge(quantity("ridge", started.ridge), quantity("ridge", share, percent(share).replace("-", "−"))));
    if (this.answer(ran) === "nothing") told.push(strings.because);
    if (this.answer(ran) === null) told.push(strings.drowned);
    const of = (whose: Whose, value: number): ReturnType<typeof quantity> => quantity(whose, value);
    const ends = MODELS.flatMap((model) => {
      const track = this.of(model);
      return track?.done ? [strings.learnt(short[model], of(model, last(track.test)), of(model, this.weight(track.interaction)))] : [];
    });
    if (ends.length === 2) told.push(strings.both(ends, of("none", this.weight(truth)), ran.noise > 0 ? of("none", ran.noise * theory.sd) : null), strings.sign);
    return told.flatMap((phrase, i) => (i === 0 ? phrase : say` ${phrase}`));
  }
}

/** The run: two columns, a linear part of size 1 and a product. */
function spec(values: Settings): Spec {
  return settings({ ...values, truth: "orthonormal", d: 2, models: MODELS });
}

customElements.define("ifm-interaction", Interaction);
