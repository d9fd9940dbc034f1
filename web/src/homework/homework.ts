// What a student hands in and what a lecturer asks for: loaded when homework is opened.
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { answerOf } from "../engine/calls.js";
import { during } from "../engine/pending.js";
import type { Pool } from "../engine/pool.js";
import type { Account } from "../lesson/chapter/account.js";
import { shortest } from "../lesson/chapter/definition.js";
import { guessesOf } from "../lesson/chapter/guess.js";
import { Leave } from "../panel/leave.js";
import { heads, Panel, prop, scrolling, table } from "../panel/panel.js";
import { problem } from "../panel/problem.js";
import { offer } from "../save/offer.js";
import { copyText } from "../save/copy.js";
import { titles } from "../state/chapters.gen.js";
import { home } from "../state/site.js";
import { escape, pairs, parse } from "../state/spec.js";
import { chapters, readLink, unguessed, writeLink, type Chapter, type Parts } from "../state/view.js";
import { bytes } from "../text/format.js";
import { accountOnPage, clashes, guessIn, MOST_SEED, MOST_TITLE, namesIn, readAssignment, seeded, seedOf, writeAssignment, type Assignment, type Chapters } from "./assignment.js";
import { clean, resultOf, MARK, MOST_NAME, MOST_WORDS, pack, readHandIn, unpack, writeHandIn, type HandIn, type Part } from "./handin.js";
import { expectedOf } from "./marker.js";
import "./mark.js";
import { copying, giving as strings, setting } from "./strings.js";

interface Made {
  readonly text: string;
  readonly link: string; // "" where this browser cannot pack one
}

type State = "idle" | "ran" | "other" | "changed";

/** A student's part: a name, what there is to hand in, a few words, and a link and a file of all that. */
class Give extends Panel {
  @prop accessor pool!: Pool;
  @prop accessor chapters!: Chapters;
  @prop accessor parts!: Parts;
  @property() accessor packed = ""; // the hand-in of the address
  @state() private accessor student = "";
  @state() private accessor made: Made | null = null;
  @state() private accessor says = "";

  private words: Partial<Record<Chapter, string>> = {};
  private version = "";
  private readonly leave = new Leave(); // no address has it until there is a link

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
      <h2>${strings.title(assignment ? assignment.title : null)}</h2>
      ${assignment ? nothing : html`<p class="note">${this.parts.homework ? `${strings.lost} ` : ""}${strings.none}</p>`}
      <p role="status" class="told">${this.says}</p>
      <label class="entry"><span>${strings.name}</span> <input type="text" class="student" autocomplete="name" maxlength=${MOST_NAME} .value=${this.student} @change=${this.named} /></label>
      ${seed === null ? nothing : html`<p class="note seed" role="status">${Number.isNaN(seed) ? strings.seedless : strings.seed(seed)}</p>`}
      ${list.length === 0
        ? html`<p>${strings.empty}</p>`
        : html`${scrolling(strings.table, html`<table class="handing">${heads(strings.heads)}<tbody>${list.map((chapter) => this.row(chapter, assignment))}</tbody></table>`)}
            <div class="acts"><button class="main make" @click=${() => void during(this.make(list))}>${strings.make}</button></div>`}
      ${this.made ? this.result(this.made, text !== writeHandIn(this.handIn(list))) : nothing}
    </div>`;
  }

  private row(chapter: Chapter, assignment: Assignment | null): TemplateResult {
    const { guess, then } = guessesOf(this.parts[chapter] ?? "");
    const account = accountOnPage(chapter);
    const state = this.state(chapter, account, assignment);
    const said = (key: string): string => guessIn(this.chapters[chapter], key);
    return html`<tr data-chapter=${chapter} data-state=${state}>
      <th scope="row"><a href="?chapter=${chapter}">${titles[chapter]}</a></th>
      <td>${guess === "" && then === "" ? strings.guessless : guess === "" ? strings.late(said(then)) : strings.guess(said(guess), then === "" ? "" : said(then))}</td>
      <td>
        ${state === "ran" ? strings.states.ran(account?.runs.length ?? 0) : state === "idle" ? strings.states.idle(guess !== "" || then !== "") : strings.states[state]}
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

  /** Takes the name, and puts its seed into all chapters of the assignment. */
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
        ...resultOf(account),
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
    const { result: info, error } = await answerOf(this.pool.call("info", { query: "" }));
    if (error) {
      this.says = problem(error);
      return;
    }
    this.version = info.version;
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

/** A lecturer's first part: chapters as they are set on the page become one link. */
class Setting extends Panel {
  @prop accessor chapters!: Chapters;
  @prop accessor parts!: Parts;
  @state() private accessor heading = "";
  @state() private accessor chosen: readonly Chapter[] = [];
  @state() private accessor each = true;
  @state() private accessor seed: number = 1 + Math.floor(Math.random() * 9998);
  @state() private accessor words = true;
  @state() private accessor names = "";

