import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { EngineFailure } from "../../engine/engine.js";
import { after } from "../../engine/pending.js";
import type { EngineError } from "../../engine/protocol.js";
import type { About } from "../../panel/about.js";
import { form, type Input, type Value, type Values } from "../../panel/form.js";
import { sentence } from "../../panel/panel.js";
import { problem } from "../../panel/problem.js";
import { drawnOnly } from "../../state/groups.js";
import { fields, limits } from "../../state/spec.gen.js";
import { form as written, pairs, parse, read, write, type Field, type Settings, type Spec } from "../../state/spec.js";
import { chapters, type Chapter as Name } from "../../state/view.js";
import type { Phrase } from "../../text/phrase.js";
import { guessesOf } from "./account.js";
import { Accountable } from "./accountable.js";
import { over, Runner, type Job, type Phase, type Track } from "./runner.js";
import { chapter as strings, labels } from "./strings.js";

const REDRAW = 100; // ms between two redraws at the least

/** What a chapter always says: its question and the answers that there are to choose from. */
export interface Words {
  readonly title: string;
  readonly lead: string;
  readonly question: string;
  readonly guesses: Readonly<Record<string, string>>;
  readonly source: string; // where the paper says what is tried here
}

/** What a chapter shows of a run, or of none yet. */
export interface Content {
  readonly text: TemplateResult | typeof nothing; // the reason in general, after what the run says: formulas, and what they mean
  readonly cost: string; // what a run will take
  readonly body: TemplateResult;
  readonly answer: string | null; // the guess that the numbers bear out, null where they decide nothing
  readonly says: Phrase; // once the run is over
  readonly live: string; // how the numbers shown were made
  readonly more: TemplateResult | typeof nothing; // beside the buttons
  readonly after?: TemplateResult; // what the run is told: where to go on
}

/** What a chapter runs, as far as all of them show it. */
export interface Work {
  readonly phase: Phase | "paused";
  readonly seconds: number; // that it took
  stop(): void;
}

/** A chapter of the lesson: a question, a run that the answer starts, and an explanation from that run's numbers. */
export abstract class Asking<V extends { readonly seed: number }> extends Accountable<V> {
  static override properties: PropertyDeclarations = { pool: { attribute: false }, view: { attribute: false }, own: {}, frozen: { type: Boolean }, guess: { state: true } };

  declare own: string; // the settings that differ from the initial ones, as the address has them
  declare frozen: boolean; // what is shown stands still, while the run goes on
  private declare guess: string;

  protected abstract readonly name: Name;
  protected abstract override readonly words: Words;
  protected asking = false; // what the runs are

  private guesses: ReturnType<typeof guessesOf> = { guess: "", then: "" };
  private failed: EngineError | null = null; // before a first run
  private drawn = 0;
  private redraw: (() => void) | undefined;

  constructor() {
    super();
    this.own = "";
    this.frozen = false;
    this.guess = "";
  }

  protected abstract override get work(): Work;

  /** How many of its runs are over, and of how many. */
  protected abstract override get progress(): { readonly over: number; readonly of: number };

  /** What single runs failed with. */
  protected abstract get troubles(): readonly EngineError[];

  protected abstract override content(): Content;

  /** The settings as fields of an address. */
  protected abstract override declared(): readonly Field[];

  /** The settings as inputs. */
  protected abstract choices(): TemplateResult;

  /** Starts a run under these settings; ends asking, and sets ran, when it knows what is to be run. */
  protected abstract override begin(values: V): Promise<void>;

  /** The settings that follow from a change of key. */
  protected adjusted(values: V, _before: V, _key: string): V {
    return values;
  }

