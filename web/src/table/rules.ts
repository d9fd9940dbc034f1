import { html, nothing, type TemplateResult } from "lit";
import type { Plan } from "../engine/protocol.js";
import { planFor, type Loaded } from "../file/loaded.js";
import { options } from "../panel/inputs.js";
import { Panel, prop } from "../panel/panel.js";
import { encode, parse, type Spec } from "../state/spec.js";
import { isRule } from "./roles.js";
import type { Training } from "../training/training.js";
import { rules as strings } from "./strings.js";


const OPERATORS = ["=", "!=", "<", "<=", ">", ">="] as const;

/** The rules of the setting rows, as written there: \ stands before a semicolon or a \ inside one. */
function rulesOf(rows: string): string[] {
  return rows.match(/(?:\\.|[^;])+/gs) ?? [];
}

/** A rule as the setting rows has it. */
function ruleOf(column: string, operator: string, value: string): string {
  return `${column}:${operator}:${value.trim()}`.replace(/[\\;]/g, "\\$&");
}

/** A rule in words. */
function says(rule: string): string {
  const [, name = "", operator, value = ""] = /^(.*?):(!=|[<>]=?|=):(.*)$/s.exec(rule.replace(/\\(.)/gs, "$1")) ?? [];
  if (operator === undefined) return rule;
  return value === "" ? strings.missing(name, operator === "=") : `${name} ${strings.operators[operator as (typeof OPERATORS)[number]]} ${value}`;
}

/** Whether a note is of a rule, whose value it may cut. */
function isOf(note: string, rule: string): boolean {
  const cut = /^(.*) by the rule (.*)…$/s.exec(note);
  return cut ? rule.startsWith(cut[2] ?? "") : note.endsWith(` by the rule ${rule}`);
}

/** How many rows a rule leaves out, beside those of the rules before it. The plan notes what is not 0. */
function leftOutBy({ notes }: Pick<Plan, "notes">, rule: string): number {
  return notes.filter((note) => isRule(note) && isOf(note.text, says(rule))).reduce((sum, { cells }) => sum + cells, 0);
}

/** Rules that leave rows out: a list of them, and a form for one more. Before the first run they start nothing. */
class Rules extends Panel {
  @prop accessor spec!: Spec;
  @prop accessor loaded!: Loaded;
  @prop accessor training!: Training;
  private isOpen: boolean | undefined; // at first; the reader opens and closes it later

  protected override render(): TemplateResult | typeof nothing {
    const { table } = this.loaded;
    if (!table) return nothing;
    const plan = planFor(this.loaded, this.spec);
    const names = table.columns.filter(({ kind }) => kind !== "sparse").map(({ name }) => name);
    const rules = rulesOf(this.spec.rows);
    this.isOpen ??= rules.length > 0;
    return html`<details class="rules" ?open=${this.isOpen}>
      <summary>${strings.title(rules.length)}</summary>
      ${rules.length === 0 ? nothing : html`<ul aria-label=${strings.list}>${rules.map((rule, at) => html`<li class="row"><span>${says(rule)}</span> <small>${plan ? strings.out(leftOutBy(plan, rule)) : nothing}</small> <button aria-label=${strings.removeOf(says(rule))} @click=${() => this.drop(rules, at)}>${strings.remove}</button></li>`)}</ul>`}
      <form class="row" @submit=${this.add}>
        <select name="column" aria-label=${strings.column}>${options(names, names[0] ?? "", (name) => name)}</select>
        <select name="operator" aria-label=${strings.operator}>${options(OPERATORS, "=", (operator) => strings.operators[operator])}</select>
        <input name="value" aria-label=${strings.value} aria-describedby="rules-note" autocomplete="off" @input=${(e: Event) => (e.target as HTMLInputElement).setCustomValidity("")} />
        <button>${strings.add}</button>
      </form>
      <p class="note" id="rules-note">${strings.note}</p>
    </details>`;
  }

  private set(rules: readonly string[]): void {
    this.tell(this.training.phase === "idle" ? "ifm-spec" : "ifm-train", { rows: rules.join(";") });
  }

  private readonly add = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const [column, operator, value] = [...form.elements].slice(0, 3) as [HTMLSelectElement, HTMLSelectElement, HTMLInputElement];
    const rules = [...new Set([...rulesOf(this.spec.rows), ruleOf(column.value, operator.value, value.value)])];
    const rows = rules.join(";");
    if (parse(encode({ ...this.spec, rows })).spec.rows !== rows) {
      value.setCustomValidity(strings.long);
      value.reportValidity();
      return;
    }
    value.value = "";
    this.set(rules);
  };

  /** The button goes, so the focus returns to the form. */
  private drop(rules: readonly string[], at: number): void {
    this.querySelector("select")?.focus({ preventScroll: true });
    this.set(rules.filter((_, i) => i !== at));
  }
}

customElements.define("ifm-rules", Rules);
