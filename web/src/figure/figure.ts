import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { lost } from "../charts/strings.js";
import { after } from "../engine/pending.js";
import { icon } from "../panel/icons.js";
import { painted, Panel, prop } from "../panel/panel.js";
import { problem } from "../panel/problem.js";
import { script } from "../panel/script.js";
import { parse, type Spec } from "../state/spec.js";
import { isFrame, type View } from "../state/view.js";
import type { Phrase } from "../text/phrase.js";
import type { Training } from "../training/training.js";
import { bar } from "./bar.js";
import type * as Rest from "./rest.js";
import type { Shown } from "./rest.js";
import { flipped, product, type Sign, type Three } from "./signs.js";
import "./state.js";
import { figure as strings, three } from "./strings.js";
import { term, worded } from "./term.js";
import { head, invitation, patterns, reason, triangles } from "./triangle.js";
import { conclusion } from "./verdict.js";

type Scenario = Spec["scenario"];

const LIVE = 150; // ms that a slider rests before the run begins anew
const AGREE: Three<Sign> = [1, 1, 1];
const CLASH: Three<Sign> = [1, 1, -1]; // milk and lemon

/** One switch for two pictures: three features with a sign on each pair, and the same flip with many. */
class Figure extends Panel {
  @prop accessor spec!: Spec;
  @prop accessor view!: View;
  @prop accessor training!: Training; // of the signs that are shown
  @prop accessor other!: Training; // of those beside them; idle while nobody has seen them
  @property({ type: Boolean }) accessor dark!: boolean;
  @property({ type: Boolean }) accessor still!: boolean; // the reader wants nothing to move by itself

  @state() private accessor signs: Three<Sign> = AGREE;
  @state() private accessor ahead: Partial<Spec> = {}; // what sliders say that no run has yet
  @state() private accessor mapped = false; // heat maps are shown
  @state() private accessor filed = false; // so are the data and files of the charts
  @state() private accessor lost = false; // a script that draws
  @state() private accessor rest: typeof Rest | null = null; // what is one step back, once it is there

  private later: (() => void) | undefined;
  private asked = false; // for the rest

  constructor() {
    super();
    void painted().then(() => script(() => import("../charts/matrices/spectrum.js"), (is) => (this.lost = is)));
  }

  /** Signs and switch are one state; signs of both kinds have no form with three features, and leave them as they are. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    const { scenario } = this.spec;
    if (!changed.has("spec")) return;
    if (scenario === "mixed") this.signs = this.hasUpdated ? this.signs : CLASH;
    else if (product(this.signs) !== (scenario === "psd" ? 1 : -1)) this.signs = scenario === "psd" ? AGREE : CLASH;
  }

  /** What is one step back is a script that comes after the curves. */
  protected override updated(): void {
    const { phase, lines } = this.training;
    if (this.asked || (lines.length === 0 && phase !== "failed")) return;
    this.asked = true;
    void script(() => import("./rest.js"), (is) => (this.lost = is)).then((rest) => (this.rest = rest));
  }

  private shows(part: View["hide"][number]): boolean {
    return !this.view.hide.includes(part) && !(part === "title" && this.view.embed === "slide"); // has no room for it
  }

  protected override render(): TemplateResult {
    const { spec, view, training: t, signs } = this;
    const framed = isFrame(view);
    const spectrum = this.shows("spectrum") && this.shows("matrices");
    const maps = this.shows("maps") && this.shows("matrices") && (this.mapped || (framed && !this.shows("curve") && !spectrum));
    const charts = this.shows("curve") || spectrum;
    const lead = html`<p class="lead">${worded(strings.lead)}<b class="fm">${three.fm}</b>${strings.leadOn}<b class="ifm">${three.ifm}</b>${strings.leadEnd}</p>`;
    const some = [this.shows("title"), this.shows("switch"), charts, this.shows("verdict"), this.shows("controls"), maps].some(Boolean);
    return html`
      ${this.shows("title") ? head(lead) : html`<h1 class="seen-not">${three.title.join(" ")}</h1>`}
      ${this.shows("switch")
        ? html`<section class="trio switch" aria-label=${three.heading}>
              <div class="over-line"><h2>${three.heading}</h2> <span class="note">${three.hint}</span></div>
              ${triangles(signs, (pair) => this.turn(flipped(signs, pair)))} ${patterns(signs, this.turn)}
            </section>
            ${this.shows("verdict") ? reason(signs) : nothing}`
        : nothing}
      ${charts ? this.thirty(spectrum) : nothing} ${this.shows("verdict") ? this.verdict(t) : failure(t)}
      ${maps && this.rest ? this.rest.maps(t, spec, view, this.dark) : nothing}
      ${this.shows("controls")
        ? bar(this, {
            spec: { ...spec, ...this.ahead },
            view,
            scale: this.scale,
            phase: t.phase,
            leads: !this.invites,
            adjust: this.adjust,
            rest: () => this.rest?.rest(t, spec, this.shown) ?? nothing,
          })
        : nothing}
      ${some ? nothing : html`<p class="note">${strings.hidden}</p>`}
    `;
  }

  /** Whether the right side waits for somebody to flip the sign. */
  private get invites(): boolean {
    return this.shows("switch") && this.spec.scenario === "psd" && this.other.phase === "idle";
  }

