import { html, nothing, type TemplateResult } from "lit";
import type { EffectPlace, NamedPair } from "../../engine/protocol.js";
import { scrolling } from "../../panel/panel.js";
import { pairs as strings } from "./strings.js";

const STRONGEST = 45; // % of colour behind the largest number, which stays legible

/** What two columns do together, a cell for each two places of theirs: numbers, and colours that say the same. few is how many rows are too few for a cell to say much. */
export function effect(pair: NamedPair, names: readonly string[], few: number, target: string): TemplateResult {
  const [first, second] = [names[pair.first] ?? "", names[pair.second] ?? ""];
  const title = strings.effect(first, second, target);
  const most = pair.effect.reduce((size, v) => Math.max(size, Math.abs(v) || 0), 0);
  const scarce = (at: number): boolean => (pair.seen[at] ?? 0) < few;
  const cell = (at: number): TemplateResult => {
    const value = pair.effect[at] ?? Number.NaN;
    if (Number.isNaN(value)) return html`<td>${strings.never}</td>`;
    const shade = most > 0 ? (STRONGEST * Math.abs(value)) / most : 0;
    return html`<td data-few=${scarce(at)} style="background:color-mix(in srgb, var(--${value < 0 ? "negative" : "positive"}) ${shade.toFixed(1)}%, var(--zero))">${strings.cell(value)}${scarce(at) ? strings.few : nothing}</td>`;
  };
  const table = html`<table class="numbers">
    <thead>
      <tr>
        <td></td>
        ${pair.columns.map((place) => html`<th scope="col">${named(place)}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${pair.rows.map(
        (place, i) => html`<tr>
          <th scope="row">${named(place)}</th>
          ${pair.columns.map((_, j) => cell(i * pair.columns.length + j))}
        </tr>`,
      )}
    </tbody>
  </table>`;
  return html`<figure class="effect">
    <figcaption>${title}</figcaption>
    ${scrolling(title, table)}
    <p class="note">${extremes(pair, first, second, few)} ${pair.effect.some((v, at) => !Number.isNaN(v) && scarce(at)) ? strings.fewMeans(few) : nothing} ${pair.effect.some(Number.isNaN) ? strings.neverMeans : nothing}</p>
  </figure>`;
}

/** Where it is highest and lowest, of cells that say something. */
function extremes({ effect, seen, rows, columns }: NamedPair, first: string, second: string, few: number): string {
  const value = (at: number): number => effect[at] ?? Number.NaN;
  const known = [...effect.keys()].filter((at) => !Number.isNaN(value(at)) && (seen[at] ?? 0) >= few);
  const best = (better: (a: number, b: number) => boolean): number => known.reduce((best, at) => (better(value(at), value(best)) ? at : best), known[0] ?? 0);
  const [high, low] = [best((a, b) => a > b), best((a, b) => a < b)];
  const where = (at: number): string => strings.at(first, named(rows[Math.floor(at / columns.length)]), second, named(columns[at % columns.length]));
  return known.length === 0 ? "" : strings.extremes(where(high), value(high), where(low), value(low));
}

function named(place: EffectPlace | undefined): string {
  if (!place) return "";
  if (place.missing) return strings.missing;
  if (place.merged > 0) return strings.merged(place.merged);
  return place.knot === null ? place.level : strings.knot(place.knot);
}
