import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { EngineFailure } from "../engine/engine.js";
import { during } from "../engine/pending.js";
import type { Pool } from "../engine/pool.js";
import type { Account } from "../lesson/chapter/account.js";
import { shortest } from "../lesson/chapter/definition.js";
import { guessesOf } from "../lesson/chapter/guess.js";
import { Leave } from "../panel/leave.js";
import { heads, Panel } from "../panel/panel.js";
import { problem } from "../panel/problem.js";
import { offer } from "../save/offer.js";
import { escape, pairs } from "../state/spec.js";
import { chapters, unguessed, type Chapter, type Parts } from "../state/view.js";
import { titles } from "../state/chapters.gen.js";
import { bytes } from "../text/format.js";
import { readAssignment, seeded, writeAssignment, type Assignment } from "./assignment.js";
import { accountOnPage, guessIn, type Chapters } from "./chapters.js";
import { clean } from "./clean.js";
import { copier, here } from "./copy.js";
import { MOST_NAME, MOST_WORDS, readHandIn, writeHandIn, type HandIn, type Part } from "./handin.js";
import { MARK, pack, unpack } from "./link.js";
import { expectedOf } from "./marker.js";
import { saidOf } from "./said.js";
import { seedOf } from "./seeds.js";
import { giving as strings } from "./strings.js";

interface Made {
  readonly text: string; // the file
  readonly link: string; // "" where this browser cannot pack one
}

type State = "idle" | "ran" | "other" | "changed";

/** What a student does: a name, a look at what there is, a few words, and one link and one file of all that. */
class Give extends Panel {
  @property({ attribute: false }) accessor pool!: Pool;
  @property({ attribute: false }) accessor chapters!: Chapters;
  @property({ attribute: false }) accessor parts!: Parts;
  @property() accessor packed = ""; // the hand-in of the address
  @state() private accessor student = "";
  @state() private accessor made: Made | null = null;
  @state() private accessor says = "";