  /** Flips the sign in both pictures. */
  private readonly turn = (signs: Three<Sign>): void => {
    this.signs = signs;
    this.tell("ifm-spec", { scenario: product(signs) > 0 ? "psd" : "flipped" });
  };

  private readonly adjust = (change: Partial<Spec>): void => {
    this.ahead = { ...this.ahead, ...change };
    this.later?.();
    this.later = after(LIVE, () => {
      this.tell("ifm-spec", this.ahead);
      this.ahead = {};
    });
  };

  private get shown(): Shown {
    const change: Shown["change"] = (what, is) => {
      if (what === "files") this.filed = is;
      else this.mapped = is;
      if (what === "maps" && is) void this.updateComplete.then(() => this.querySelector(".learnt")?.scrollIntoView({ block: "center" })); // they come below the window
    };
    return { maps: this.mapped, files: this.filed, change };
  }

  /** Before and after the flip. A frame without the switch has the one that its address names. */
  private thirty(stemmed: boolean): TemplateResult {
    const { spec, training, other } = this;
    const agree = spec.scenario === "psd";
    const alone = !this.shows("switch");
    const beside = other.phase === "idle" ? "flipped" : parse(other.query).spec.scenario;
    const side = (scenario: Scenario, t: Training): TemplateResult => {
      const on = scenario === spec.scenario;
      const invites = !on && this.invites;
      return html`<section class="side ${on ? "on" : ""}" aria-label=${strings.signs[scenario]}>
        ${alone ? nothing : html`<h3>${signed(scenario)} ${strings.signs[scenario]}</h3>`}
        ${invites ? invitation(() => this.turn(CLASH)) : nothing}
        <ifm-state ?hidden=${invites} .spec=${spec} .scenario=${scenario} .training=${t} scale=${this.scale} ?alone=${alone} .curved=${this.shows("curve")} .describe=${this.rest?.described} .stemmed=${stemmed} ?still=${this.still}></ifm-state>
      </section>`;
    };
    const both = [side("psd", agree ? training : other), agree ? side(beside, other) : side(spec.scenario, training)];
    return html`<section class="thirty ${this.filed ? "filed" : ""} ${this.shows("switch") ? "" : "alone"}" aria-label=${strings.heading(spec.d)}>
      ${alone ? nothing : html`<div class="over-line"><h2>${strings.heading(spec.d)}</h2> <span class="note">${worded(strings.share)}</span></div>`}
      <div class="sides">${alone ? side(spec.scenario, training) : both}</div>
      ${stemmed && !alone ? html`<p class="note stem-note">${worded(strings.stem)}${icon("wrong")}${strings.missed}</p>` : nothing}
      ${this.lost ? html`<p class="note" role="status">${lost}</p>` : nothing}
    </section>`;
  }

  private get scale(): "log" | "linear" {
    return this.view.scale === "log" ? "log" : "linear";
  }

  private verdict(t: Training): TemplateResult {
    const going = t.phase === "running" || t.phase === "starting";
    const why = isFrame(this.view) ? nothing : html` <a href="?chapter=reach">${strings.why}</a>`;
    const phrase = going && this.still ? [] : conclusion(t, this.spec);
    return html`<ifm-verdict>
      <div class="verdict" data-phase=${t.phase}>
        <p class="says" role="status" aria-busy=${going} data-verdict="figure">${phrase.length > 0 ? html`${written(phrase)}${going || this.spec.scenario === "psd" ? nothing : why}` : nothing}</p>
        ${failure(t)} ${this.rest?.notices(t.notices)}
      </div>
    </ifm-verdict>`;
  }

  /** The verdict of the run that is shown, once it is over. */
  get says(): Phrase {
    const { training: t, spec } = this;
    return t.phase === "done" && !t.error ? conclusion(t, spec) : [];
  }
}

function failure({ error }: Training): unknown {
  return error ? html`<p class="error" role="alert">${problem(error)}</p>` : nothing;
}

function signed(scenario: Scenario): TemplateResult {
  const [plus, minus] = [html`<span class="plus">+</span>`, html`<span class="minus">−</span>`];
  return html`${scenario === "flipped" ? minus : plus}${scenario === "mixed" ? html` ${minus}` : nothing}`;
}

/** The verdict with its models in their colours; what FM removes says how. What follows that number stays together: it keeps its line while numbers change. */
function written(phrase: Phrase): TemplateResult {
  const coloured = (text: string): unknown => text.split(/\b(iFM|gFM|FM)\b/).map((part) => (/^[ig]?FM$/.test(part) ? html`<b class=${part.toLowerCase()}>${part}</b>` : part));
  const piece = (each: Phrase[number]): unknown =>
    typeof each === "string" ? coloured(each) : html`<span class="num" data-of=${each.whose} data-value=${each.value}>${each.whose === "fm" ? term("copies", each.text) : each.text}</span>`;
  const cut = phrase.findIndex((each, i) => typeof each === "string" && each.startsWith(" ") && typeof phrase[i - 1] === "object");
  if (cut < 0) return html`${phrase.map(piece)}`;
  return html`${phrase.slice(0, cut).map(piece)} <span class="rest">${phrase.slice(cut).map(piece)}</span>`;
}

customElements.define("ifm-figure", Figure);
