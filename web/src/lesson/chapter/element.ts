import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { EngineFailure, isAbsent } from "../../engine/engine.js";
import type { Pool } from "../../engine/pool.js";
import type { EngineError } from "../../engine/protocol.js";
import type { About } from "../../panel/about.js";
import { form, type Value, type Values } from "../../panel/form.js";
import { prop, seen, sentence } from "../../panel/panel.js";
import { isFrame, type View } from "../../state/view.js";
import type { Account } from "./account.js";
import { answers, outcome, reveal, type RunAnswer } from "./answer.js";
import { formulary, parsed, written, type Brought, type Chapter, type Common, type Run, type Shown, type Work, type Words } from "./definition.js";
import { accountOf } from "./evaluate.js";
import { formulas } from "./formulas.gen.js";
import { choose, none, present, take, write as writeGuess, type Guess } from "./guess.js";
import { RunsPanel } from "./progress.js";
import { over, type Track } from "./runner.js";
import { chapter as strings, labels } from "./strings.js";

/**
 * Shows a chapter: its question, the answers to choose from, a picture of its runs, and an explanation from their numbers.
 * The first runs begin as soon as it is seen. They are paused while it is not on the page, and go on when it is put there again.
 */
export class ChapterElement extends RunsPanel {
  @prop accessor chapter: Chapter | null = null; // null: its script is on its way
  @prop accessor pool!: Pool;
  @prop accessor view!: View; // of the page: the links of a chapter keep it
  @prop accessor brought: Brought = { table: null, sky: null };
  @prop accessor onward: TemplateResult | typeof nothing = nothing; // the ways to other chapters
  @property() accessor own = ""; // the settings that differ from the initial ones, and the guess, as the address has them
  @property({ type: Boolean }) accessor frozen = false; // what is shown stands still, while the run goes on
  @state() private accessor guess: Guess = none;
  @state() private accessor look = ""; // the choice of the chapter's switch
  @state() private accessor position = 0; // of what readers move in the picture
  @state() private accessor opened = false; // the details

  private values: Common = { seed: 1 };
  private made: Work<Common, unknown> | null = null;
  private asked = false; // the reader wants the answer without a guess
  private reduced = false; // the run is of smaller settings, which the chapter chose
  private wanted = false; // all, once the first of them are over
  private again = false; // once this run is over
  private resting = false; // paused because it is not on the page
  private failed: EngineError | null = null; // before a first run
  private firstAnswer: RunAnswer | null = null; // of the present run; kept, so that it does not move while others come
  private numbers: unknown = null; // of the last runs that were over, which are explained
  private unfolded: unknown = null; // what the details were opened for last
  private place: number | null = null; // px, to which the page was scrolled at the guess; null once its answer is there

  private get work(): Work<Common, unknown> | null {
    if (this.chapter) this.made ??= this.chapter.work(this.pool, this.invalidate);
    return this.made;
  }

  private get phase(): Run<Common>["phase"] {
    return this.made?.run?.phase ?? "idle";
  }

  private get busy(): boolean {
    return (this.made?.starting ?? false) || this.phase === "running" || this.phase === "paused";
  }

  /** Whether the answer may be shown. */
  private get revealed(): boolean {
    return present(this.guess) !== "" || this.asked || this.view.present === "run" || this.view.present === "answer";
  }

  /** Whether what was run are the first runs alone. */
  private get isFirst(): boolean {
    return this.reduced || (this.phase === "done" && this.made?.run?.whole === false);
  }

  /** What the runs that are shown have recorded. */
  get tracks(): readonly Track[] {
    return this.made?.run?.tracks ?? [];
  }

