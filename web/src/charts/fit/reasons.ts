// What single predictions are made of, as tables with bars.
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { EngineError, Explained, Explanation as Sum } from "../../engine/protocol.js";
import { Panel, prop } from "../../panel/panel.js";
import { problem } from "../../panel/problem.js";
import { decimals, number } from "../../text/format.js";
import { short } from "../../text/strings.js";
import { answers, type Changes, type Explanation, type Question } from "./explanations.js";
import { reasons as strings, whatIf } from "./strings.js";
import { cells } from "./whatif.js";

const CELLS = 12; // shown, until the reader asks for all

/** What a line of the table tells. */
interface Part {
  readonly name: string;
  readonly cells: string;
  readonly value: number;
  readonly before: number; // before cells were changed
}

/** Why a model predicts what it does for one row: what each column and each pair adds to the average prediction of the training rows; and what if cells were others. */
class ReasonPanel extends Panel {
  @prop accessor asked!: Question;
  @prop accessor answered: Explanation | null = null; // the last, perhaps to an earlier question
  @prop accessor ask!: (question: Question) => void;
  @property({ type: Number }) accessor actual = Number.NaN; // of the row
  @property() accessor target = "";
  @prop accessor names: readonly string[] | null = null; // of classes
  @state() private accessor isOpen = false; // cells are changed
  @state() private accessor all = false; // columns are shown

  protected override willUpdate(changed: PropertyValues<ReasonPanel>): void {
    if (changed.has("asked") && !changed.get("asked")) this.isOpen = this.asked.line === 0;
  }

  /** Takes the reader who came by keyboard here. */
  override focus(): void {
    this.querySelector<HTMLElement>("section")?.focus();
  }

  protected override render(): TemplateResult {
    const { asked, answered } = this;
    const now = answered ?? asked;
    const found = answered?.found ?? null;
    const explained = found && !("kind" in found) ? found : null;
    return html`<section class="reasons" tabindex="-1" aria-labelledby="reasons" aria-busy=${String(!answered || !answers(answered, asked))} data-line=${now.line} data-model=${now.model}>
      <div class="head">
        <h3 id="reasons">${strings.title(short[now.model], now.line)}</h3>
        <button class="bare" title=${strings.closeHelp} @click=${() => this.dispatchEvent(new CustomEvent("ifm-close"))}>${strings.close}</button>
      </div>
      <p class="first note" role="status">${found === null ? strings.soon : explained ? this.says(explained) : problem(found as EngineError)}</p>
      ${explained ? html`${this.whatIf(explained)} ${this.table(explained)}` : nothing}
    </section>`;
  }

  private whatIf({ inputs }: Explained): TemplateResult | typeof nothing {
    const { asked } = this;
    if (inputs.length === 0) return nothing;
    const shown = this.all ? inputs : inputs.slice(0, CELLS);
    const change = (changes: Changes): void => this.ask({ ...asked, changes });
    return html`<details class="what-if" ?open=${this.isOpen} @toggle=${(e: Event) => (this.isOpen = (e.target as HTMLDetailsElement).open)}>
      <summary>${whatIf.title}</summary>
      ${this.isOpen ? cells({ inputs: shown, changes: asked.changes, isAverage: asked.line === 0, change }) : nothing}
      ${shown.length < inputs.length ? html`<p><button @click=${() => (this.all = true)}>${whatIf.more(inputs.length)}</button></p>` : nothing}
    </details>`;
  }

  private says({ before, after }: Explained): string {
    const { names, actual } = this;
    const { raw, quantity, predicted, class: told, low, high, level } = after;
    const learnt = quantity === this.target ? "" : `${quantity}: ${number(predicted, 4)}`;
    const was = before.raw === raw ? "" : strings.was(number(before.raw, 4));
    const truth = Number.isNaN(actual) ? "" : strings.actual(names ? (names[actual] ?? "–") : number(actual, 4));
    const interval = level > 0 ? strings.interval(level, number(low, 4), number(high, 4)) : "";
    return [names ? strings.probability(names[told] ?? "", number(raw, 4), learnt, was) : strings.says(number(raw, 4), learnt, was), interval, truth].filter(Boolean).join(" ");
  }

