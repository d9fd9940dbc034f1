// What single predictions and a model's matrix are made of, as tables with bars.
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Explained, Matrix, ModelFile } from "../../engine/protocol.js";
import { Panel, prop } from "../../panel/panel.js";
import { problem } from "../../panel/problem.js";
import { decimals, number, signed } from "../../text/format.js";
import { short } from "../../text/strings.js";
import { features, type Feature } from "../../training/model.js";
import type { Model } from "../../training/series.js";
import type { Reason } from "../../training/training.js";
import { largestPairs } from "../largest.js";
import { reasons as strings, strongest as words } from "./strings.js";

const PAIRS = 8;
const ROUNDING = 1e-9; // of the largest entry

/** What a line of the table tells. */
interface Part {
  readonly name: string;
  readonly cells: string;
  readonly value: number;
}

/** Why a model predicts what it does for one row: what each column and each pair adds to the average prediction of the training rows. */
class ReasonPanel extends Panel {
  @prop accessor reason!: Reason;
  @property({ type: Number }) accessor actual = Number.NaN; // of the row
  @property() accessor target = "";
  @prop accessor names: readonly string[] | null = null; // of classes

  private shown: Reason | null = null; // the last that was answered: it stays until the next is

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("reason") && this.reason.found) this.shown = this.reason;
  }

  /** Takes the reader who came by keyboard here. */
  override focus(): void {
    this.querySelector<HTMLElement>("section")?.focus();
  }

  protected override render(): TemplateResult {
    const { model, line, found } = this.shown ?? this.reason;
    const busy = !this.reason.found;
    return html`<section class="reasons" tabindex="-1" aria-labelledby="reasons" aria-busy=${String(busy)} data-line=${line} data-model=${model}>
      <div class="head">
        <h3 id="reasons">${strings.title(short[model], line)}</h3>
        <button class="bare" title=${strings.closeHelp} @click=${() => this.dispatchEvent(new CustomEvent("ifm-close"))}>${strings.close}</button>
      </div>
      <p class="first note" role="status">${found === null ? strings.soon : "kind" in found ? problem(found) : this.says(found)}</p>
      ${found && !("kind" in found) ? this.table(found) : nothing}
    </section>`;
  }

  private says({ raw, quantity, predicted, class: told }: Explained): string {
    const { names, actual } = this;
    const learnt = quantity === this.target ? "" : `${quantity}: ${number(predicted, 4)}`;
    return names ? strings.probability(names[told] ?? "", number(raw, 4), learnt, names[actual] ?? "–") : strings.says(number(raw, 4), learnt, number(actual, 4));
  }

  private table(found: Explained): TemplateResult {
    const parts = partsOf(found);
    const most = Math.max(...parts.map(({ value }) => Math.abs(value)), Math.abs(found.rest)) || 1;
    const tell = decimals(Math.max(most, Math.abs(found.predicted) / 10));
    const end = (part: string, name: string, value: number): TemplateResult => html`<tr data-part=${part} data-value=${value}>
      <th scope="row">${name}</th>
      <td class="bars"></td>
      <td>${tell(value)}</td>
    </tr>`;
    return html`<table class="numbers">
        ${heads(strings.columns)}
        <tbody>
          ${end("base", found.average ? strings.average : strings.meanRow, found.base)}
          ${parts.map((part) => this.line(part, most, tell))}
          ${found.others > 0 ? this.line({ name: strings.others(found.others), cells: "", value: found.rest }, most, tell) : nothing}
        </tbody>
        <tfoot>
          ${end("predicted", strings.predicted, found.predicted)}
        </tfoot>
      </table>
      <details><summary>${strings.how}</summary><p class="note">${strings.note(found.quantity, found.average)}</p></details>`;
  }

  private line({ name, cells, value }: Part, most: number, tell: (value: number) => string): TemplateResult {
    const told = tell(value);
    return html`<tr data-part=${name} data-value=${value}>
      <th scope="row"><span title=${name}>${name}</span><small title=${cells}>${cells}</small></th>
      ${bar(value, most)}
      <td>${value > 0 && /[1-9]/.test(told) ? "+" : ""}${told}</td>
    </tr>`;
  }
}

