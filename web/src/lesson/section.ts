import { html, nothing, type LitElement, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import type { Pool } from "../engine/pool.js";
import type { Table } from "../engine/protocol.js";
import { Panel, seen } from "../panel/panel.js";
import { script } from "../panel/script.js";
import { problems } from "../panel/strings.js";
import { titles } from "../state/chapters.gen.js";
import { chapters, isFrame, type Chapter, type Parts, type View } from "../state/view.js";
import type { Chapter as Definition } from "./chapter/definition.js";
import "./chapter/element.js";
import { definitions, loaders } from "./chapters.js";
import "./homework.js";
import { choice, contents, onward, type Way } from "./path/guide.js";
import { section as strings } from "./strings.js";
import type { Sweep } from "./sweep/sweep.js";

/** The lesson, loaded when it comes near the screen; in a frame one chapter of it. */
class Lesson extends Panel {
  @property({ attribute: false }) accessor pool!: Pool;
  @property({ attribute: false }) accessor skies!: Pool; // for surveys of the ionosphere
  @property({ attribute: false }) accessor view!: View;
  @property({ attribute: false }) accessor current!: View["chapter"]; // the chapter that is shown; "none": the homework
  @property({ attribute: false }) accessor parts!: Parts;
  @property({ attribute: false }) accessor table!: Table | null; // the reader's, if one is open
  @property({ attribute: false }) accessor sky: File | null = null; // that was dropped on the page
  @property({ attribute: false }) accessor handed: readonly File[] = []; // hand-ins that were dropped on the page
  @property({ attribute: false }) accessor swept: Sweep | null = null; // that was dropped on the page
  @state() private accessor lost: readonly Chapter[] = []; // what they are made of has not come
  @state() private accessor there: Readonly<Partial<Record<Chapter, Definition>>> = definitions;
  @state() private accessor answered: ReadonlySet<Chapter> = new Set(); // in this visit
  private readonly near = new WeakSet<Element>();

  constructor() {
    super();
    this.addEventListener("ifm-answered", (event) => (this.answered = new Set([...this.answered, (event as CustomEvent<Chapter>).detail])));
  }

  /** Chapters with scripts of their own are loaded when they come near. */
  protected override updated(): void {
    for (const [name, load] of Object.entries(loaders)) void this.follow(name as Chapter, load);
  }

  private async follow(name: Chapter, load: () => Promise<Definition>): Promise<void> {
    const element = this.querySelector<LitElement>(`#${name}`);
    if (!element || this.near.has(element)) return;
    this.near.add(element);
    await seen(element, "60% 0px");
    const definition = await script(load, (is) => (this.lost = is ? [...new Set([...this.lost, name])] : this.lost.filter((other) => other !== name)));
    this.there = { ...this.there, [name]: definition };
    await this.updateComplete;
    await element.updateComplete;
    if (document.activeElement === element) this.querySelector<HTMLElement>(`#${name}-title`)?.focus({ preventScroll: true }); // the reader came before it
  }

  protected override render(): TemplateResult {
    const { current, view } = this;
    if (isFrame(view) && current !== "none") return this.chapter(current);
    return html`
      ${choice(this.way)} ${contents(this.way, strings.contents)}
      <p class="teaching">
        <a class="note" href="#homework">${strings.homework}</a> <button class="presenting" @click=${() => this.tell("ifm-view", { present: "1" })}>${strings.present}</button>
      </p>
      ${current === "none" ? html`<ifm-homework id="homework" tabindex="-1" .pool=${this.pool} .skies=${this.skies} .parts=${this.parts} .handed=${this.handed}></ifm-homework>` : html`${this.chapter(current)} ${this.beside(current)} ${onward(this.way, current)}`}
    `;
  }

  private get way(): Way {
    return {
      path: this.view.path,
      state: (name) => (this.answered.has(name) ? "answered" : /(^|&)guess=/.test(this.parts[name] ?? "") ? "guessed" : "none"),
      choose: (path) => this.tell("ifm-view", { path }),
      go: this.go,
    };
  }

  /** Leads to a chapter, or to the first, unless the reader wants another tab. */
  private readonly go = (event: MouseEvent, to: Chapter | null): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.tell("ifm-view", { chapter: to ?? chapters[0] });
  };

  /** What of a sweep from elsewhere stands beside a chapter: its runs beside the one that sweeps, the ionosphere's cells beside that. */
  private beside(name: Chapter): TemplateResult | typeof nothing {
    const { swept, view, skies } = this;
    if (name === "samples" && swept && swept.runs.length > 0) return html`<ifm-swept id="swept" tabindex="-1" .sweep=${swept} .view=${view}></ifm-swept>`;
    if (name === "vtec" && swept && swept.absences.length > 0) return html`<ifm-swept-sky id="swept-sky" tabindex="-1" .sweep=${swept} .view=${view} .pool=${skies}></ifm-swept-sky>`;
    return nothing;
  }

  private chapter(name: Chapter): TemplateResult {
    const { view, parts, table, sky } = this;
    const pool = name === "vtec" ? this.skies : this.pool;
    const chapter = html`<ifm-chapter id=${name} tabindex="-1" .chapter=${this.there[name] ?? null} .pool=${pool} .view=${view} .own=${parts[name] ?? ""} .brought=${{ table, sky }}></ifm-chapter>`;
    return html`${keyed(name, chapter)}${this.lost.includes(name) ? html`<p class="note" role="status">${problems.partLost(titles[name])}</p>` : nothing}`;
  }
}

customElements.define("ifm-lesson", Lesson);
