import { html, nothing, type TemplateResult } from "lit";
import { Panel, sentence } from "../panel.js";
import type { Phrase } from "../phrase.js";
import type { Pool } from "../pool.js";
import { problem } from "../problem.js";
import { EngineFailure } from "../engine.js";
import type { EngineError } from "../protocol.js";
import { fields, parse, type Spec } from "../spec.js";
import { limits } from "../spec.gen.js";
import type { View } from "../view.js";
import { form, type Input, type Value, type Values } from "../form.js";
import { over, Runner, type Job, type Track } from "./runner.js";
import { experiment as strings, labels } from "./strings.js";

const REDRAW = 100; // ms between two redraws at the least

/** What a panel says of itself. */
export interface Parts {
  readonly title: string;
  readonly lead: TemplateResult | string;
  readonly cost: string; // what a run will take
  readonly body: TemplateResult;
  readonly says: Phrase; // once the run is over
  readonly live: string; // how the numbers shown were made
  readonly more: TemplateResult | typeof nothing; // beside the buttons
}

/** An experiment of the paper: settings, a run that a button starts and another stops, and what came of it. */
export abstract class Experiment<V extends Values> extends Panel {
  static override properties = { pool: { attribute: false }, view: { attribute: false } };

  declare pool: Pool;
  declare view: View; // of the page: the links of a panel keep it

  protected abstract values: V;
  protected abstract readonly inputs: readonly Input[];
  protected ran: V | null = null; // the settings of what is shown

  private made: Runner | undefined;
  private failed: EngineError | null = null; // before a first run
  private asking = false; // what the runs are
  private drawn = 0;
  private redraw: ReturnType<typeof setTimeout> | undefined;

  protected get runner(): Runner {
    this.made ??= new Runner(this.pool, this.invalidate);
    return this.made;
  }

  /** The runs that the settings ask for. */
  protected abstract jobs(): Promise<readonly Job[]>;

  protected abstract parts(): Parts;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.runner.stop();
  }

  protected get tracks(): readonly Track[] {
    return this.runner.tracks;
  }

  /** Whether what is shown is, or will be, all that was asked for: not so once it was stopped. */
  protected get whole(): boolean {
    return this.runner.phase !== "stopped" || this.tracks.every(over);
  }

  protected override render(): TemplateResult {
    const { phase, tracks } = this.runner;
    const parts = this.parts();
    const ended = tracks.filter(over).length;
    const going = phase === "running";
    const shown = phase === "done" || phase === "stopped";
    const stale = shown && this.ran !== this.values;
    return html`<section class="experiment" data-phase=${phase}>
      <h3>${parts.title}</h3>
      <p class="about">${parts.lead}</p>
      <div class="go">
        <button class="main run" aria-disabled=${going || this.asking} @click=${() => void this.run()}>${tracks.length > 0 ? strings.again : strings.run}</button>
        <button class="stop" aria-disabled=${!going} @click=${() => this.runner.stop()}>${strings.stop}</button>
        ${parts.more}
        <p class="cost">
          ${going
            ? html`<label><progress max=${tracks.length} .value=${ended}></progress> <span class="num">${strings.progress(ended, tracks.length)}</span></label>`
            : stale
              ? strings.stale(parts.cost)
              : shown
                ? strings.over(ended, tracks.length, this.runner.seconds)
                : parts.cost}
        </p>
      </div>
      ${this.trouble()} ${parts.body}
      <p class="says" role="status">${shown ? sentence(parts.says) : ""}</p>
      <p class="live">${this.ran ? strings.live(parts.live) : strings.idle}</p>
      <details class="fold">
        <summary>${strings.settings}</summary>
        <div class="settings">${form(this.inputs, this.values, labels, (key, value) => this.change(key, value))}</div>
      </details>
    </section>`;
  }

  /** What no run could do without, and what single runs failed with, each once. */
  private trouble(): TemplateResult | typeof nothing {
    const errors = this.failed ? [this.failed] : this.tracks.flatMap((track) => (track.error && !this.expects(track.error) ? [track.error] : []));
    const told = new Map<string, number>();
    for (const error of errors) {
      const message = problem(error);
      told.set(message, (told.get(message) ?? 0) + 1);
    }
    if (told.size === 0) return nothing;
    const first = [...told].slice(0, 3);
    return html`<div class="error" role="alert">${first.map(([message, times]) => html`<p>${message}${times > 1 ? strings.times(times) : ""}</p>`)}${told.size > first.length ? html`<p>${strings.others(told.size - first.length)}</p>` : nothing}</div>`;
  }

  /** Whether an error of a run is a result that the panel shows itself. */
  protected expects(_error: EngineError): boolean {
    return false;
  }

  protected change(key: string, value: Value): void {
    this.values = { ...this.values, [key]: value };
    this.requestUpdate();
  }

  /** Starts, unless it is at work: the button stays able to hold the focus then, so it says so itself. */
  private async run(): Promise<void> {
    if (this.asking || this.runner.phase === "running") return;
    Object.assign(this, { failed: null, asking: true });
    this.requestUpdate();
    const values = this.values;
    try {
      const jobs = await this.jobs();
      this.asking = false;
      this.ran = values;
      await this.runner.start(jobs);
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      Object.assign(this, { failed: reason.detail, asking: false });
      this.requestUpdate();
    }
  }

  /** Redraws soon, at most ten times a second. */
  private readonly invalidate = (): void => {
    this.redraw ??= setTimeout(
      () => {
        this.redraw = undefined;
        this.drawn = performance.now();
        this.requestUpdate();
      },
      Math.max(0, this.drawn + REDRAW - performance.now()),
    );
  };
}

/** The settings of a run: the defaults with some of them changed. Algorithm 1, whose loss may rise, is not stopped for that. */
export function settings(change: Partial<Spec>): Spec {
  const defaults = parse("").spec;
  const tolerance = change.solver === "algorithm1" || change.solver === "printed" ? 0 : defaults.tolerance;
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
