import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { EngineFailure } from "../../engine/engine.js";
import type { Pool } from "../../engine/pool.js";
import type { EngineError } from "../../engine/protocol.js";
import type { About } from "../../panel/about.js";
import { form, type Value, type Values } from "../../panel/form.js";
import { sentence } from "../../panel/panel.js";
import { chapters, isFrame, type View } from "../../state/view.js";
import type { Account } from "./account.js";
import { answers, reveal, type Found } from "./answer.js";
import { parsed, written, type Brought, type Chapter, type Common, type Run, type Shown, type Work, type Words } from "./definition.js";
import { accountOf } from "./evaluate.js";
import { choose, none, take, write as writeGuess, type Guess } from "./guess.js";
import { RunsPanel } from "./progress.js";
import { over, type Track } from "./runner.js";
import { chapter as strings, labels } from "./strings.js";

/** Shows a chapter: its question, the run that a guess starts, its pictures, and an explanation from that run's numbers. */
export class ChapterElement extends RunsPanel {
  @property({ attribute: false }) accessor chapter: Chapter | null = null; // null: its script is on its way
  @property({ attribute: false }) accessor pool!: Pool;
  @property({ attribute: false }) accessor view!: View; // of the page: the links of a chapter keep it
  @property({ attribute: false }) accessor brought: Brought = { table: null, sky: null };
  @property() accessor own = ""; // the settings that differ from the initial ones, and the guess, as the address has them
  @property({ type: Boolean }) accessor frozen = false; // what is shown stands still, while the run goes on
  @state() private accessor guess: Guess = none;
  @state() private accessor look = ""; // the choice of the chapter's switch
  @state() private accessor position = 0; // of what readers move in the picture

  private values: Common = { seed: 1 };
  private made: Work<Common, unknown> | null = null;
  private again = false; // once this run is over
  private failed: EngineError | null = null; // before a first run
  private firstAnswer: Found | null = null; // of the present run; kept, so that it does not move while others come
  private place: number | null = null; // px, to which the page was scrolled when the run was asked for; null once its answer is there

  private get work(): Work<Common, unknown> | null {
    if (this.chapter) this.made ??= this.chapter.work(this.pool, this.invalidate);
    return this.made;
  }

  private get phase(): Run<Common>["phase"] {
    return this.made?.run?.phase ?? "idle";
  }

  /** What the runs that are shown have recorded. */
  get tracks(): readonly Track[] {
    return this.made?.run?.tracks ?? [];
  }

  /** What the run gave, for a hand-in; null before it is over, and where it was stopped. */
  get account(): Account | null {
    return this.chapter && this.made && accountOf(this.chapter, this.made, this.look);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.made?.close();
  }

  protected override shouldUpdate(changed: PropertyValues): boolean {
    return this.chapter !== null && (!this.frozen || changed.has("frozen"));
  }

  protected override willUpdate(changed: PropertyValues): void {
    const { chapter } = this;
    if (!chapter) return;
    if (changed.has("own") || changed.has("chapter")) this.take(chapter);
    this.work?.show?.(this.values);
  }

  /** Takes the settings and the guess from the address. */
  private take(chapter: Chapter): void {
    this.look ||= chapter.look?.initial ?? "";
    const read = parsed(chapter, this.own);
    this.values = read.values;
    const { title, guesses } = { ...chapter.words, ...chapter.asks?.(this.shown(chapter)) };
    const taken = take(read.rest, Object.keys(guesses));
    this.guess = taken.guess;
    const unknown = taken.rest.map(([key, found]) => ({ key, found, message: strings.unknown(key, title) }));
    const all = [...read.notices, ...unknown];
    if (all.length > 0) this.tell("ifm-part", { chapter: chapter.id, query: this.address(chapter), notices: all });
  }

  /** The settings and the guess, as the address has them. */
  private address(chapter: Chapter): string {
    return [written(chapter, this.values), ...writeGuess(this.guess)].filter((part) => part !== "").join("&");
  }

  /** Whether what is shown is of other settings than these. */
  private stale(chapter: Chapter): boolean {
    const run = this.work?.run;
    if (!run) return false;
    const display = Object.fromEntries([...(chapter.display ?? []), ...(run.ignores ?? [])].map((key) => [key, this.values[key]]));
    return written(chapter, { ...run.settings, ...display } as Common) !== written(chapter, this.values) || (this.work?.differs?.() ?? false);
  }

