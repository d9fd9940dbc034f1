import { html, type TemplateResult } from "lit";
import { heads, scrolling } from "../../panel/panel.js";
import { count, percent } from "../../text/format.js";
import { classes as shared, named, threshold as strings } from "./strings.js";
import { counts, rates, THRESHOLDS, type Tellers } from "./told.js";

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
          ${all.told.map(([whose, told]) => {
            const found = counts(all, told, step);
            const { accuracy, precision, recall, specificity } = rates(found);
            return html`<tr class=${whose} data-told=${whose} data-accuracy=${accuracy}>
              <th scope="row">${named[whose]}</th>
              ${[accuracy, precision, recall, specificity].map((share) => html`<td>${Number.isNaN(share) ? "–" : percent(share)}</td>`)}
              ${[found.truePositive, found.falsePositive, found.falseNegative, found.trueNegative].map((rows) => html`<td>${count(rows)}</td>`)}
            </tr>`;
          })}
        </tbody>
      </table>`,
    )}
    <p class="note">${strings.always(all)} ${strings.means(what, not)}</p>`;
}