  private words: Partial<Record<Chapter, string>> = {};
  private version = "";
  private readonly leave = new Leave(); // what was typed is in no address until there is a link

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("ifm-answered", this.ran);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("ifm-answered", this.ran);
    this.leave.asks(false);
  }

  private readonly ran = (): void => this.requestUpdate();

  protected override updated(changed: PropertyValues): void {
    if (changed.has("packed") && this.packed !== "") void during(this.open(this.packed));
  }

  /** Lays a hand-in out as its student left it. */
  private async open(packed: string): Promise<void> {
    const text = await unpack(packed);
    const read = text === null ? null : readHandIn(text);
    if (!read || "fault" in read) {
      this.says = read ? read.fault : strings.broken;
      return;
    }
    const { student, parts, assignment } = read.handIn;
    this.words = Object.fromEntries(parts.map(({ chapter, words }) => [chapter, words]));
    Object.assign(this, { student, made: null, says: strings.opened(student) });
    this.leave.asks(false);
    const asked = readAssignment(assignment);
    const own = parts.map(({ chapter, own, guess, then }) => [chapter, withGuesses(harmless(own), { guess, then })] as const);
    this.tell("ifm-parts", { parts: { ...Object.fromEntries(own), homework: asked ? writeAssignment(asked) : "" }, how: "replace" });
  }

  private get assignment(): Assignment | null {
    return readAssignment(this.parts.homework ?? "");
  }

  protected override render(): TemplateResult {
    const { assignment } = this;
    const list = assignment?.chapters ?? chapters.filter((chapter) => guessesOf(this.parts[chapter] ?? "").guess !== "" || accountOnPage(chapter));
    const seed = assignment && assignment.seed !== 0 ? seedOf(assignment.seed, this.student) : null;
    const { text } = this.made ?? {};
    return html`<div class="give">
      <h4>${strings.title(assignment ? assignment.title : null)}</h4>
      ${assignment ? nothing : html`<p class="note">${strings.none}</p>`}
      <p role="status" class="told">${this.says}</p>
      <label class="entry"><span>${strings.name}</span> <input type="text" class="student" autocomplete="name" maxlength=${MOST_NAME} .value=${this.student} @change=${this.named} /></label>
      ${seed === null ? nothing : html`<p class="note seed" role="status">${Number.isNaN(seed) ? strings.seedless : strings.seed(seed)}</p>`}
      <div class="scroll" tabindex="0" role="region" aria-label=${strings.table}>
        <table class="handing">
          ${heads(strings.heads)}
          <tbody>
            ${list.map((chapter) => this.row(chapter, assignment))}
          </tbody>
        </table>
      </div>
      <div class="acts"><button class="main make" @click=${() => void during(this.make(list))}>${strings.make}</button></div>
      ${this.made ? this.result(this.made, text !== writeHandIn(this.handIn(list))) : nothing}
    </div>`;
  }

  private row(chapter: Chapter, assignment: Assignment | null): TemplateResult {
    const { guess, then } = guessesOf(this.parts[chapter] ?? "");
    const account = accountOnPage(chapter);
    const state = this.state(chapter, account, assignment);
    const said = (key: string): string => guessIn(this.chapters[chapter], key);
    return html`<tr data-chapter=${chapter} data-state=${state}>
      <th scope="row"><a href="#${chapter}">${titles[chapter]}</a></th>
      <td>${guess === "" && then === "" ? strings.guessless : guess === "" ? strings.late(said(then)) : strings.guess(said(guess), then === "" ? "" : said(then))}</td>
      <td>
        ${state === "ran" ? strings.states.ran(account?.runs.length ?? 0) : strings.states[state]}
        ${state === "changed" || state === "other" ? html`<button class="restore" @click=${() => this.restore(chapter)}>${strings.restore}</button>` : nothing}
      </td>
      <td class="num">${account ? strings.numbers(account.numbers.length) : "–"}</td>
      <td>${assignment?.words === false ? "–" : html`<textarea rows="2" maxlength=${MOST_WORDS} aria-label=${strings.words(chapter)} placeholder=${strings.ask} .value=${this.words[chapter] ?? ""} @input=${(e: Event) => this.write(chapter, (e.target as HTMLTextAreaElement).value)}></textarea>`}</td>
    </tr>`;
  }

  private state(chapter: Chapter, account: Account | null, assignment: Assignment | null): State {
    if (!assignment) return account ? "ran" : "idle";
    const wanted = shortest(this.chapters[chapter], expectedOf(assignment, chapter, this.student)).own;
    if (shortest(this.chapters[chapter], this.parts[chapter] ?? "").own !== wanted) return "changed";
    return !account ? "idle" : account.own === wanted ? "ran" : "other";
  }

  private write(chapter: Chapter, text: string): void {
    this.words = { ...this.words, [chapter]: text };
    this.leave.asks(true);
    this.requestUpdate();
  }

  /** Takes the name, and lays the seed that follows from it into all chapters that are asked for. */
  private readonly named = (event: Event): void => {
    this.student = clean((event.target as HTMLInputElement).value.replace(/\s+/g, " "), MOST_NAME).text;
    this.leave.asks(true);
    const { assignment } = this;
    if (!assignment || assignment.seed === 0 || this.student === "") return;
    const seed = seedOf(assignment.seed, this.student);
    const parts = assignment.chapters.map((chapter) => {
      const part = this.parts[chapter] ?? "";
      return [chapter, withGuesses(seeded(unguessed(part), seed), guessesOf(part))] as const;
    });
    this.tell("ifm-parts", { parts: Object.fromEntries(parts), how: "push" });
  };

  private restore(chapter: Chapter): void {
    const { assignment } = this;
    if (!assignment) return;
    const part = withGuesses(expectedOf(assignment, chapter, this.student), guessesOf(this.parts[chapter] ?? ""));
    this.tell("ifm-parts", { parts: { [chapter]: part }, how: "push" });
  }

  /** What would be handed in now. */
  private handIn(list: readonly Chapter[]): HandIn {
    const { assignment } = this;
    const parts = list.map((chapter): Part => {
      const part = this.parts[chapter] ?? "";
      const account = accountOnPage(chapter);
      return {
        chapter,
        own: account?.own ?? shortest(this.chapters[chapter], part).own,
        ...guessesOf(part),
        ran: account !== null,
        answer: account?.answer ?? null,
        numbers: account?.numbers.map(saidOf) ?? [],
        runs: account?.runs ?? [],
        words: clean(this.words[chapter] ?? "", MOST_WORDS).text,
      };
    });
    return { version: this.version, assignment: assignment ? writeAssignment(assignment) : "", student: this.student, parts };
  }

  private async make(list: readonly Chapter[]): Promise<void> {
    if (this.student === "") {
      this.says = strings.nameless;
      this.querySelector<HTMLInputElement>(".student")?.focus();
      return;
    }
    this.says = strings.making;
    try {
      ({ version: this.version } = await this.pool.call("info", { query: "" }));
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      this.says = problem(reason.detail);
      return;
    }
    const text = writeHandIn(this.handIn(list));
    const packed = await pack(text).catch(() => "");
    this.made = { text, link: packed === "" ? "" : `${here()}#${MARK}${packed}` };
    this.says = packed === "" ? strings.failed : "";
    this.leave.asks(false);
    await this.updateComplete;
    this.querySelector<HTMLElement>(".made textarea, .made button")?.focus();
  }

  private result({ text, link }: Made, stale: boolean): TemplateResult {
    const name = `hand-in-${this.student.normalize("NFKD").replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60).toLowerCase() || "student"}.json`;
    return html`<div class="made" ?data-stale=${stale}>
      ${stale ? html`<p class="note" role="status">${strings.stale}</p>` : nothing}
      ${link === "" ? nothing : copier("hand-in-link", strings.link, link)}
      <div class="acts"><button class="save-file" @click=${() => offer(name, new Blob([text], { type: "application/json" }))}>${strings.save}</button></div>
      <p class="note">${strings.made(bytes(text.length), bytes(link.length))}</p>
    </div>`;
  }
}

function withGuesses(own: string, { guess, then }: Readonly<Record<"guess" | "then", string>>): string {
  return [own, guess && `guess=${escape(guess)}`, then && `then=${escape(then)}`].filter(Boolean).join("&");
}

/** A query that somebody wrote, as it can stand in an address. */
function harmless(own: string): string {
  return pairs(unguessed(own)).map(([key, value]) => `${escape(key)}=${escape(value)}`).join("&");
}

customElements.define("ifm-give", Give);