  /** A page with an assignment begins with that one. */
  protected override willUpdate(): void {
    if (this.hasUpdated) return;
    const now = readAssignment(this.parts.homework ?? "");
    if (now) Object.assign(this, { heading: now.title, chosen: now.chapters, each: now.seed !== 0, seed: now.seed || this.seed, words: now.words });
  }

  private own(chapter: Chapter): string {
    const { own } = shortest(this.chapters[chapter], this.parts[chapter] ?? "");
    return this.each ? own.split("&").filter((pair) => !pair.startsWith("seed=")).join("&") : own;
  }

  private get assignment(): Assignment {
    const { heading: title, chosen, each, seed, words } = this;
    return { title, chapters: chosen, settings: Object.fromEntries(chosen.map((chapter) => [chapter, this.own(chapter)])), seed: each ? seed : 0, words };
  }

  protected override render(): TemplateResult {
    const { assignment } = this;
    const parts: Parts = { ...assignment.settings, homework: writeAssignment(assignment) };
    return html`<div class="set">
      <p class="about">${setting.lead}</p>
      <label class="entry"><span>${setting.title}</span> <input type="text" class="title" maxlength=${MOST_TITLE} .value=${this.heading} @input=${(e: Event) => (this.heading = clean((e.target as HTMLInputElement).value, MOST_TITLE).text)} /></label>
      <fieldset class="chosen">
        <legend>${setting.chapters}</legend>
        ${chapters.map((chapter) => html`<label class="check"><input type="checkbox" value=${chapter} .checked=${this.chosen.includes(chapter)} @change=${() => this.choose(chapter)} /> <span>${titles[chapter]} ${this.own(chapter) === "" ? nothing : html`<small>${setting.own(this.own(chapter))}</small>`}</span></label>`)}
      </fieldset>
      <fieldset>
        <legend>${setting.seeds}</legend>
        <label class="check"><input type="checkbox" class="each" .checked=${this.each} @change=${(e: Event) => (this.each = (e.target as HTMLInputElement).checked)} /> <span>${setting.each}</span></label>
        <label class="entry"><span>${setting.seed}</span> <input class="seed" type="number" min="1" max=${MOST_SEED} step="1" ?disabled=${!this.each} .value=${String(this.seed)} @change=${this.number} /></label>
      </fieldset>
      <label class="check"><input type="checkbox" class="words" .checked=${this.words} @change=${(e: Event) => (this.words = (e.target as HTMLInputElement).checked)} /> <span>${setting.words}</span></label>
      <p role="status" class="told">${this.chosen.length === 0 ? setting.empty : nothing}</p>
      ${this.chosen.length === 0 ? nothing : html`${copier("assignment-link", setting.link, `${here()}${writeLink(parse("").spec, readLink("").view, parts)}`)} <p class="note">${setting.about}</p>`}
      ${this.each ? this.class() : nothing}
    </div>`;
  }

  private choose(chapter: Chapter): void {
    this.chosen = chapters.filter((one) => (one === chapter) !== this.chosen.includes(one));
  }

  private readonly number = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const found = Math.trunc(Number(input.value));
    if (found >= 1 && found <= MOST_SEED) this.seed = found;
    input.value = String(this.seed);
  };

  private class(): TemplateResult {
    const names = namesIn(this.names);
    const same = clashes(this.seed, names);
    return html`<label class="entry list"><span>${setting.list}</span> <textarea rows="4" .value=${this.names} @input=${(e: Event) => (this.names = (e.target as HTMLTextAreaElement).value)}></textarea></label>
      <p class="note">${setting.how}</p>
      <p class="note clash" role="status">${same.length > 0 ? setting.clash(same) : nothing}</p>
      ${names.length === 0 ? nothing : table(setting.table, setting.heads, names.map((name) => html`<tr><th scope="row">${clean(name, 120).text}</th><td data-value=${seedOf(this.seed, name)}>${seedOf(this.seed, name)}</td></tr>`), { kind: "seeds" })}`;
  }
}

customElements.define("ifm-set", Setting);

/** The page's address without its settings: on the web where it has one, else where this copy of it lies. */
function here(): string {
  return home() || location.href.replace(/[?#].*$/, "");
}

function copier(id: string, label: string, text: string): TemplateResult {
  return html`<div class="copier">
    <label for=${id}>${label}</label>
    <textarea id=${id} readonly rows="3" spellcheck="false" .value=${text} @focus=${(e: Event) => (e.target as HTMLTextAreaElement).select()}></textarea>
    <div class="acts"><button class="copy" @click=${(e: Event) => void copy(e.currentTarget as HTMLElement)}>${copying.copy}</button> <span role="status"></span></div>
  </div>`;
}

async function copy(button: HTMLElement): Promise<void> {
  const box = button.closest(".copier")?.querySelector("textarea");
  const status = button.nextElementSibling;
  if (!box || !status) return;
  const copied = await copyText(box.value, () => {
    box.focus();
    box.select();
  });
  status.textContent = copied ? copying.copied : copying.selected;
}
