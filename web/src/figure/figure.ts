import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { axis } from "../charts/axis.js";
import { curve, waiting } from "../charts/curve.js";
import type { Panelled } from "../charts/matrices/matrix.js";
import { charts, saved } from "../charts/strings.js";
import type { Matrix } from "../engine/protocol.js";
import type { About } from "../panel/about.js";
import { controlBar, verdictPanel } from "../panel/controls.js";
import { painted, Panel, prop } from "../panel/panel.js";
import { problem } from "../panel/problem.js";
import { script } from "../panel/script.js";
import { controls, verdict } from "../panel/strings.js";
import { drawnOnly, solverOf } from "../state/groups.js";
import type { Spec } from "../state/spec.js";
import { drawn } from "../state/strings.js";
import { isFrame, type View } from "../state/view.js";
import { times } from "../text/format.js";
import { quantity, say, type Phrase } from "../text/phrase.js";
import { list, short } from "../text/strings.js";
import { relativeError } from "../training/model.js";
import type { Model } from "../training/series.js";
import { baselines, ending, floor, standings, wins } from "../training/standing.js";
import type { Ghost, Training } from "../training/training.js";
import "./rows.js";
import { figure as strings, sides } from "./strings.js";
import { worded } from "./term.js";

const EXACT = 1e-9; // of the mean’s error: what is below it, rounding makes

function ofFigure(spec: Spec): Spec {
  return { ...spec, source: "synthetic" };
}

function keys({ features, solver }: Spec): readonly (keyof Spec)[] {
  return [
    "models", "d", "k", "n", "test", "noise", "seed", "iterations", "trials", "solver", "rank",
    ...(drawnOnly.includes(solver) ? (["batches", "moments", "inverse"] as const) : []),
    "truth", "diagonal", "features",
    ...(features === "threepoint" || features === "slider" ? (["tau"] as const) : []),
    ...(features === "twopoint" ? (["share"] as const) : []),
    "rho",
  ];
}

/** The first five seconds: the switch, the curves, what was learnt, the verdict. */
class Figure extends Panel {
  @prop accessor spec!: Spec;
  @prop accessor view!: View;
  @prop accessor training!: Training;
  @prop accessor past: Training | null = null; // with reduced motion, the run before the flip, at its end
  @property({ type: Boolean }) accessor staged = false; // the sign is about to flip by itself
  @property({ type: Boolean }) accessor dark!: boolean;
  @property({ type: Boolean }) accessor still!: boolean; // the reader wants nothing to move by itself

  @state() private accessor lost = false; // the script that draws what was learnt

  private asked = false; // for the settings
  private flipped = false; // by itself
  private readonly errors = new WeakMap<Matrix, number>(); // relative, by what was learnt

