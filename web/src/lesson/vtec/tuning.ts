import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { EngineFailure } from "../../engine/engine.js";
import type { OpenedSky, Pool } from "../../engine/pool.js";
import type { EngineError, Tuned } from "../../engine/protocol.js";
import { Panel } from "../../panel/panel.js";
import { problem } from "../../panel/problem.js";
import { count } from "../../text/format.js";
import { counted } from "../../text/strings.js";
import type { Change } from "./file.js";
import { read, type Ionosphere } from "./settings.js";
import { Surveyed } from "./surveyed.js";

const words = {
  about: "These are the simulator’s. They can be chosen anew on the first third of your file, of its days or, of fewer than three, of its windows; what was used for that is not tested on then.",
  simulated: "They can be chosen anew, on the five days before the test days and for the stations that are left out.",
  own: "They have been chosen so.",
  start: "Choose them on the first part",
  stop: "Stop",
  given: "Test on all of it again",
  stopped: "Stopped: nothing has changed.",
  progress: (over: number, of: number) => `${count(over)} of ${counted(of, "window")}`,
  done: (windows: number) => `Chosen on ${counted(windows, "window")}. Press Run.`,
};

/** Chooses penalties and ranks on the first part of what the experiment runs on, which is not tested on then. */
class Tuning extends Panel {
  @property({ attribute: false }) accessor pool!: Pool;
  @property({ attribute: false }) accessor settings!: Ionosphere;
  @property({ attribute: false }) accessor opened: OpenedSky | null = null;
  @state() private accessor over = 0;
  @state() private accessor of = 0; // 0 where it does not run
  @state() private accessor failed: EngineError | null = null;
  @state() private accessor note = "";
  private ending: AbortController | null = null; // while it runs

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  protected override render(): TemplateResult {
    const { of, over, failed, note, settings } = this;
    const own = settings.tune === "own";
    return html`<div class="tuning">
      <p class="note">${settings.sky === "simulated" ? words.simulated : words.about} ${own ? words.own : ""}</p>
      ${of > 0
        ? html`<label><progress max=${of} .value=${over}></progress> <span class="num">${words.progress(over, of)}</span></label> <button data-tune="stop" @click=${this.stop}>${words.stop}</button>`
        : html`<button data-tune="start" @click=${() => void this.start()}>${words.start}</button> ${own ? html`<button data-tune="given" @click=${this.undo}>${words.given}</button>` : nothing}`}
      <p class="note" role="status">${note}</p>
      ${failed ? html`<div class="error" role="alert"><p>${problem(failed)}</p></div>` : nothing}
    </div>`;
  }

  private readonly stop = (): void => {
    if (!this.ending) return;
    this.ending.abort();
    Object.assign(this, { ending: null, of: 0, note: words.stopped });
  };

  private readonly undo = (): void => {
    this.note = "";
    this.change({ tune: "given" });
  };

  private async start(): Promise<void> {
    const ending = new AbortController();
    const { signal } = ending;
    const { settings, opened, pool } = this;
    const surveyed = new Surveyed(pool, { ...settings, tune: "own" }, opened);
    Object.assign(this, { ending, over: 0, of: 1, failed: null, note: "" });
    try {
      const { tunings } = await surveyed.open();
      if (signal.aborted) return;
      this.of = tunings;
      const results: (Tuned | null)[] = Array.from({ length: tunings }, () => null);
      await pool.each(opened, [...results.keys()], {
        signal,
        work: async (at, lease) => {
          const { survey } = await lease.ask((engine) => surveyed.on(engine));
          results[at] = await lease.ask((engine) => engine.tune(survey, at));
          this.over++;
        },
        failed: (_, error) => {
          this.failed = error;
          ending.abort();
        },
      });
      if (signal.aborted) return;
      const sums = total(results);
      const { query } = await surveyed.ask((engine, { survey }) => engine.choose(survey, sums));
      if (signal.aborted) return;
      this.note = words.done(results.filter((tuned) => tuned && tuned.unusable === "").length);
      this.change({ ...read(query), station: settings.station });
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      if (!signal.aborted) this.failed = reason.detail;
    } finally {
      surveyed.close();
      if (this.ending === ending) Object.assign(this, { ending: null, of: 0 });
    }
  }

  private change(settings: Partial<Ionosphere>): void {
    this.dispatchEvent(new CustomEvent<Change>("sky-change", { detail: { settings }, bubbles: true }));
  }
}

/** The sums of squares over all windows that can be used, in their order, so that their bits do not depend on who came first. */
function total(found: readonly (Tuned | null)[]): number[] {
  let sums: number[] = [];
  for (const tuned of found) {
    if (!tuned || tuned.unusable !== "") continue;
    sums = sums.length === 0 ? Array.from(tuned.squares) : sums.map((v, i) => v + (tuned.squares[i] ?? Number.NaN));
  }
  return sums;
}

customElements.define("ifm-tuning", Tuning);