  private shown(chapter: Chapter): Shown<Common, unknown> {
    const { work, values, look, position, pool, view, brought } = this;
    if (!work) throw new Error("a chapter has its work");
    return {
      run: work.run ?? { settings: values, plan: null, tracks: [], phase: work.starting ? "running" : "idle", whole: true },
      values,
      stale: this.stale(chapter),
      look,
      position,
      own: written(chapter, values),
      pool,
      view,
      framed: isFrame(view),
      brought,
      work,
      change: (key, value) => this.change({ [key]: value }),
      move: (to) => (this.position = to),
      changeAll: (changes) => this.change(changes as Values),
      start: (settings) => void this.run(settings),
      rerun: () => this.rerun(),
      redraw: () => this.requestUpdate(),
    };
  }

  protected override render(): TemplateResult | typeof nothing {
    const { chapter, phase } = this;
    if (!chapter) return nothing;
    const { id, words: { title, lead, source } } = chapter;
    const shown = this.shown(chapter);
    const numbers = chapter.read(shown.run);
    const going = shown.work.starting || phase === "running" || phase === "paused";
    const ended = phase === "done" || phase === "stopped";
    return html`<section class="chapter" data-phase=${phase} aria-labelledby="${id}-title">
      <p class="count" aria-hidden="true">${chapters.indexOf(id) + 1}</p>
      <h3 id="${id}-title" tabindex="-1" aria-level=${shown.framed ? 1 : nothing}>${title}</h3>
      <p class="about">${lead}</p>
      ${this.question(chapter, shown)}
      <div class="go">
        <button class="main run" aria-disabled=${going} @click=${() => void this.run()}>${shown.work.of > 0 ? strings.again : strings.run}</button>
        <button class="stop" aria-disabled=${!going} @click=${() => shown.work.stop()}>${strings.stop}</button>
        ${this.switch(chapter)} ${chapter.controls?.(shown) ?? nothing}
        <p class="cost">${this.status(chapter, shown)}</p>
      </div>
      ${this.trouble(this.failed ? [this.failed] : shown.work.errors)} ${chapter.picture(numbers, shown)}
      <div class="says">${ended ? html`<p class="told">${sentence(phase === "done" || chapter.partial ? chapter.told(numbers, this.look) : [])}</p>` : html`<p class="unsaid">${strings.silent}</p>`}</div>
      ${chapter.details?.(shown) ?? nothing}
      <p class="live">${shown.work.run ? strings.live(chapter.live(shown.run)) : strings.idle}</p>
      ${chapter.after?.(numbers, shown) ?? nothing}
      <p class="source">${source}</p>
      <div class="folds">
        <details class="fold">
          <summary>${strings.settings}</summary>
          ${chapter.form?.(shown) ?? this.inputs(chapter)}
        </details>
        <button class="sharer" @click=${() => this.tell("ifm-share", `chapter:${id}`)}>${strings.share}</button>
      </div>
    </section>`;
  }

  private inputs(chapter: Chapter): TemplateResult {
    const inputs = chapter.inputs?.(this.values) ?? chapter.settings.inputs;
    return html`<div class="settings">${form(inputs, this.values, labels, (key: string, value: Value) => this.change({ [key]: value }), chapter.id)}</div>`;
  }

  private switch({ look }: Chapter): TemplateResult | typeof nothing {
    if (!look) return nothing;
    return pick(look, this.look, (choice) => (this.look = choice));
  }

  /** How far a run is, or what the next will take. */
  private status(chapter: Chapter, shown: Shown<Common, unknown>): TemplateResult | string {
    const { phase } = this;
    const { over, of, seconds } = shown.work;
    const cost = chapter.cost(shown);
    if (phase === "running" || phase === "paused") return this.progress(shown.work, chapter.progress?.soFar(shown), phase === "paused");
    if (phase === "idle") return cost;
    return shown.stale ? strings.stale(cost) : (chapter.progress?.finished ?? strings.over)(over, of, seconds);
  }

  /** For what is saved of it. */
  override get about(): About | undefined {
    const { chapter } = this;
    const run = this.made?.run;
    if (!chapter || !run) return undefined;
    return { name: chapter.id, says: strings.live(chapter.live(run)), seed: run.settings.seed, chapter: chapter.id, query: written(chapter, run.settings), ...chapter.saved?.(this.shown(chapter)) };
  }

  /** The question, before its answer is known: each guess is a button that starts the run, and what comes of it stands under them. */
  private question(chapter: Chapter, shown: Shown<Common, unknown>): TemplateResult {
    const { question, guesses }: Pick<Words, "question" | "guesses"> = chapter.asks?.(shown) ?? chapter.words;
    return html`<div class="guess" role="group" aria-labelledby="${chapter.id}-question">
      <p id="${chapter.id}-question"><b>${question}</b> <span>${strings.guess}</span></p>
      ${answers(guesses, this.guess, this.found(chapter), (key) => void this.guessed(chapter, key))}
    </div>`;
  }

