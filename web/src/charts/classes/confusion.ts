// Test rows of more than two classes by their own class and the likeliest one.
import { html, type TemplateResult } from "lit";
import { scrolling } from "../../panel/panel.js";
import { count, percent } from "../../text/format.js";
import { short } from "../../text/strings.js";
import { classes as shared, confusion as strings } from "./strings.js";
import type { Tellers } from "./threshold.js";

const STRONGEST = 45; // % of colour behind the largest share, which stays legible

/** The matrix of whoever is looked at, with the recall of each class at its row and the precision below its column. */
export function confusion(all: Tellers | null): TemplateResult {
  const first = all?.metrics[0];
  if (!all || !first) return html`<section class="confusion"><p class="empty">${shared.soon}</p></section>`;
  const [whose, { confusion: values }] = first;
  const { names, counts } = all;
  const k = names.length;
  const at = (actual: number, said: number): number => values[actual * k + said] ?? 0;
  const share = (part: number, of: number): string => (of > 0 ? percent(part / of) : "–");
  const caption = strings.title(short[whose]);
  return html`<section class="confusion" data-confusion=${whose}>
    <p class="caption">${caption}</p>
    ${scrolling(
      caption,
      html`<table class="numbers" aria-label=${caption}>
        <thead>
          <tr><td></td><th scope="colgroup" colspan=${k}>${strings.predicted}</th><td></td></tr>
          <tr><th scope="col">${strings.actual}</th>${names.map((name) => html`<th scope="col">${name}</th>`)}<th scope="col">${strings.recall}</th></tr>
        </thead>
        <tbody>
          ${names.map(
            (name, actual) => html`<tr>
              <th scope="row">${name}</th>
              ${names.map((_, said) => html`<td style="background:color-mix(in srgb, var(--pos) ${((STRONGEST * at(actual, said)) / (counts[actual] || 1)).toFixed(1)}%, var(--zero))">${count(at(actual, said))}</td>`)}
              <td>${share(at(actual, actual), counts[actual] ?? 0)}</td>
            </tr>`,
          )}
        </tbody>
        <tfoot>
          <tr><th scope="row">${strings.precision}</th>${names.map((_, said) => html`<td>${share(at(said, said), names.reduce((sum, _name, actual) => sum + at(actual, said), 0))}</td>`)}<td></td></tr>
        </tfoot>
      </table>`,
    )}
    <details><summary>${strings.how}</summary><p class="note">${strings.means(all)}</p></details>
  </section>`;
}