function partsOf({ columns, cells, first, second, values }: Explained): Part[] {
  const cell = (at: number): string => cells[at] || strings.missing;
  return Array.from(values, (value, i) => {
    const [a, b] = [first[i] ?? 0, second[i] ?? -1];
    return b < 0 ? { name: columns[a] ?? "", cells: cell(a), value } : { name: strings.pair(columns[a] ?? "", columns[b] ?? ""), cells: strings.both(cell(a), cell(b)), value };
  });
}

/** Two features whose product can be something else than 0, and their entry in the matrix. */
interface NamedPair {
  readonly a: Feature;
  readonly b: Feature;
  readonly value: number;
}

/** A model's strongest interactions by name, with their signs in words. */
class Strongest extends Panel {
  @prop accessor matrix: Matrix | null = null;
  @prop accessor file: ModelFile | null = null;
  @property() accessor model: Model = "ifm";
  @property() accessor target = "";

  private pairs: readonly NamedPair[] = [];

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("matrix") || changed.has("file")) this.pairs = this.matrix && this.file ? strongest(this.matrix, features(this.file)) : [];
  }

  protected override render(): TemplateResult | typeof nothing {
    const [first] = this.pairs;
    if (!first) return nothing;
    const most = Math.abs(first.value);
    return html`<details class="strongest under">
      <summary>${words.title(short[this.model])}</summary>
      <p class="first">${tell(first, this.target)}</p>
      <table class="numbers">
        ${heads(words.columns)}
        <tbody>
          ${this.pairs.map(
            ({ a, b, value }) => html`<tr data-pair="${a.name} × ${b.name}" data-value=${value}>
              <th scope="row"><span title=${name(a)}>${name(a)}</span> <span title=${name(b)}>× ${name(b)}</span></th>
              ${bar(value, most)}
              <td>${signed(value)}</td>
              <td>${words[value < 0 ? "negative" : "positive"]}</td>
            </tr>`,
          )}
        </tbody>
      </table>
      <p class="note">${words.note(this.target)}</p>
    </details>`;
  }
}

/**
 * The pairs with the largest entries, largest first: none of single knots,
 * which mean nothing by themselves, and none of rounding. Two levels of one
 * column never meet, nor do a number and the mark that it is missing: their
 * products are always 0.
 */
function strongest({ d, values }: Matrix, all: readonly Feature[]): NamedPair[] {
  if (all.some(({ kind }) => kind === "knot")) return [];
  const entry = (i: number, j: number): number => (all[i]?.column === all[j]?.column ? 0 : (values[i * d + j] ?? 0));
  const pairs = largestPairs(d, PAIRS, (i, j) => Math.abs(entry(i, j))).flatMap(({ i, j }) => {
    const [a, b] = [all[i], all[j]];
    return a && b ? [{ a, b, value: entry(i, j) }] : [];
  });
  return pairs.filter(({ value }) => Math.abs(value) > ROUNDING * Math.abs(pairs[0]?.value ?? 0));
}

function name(feature: Feature): string {
  switch (feature.kind) {
    case "level":
      return words.level(feature.column, feature.level ?? "");
    case "other":
      return words.other(feature.column);
    case "missing":
      return words.missing(feature.column);
    case "knot": // not listed
    case "value":
      return feature.name;
  }
}

/** What the sign of a pair says of a prediction. A level comes first: it is there or not. */
function tell({ a, b, value }: NamedPair, target: string): string {
  const [first, second] = a.kind === "value" && b.kind !== "value" ? [b, a] : [a, b];
  const kinds = first.kind === "value" ? "numbers" : second.kind === "value" ? "level" : "levels";
  return words.says[`${kinds}${value > 0 ? "Up" : "Down"}`](name(first), name(second), target);
}

/** The heads of a table with bars; theirs is only read aloud. */
function heads(columns: Readonly<Record<string, string>>): TemplateResult {
  return html`<thead>
    <tr>${Object.entries(columns).map(([key, text]) => (key === "bar" ? html`<th scope="col" class="bars"><span class="seen-not">${text}</span></th>` : html`<th scope="col">${text}</th>`))}</tr>
  </thead>`;
}

/** A bar from the middle of its cell, which the largest value fills on its side. */
function bar(value: number, most: number): TemplateResult {
  return html`<td class="bars" aria-hidden="true"><span class="bar ${value < 0 ? "negative" : "positive"}" style="width:${(50 * Math.abs(value)) / most}%;${value < 0 ? "right" : "left"}:50%"></span></td>`;
}

customElements.define("ifm-reasons", ReasonPanel);
customElements.define("ifm-strongest", Strongest);
