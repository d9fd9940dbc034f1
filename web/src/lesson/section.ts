import { html, nothing, type TemplateResult } from "lit";
import { during } from "../engine/pending.js";
import type { Pool } from "../engine/pool.js";
import type { Table } from "../engine/protocol.js";
import { Panel, seen } from "../panel/panel.js";
import { problems } from "../panel/strings.js";
import { questions, titles } from "../state/chapters.gen.js";
import { chapters, type Chapter, type Parts, type View } from "../state/view.js";
import "./algorithm.js";
import { formulary } from "./chapter/chapter.js";
import { formulas } from "./chapter/formulas.gen.js";
import "./chapter/lines.js";
import "./figure1.js";
import "./interaction.js";
import "./moments.js";
import "./samples.js";
import "./signs.js";
import { section as strings } from "./strings.js";
import "./tables.js";

/** The lesson, loaded when it comes near the screen; in a frame one chapter of it. */
class Lesson extends Panel {
  static override properties = { pool: { attribute: false }, skies: { attribute: false }, view: { attribute: false }, parts: { attribute: false }, table: { attribute: false }, sky: { attribute: false }, lost: { state: true } };

  declare pool: Pool;
  declare skies: Pool; // for surveys of the ionosphere
  declare view: View;
  declare parts: Parts;
  declare table: Table | null; // the reader's, if one is open
  declare sky: File | null; // that was dropped on the page
  private declare lost: readonly Chapter[]; // what they are made of could not be loaded

  private readonly near = new WeakSet<Element>();

  constructor() {
    super();
    Object.assign(this, { sky: null, lost: [] });
  }

  /** The chapters with rooms of their own are loaded when they come near themselves. */
  protected override updated(): void {
    this.follow("break", () => import("./break/chapter.js"));
    this.follow("vtec", () => import("./vtec/chapter.js"));
  }

  private follow(name: Chapter, load: () => Promise<unknown>): void {
    const element = this.querySelector(`#${name}`);
    if (!element || this.near.has(element)) return;
    this.near.add(element);
    seen(element, "60% 0px")
      .then(() => during(load()))
      .catch(() => (this.lost = [...this.lost, name]));
  }

  /** That a chapter could not be loaded. */
  private unless(name: Chapter): TemplateResult | typeof nothing {
    return this.lost.includes(name) ? html`<p class="note" role="status">${problems.partLost(titles[name])}</p>` : nothing;
  }

  protected override render(): TemplateResult {
    const { chapter, embed } = this.view;
    if (embed === "1" && chapter !== "none") return this.chapter(chapter);
    return html`
      <h2>${strings.title}</h2>
      <p class="lead">${strings.lead}</p>
      ${formulary(formulas.model, formulas.kinds)}
      <p class="note words">${strings.words}</p>
      <nav class="contents" aria-label=${strings.contents}>
        <ol>
          ${chapters.map((name) => html`<li><a href="#${name}"><b>${titles[name]}</b> <span>${questions[name]}</span></a></li>`)}
        </ol>
      </nav>
      ${chapters.map((name) => this.chapter(name))}
    `;
  }

  private chapter(name: Chapter): TemplateResult {
    const { pool, view, parts, table } = this;
    const part = parts[name] ?? "";
    switch (name) {
      case "interaction":
        return html`<ifm-interaction id="interaction" tabindex="-1" .pool=${pool} .view=${view} .own=${part}></ifm-interaction>`;
      case "psd":
        return html`<ifm-figure1 id="psd" tabindex="-1" .pool=${pool} .view=${view} .own=${part}></ifm-figure1>`;
      case "spectrum":
        return html`<ifm-signs id="spectrum" tabindex="-1" .pool=${pool} .view=${view} .own=${part}></ifm-signs>`;
      case "break":
        return html`<ifm-break id="break" tabindex="-1" .pool=${pool} .view=${view} .own=${part}></ifm-break>${this.unless("break")}`;
      case "diagonal":
        return html`<ifm-moments id="diagonal" tabindex="-1" .pool=${pool} .view=${view} .own=${part} .table=${table}></ifm-moments>`;
      case "samples":
        return html`<ifm-samples id="samples" tabindex="-1" .pool=${pool} .view=${view} .own=${part}></ifm-samples>`;
      case "algorithm":
        return html`<ifm-algorithm id="algorithm" tabindex="-1" .pool=${pool} .view=${view} .own=${part}></ifm-algorithm>`;
      case "vtec":
        return html`<ifm-vtec id="vtec" tabindex="-1" .pool=${this.skies} .view=${view} .own=${part} .sky=${this.sky}></ifm-vtec>${this.unless("vtec")}`;
      case "data":
        return html`<ifm-tables id="data" tabindex="-1" .pool=${pool} .view=${view} .own=${part}></ifm-tables>`;
    }
  }
}

customElements.define("ifm-lesson", Lesson);