  protected override shouldUpdate(changed: PropertyValues): boolean {
    return !this.frozen || changed.has("frozen");
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("own")) return;
    const { settings, notices, rest } = read(this.declared(), pairs(this.own));
    this.values = settings as unknown as V;
    this.guesses = guessesOf(this.own);
    this.guess = this.guesses.then || this.guesses.guess;
    const unknown = rest.filter(([key]) => key !== "guess" && key !== "then").map(([key, found]) => ({ key, found, message: strings.unknown(key, this.words.title) }));
    if (notices.length + unknown.length > 0) this.tell("ifm-part", { chapter: this.name, query: this.address(), notices: [...notices, ...unknown] });
  }

  /** The settings and the guesses, as the address has them. */
  private address(): string {
    const { guess, then } = this.guesses;
    return [this.query(), guess && `guess=${guess}`, then && `then=${then}`].filter((part) => part !== "").join("&");
  }

  /** The settings as the address has them. */
  protected override query(values: V = this.values): string {
    return write(this.declared(), values as unknown as Settings);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.work.stop();
  }

  /** Whether what is shown is of other settings than these. */
  protected get stale(): boolean {
    return this.ran !== null && this.query(this.ran) !== this.query();
  }

  protected override render(): TemplateResult {
    const { phase } = this.work;
    const { title, lead, source } = this.words;
    const content = this.content();
    const { of } = this.progress;
    const going = phase === "running" || phase === "paused";
    const shown = phase === "done" || phase === "stopped";
    return html`<section class="chapter" data-phase=${phase} aria-labelledby="${this.name}-title">
      <p class="count" aria-hidden="true">${chapters.indexOf(this.name) + 1}</p>
      <h3 id="${this.name}-title" aria-level=${this.view.embed === "1" ? 1 : nothing}>${title}</h3>
      <p class="about">${lead}</p>
      ${this.question(going)}
      <div class="go">
        <button class="main run" aria-disabled=${going || this.asking} @click=${() => void this.run()}>${of > 0 ? strings.again : strings.run}</button>
        <button class="stop" aria-disabled=${!going} @click=${() => this.work.stop()}>${strings.stop}</button>
        ${content.more}
        <p class="cost">${this.status(content)}</p>
      </div>
      ${this.trouble()} ${content.body}
      <div class="says" role="status">${shown ? html`${this.feedback(content)}<p class="told">${sentence(content.says)}</p>` : html`<p class="unsaid">${strings.silent}</p>`}</div>
      ${content.text}
      <p class="live">${this.ran ? strings.live(content.live) : strings.idle}</p>
      ${content.after ?? nothing}
      <p class="source">${source}</p>
      <div class="folds">
        <details class="fold">
          <summary>${strings.settings}</summary>
          ${this.choices()}
        </details>
        <button class="sharer" @click=${() => this.tell("ifm-share", `chapter:${this.name}`)}>${strings.share}</button>
      </div>
    </section>`;
  }

  /** How far a run is, or what the next will take. */
  protected status({ cost }: Content): TemplateResult | string {
    const { phase, seconds } = this.work;
    const { over, of } = this.progress;
    if (phase === "running") return html`<label><progress max=${of} .value=${over}></progress> <span class="num">${strings.progress(over, of)}</span></label>`;
    if (phase === "idle") return cost;
    return this.stale ? strings.stale(cost) : strings.over(over, of, seconds);
  }

  /** For what is saved of it. */
  override get about(): About | undefined {
    const { ran, name } = this;
    return ran ? { name, says: strings.live(this.content().live), seed: ran.seed, chapter: name, query: this.query(ran), unit: "" } : undefined;
  }

  /** The question, before its answer is known: each guess is a button that starts the run. */
  private question(going: boolean): TemplateResult {
    const { question, guesses } = this.words;
    return html`<div class="guess" role="group" aria-labelledby="${this.name}-question">
      <p id="${this.name}-question"><b>${question}</b> <span>${strings.guess}</span></p>
      <div class="guesses">
        ${Object.entries(guesses).map(([key, text]) => html`<button data-guess=${key} aria-pressed=${this.guess === key} aria-disabled=${going || this.asking} @click=${() => void this.guessed(key)}>${text}</button>`)}
      </div>
    </div>`;
  }

  private async guessed(key: string): Promise<void> {
    if (this.busy) return;
    const { guess } = this.guesses;
    this.guesses = guess === "" || guess === key ? { guess: key, then: "" } : { guess, then: key };
    this.guess = key;
    this.tell("ifm-part", { chapter: this.name, query: this.address(), notices: [] });
    if (this.ran === null || this.stale || this.work.phase !== "done") await this.run();
  }

  /** What the run says to the guess. */
  private feedback({ answer }: Content): TemplateResult | typeof nothing {
    if (this.work.phase !== "done") return nothing;
    const { guesses } = this.words;
    const guess = guesses[this.guess];
    const found = answer === null ? undefined : guesses[answer];
    const right = guess !== undefined && this.guess === answer;
    const said = found === undefined ? strings.undecided : guess === undefined ? strings.answer(found) : right ? strings.right(guess) : strings.wrong(guess, found);
    return html`<p class="answer" data-answer=${answer ?? ""} data-right=${guess === undefined ? "" : String(right)}>${said}</p>`;
  }

  /** What no run could do without, and what single runs failed with, each once. */
  private trouble(): TemplateResult | typeof nothing {
    const errors = this.failed ? [this.failed] : this.troubles;
    const told = new Map<string, number>();
    for (const error of errors) {
      const message = problem(error);
      told.set(message, (told.get(message) ?? 0) + 1);
    }
    if (told.size === 0) return nothing;
    const first = [...told].slice(0, 3);
    return html`<div class="error" role="alert">${first.map(([message, times]) => html`<p>${message}${times > 1 ? strings.times(times) : ""}</p>`)}${told.size > first.length ? html`<p>${strings.others(told.size - first.length)}</p>` : nothing}</div>`;
  }

  protected change(key: string, value: unknown): void {
    this.values = this.adjusted({ ...this.values, [key]: value }, this.values, key);
    this.failed = null; // it was of other settings
    this.tell("ifm-part", { chapter: this.name, query: this.address(), notices: [] });
    this.requestUpdate();
  }

  private get busy(): boolean {
    const { phase } = this.work;
    return this.asking || phase === "running" || phase === "paused";
  }

  /** Starts, unless it is at work: the button stays able to hold the focus then, so it says so itself. */
  protected async run(): Promise<void> {
    if (this.busy) return;
    Object.assign(this, { failed: null, asking: true });
    this.tell("ifm-view", { chapter: this.name });
    this.requestUpdate();
    try {
      await this.begin(this.values);
      this.tell("ifm-ran", this.name);
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      Object.assign(this, { failed: reason.detail, asking: false });
      this.requestUpdate();
    }
  }

  /** Redraws soon, at most ten times a second. */
  protected readonly invalidate = (): void => {
    this.redraw ??= after(Math.max(0, this.drawn + REDRAW - performance.now()), () => {
      this.redraw = undefined;
      this.drawn = performance.now();
      this.requestUpdate();
    });
  };
}