  /** What all runs gave, for a hand-in; null before they are over, where they were stopped, and before the reader has answered. */
  get account(): Account | null {
    return this.chapter && this.made && this.revealed && !this.reduced ? accountOf(this.chapter, this.made, this.look) : null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("online", this.retry);
    if (this.resting) this.made?.resume?.();
    this.resting = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("online", this.retry);
    this.resting = this.phase === "running";
    this.made?.pause?.();
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

  /** Takes the settings and the guess from the address. Settings that did not come from here are run. */
  private take(chapter: Chapter): void {
    this.look ||= chapter.look?.initial ?? "";
    const read = parsed(chapter, this.own);
    const before = this.values;
    this.values = read.values;
    if (!this.hasUpdated || written(chapter, before) !== written(chapter, read.values)) void this.begin();
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
    const values = this.reduced ? (chapter.first?.(this.values) ?? this.values) : this.values;
    const display = Object.fromEntries((chapter.display ?? []).map((key) => [key, values[key]]));
    return written(chapter, { ...run.settings, ...display } as Common) !== written(chapter, values) || (this.work?.differs?.() ?? false);
  }

  private shown(chapter: Chapter): Shown<Common, unknown> {
    const { work, values, look, position, pool, view, brought, revealed, failed } = this;
    if (!work) throw new Error("a chapter has its work");
    return {
      run: work.run ?? { settings: values, plan: null, tracks: [], phase: work.starting ? "running" : "idle", whole: true },
      values,
      revealed,
      stale: this.stale(chapter),
      look,
      position,
      own: written(chapter, values),
      pool,
      view,
      framed: isFrame(view),
      brought,
      failed,
      work,
      change: (key, value) => this.change({ [key]: value }),
      move: (to) => (this.position = to),
      changeAll: (changes) => this.change(changes as Values),
      rerun: () => this.rerun(),
      redraw: () => this.requestUpdate(),
    };
  }

  protected override render(): TemplateResult | typeof nothing {
    const { chapter, phase, revealed } = this;
    if (!chapter) return nothing;
    const { id, words } = chapter;
    const shown = this.shown(chapter);
    const numbers = chapter.read(shown.run);
    if (phase === "done" || (phase === "stopped" && chapter.partial)) this.numbers = numbers;
    const { question, guesses }: Pick<Words, "question" | "guesses"> = chapter.asks?.(shown) ?? words;
    const found = revealed ? this.found(chapter) : null;
    const explains = found && this.numbers !== null && !shown.framed ? (chapter.explains?.(this.numbers) ?? [chapter.told(this.numbers, this.look)]) : [];
    return html`<section class="chapter" data-phase=${phase} data-revealed=${String(revealed)} aria-labelledby="${id}-title">
      <div class="ask">
        <h1 class="seen-not" id="${id}-title" tabindex="-1">${words.title}</h1>
        <h2 class="question" id="${id}-question">${question}</h2>
        <p class="about">${words.lead}</p>
        ${answers(guesses, this.guess, found, `${id}-question`, (key) => this.guessed(chapter, key))}
        <div class="outcome" role="status">${found ? outcome(guesses, this.guess, found) : nothing}</div>
      </div>
      <div class="seen">
        ${this.trouble(this.failed ? [this.failed] : shown.work.errors)} ${chapter.picture(numbers, shown)}
        <div class="go">${chapter.look ? pick(chapter.look, this.look, (choice) => (this.look = choice)) : nothing} ${chapter.controls?.(shown) ?? nothing} ${this.steer(chapter, shown)}</div>
      </div>
      ${explains.map((phrase) => html`<p class=${chapter.explains ? "explained" : "told"}>${sentence(phrase)}</p>`)} ${this.details(chapter, shown, numbers)} ${this.onward}
    </section>`;
  }

  /** How far the runs are, and the one button that starts or stops them. */
  private steer(chapter: Chapter, shown: Shown<Common, unknown>): TemplateResult {
    const { busy, isFirst } = this;
    const label = isFirst ? strings.all : shown.work.run ? strings.again : strings.run;
    const press = (): void => {
      if (busy) shown.work.stop();
      else void this.runAll();
    };
    return html`<p class="cost">${this.status(chapter, shown)}</p>
      <button class="bare ${busy ? "stop" : "run"}" @click=${press}>${busy ? strings.stop : !this.revealed && !shown.stale ? strings.reveal : label}</button>`;
  }

  private status(chapter: Chapter, shown: Shown<Common, unknown>): TemplateResult | string {
    const { phase } = this;
    const { over, of, seconds } = shown.work;
    if (phase === "running" || phase === "paused") return this.progress(shown.work, chapter.progress?.soFar(shown), phase === "paused" && !this.resting);
    if (phase === "idle") return "";
    if (shown.stale) return strings.stale;
    if (phase === "done" && this.isFirst) return this.firstOf(chapter);
    return (chapter.progress?.finished ?? strings.over)(over, of, seconds);
  }

  /** Which of the runs the first are. */
  private firstOf(chapter: Chapter): string {
    const run = this.made?.run;
    const first = run && chapter.smallest?.(run);
    if (this.reduced) return strings.reduced;
    return first && first.trials > 1 ? strings.fromTrial(first.trials) : strings.first;
  }

  private details(chapter: Chapter, shown: Shown<Common, unknown>, numbers: unknown): TemplateResult {
    const { id, words } = chapter;
    const inputs = (chapter.inputs?.(this.values) ?? chapter.settings.inputs).filter(({ key, kind }) => kind !== "choice" || !chapter.display?.includes(key)); // what is chosen beside a picture has its buttons there
    const change = (key: string, value: Value): void => this.change({ [key]: value });
    const told = this.revealed && this.numbers !== null && (chapter.explains || shown.framed) ? chapter.told(this.numbers, this.look) : [];
    const content = (): TemplateResult => html`
      ${told.length > 0 ? html`<p class="told">${sentence(told)}</p>` : nothing} ${chapter.details?.(shown, numbers) ?? nothing}
      <p class="live">${shown.work.run ? `${strings.live(chapter.live(shown.run))}${this.reduced ? ` ${strings.smaller}` : ""}` : strings.idle}</p>
      <section class="setup" aria-label=${strings.settings}>
        <h3>${strings.settings}</h3>
        ${chapter.form?.(shown) ?? html`<div class="settings">${form(inputs, this.values, labels, change, id)}</div>`}
        <p class="note">${strings.cost(chapter.cost(shown))}</p>
      </section>
      ${chapter.after?.(numbers, shown) ?? nothing}
      <details class="fold symbols">
        <summary>${strings.symbols}</summary>
        <p class="note">${strings.meaning}</p>
        ${formulary(formulas.model, formulas.kinds)}
      </details>
      <p class="source">${words.source}</p>
      <button class="sharer bare" @click=${() => this.tell("ifm-share", `chapter:${id}`)}>${strings.share}</button>`;
    return html`<details class="details" @toggle=${(e: Event) => (this.opened = (e.target as HTMLDetailsElement).open)}>
      <summary>${strings.details}</summary>
      ${this.opened ? html`<div class="within">${content()}</div>` : nothing}
    </details>`;
  }

  /** For what is saved of it. */
  override get about(): About | undefined {
    const { chapter } = this;
    const run = this.made?.run;
    if (!chapter || !run) return undefined;
    return { name: chapter.id, says: strings.live(chapter.live(run)), seed: run.settings.seed, chapter: chapter.id, query: written(chapter, run.settings), ...chapter.saved?.(this.shown(chapter)) };
  }

  /** What the runs say to the question: all of them, or the first. */
  private found(chapter: Chapter): RunAnswer | null {
    const run = this.made?.run;
    if (!run) return null;
    const first = this.isFirst;
    const found = run.phase === "done" ? { ...decided(chapter, run), early: first } : this.early(chapter, run);
    return found?.answer === null && first && !this.reduced ? null : found;
  }

  /** What the first of the runs say, once they are over and until all are. */
  private early(chapter: Chapter, run: Run<Common, unknown>): RunAnswer | null {
    if (this.firstAnswer) return this.firstAnswer;
    const first = chapter.early ? chapter.early(run) : firstRuns(chapter, run);
    const found = first && { ...decided(chapter, first), early: true };
    if (!found || found.answer === null) return null;
    this.firstAnswer = found;
    return found;
  }

  /** An answer was chosen. All that was not run yet is run, unless the chapter leaves that to the reader. */
  private guessed(chapter: Chapter, key: string): void {
    const stale = this.stale(chapter);
    this.guess = choose(this.guess, key, this.revealed && !stale && this.found(chapter) !== null);
    this.place = scrollY;
    this.tell("ifm-part", { chapter: chapter.id, query: this.address(chapter), notices: [] });
    this.answered(chapter);
    const whole = this.phase === "done" && !this.isFirst;
    if (!stale && (whole || (chapter.first && this.made?.run))) return;
    void (chapter.first ? this.runFirst() : this.runAll());
  }

  private answered(chapter: Chapter): void {
    if (this.revealed && this.phase === "done" && !this.stale(chapter)) this.tell("ifm-answered", chapter.id);
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (this.chapter) this.unfold(this.chapter);
    if (this.place === null || !this.querySelector(".answer")) return;
    reveal(this, this.place);
    this.place = null;
  }

  /** Opens the details where the chapter asks for it, once for each thing to be seen. */
  private unfold(chapter: Chapter): void {
    const wanted = chapter.unfolds?.(this.shown(chapter)) ?? null;
    const details = this.querySelector<HTMLDetailsElement>(".details");
    if (details && wanted !== null && wanted !== this.unfolded) details.open = true;
    this.unfolded = wanted;
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
    else void (this.revealed ? this.runAll() : this.runFirst());
  }

  /** Runs the first runs of settings that came with the page or with another address, once the chapter is looked at. */
  private async begin(): Promise<void> {
    await seen(this);
    const { chapter, made } = this;
    if (!chapter || !this.isConnected || (made?.run && !this.stale(chapter)) || made?.starting) return;
    if (this.busy) made?.stop();
    if (made?.waits) return;
    await this.runFirst(); // its calls are pending by themselves; paused it is nothing to do
  }

  /** Runs again where an engine could not be loaded. */
  private readonly retry = (): void => {
    if (!this.busy && [this.failed, ...(this.made?.errors ?? [])].some(isAbsent)) void (this.asked ? this.runAll() : this.runFirst());
  };

  private async runFirst(): Promise<void> {
    const { chapter, values } = this;
    const smaller = chapter?.first?.(values);
    const first = (run: Run<Common, unknown>): number => chapter?.smallest?.(run)?.runs ?? Infinity;
    await this.run((work) => work.start(smaller ?? values, smaller ? undefined : first), smaller !== undefined);
    if (this.wanted && this.isFirst && this.phase === "done") await this.runAll();
  }

  /** Runs all, or what the first have left of it; tells the answer. Waits for the first where these are on. */
  private async runAll(): Promise<void> {
    const { chapter, work, values } = this;
    if (!chapter || !work) return;
    this.asked = true;
    this.wanted = this.busy;
    if (this.wanted) return;
    this.tell("ifm-view", { chapter: chapter.id });
    const goesOn = this.isFirst && !this.reduced && !this.stale(chapter) && work.finish;
    await this.run((work) => (goesOn ? goesOn.call(work).then(() => true) : work.start(values)), false);
  }

  /** What was told of the same settings stays until more is known. */
  private async run(start: (work: Work<Common, unknown>) => Promise<boolean>, reduced: boolean): Promise<void> {
    const { chapter, work } = this;
    if (!chapter || !work) return;
    const anew = this.stale(chapter);
    const found = anew ? null : this.found(chapter);
    Object.assign(this, { firstAnswer: found?.answer == null ? null : found, numbers: anew ? null : this.numbers });
    Object.assign(this, { failed: null, again: false, reduced });
    this.remaining.reset();
    try {
      const started = start(work);
      this.requestUpdate();
      if (await started) this.answered(chapter);
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      this.failed = reason.detail;
    }
    this.requestUpdate();
    if (this.again && this.phase === "done") this.rerun();
  }
}

/** What the numbers of some runs decide. */
function decided(chapter: Chapter, run: Run<Common, unknown>): Pick<RunAnswer, "answer" | "brief"> {
  const numbers = chapter.read(run);
  return { answer: chapter.answer(numbers), brief: chapter.reason?.(numbers) ?? [] };
}

/** The first runs alone, once they are over. */
function firstRuns(chapter: Chapter, run: Run<Common, unknown>): Run<Common, unknown> | null {
  const { tracks } = run;
  const first = chapter.smallest?.(run);
  if (!first || first.runs > tracks.length) return null;
  const own = tracks.slice(0, first.runs);
  return own.every(over) ? { ...run, tracks: own } : null;
}

/** A select under the picture. */
export function pick({ name, label, options }: { readonly name: string; readonly label: string; readonly options: Readonly<Record<string, string>> }, chosen: string, choose: (option: string) => void): TemplateResult {
  return html`<label class="pick">
    <span>${label}</span>
    <select class=${name} @change=${(e: Event) => choose((e.target as HTMLSelectElement).value)}>
      ${Object.entries(options).map(([option, text]) => html`<option value=${option} .selected=${option === chosen}>${text}</option>`)}
    </select>
  </label>`;
}

customElements.define("ifm-chapter", ChapterElement);
