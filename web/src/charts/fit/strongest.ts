import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Matrix, ModelFile } from "../../engine/protocol.js";
import { Panel } from "../../panel/panel.js";
import { signed } from "../../text/format.js";
import { short } from "../../text/strings.js";
import { features, type Feature } from "../../training/model.js";
import type { Model } from "../../training/series.js";
import { largestPairs } from "../largest.js";
import { strongest as strings } from "./strings.js";

const PAIRS = 8;
const ROUNDING = 1e-9; // of the largest entry

/** Two features whose product can be something else than 0, and their entry in the matrix. */
interface Pair {
  readonly a: Feature;
  readonly b: Feature;
  readonly value: number;
}

/** A model's strongest interactions by name, with their signs in words. */
class Strongest extends Panel {
  @property({ attribute: false }) accessor matrix: Matrix | null = null;
  @property({ attribute: false }) accessor file: ModelFile | null = null;
  @property() accessor model: Model = "ifm";
  @property() accessor target = "";

  private pairs: readonly Pair[] = [];

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("matrix") || changed.has("file")) this.pairs = this.matrix && this.file ? strongest(this.matrix, features(this.file)) : [];
  }

  protected override render(): TemplateResult | typeof nothing {
    const [first] = this.pairs;
    if (!first) return nothing;
    const most = Math.abs(first.value);
    return html`<details class="strongest under">
      <summary>${strings.title(short[this.model])}</summary>
      <p class="first">${tell(first, this.target)}</p>
      <table class="numbers">
        <thead>
          <tr>
            <th scope="col">${strings.columns.pair}</th>
            <th scope="col" class="bars"><span class="seen-not">${strings.columns.bar}</span></th>
            <th scope="col">${strings.columns.value}</th>
            <th scope="col">${strings.columns.sign}</th>
          </tr>
        </thead>
        <tbody>
          ${this.pairs.map(({ a, b, value }) => {
            const sign = value < 0 ? "negative" : "positive";
            const share = (50 * Math.abs(value)) / most;
            return html`<tr data-pair="${a.name} × ${b.name}" data-value=${value}>
              <th scope="row"><span title=${name(a)}>${name(a)}</span> <span title=${name(b)}>× ${name(b)}</span></th>
              <td class="bars" aria-hidden="true"><span class="bar ${sign}" style="width:${share}%;${value < 0 ? "right" : "left"}:50%"></span></td>
              <td>${signed(value)}</td>
              <td>${strings[sign]}</td>
            </tr>`;
          })}
        </tbody>
      </table>
      <p class="note">${strings.note(this.target)}</p>
    </details>`;
  }
}

/**
 * The pairs with the largest entries, largest first: none of single knots,
 * which mean nothing by themselves, and none of rounding. Two levels of one
 * column never meet, nor do a number and the mark that it is missing: their
 * products are always 0.
 */
function strongest({ d, values }: Matrix, all: readonly Feature[]): Pair[] {
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
      return strings.level(feature.column, feature.level ?? "");
    case "other":
      return strings.other(feature.column);
    case "missing":
      return strings.missing(feature.column);
    case "knot": // not listed
    case "value":
      return feature.name;
  }
}

/** What the sign of a pair says of a prediction. A level comes first: it is there or not. */
function tell({ a, b, value }: Pair, target: string): string {
  const [first, second] = a.kind === "value" && b.kind !== "value" ? [b, a] : [a, b];
  const up = value > 0;
  if (first.kind === "value") return (up ? strings.says.numbersUp : strings.says.numbersDown)(name(first), name(second), target);
  if (second.kind === "value") return (up ? strings.says.levelUp : strings.says.levelDown)(name(first), name(second), target);
  return (up ? strings.says.levelsUp : strings.says.levelsDown)(name(first), name(second), target);
}

customElements.define("ifm-strongest", Strongest);