/** A chapter that runs cells of the figure's queries. */
export abstract class Chapter<V extends Values & { readonly seed: number }> extends Asking<V> {
  protected abstract readonly initial: V;
  protected abstract readonly inputs: readonly Input[]; // for the settings as they are

  private made: Runner | undefined;

  protected get runner(): Runner {
    this.made ??= new Runner(this.pool, this.invalidate);
    return this.made;
  }

  protected override get work(): Work {
    return this.runner;
  }

  /** The runs that the settings ask for. */
  protected abstract jobs(): Promise<readonly Job[]>;

  /** All inputs that there can be. */
  protected get every(): readonly Input[] {
    return this.inputs;
  }

  /** The inputs as fields of an address. */
  protected override declared(): Field[] {
    return this.every.map((input) => ({
      key: input.key,
      kind: input.kind,
      default: written(this.initial[input.key] ?? ""),
      min: "min" in input ? input.min : 0,
      max: "max" in input ? input.max : 0,
      options: "options" in input ? input.options : [],
    }));
  }

  protected override choices(): TemplateResult {
    return html`<div class="settings">${form(this.inputs, this.values, labels, (key: string, value: Value) => this.change(key, value), this.localName)}</div>`;
  }

  protected get tracks(): readonly Track[] {
    return this.runner.tracks;
  }

  /** Whether what is shown is, or will be, all that was asked for: not so once it was stopped. */
  protected get whole(): boolean {
    return this.runner.phase !== "stopped" || this.tracks.every(over);
  }

  protected override get progress(): { readonly over: number; readonly of: number } {
    return { over: this.tracks.filter(over).length, of: this.tracks.length };
  }

  protected override get troubles(): readonly EngineError[] {
    return this.tracks.flatMap(({ error }) => (error && !this.expects(error) ? [error] : []));
  }

  protected override get tracked(): readonly Track[] {
    return this.tracks;
  }

  protected override planning(): Promise<readonly Job[]> {
    return this.jobs();
  }

  /** Whether an error of a run is a result that the panel shows itself. */
  protected expects(_error: EngineError): boolean {
    return false;
  }

  protected override async begin(values: V): Promise<void> {
    const jobs = await this.jobs();
    Object.assign(this, { asking: false, ran: values });
    await this.runner.start(jobs);
  }
}

/** Formulas, each a line of its own, which a reader can scroll where the page is narrow. */
export function formulary(...lines: readonly TemplateResult[]): TemplateResult {
  return html`<div class="formulas" tabindex="0" role="group" aria-label=${strings.formulas}>${lines}</div>`;
}

/** The settings of a run: the defaults with some of them changed. Algorithm 1, whose loss may rise, is not stopped for that. */
export function settings(change: Partial<Spec>): Spec {
  const defaults = parse("").spec;
  const tolerance = change.solver && drawnOnly.includes(change.solver) ? 0 : defaults.tolerance;
  return { ...defaults, tolerance, ...change };
}

/** The bounds of an input of a setting, its own where none are given. */
export function bounds(key: keyof Spec, min?: number, max?: number): { key: string; kind: "int" | "float"; min: number; max: number } {
  const field = fields.find((f) => f.key === key);
  if (field?.kind !== "int" && field?.kind !== "float") throw new RangeError(`no number is called ${key}`);
  return { key, kind: field.kind, min: min ?? field.min, max: max ?? field.max };
}

/** Training rows from their number in units of d·k, held to what a design may hold. */
export function rowsOf(ratio: number, d: number, k: number, test: number): number {
  return Math.min(Math.max(10, Math.round(ratio * d * k)), 1e6, Math.floor(limits.cells / d) - test);
}

/** Whether those are other rows than asked for. */
export function held(ratio: number, d: number, k: number, test: number): boolean {
  return rowsOf(ratio, d, k, test) !== Math.round(ratio * d * k);
}

export function choice(key: string, options: readonly string[]): Input {
  return { key, kind: "choice", options };
}