  constructor() {
    super();
    void painted()
      .then(() => script(() => import("../charts/matrices/all.js"), (is) => (this.lost = is)));
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("staged")) this.flipped = changed.get("staged") === true && this.spec.scenario === "flipped";
  }

  /** Folded settings are a script that comes after the curves. */
  protected override updated(): void {
    const { phase, lines } = this.training;
    if (this.asked || (lines.length === 0 && phase !== "failed")) return;
    this.asked = true;
    void script(() => Promise.all([import("../panel/form.js"), import("./glossary-strings.js")]), (is) => (this.lost = is));
  }

  protected override render(): TemplateResult {
    const { spec, view, training: t } = this;
    const slide: View["hide"] = view.embed !== "slide" ? [] : view.hide.includes("curve") ? ["title"] : ["title", "matrices"]; // has room for one row
    const shows = (part: View["hide"][number]): boolean => !view.hide.includes(part) && !slide.includes(part);
    const panels = this.panels(t, spec);
    const [maps, spectrum] = (["maps", "spectrum"] as const).map((part) => shows("matrices") && shows(part));
    const stage = shows("curve") || shows("verdict") || shows("controls");
    const both = this.still && (this.staged || this.past !== null); // pictures, of before and after the flip
    const beside = !shows("curve") ? "wide" : maps ? "mapped" : shows("verdict") ? "" : "wide";
    const many = panels.length > 3 ? "many" : "";
    const run = shows("controls") ? this.controls() : nothing;
    return html`
      ${shows("title")
        ? html`<div class="hero">
            <h1>${strings.title}</h1>
            ${isFrame(view) ? nothing : html`<p class="lead">${worded(strings.lead)}</p>`}
          </div>`
        : html`<h1 class="seen-not">${strings.title}</h1>`}
      ${shows("switch") ? signs(spec.scenario, this.staged, this.flipped, (scenario) => this.tell("ifm-spec", { scenario })) : nothing}
      ${stage
        ? html`<div class=${both ? "stills" : `stage ${beside} ${many}`} style="--panels:${Math.max(1, panels.length)}">
              ${both
                ? html`${this.picture(strings.before, this.past, { ...spec, scenario: "psd" })} ${this.picture(strings.after, this.staged ? null : t, { ...spec, scenario: "flipped" })}`
                : html`${shows("curve") ? this.curve(t, view.ghost === "1" ? t.ghost : null) : nothing} ${maps ? this.maps(t, panels) : nothing}`}
              ${run} ${shows("verdict") && !both ? this.verdict(t, spec) : nothing}
            </div>`
        : nothing}
      ${stage || maps || spectrum || shows("title") || shows("switch") ? nothing : html`<p class="note">${strings.hidden}</p>`}
      ${t.error && !shows("verdict") ? html`<p class="error" role="alert">${problem(t.error)}</p>` : nothing}
      ${(maps && !stage) || spectrum
        ? html`<div class="learnt ${many}" style="--panels:${Math.max(1, panels.length)}">
            ${this.lost ? html`<p class="note">${charts.lost}</p>` : nothing}
            ${maps && !stage ? this.maps(t, panels) : nothing}
            ${spectrum ? html`<ifm-spectrum .panels=${panels} .caption=${worded(strings.spectrum)} slots=${Math.min(spec.d, 2 * Math.max(spec.k, spec.rank))} ?hidden=${panels.length === 0}></ifm-spectrum>` : nothing}
          </div>`
        : nothing}
      ${isFrame(view)
        ? nothing
        : html`<ifm-predicted .training=${t} .models=${spec.models}></ifm-predicted>
          <details class="fold">
            <summary>${strings.settings}</summary>
            <ifm-settings .spec=${spec} .keys=${keys(spec)}></ifm-settings>
          </details>`}
    `;
  }

  private picture(title: string, run: Training | null, spec: Spec): TemplateResult {
    const t = run ?? { ...this.training, phase: "starting", started: null, lines: [], trials: [], truth: null, matrices: new Map(), error: null };
    return html`<section class="picture">
      <h2>${title}</h2>
      ${this.curve(t, null)} ${this.maps(t, this.panels(t, spec))} ${this.verdict(t, spec)}
    </section>`;
  }

  private get scale(): "log" | "linear" {
    return this.view.scale === "auto" ? "log" : this.view.scale;
  }

  private curve(t: Training, ghost: Ghost | null): TemplateResult {
    return curve({
      lines: t.lines,
      baselines: baselines(t.trials),
      ghost,
      caption: worded(strings.curve),
      query: t.query,
      axis: t.started && axis(this.scale, ofFigure(this.spec), t.started, t.lines),
      waiting: waiting(t.phase, "synthetic"),
    });
  }

  private maps(t: Training, panels: readonly Panelled[]): TemplateResult {
    const { spec, view } = this;
    return html`<ifm-matrix
      .panels=${panels}
      .note=${spec.models.includes("gfm") ? sides.gfm(spec.diagonal === "kept") : ""}
      ?hidden=${panels.length === 0}
      doubted=${spec.models.includes("fm") ? "fm" : ""}
      ?settled=${t.phase === "done"}
      ?leads=${!isFrame(view)}
      ?dark=${this.dark}
      ?still=${this.still || view.speed === "instant"}
    ></ifm-matrix>`;
  }

  private verdict(t: Training, spec: Spec): TemplateResult {
    return verdictPanel("figure", t, spec.models, { phrase: said(t, spec), write: defined, note: this.note(t, spec), live: t.phase === "failed" ? "" : this.live(t) });
  }

  private controls(): TemplateResult {
    const { spec, view, training: t } = this;
    const { speed, ghost } = view;
    return controlBar(this, "figure", { phase: t.phase, speed, ghost, scale: this.scale, seed: spec.seed, progress: t.started ? progress(t, spec) : "", aside: t.started && t.repeated ? controls.repeated : "" });
  }

  get says(): Phrase {
    return said(this.training, this.spec);
  }

  private note(t: Training, spec: Spec): string {
    if (this.still && t.phase === "paused" && t.lines.every((line) => line.iteration.length <= 1)) return strings.reduced;
    if (spec.solver === "printed" && spec.models.includes("ifm")) return strings.printedNote;
    const { fm, ifm, mean, ridge } = numbers(t);
    if (t.phase !== "done" || ifm === undefined || mean === undefined || ridge === undefined || spec.scenario === "mixed") return "";
    const how = fm === undefined ? "behind" : ending({ fm, ifm, ridge, mean }, spec.scenario);
    const slow = ifm > 1e-6 * mean && ["agd", "scaled"].includes(solverOf(ofFigure(spec))) && !["level", "both", "overfit"].includes(how);
    return slow ? strings.slowNote : "";
  }

  private live(t: Training): string {
    const { n, test, d, k, seed, noise, trials, solver, features, tau, rho, rank, truth, diagonal } = this.spec;
    const more = [
      ...(noise > 0 ? [drawn.noise(noise)] : []),
      ...(trials > 1 ? [strings.trials(trials)] : []),
      ...(truth === "orthonormal" ? [strings.truthOf.orthonormal] : []),
      ...(diagonal === "kept" ? [strings.truthOf.kept] : []),
      ...(features === "gaussian" ? [] : [drawn.features[features]]),
      ...(features === "threepoint" || features === "slider" ? [strings.tau(tau)] : []),
      ...(rho > 0 ? [strings.rho(rho)] : []),
      ...(rank > 0 ? [strings.rank(rank)] : []),
      ...(solverOf(ofFigure(this.spec)) === "agd" ? [] : [strings.solver[solver]]),
    ];
    const said = strings.live(t.started !== null, n, test, d, k, seed, more);
    return t.slow ? `${said} ${verdict.slow}` : said;
  }

  override get about(): About {
    const { scenario, seed } = this.spec;
    return { name: scenario, says: saved.drawn(scenario, this.live(this.training)), seed, query: this.training.query, run: this.training };
  }

  private error(learnt: Matrix, truth: Matrix): number {
    const known = this.errors.get(learnt) ?? relativeError(learnt, truth);
    this.errors.set(learnt, known);
    return known;
  }

  private panels({ truth, matrices, phase }: Training, { scenario, diagonal, truth: factors, models: wanted }: Spec): Panelled[] {
    const kept = diagonal === "kept";
    const learnt = (model: Model): Panelled => {
      const values = matrices.get(model) ?? null;
      const fits = (model === "gfm") === kept;
      const note = !values || !truth ? "" : fits ? sides.error(this.error(values, truth)) : kept ? sides.noDiagonal : sides.diagonal;
      return { key: model, title: short[model], note, values };
    };
    const over = phase === "done" || phase === "failed"; // who has learnt nothing by then never will
    if (over && !truth) return [];
    const models = over ? wanted.filter((model) => matrices.has(model)) : wanted;
    return [{ key: "truth", title: sides.truth, note: strings.truth(scenario, factors === "orthonormal", kept), values: truth }, ...models.map(learnt)];
  }
}

