import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { answerOf } from "../../engine/calls.js";
import { cancelled, EngineFailure } from "../../engine/engine.js";
import type { OpenedSky, Pool } from "../../engine/pool.js";
import type { EngineError, Tuned } from "../../engine/protocol.js";
import { Panel } from "../../panel/panel.js";
import { problem } from "../../panel/problem.js";
import { count } from "../../text/format.js";
import { counted } from "../../text/strings.js";
import type { Change } from "./file.js";
import { read, type Ionosphere } from "./settings.js";
import { Surveyed } from "./surveyed.js";
import { isError, isUsable } from "./windows.js";

const words = {
  about: "These values suit the simulator. You can tune them on the first third of your file: of its days, or of its windows if there are fewer than three days. That part is then not used for testing.",
  simulated: "You can tune them again, on the five days before the test days and for the stations that are left out.",
  own: "They have been tuned in this way.",
  start: "Tune on the first part",
  stop: "Stop",
  given: "Undo tuning and test on all data",
  stopped: "Stopped: nothing has changed.",
  progress: (over: number, of: number) => `${count(over)} of ${counted(of, "window")}`,
  done: (windows: number) => `Tuned on ${counted(windows, "window")}. Press Run.`,
};

/** Chooses penalties and ranks on the first part of the data, which is then not tested on. */
class Tuning extends Panel {
  @property({ attribute: false }) accessor pool!: Pool;
  @property({ attribute: false }) accessor settings!: Ionosphere;
  @property({ attribute: false }) accessor opened: OpenedSky | null = null;
  @state() private accessor over = 0;
  @state() private accessor of = 0; // 0 where it does not run
  @state() private accessor failed: EngineError | null = null;
  @state() private accessor note = "";
  private ending: AbortController | null = null; // of what runs

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.ending?.abort();
  }

  protected override render(): TemplateResult {
    const { of, over, failed, note, settings: { sky, tune } } = this;
    const isOwn = tune === "own";
    return html`<div class="tuning">
      <p class="note">${sky === "simulated" ? words.simulated : words.about} ${isOwn ? words.own : ""}</p>
      ${of > 0
        ? html`<label><progress max=${of} .value=${over}></progress> <span class="num">${words.progress(over, of)}</span></label> <button data-tune="stop" @click=${this.stop}>${words.stop}</button>`
        : html`<button data-tune="start" @click=${() => void this.start()}>${words.start}</button> ${isOwn ? html`<button data-tune="given" @click=${() => this.end("", { tune: "given" })}>${words.given}</button>` : nothing}`}
      <p class="note" role="status">${note}</p>
      ${failed ? html`<div class="error" role="alert"><p>${problem(failed)}</p></div>` : nothing}
    </div>`;
  }

  private readonly stop = (): void => {
    this.ending?.abort();
    this.end(words.stopped);
  };

  private async start(): Promise<void> {
    const ending = (this.ending = new AbortController());
    const { settings, opened, pool } = this;
    const surveyed = new Surveyed(pool, { ...settings, tune: "own" }, opened);
    Object.assign(this, { over: 0, of: 1, failed: null, note: "" });
    const { result, error } = await answerOf(this.choose(surveyed, ending));
    surveyed.close();
    if (this.ending !== ending) return; // it was stopped
    this.failed = error;
    if (result) this.end(words.done(result.windows), { ...read(result.query), station: settings.station });
    else this.end("");
  }

  /** The settings with what is best, and on how many windows it was chosen. */
  private async choose(surveyed: Surveyed, ending: AbortController): Promise<{ readonly query: string; readonly windows: number }> {
    const { tunings } = await surveyed.open();
    if (this.ending === ending) this.of = tunings;
    const all: (Tuned | EngineError)[] = [];
    await surveyed.each([...Array(tunings).keys()], {
      signal: ending.signal,
      ask: (engine, survey, at) => engine.call("tune", { survey, window: at }),
      take: (at, answer) => {
        all[at] = answer;
        this.over++;
        if (isError(answer)) ending.abort();
      },
    });
    const [failed = ending.signal.aborted ? cancelled() : undefined] = all.filter(isError); // filter passes over windows that a stop left out
    if (failed) throw new EngineFailure(failed);
    const used = all.filter(isUsable) as Tuned[];
    const { query } = await surveyed.ask((engine, { survey }) => engine.call("choose", { survey, sums: Float64Array.from(total(used)) }));
    return { query, windows: used.length };
  }

  private end(note: string, settings?: Partial<Ionosphere>): void {
    Object.assign(this, { ending: null, of: 0, note });
    if (settings) this.dispatchEvent(new CustomEvent<Change>("sky-change", { detail: { settings } }));
  }
}

/** The sums of squares over windows, in the survey's order: their bits do not depend on which came first. */
function total([first, ...rest]: readonly Tuned[]): number[] {
  return rest.reduce((sums, { squares }) => sums.map((sum, i) => sum + (squares[i] ?? Number.NaN)), Array.from(first?.squares ?? []));
}

customElements.define("ifm-tuning", Tuning);
