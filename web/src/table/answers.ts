// A decision about the cells of a column, with a press for each way to take it.
import { html, nothing, type TemplateResult } from "lit";
import type { Column, Decision } from "../engine/protocol.js";
import { holds, withAnswer } from "../file/doubts.js";
import type { Spec } from "../state/spec.js";
import { decisions as strings } from "./strings.js";

export function answersTo(column: Column, decision: Decision, spec: Spec, tell: (change: Partial<Spec>) => void): TemplateResult {
  const { text, ask, answers } = decision;
  return html`<div class="decision ${ask ? "ask" : ""}" data-decision=${decision.what}>
    <p>${ask ? html`<b class="tag">${strings.ask}</b> ` : nothing}${strings.text(text)}</p>
    ${answers.length === 0
      ? nothing
      : html`<div class="answers" role="group" aria-label=${strings.answers(column.name, text)}>
          ${answers.map((answer) => {
            const now = holds(spec, decision, answer);
            return html`<button aria-pressed=${ask ? nothing : String(now)} @click=${() => (ask || !now) && tell(withAnswer(spec, decision, answer))}>${answer.label}${ask && now ? html` <small>${strings.now}</small>` : nothing}</button>`;
          })}
        </div>`}
  </div>`;
}