function said(t: Training, spec: Spec): Phrase {
  return t.phase === "done" && !t.error ? conclusion(t, spec) : [];
}

function defined(text: string): TemplateResult {
  const [before = "", ...after] = text.split(strings.ridge);
  return worded(after.length === 0 ? [before] : [before, ["ridge", strings.ridge], after.join(strings.ridge)]);
}

function progress({ lines, phase }: Training, { iterations }: Spec): string {
  const ends = lines.map((line) => line.iteration.at(-1) ?? 0);
  const last = Math.max(0, ...ends);
  if (phase === "running" || phase === "starting" || ends.every((end) => end === last)) return controls.progress(last, iterations);
  return controls.progressOfEach(lines.map((line, i) => controls.each(short[line.model], ends[i] ?? 0)), iterations);
}

function numbers(t: Training): { readonly [whose: string]: number } {
  return Object.fromEntries(standings(t.trials, t.lines).map((s) => [s.whose, s.error]));
}

export function conclusion(t: Training, { scenario, noise, diagonal, solver }: Spec): Phrase {
  const { fm, gfm, ifm, ridge = Number.NaN, mean = Number.NaN } = numbers(t);
  const several = t.planned > 1 ? t.lines.reduce((best, line) => (line.kept < best.kept ? line : best)) : null;
  const trials = several ? verdict.trials(t.trials.length, short[several.model], wins(t.trials, several.model)) : [];
  const noisy = noise > 0 ? verdict.noise(quantity("none", floor(mean, noise))) : [];
  const lost = t.lines.filter(({ rose }) => rose > 0).map(({ model, rose }) => verdict.diverged(short[model], rose)).join("");
  const ended = solver === "auto" || solver === "gauss-newton" ? t.lines.filter(({ rose, stops }) => rose === 0 && stops.length > 0).map(({ model, stops }) => verdict.stopped(short[model], stops)).join("") : "";
  if (fm === undefined || ifm === undefined || diagonal === "kept") {
    const ends = t.lines.map((line) => verdict.ends(short[line.model], quantity(line.model, line.kept)));
    return say`${verdict.beside(list(ends), quantity("ridge", ridge), quantity("mean", mean))}${noisy}${trials}${lost}${ended}`;
  }
  const how = ending({ fm, ifm, ridge, mean }, scenario);
  const said = verdict.figure[how]({ fm: quantity("fm", fm), ifm: quantity("ifm", ifm), ridge: quantity("ridge", ridge), apart: verdict.apart(1 - fm / ridge), closer: ifm < EXACT * mean ? verdict.rounding : verdict.smaller(quantity("none", fm / ifm, times(fm / ifm))) });
  const third = gfm === undefined ? [] : verdict.third(verdict.ends(short.gfm, quantity("gfm", gfm)));
  return say`${said}${third}${noisy}${trials}${lost}${ended}${how === "ahead" && scenario === "psd" ? verdict.flip : ""}`;
}

