// What every element that starts runs shows of them while they are on.
import { html, nothing, type TemplateResult } from "lit";
import { paced } from "../../engine/pending.js";
import type { EngineError } from "../../engine/protocol.js";
import { Panel } from "../../panel/panel.js";
import { problem } from "../../panel/problem.js";
import { Remaining, type Progress } from "./remaining.js";
import { chapter as strings } from "./strings.js";

const REDRAW = 100; // ms between two redraws at the least
const ERRORS = 3; // different ones that are shown

/** A panel with runs of its own: their progress, the time left, their errors, and a picture that is not drawn for every record. */
export abstract class RunsPanel extends Panel {
  protected readonly remaining = new Remaining();
  protected readonly invalidate = paced(REDRAW, () => this.requestUpdate());

  protected progress({ over, of, share, seconds }: Progress, soFar = strings.progress(over, of), isPaused = false): TemplateResult {
    return html`<label><progress max=${of} .value=${over}></progress> <span class="num">${soFar}${strings.left(this.remaining.left(seconds, share), isPaused)}</span></label>`;
  }

  /** Each error once, with the number of runs that failed with it. */
  protected trouble(errors: readonly EngineError[]): TemplateResult | typeof nothing {
    const times = new Map<string, number>();
    for (const error of errors) times.set(problem(error), (times.get(problem(error)) ?? 0) + 1);
    if (times.size === 0) return nothing;
    const first = [...times].slice(0, ERRORS);
    return html`<div class="error" role="alert">${first.map(([message, n]) => html`<p>${message}${n > 1 ? strings.times(n) : ""}</p>`)}${times.size > ERRORS ? html`<p>${strings.others(times.size - ERRORS)}</p>` : nothing}</div>`;
  }
}
