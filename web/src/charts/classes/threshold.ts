// Two classes at a threshold that the reader chooses: who tells them apart, and how many rows each takes for which.
import { html, type TemplateResult } from "lit";
import type { Classes, ClassMetrics } from "../../engine/protocol.js";
import { heads, scrolling } from "../../panel/panel.js";
import { count, percent } from "../../text/format.js";
import { short } from "../../text/strings.js";
import type { Model } from "../../training/series.js";
import { classes as shared, threshold as strings } from "./strings.js";

/** Who tells classes: the model that is looked at, and the baselines beside it. */
export type Teller = Model | "ridge" | "trees";

export const THRESHOLDS = 200; // steps from probability 0 to 1

/** Who tells the same test rows apart, the one that is looked at first. */
export interface Tellers extends Pick<Classes, "names" | "counts"> {
  readonly metrics: readonly (readonly [Teller, ClassMetrics])[];
}

/** What is known of a model and of the baselines; of trees what has come since the model was asked. */
export function tellers({ names, counts, metrics }: Classes, trees: ClassMetrics | null, model: Model, first: Teller): Tellers {
  const all = [...metrics.filter(({ whose }) => whose !== "trees" || !trees), ...(trees ? [trees] : [])];
  const named = all.map((one) => [one.whose === "model" ? model : one.whose, one] as const);
  return { names, counts, metrics: [...named.filter(([whose]) => whose === first), ...named.filter(([whose]) => whose !== first)] };
}

/** What test rows count by their class, and whether their probability is at the threshold or above. */
interface Counts {
  readonly truePositive: number;
  readonly falseNegative: number;
  readonly falsePositive: number;
  readonly trueNegative: number;
}

/** At the threshold k/200. */
function counts({ counts: [zeros = 0, ones = 0] }: Pick<Classes, "counts">, { onesFrom, zerosFrom }: ClassMetrics, k: number): Counts {
  const truePositive = onesFrom[k] ?? 0;
  const falsePositive = zerosFrom[k] ?? 0;
  return { truePositive, falseNegative: ones - truePositive, falsePositive, trueNegative: zeros - falsePositive };
}

/** Shares of test rows; NaN where there are none to share. */
interface Rates {
  readonly accuracy: number;
  readonly precision: number; // of those taken for class 1
  readonly recall: number; // of class 1: the true positive rate
  readonly specificity: number; // of class 0: 1 − the false positive rate
}

function rates({ truePositive: tp, falseNegative: fn, falsePositive: fp, trueNegative: tn }: Counts): Rates {
  return { accuracy: (tp + tn) / (tp + fn + fp + tn), precision: tp / (tp + fp), recall: tp / (tp + fn), specificity: tn / (tn + fp) };
}

/** Which rows are taken for class 1 where the reader says from which probability on. step is that of THRESHOLDS, and move takes another. */
export function threshold(classes: Tellers | null, target: string, step: number, move: (step: number) => void): TemplateResult {
  return html`<section class="threshold">${classes ? chosenOf(classes, target, step, move) : html`<p class="empty">${shared.soon}</p>`}</section>`;
}

function chosenOf(all: Tellers, target: string, step: number, move: (step: number) => void): TemplateResult {
  const [not, what] = all.names.map((name) => shared.of(target, name)) as [string, string];
  const chosen = strings.value(step / THRESHOLDS);
  const caption = strings.caption(what, chosen);
  return html`<p class="caption">${strings.title(what)}</p>
    <label class="slide">
      <span>${strings.label(what)}: <output>${chosen}</output></span>
      <input type="range" min="0" max=${THRESHOLDS} step="1" .value=${String(step)} aria-valuetext=${chosen} @input=${(e: Event) => move(Number((e.target as HTMLInputElement).value))} />
    </label>
    <button ?disabled=${2 * step === THRESHOLDS} @click=${() => move(THRESHOLDS / 2)}>${strings.half}</button>
    ${scrolling(
      caption,
      html`<table class="numbers standings">
        <caption>${caption}</caption>
        ${heads([strings.who, ...Object.values(strings.columns)])}
        <tbody>
          ${all.metrics.map(([whose, metrics]) => {
            const found = counts(all, metrics, step);
            const { accuracy, precision, recall, specificity } = rates(found);
            return html`<tr class=${whose} data-told=${whose} data-accuracy=${accuracy}>
              <th scope="row">${short[whose]}</th>
              ${[accuracy, precision, recall, specificity].map((share) => html`<td>${Number.isNaN(share) ? "–" : percent(share)}</td>`)}
              ${[found.truePositive, found.falsePositive, found.falseNegative, found.trueNegative].map((rows) => html`<td>${count(rows)}</td>`)}
            </tr>`;
          })}
        </tbody>
      </table>`,
    )}
    <p class="note">${strings.always(all)} ${strings.means(what, not)}</p>`;
}