customElements.define("ifm-figure", Figure);

type Scenario = Spec["scenario"];

const SCENARIOS: readonly Scenario[] = ["psd", "flipped", "mixed"];

/** While it is staged the sign flips by itself; flipped says that it has. */
function signs(now: Scenario, staged: boolean, flipped: boolean, choose: (scenario: Scenario) => void): TemplateResult {
  return html`<div class="switch">
    <button class="main flip" ?disabled=${staged} @click=${() => choose(now === "flipped" ? "psd" : "flipped")}><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M5 2 1.5 5.5 5 9V6.5h6v-2H5zm6 5v2.5H5v2h6V14l3.5-3.5z" /></svg><span>${staged ? strings.staged : strings.flip}</span></button>
    <div class="options" role="radiogroup" aria-label=${strings.switch}>
      ${SCENARIOS.map(
        (scenario) => html`<label class=${scenario}>
          <input type="radio" name="scenario" value=${scenario} .checked=${scenario === now} @change=${() => choose(scenario)} />
          <span class="face"><b>${drawn.scenario[scenario]}</b> <span class="formula">${drawn.formula[scenario]}</span><span class="sign">${strings.sign[scenario]}</span></span>
        </label>`,
      )}
    </div>
    <p class="note">${worded(strings.signs)}</p>
    <p class="seen-not" role="status">${flipped ? strings.flipped : ""}</p>
  </div>`;
}
