import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { Pool } from "../engine/pool.js";
import type { Table } from "../engine/protocol.js";
import { Panel, prop } from "../panel/panel.js";
import type { strip } from "../homework/strip.js";
import { script } from "../panel/script.js";
import { problems } from "../panel/strings.js";
import { questions, titles } from "../state/chapters.gen.js";
import { isFrame, type Chapter, type Parts, type View } from "../state/view.js";
import type { Account } from "./chapter/account.js";
import type { Chapter as Definition } from "./chapter/definition.js";
import { ChapterElement } from "./chapter/element.js";
import { definitions, loaders } from "./chapters.js";
import "./homework.js";
import { contents, onward, type Way } from "./path/contents.js";
import type { Sweep } from "./sweep/sweep.js";

/** The lesson: its contents and one chapter, or homework; in a frame the chapter alone. */
class Lesson extends Panel {
  @prop accessor pool!: Pool;
  @prop accessor skies!: Pool; // for surveys of the ionosphere
  @prop accessor view!: View;
  @prop accessor current!: View["chapter"]; // the chapter that is shown; "none": homework
  @prop accessor parts!: Parts;
  @prop accessor table!: Table | null; // the reader's, if one is open
  @prop accessor sky: File | null = null; // that was dropped on the page
  @prop accessor handed: readonly File[] = []; // hand-ins that were dropped on the page
  @prop accessor swept: Sweep | null = null; // that was dropped on the page
  @state() private accessor lost: ReadonlySet<Chapter> = new Set(); // what they are made of has not come
  @state() private accessor there: Readonly<Partial<Record<Chapter, Definition>>> = definitions;
  @state() private accessor answered: ReadonlySet<Chapter> = new Set(); // in this visit
  @state() private accessor strip: typeof strip | null = null; // leads back to an assignment, once it is there
  @state() private accessor open = false; // the contents, where the window is narrow

  private isHomework = false; // its script was asked for
  private readonly asked = new Set<Chapter>(); // whose scripts are on their way, or here
  private readonly elements = new Map<Chapter, ChapterElement>(); // of chapters that were shown, with what was run in them

  constructor() {
    super();
    this.addEventListener("ifm-answered", (event) => (this.answered = new Set([...this.answered, (event as CustomEvent<Chapter>).detail])));
  }

  /** What the run of a chapter gave in this visit; null before it is over. */
  account(name: Chapter): Account | null {
    return this.elements.get(name)?.account ?? null;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("current")) this.open = false;
  }

  /** A chapter's script is loaded when it is shown, and that of homework with an assignment. */
  protected override updated(): void {
    const { current } = this;
    if (this.parts.homework && !this.isHomework) {
      this.isHomework = true;
      void script(() => import("../homework/strip.js"), () => undefined).then(({ strip }) => (this.strip = strip));
    }
    const load = (loaders as Partial<Record<View["chapter"], () => Promise<Definition>>>)[current];
    if (!load || current === "none" || this.asked.has(current)) return;
    this.asked.add(current);
    const lost = (is: boolean): void => {
      this.lost = new Set([...this.lost, current].filter((name) => is || name !== current));
    };
    void script(load, lost).then((definition) => (this.there = { ...this.there, [current]: definition }));
  }

  protected override render(): TemplateResult {
    const { current, view, pool, skies, parts, handed } = this;
    if (isFrame(view) && current !== "none") return this.chapter(current, null);
    const { way } = this;
    return html`${contents(way, this.open, () => (this.open = !this.open))}
      <div class="shown">
        ${current === "none" ? nothing : html`${this.strip?.(parts, current, (name) => this.account(name), this.there) ?? nothing}${this.chapter(current, way)} ${this.beside(current)}`}
        <ifm-homework id="homework" tabindex="-1" ?hidden=${current !== "none"} .pool=${pool} .skies=${skies} .parts=${parts} .handed=${handed}></ifm-homework>
      </div>`;
  }

  private get way(): Way {
    return {
      path: this.view.path,
      here: this.current,
      state: (name) => (this.answered.has(name) ? "answered" : /(^|&)guess=/.test(this.parts[name] ?? "") ? "guessed" : "none"),
      present: () => this.tell("ifm-view", { present: "1" }),
      leavePath: () => this.tell("ifm-view", { path: "none" }),
    };
  }

  /** What of a sweep from elsewhere stands beside a chapter: its runs beside the one that sweeps, the ionosphere's cells beside that. */
  private beside(name: Chapter): TemplateResult | typeof nothing {
    const { swept, view, skies } = this;
    if (name === "samples" && swept && swept.runs.length > 0) return html`<ifm-swept id="swept" tabindex="-1" .sweep=${swept} .view=${view}></ifm-swept>`;
    if (name === "vtec" && swept && swept.absences.length > 0) return html`<ifm-swept-sky id="swept-sky" tabindex="-1" .sweep=${swept} .view=${view} .pool=${skies}></ifm-swept-sky>`;
    return nothing;
  }

  /** A chapter's element stays while another is shown. Before its script is there, its question stands for it. */
  private chapter(name: Chapter, way: Way | null): TemplateResult {
    const { view, parts, table, sky, there } = this;
    const element = this.elements.get(name) ?? new ChapterElement();
    this.elements.set(name, element);
    const pool = name === "vtec" ? this.skies : this.pool;
    Object.assign(element, { id: name, tabIndex: -1, chapter: there[name] ?? null, pool, view, own: parts[name] ?? "", brought: { table, sky }, onward: way ? onward(way, name) : nothing });
    if (there[name]) return html`${element}`;
    return html`<section class="chapter" aria-busy="true">
        <div class="ask">
          <h1 class="question">${questions[name]}</h1>
          ${this.lost.has(name) ? html`<p class="note" role="status">${problems.partLost(titles[name])}</p>` : nothing}
        </div>
      </section>
      ${element}`;
  }
}

customElements.define("ifm-lesson", Lesson);
