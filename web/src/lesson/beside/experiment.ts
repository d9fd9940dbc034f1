import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { after } from "../../engine/pending.js";
import type { Pool } from "../../engine/pool.js";
import type { EngineError } from "../../engine/protocol.js";
import type { About } from "../../panel/about.js";
import { Panel, sentence } from "../../panel/panel.js";
import { problem } from "../../panel/problem.js";
import type { Chapter } from "../../state/view.js";
import type { Phrase } from "../../text/phrase.js";
import { Remaining } from "../chapter/remaining.js";
import { over, Runner, shareOf, type Job, type Phase, type Track } from "../chapter/runner.js";
import { chapter as words } from "../chapter/strings.js";
import { experiment as strings } from "./strings.js";

const REDRAW = 100; // ms between two redraws at the least

/** What an experiment shows of its runs, or of none yet. */
export interface Shown {
  readonly title: string;
  readonly lead: readonly string[];
  readonly cost: string; // what a run will take
  readonly choice: TemplateResult | typeof nothing; // what there is to switch
  readonly body: TemplateResult; // picture and table
  readonly says: Phrase; // of what is shown; empty before
  readonly live: string; // how its numbers were made
}

/** A second experiment in a chapter: a picture with runs of its own, started beside it, under the chapter's settings. */
export abstract class Experiment<V extends { readonly seed: number }> extends Panel {
  @property({ attribute: false }) accessor pool!: Pool;
  @property({ attribute: false }) accessor values!: V; // those of the chapter's settings that it runs under
  @property() accessor own!: string; // all of the chapter's settings, as an address has them
  @property({ type: Boolean }) accessor framed!: boolean; // in a page of somebody else's

  protected ran: V | null = null; // the settings of what is shown
  protected phase: Phase = "idle";

  private made: Runner | undefined;
  private failed: EngineError | null = null;
  private behind = 0; // runs of the rounds that are over
  private total = 0; // runs in all
  private began = 0; // ms
  private readonly remaining = new Remaining();
  private drawn = 0;
  private redraw: (() => void) | undefined;

  protected abstract readonly chapter: Chapter;
  protected abstract readonly name: string; // of the experiment within its chapter

  protected abstract shown(): Shown;

  /** How many runs it takes. */
  protected abstract get runs(): number;

  /** Does them, round by round, and keeps what they say; ends early where a round gives null. */
  protected abstract measure(values: V): Promise<void>;

  /** Whether an error is a result. */
  protected expects(_error: EngineError): boolean {
    return false;
  }

  private get runner(): Runner {
    this.made ??= new Runner(this.pool, this.invalidate);
    return this.made;
  }

  /** Whether nobody has stopped it. */
  private going(): boolean {
    return this.phase === "running";
  }

  /** Runs a round of jobs; null where it was stopped, or one failed in a way that is no result. */
  protected async round(jobs: readonly Job[]): Promise<readonly Track[] | null> {
    if (!this.going()) return null;
    await this.runner.start(jobs);
    if (!this.going()) return null;
    const { tracks } = this.runner;
    this.behind += jobs.length;
    this.failed = tracks.find(({ error }) => error !== null && !this.expects(error))?.error ?? null;
    return this.failed ? null : tracks;
  }

  protected async start(): Promise<void> {
    if (this.phase === "running") return;
    Object.assign(this, { phase: "running", failed: null, behind: 0, total: this.runs, began: performance.now() });
    this.remaining.reset();
    this.requestUpdate();
    await this.measure(this.values);
    if (this.going()) this.phase = this.failed ? "stopped" : "done";
    this.requestUpdate();
  }

  private stop(): void {
    if (this.phase !== "running") return;
    this.phase = "stopped";
    this.made?.stop();
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  protected override render(): TemplateResult {
    const { title, lead, choice, body, says, live } = this.shown();
    const going = this.phase === "running";
    const id = `${this.chapter}-${this.name}`;
    return html`<section class="experiment" data-phase=${this.phase} aria-labelledby=${id}>
      <h4 id=${id} aria-level=${this.framed ? 2 : nothing}>${title}</h4>
      ${lead.map((paragraph) => html`<p class="about">${paragraph}</p>`)} ${choice}
      <div class="go">
        <button class="measure" aria-disabled=${going} aria-label=${strings.of(this.ran ? words.again : words.run, title)} @click=${() => void this.start()}>${this.ran ? words.again : words.run}</button>
        <button class="halt" aria-disabled=${!going} aria-label=${strings.of(words.stop, title)} @click=${() => this.stop()}>${words.stop}</button>
        <p class="takes">${this.status()}</p>
      </div>
      ${this.failed ? html`<div class="error" role="alert"><p>${problem(this.failed)}</p></div>` : nothing} ${body}
      <p class="found" role="status">${says.length > 0 ? sentence(says) : strings.silent}</p>
      <p class="made">${this.ran ? words.live(live) : words.idle}</p>
    </section>`;
  }

  private status(): TemplateResult | string {
    const { cost } = this.shown();
    const { phase, total } = this;
    if (phase === "running") {
      const { tracks = [], phase: round } = this.made ?? {};
      const share = (this.behind + (round === "running" ? shareOf(tracks) * tracks.length : 0)) / total;
      const done = Math.min(total, this.behind + (this.made?.phase === "running" ? this.made.tracks.filter(over).length : 0));
      return html`<label><progress max=${total} .value=${done}></progress> <span class="num">${words.progress(done, total)}${words.left(this.remaining.left((performance.now() - this.began) / 1000, share), false)}</span></label>`;
    }
    if (phase === "stopped") return strings.stopped;
    return this.ran && JSON.stringify(this.ran) !== JSON.stringify(this.values) ? words.stale(cost) : cost;
  }

  /** For what is saved of it. */
  override get about(): About | undefined {
    const { ran, own } = this;
    return ran ? { name: `${this.chapter}-${this.name}`, says: words.live(this.shown().live), seed: ran.seed, chapter: this.chapter, query: own, unit: "" } : undefined;
  }

  /** Redraws soon, at most ten times a second. */
  private readonly invalidate = (): void => {
    this.redraw ??= after(Math.max(0, this.drawn + REDRAW - performance.now()), () => {
      this.redraw = undefined;
      this.drawn = performance.now();
      this.requestUpdate();
    });
  };
}
