import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { Round } from "../../engine/calls.js";
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
  private round: Round | null = null;

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
    if (!this.round) return;
    this.round.end();
    Object.assign(this, { round: null, of: 0, note: words.stopped });
  };

  private readonly undo = (): void => {
    this.note = "";
    this.change({ tune: "given" });
  };

  private async start(): Promise<void> {
    const round = new Round();
    const { settings, opened } = this;
    const surveyed = new Surveyed(this.pool, { ...settings, tune: "own" }, opened);
    Object.assign(this, { round, over: 0, of: 1, failed: null, note: "" });
    try {
      const survey = await surveyed.open();
      if (round.over) return;
      this.of = survey.tunings;
      const found: (Tuned | null)[] = Array.from({ length: survey.tunings }, () => null);
      await round.each(
        found.map((_, i) => i),
        surveyed.spread,
        () => surveyed.lease(),
        async (at, lease) => {
          const here = await round.ask(lease, (engine) => surveyed.on(engine));
          found[at] = await round.ask(lease, (engine) => engine.tune(here.survey, at));
          this.over++;
        },
        (_, error) => {
          this.failed = error;
          round.end();
        },
      );
      if (round.over) return;
      const sums = total(found);
      const { query } = await surveyed.ask((engine, here) => engine.choose(here.survey, sums));
      if (round.over) return;
      this.note = words.done(found.filter((tuned) => tuned && tuned.unusable === "").length);
      this.change({ ...read(query), station: settings.station });
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      if (!round.over) this.failed = reason.detail;
    } finally {
      surveyed.close();
      if (this.round === round) Object.assign(this, { round: null, of: 0 });
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
