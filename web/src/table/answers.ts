// A note about the cells of a column, with a press for each way to take it.
import { html, nothing, type TemplateResult } from "lit";
import type { Column, Note } from "../engine/protocol.js";
import { holds, withAnswer } from "../file/doubts.js";
import type { Spec } from "../state/spec.js";
import { decisions as strings } from "./strings.js";

export function answersTo(column: Column, note: Note, spec: Spec, tell: (change: Partial<Spec>) => void): TemplateResult {
  const { text, ask, answers } = note;
  return html`<div class="decision ${ask ? "ask" : ""}" data-decision=${note.topic}>
    <p>${ask ? html`<b class="tag">${strings.ask}</b> ` : nothing}${strings.text(text)}</p>
    ${answers.length === 0
      ? nothing
      : html`<div class="answers" role="group" aria-label=${strings.answers(column.name, text)}>
          ${answers.map((answer) => {
            const now = holds(spec, note, answer);
            return html`<button aria-pressed=${ask ? nothing : String(now)} @click=${() => (ask || !now) && tell(withAnswer(spec, note, answer))}>${answer.label}${ask && now ? html` <small>${strings.now}</small>` : nothing}</button>`;
          })}
        </div>`}
  </div>`;
}