  /** What the runs say to the question: all of them, or the first. */
  private found(chapter: Chapter): Found | null {
    const run = this.made?.run;
    if (!run) return null;
    return run.phase === "done" ? { ...decided(chapter, run), from: "" } : this.early(chapter, run);
  }

  /** What the first of the runs say, once they are over and until all are. */
  private early(chapter: Chapter, run: Run<Common, unknown>): Found | null {
    if (this.firstAnswer) return this.firstAnswer;
    const first = chapter.early ? chapter.early(run) : firstRuns(chapter, run);
    const found = first && { ...decided(chapter, first.run), from: first.from };
    if (!found || found.answer === null) return null;
    this.firstAnswer = found;
    return found;
  }

  private async guessed(chapter: Chapter, key: string): Promise<void> {
    const stale = this.stale(chapter);
    this.guess = choose(this.guess, key, !stale && this.found(chapter) !== null);
    this.tell("ifm-part", { chapter: chapter.id, query: this.address(chapter), notices: [] });
    if (!this.made?.run || stale || this.phase !== "done") await this.run();
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (this.place === null || this.made?.starting || !this.querySelector(".answer")) return;
    reveal(this, this.place);
    this.place = null;
  }

  private change(changes: Values): void {
    const { chapter, values } = this;
    if (!chapter) return;
    this.values = Object.keys(changes).reduce<Common>((changed, key) => chapter.adjust?.(changed, values, key) ?? changed, { ...values, ...changes });
    this.failed = null; // it was of other settings
    this.tell("ifm-part", { chapter: chapter.id, query: this.address(chapter), notices: [] });
    this.requestUpdate();
  }

  /** Runs again where there was a run under other settings; a run that is on comes to its end first. */
  private rerun(): void {
    if (!this.chapter || !this.made?.run || !this.stale(this.chapter)) return;
    if (this.busy) this.again = true;
    else void this.run();
  }

  private get busy(): boolean {
    return (this.made?.starting ?? false) || this.phase === "running" || this.phase === "paused";
  }

  /** Starts, unless it is at work: the button stays able to hold the focus then, so it says so itself. */
  private async run(settings = this.values): Promise<void> {
    const { chapter, work } = this;
    if (!chapter || !work || this.busy) return;
    Object.assign(this, { failed: null, again: false, place: scrollY, firstAnswer: null });
    this.remaining.reset();
    this.tell("ifm-view", { chapter: chapter.id });
    try {
      const started = work.start(settings);
      this.requestUpdate();
      const began = await started;
      if (began && this.phase === "done") this.tell("ifm-answered", chapter.id);
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      this.failed = reason.detail;
      this.requestUpdate();
    }
    if (this.again && this.phase === "done") this.rerun();
  }
}

/** What the numbers of some runs decide. */
function decided(chapter: Chapter, run: Run<Common, unknown>): Pick<Found, "answer" | "brief"> {
  const numbers = chapter.read(run);
  return { answer: chapter.answer(numbers), brief: chapter.reason?.(numbers) ?? [] };
}

/** The first runs alone, once those of them that the answer needs are over. */
function firstRuns(chapter: Chapter, run: Run<Common, unknown>): { readonly run: Run<Common, unknown>; readonly from: string } | null {
  const { tracks } = run;
  const first = chapter.smallest?.(run);
  if (!first || first.runs >= tracks.length) return null;
  const own = tracks.slice(0, first.runs);
  if (!own.every((track, i) => over(track) || !(first.needed?.(i) ?? true))) return null;
  return { run: { ...run, tracks: own }, from: first.trials > 1 ? strings.fromTrial(first.trials) : strings.fromRuns(first.runs, tracks.length) };
}

/** A select beside the buttons. */
export function pick({ name, label, options }: { readonly name: string; readonly label: string; readonly options: Readonly<Record<string, string>> }, chosen: string, choose: (option: string) => void): TemplateResult {
  return html`<label class="pick">
    <span>${label}</span>
    <select class=${name} @change=${(e: Event) => choose((e.target as HTMLSelectElement).value)}>
      ${Object.entries(options).map(([option, text]) => html`<option value=${option} .selected=${option === chosen}>${text}</option>`)}
    </select>
  </label>`;
}

customElements.define("ifm-chapter", ChapterElement);
