import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { Note, Table } from "../engine/protocol.js";
import { waitsFor, type Loaded } from "../file/loaded.js";
import { Panel, prop } from "../panel/panel.js";
import type { Spec } from "../state/spec.js";
import { asksOf, holds, targetOf, withAnswer, withTarget } from "./roles.js";
import { others } from "./target.js";
import { asks as strings, decisions } from "./strings.js";

const SHOWN = 12; // questions about cells at once
const PRESSES = 4; // other targets that a press chooses

/** The questions before training: the target, where it was guessed or the reader wants another, and how cells are to be read. */
class Asks extends Panel {
  @prop accessor spec!: Spec;
  @prop accessor loaded!: Loaded;
  @property({ type: Boolean }) accessor changing = false; // the reader asks for another target

  private focused: { readonly question: Element; readonly at: number } | null = null; // before what has changed is drawn

  protected override willUpdate(): void {
    const question = document.activeElement?.closest(".question") ?? null;
    const at = question ? [...this.querySelectorAll(".question")].indexOf(question) : -1;
    this.focused = question && at >= 0 ? { question, at } : null;
  }

  /** The focus goes on to the next question, or after the last one to the line about the table. */
  protected override updated(): void {
    if (!this.focused || this.focused.question.isConnected) return;
    const left = this.querySelectorAll<HTMLElement>(".question");
    const next = left[Math.min(this.focused.at, left.length - 1)] ?? document.querySelector<HTMLElement>("#file");
    next?.focus();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { table, plan, planError } = this.loaded;
    const waits = waitsFor(this.loaded);
    const isFailed = planError?.kind === "TargetError";
    if (!table || (!this.changing && !isFailed && (waits === "nothing" || (waits === "target" && !plan && !planError)))) return nothing; // the plan may be sure of the target
    const asked = asksOf(table);
    const question = (name: string, title: string, answers: TemplateResult): TemplateResult => html`<div class="question" data-asks=${name} role="group" aria-label=${title} tabindex="-1"><h2>${title}</h2>${answers}</div>`;
    return html`<section class="asked" id="asked" tabindex="-1" aria-label=${strings.title} data-waits=${waits}>
      ${table.asks > 0 ? html`<p class="note">${strings.lead(table.asks)}</p>` : nothing}
      ${repeat(
        asked.slice(0, SHOWN),
        ({ name, note }) => `${note.topic} ${name}`,
        ({ name, note }) => question(name, strings.of(name), answersTo(name, note, this.spec, (change) => this.tell("ifm-spec", change))),
      )}
      ${asked.length > SHOWN ? html`<p class="note">${strings.more(asked.length - SHOWN)}</p>` : nothing}
      ${this.target(table, question)}
    </section>`;
  }

  private target(table: Table, question: (name: string, title: string, answers: TemplateResult) => TemplateResult): TemplateResult | typeof nothing {
    const { spec, loaded, changing } = this;
    const { guess, planError } = loaded;
    const failed = planError?.kind === "TargetError" ? planError.message : null;
    const isGuessed = failed === null && guess !== null && !guess.sure;
    if (failed === null && !isGuessed && !changing) return nothing;
    const current = targetOf(table, spec, loaded);
    const name = current?.name ?? "";
    const other = others(table, current);
    const title = isGuessed ? strings.target(name) : failed === null ? strings.change : strings.another;
    const take = (column: string): void => this.tell("ifm-train", withTarget(table, spec, loaded, column));
    const says = failed ?? (!isGuessed ? null : current && name === guess.target ? strings.because(current.reason) : strings.chosen);
    return question("target", title, html`${says === null ? nothing : html`<p>${says}</p>`}
      <div class="answers" role="group" aria-label=${title}>
        ${isGuessed ? html`<button class="primary" @click=${() => take(name)}>${table.asks > 0 ? strings.yes : strings.yesTrain}</button>` : nothing}
        ${other.slice(0, PRESSES).map((column) => html`<button @click=${() => take(column)}>${strings.instead(column)}</button>`)}
        ${other.length > PRESSES ? html`<ifm-target .label=${strings.others} .names=${other.slice(PRESSES)} .take=${take}></ifm-target>` : nothing}
      </div>`);
  }
}

customElements.define("ifm-asks", Asks);

/** A note about the cells of a column, or about rows where name is "", with a press for each way to take it. */
export function answersTo(name: string, note: Note, spec: Spec, tell: (change: Partial<Spec>) => void): TemplateResult {
  const { text, ask, answers } = note;
  return html`<div class="decision ${ask ? "ask" : ""}" data-decision=${note.topic}>
    <p>${ask ? html`<b class="tag">${decisions.ask}</b> ` : nothing}${decisions.text(text)}</p>
    ${answers.length === 0
      ? nothing
      : html`<div class="answers" role="group" aria-label=${decisions.answers(name, text)}>
          ${answers.map((answer) => {
            const now = holds(spec, note, answer);
            return html`<button aria-pressed=${ask ? nothing : String(now)} @click=${() => (ask || !now) && tell(withAnswer(spec, note, answer))}>${answer.label}${ask && now ? html` <small>${decisions.now}</small>` : nothing}</button>`;
          })}
        </div>`}
  </div>`;
}
