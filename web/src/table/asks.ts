import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { Table } from "../engine/protocol.js";
import { asksOf, waitsFor } from "../file/doubts.js";
import type { Loaded } from "../file/loaded.js";
import { rolesOf, withRole } from "../file/roles.js";
import { Panel } from "../panel/panel.js";
import type { Spec } from "../state/spec.js";
import { decided } from "./answers.js";
import { others } from "./target.js";
import { asks as strings } from "./strings.js";

const SHOWN = 12; // questions about cells at once
const PRESSES = 3; // other targets that a press chooses

/** What the page wants to know before it trains: the target, where it was guessed, and how cells are to be read. */
class Asks extends Panel {
  @property({ attribute: false }) accessor spec!: Spec;
  @property({ attribute: false }) accessor loaded!: Loaded;

  private held: { readonly question: Element; readonly at: number } | null = null; // with the focus in it, before what has changed is drawn

  protected override willUpdate(): void {
    const question = document.activeElement?.closest(".question") ?? null;
    const at = question ? [...this.querySelectorAll(".question")].indexOf(question) : -1;
    this.held = question && at >= 0 ? { question, at } : null;
  }

  /** Whoever answers goes on with the next question, or, after the last one, with the columns: an answer is no press on what comes next. */
  protected override updated(): void {
    if (!this.held || this.held.question.isConnected) return;
    const left = this.querySelectorAll<HTMLElement>(".question");
    const next = left[Math.min(this.held.at, left.length - 1)] ?? this.parentElement?.querySelector<HTMLElement>("#roles");
    next?.focus();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { table } = this.loaded;
    const waits = waitsFor(this.loaded);
    const { plan, planError } = this.loaded;
    if (!table || (waits === "target" && !plan && !planError)) return nothing; // the plan may be sure of the target
    if (waits === "nothing" && planError?.kind !== "TargetError") return nothing;
    const asked = asksOf(table);
    return html`<section class="asked" id="asked" tabindex="-1" aria-labelledby="asked-title" data-waits=${waits}>
      <h3 id="asked-title">${strings.title}</h3>
      <p class="note">${strings.lead(table.asks, waits)}</p>
      ${repeat(
        asked.slice(0, SHOWN),
        ({ column, decision }) => `${decision.what} ${column.name}`,
        ({ column, decision }) => html`<div class="question" data-asks=${column.name} role="group" aria-label=${strings.of(column.name)} tabindex="-1"><h4>${strings.of(column.name)}</h4>${decided(column, decision, this.spec, (change) => this.tell("ifm-spec", change))}</div>`,
      )}
      ${asked.length > SHOWN ? html`<p class="note">${strings.more(asked.length - SHOWN)}</p>` : nothing}
      ${this.target(table)}
    </section>`;
  }

  private target(table: Table): TemplateResult | typeof nothing {
    const { guess, planError } = this.loaded;
    const { spec } = this;
    const failed = planError?.kind === "TargetError";
    if (!failed && (!guess || guess.sure)) return nothing;
    const roles = rolesOf(table, spec, this.loaded);
    const current = table.columns[roles.indexOf("target")];
    const other = others(table, current);
    const name = current?.name ?? "";
    const take = (column: string): void => this.tell("ifm-train", withRole(table, spec, roles, table.columns.findIndex((c) => c.name === column), "target", this.loaded.plan));
    return html`<div class="question" data-asks="target" role="group" aria-label=${failed ? strings.another : strings.target(name)} tabindex="-1">
      <h4>${failed ? strings.another : strings.target(name)}</h4>
      <p>${failed ? planError.message : current?.name === guess?.target && current ? strings.because(current.reason) : strings.chosen}</p>
      <div class="answers" role="group" aria-label=${failed ? strings.another : strings.target(name)}>
        ${failed ? nothing : html`<button class="primary" @click=${() => take(name)}>${table.asks > 0 ? strings.yes : strings.yesTrain}</button>`}
        ${other.slice(0, PRESSES).map((column) => html`<button @click=${() => take(column)}>${strings.instead(column)}</button>`)}
        ${other.length > PRESSES ? html`<ifm-target .label=${strings.others} .names=${other.slice(PRESSES)} .take=${take}></ifm-target>` : nothing}
      </div>
    </div>`;
  }
}

customElements.define("ifm-asks", Asks);