  private table({ before, after }: Explained): TemplateResult {
    const both = this.isOpen;
    const parts = partsOf(before.cells, after);
    const most = Math.max(...parts.map(({ value, before }) => Math.max(Math.abs(value), Math.abs(before))), Math.abs(after.rest), Math.abs(after.restBefore)) || 1;
    const tell = decimals(Math.max(most, Math.abs(after.predicted) / 10));
    const end = (part: string, name: string, was: number, value: number, say = tell): TemplateResult => html`<tr data-part=${part} data-value=${value} data-before=${was}>
      <th scope="row">${name}</th>
      <td class="bars"></td>
      ${both ? html`<td>${say(was)}</td>` : nothing}
      <td>${say(value)}</td>
    </tr>`;
    const own = (value: number): string => number(value, 4);
    const { names } = this;
    const isAverage = this.asked.line === 0;
    return html`<table class="numbers ${both ? "both" : ""}">
        ${heads(both ? { ...strings.columns, adds: isAverage ? whatIf.average.before : whatIf.file.before, after: whatIf.after } : strings.columns)}
        <tbody>
          ${end("base", after.average ? strings.average : strings.meanRow, before.base, after.base)}
          ${parts.map((part) => this.line(part, most, tell))}
          ${after.others > 0 ? this.line({ name: strings.others(after.others), cells: "", value: after.rest, before: after.restBefore }, most, tell) : nothing}
        </tbody>
        <tfoot>
          ${end("predicted", strings.predicted, before.predicted, after.predicted)}
          ${after.quantity !== this.target && after.probabilities.length === 0 ? end("raw", names ? strings.probabilityOf(names[1] ?? "") : this.target, before.raw, after.raw, own) : nothing}
          ${names ? Array.from(after.probabilities, (value, i) => end(`P(${names[i]})`, strings.probabilityOf(names[i] ?? ""), before.probabilities[i] ?? Number.NaN, value, own)) : nothing}
          ${both && after.level > 0 ? html`${end("low", strings.lower(after.level), before.low, after.low, own)} ${end("high", strings.upper, before.high, after.high, own)}` : nothing}
        </tfoot>
      </table>
      <details><summary>${strings.how}</summary><p class="note">${strings.note(after.quantity, after.average)}</p></details>`;
  }

  private line({ name, cells, value, before }: Part, most: number, tell: (value: number) => string): TemplateResult {
    const told = (value: number): string => (value > 0 && /[1-9]/.test(tell(value)) ? `+${tell(value)}` : tell(value));
    return html`<tr data-part=${name} data-value=${value} data-before=${before}>
      <th scope="row"><span title=${name}>${name}</span><small title=${cells}>${cells}</small></th>
      ${bar(value, most, before)}
      ${this.isOpen ? html`<td>${told(before)}</td>` : nothing}
      <td>${told(value)}</td>
    </tr>`;
  }
}

function partsOf(before: readonly string[], { columns, cells, terms }: Sum): Part[] {
  const cell = (at: number): string => {
    const [was, is] = [before[at] || strings.missing, cells[at] || strings.missing];
    return was === is ? is : whatIf.change(was, is);
  };
  return terms.map(({ first: a, second: b, ...own }) => (b < 0 ? { name: columns[a] ?? "", cells: cell(a), ...own } : { name: strings.pair(columns[a] ?? "", columns[b] ?? ""), cells: strings.both(cell(a), cell(b)), ...own }));
}

/** The heads of a table with bars; theirs is only read aloud. */
function heads(columns: Readonly<Record<string, string>>): TemplateResult {
  return html`<thead>
    <tr>${Object.entries(columns).map(([key, text]) => (key === "bar" ? html`<th scope="col" class="bars"><span class="seen-not">${text}</span></th>` : html`<th scope="col">${text}</th>`))}</tr>
  </thead>`;
}

/** A bar from the middle of its cell, which the largest value fills on its side; a stroke is where it ended before. */
function bar(value: number, most: number, before = value): TemplateResult {
  return html`<td class="bars" aria-hidden="true"><span class="bar ${value < 0 ? "negative" : "positive"}" style="width:${(50 * Math.abs(value)) / most}%;${value < 0 ? "right" : "left"}:50%"></span>${before === value ? nothing : html`<span class="was" style="left:${50 + (50 * before) / most}%"></span>`}</td>`;
}

customElements.define("ifm-reasons", ReasonPanel);
