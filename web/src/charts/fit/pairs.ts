// What pairs of columns add, and the test that names pairs without a model.
import { html, nothing, type TemplateResult } from "lit";
import type { Cell, Pairs, Shapes, Surface } from "../../engine/protocol.js";
import { heads, scrolling } from "../../panel/panel.js";
import { percent } from "../../text/format.js";
import type { Studied } from "../../training/study.js";
import { pending } from "./pending.js";
import { place } from "./shape.js";
import { pairs as strings } from "./strings.js";

const STRONGEST = 45; // % of colour behind the largest number, which stays legible
const NEAR = 0.5; // test rows; a cell with fewer says nothing

/** What two columns add together, a cell for each two of theirs: numbers, and colours that say the same. */
export function surface({ rows, columns, effect, near }: Surface, first: string, second: string, { shapes, quantity }: Pick<Shapes, "shapes" | "quantity">): TemplateResult {
  const [down, across] = [first, second].map((name) => shapes.find(({ column }) => column === name));
  const title = strings.surface(first, second, quantity);
  const known = [...effect.keys()].filter((at) => (near[at] ?? 0) >= NEAR);
  const rowOf = (at: number): number => Math.floor(at / columns.length);
  const seenRows = [...rows.keys()].filter((i) => known.some((at) => rowOf(at) === i));
  const seenColumns = [...columns.keys()].filter((j) => known.some((at) => at % columns.length === j));
  const most = known.reduce((size, at) => Math.max(size, Math.abs(effect[at] ?? 0)), 0);
  const cell = (at: number): TemplateResult => {
    const value = effect[at] ?? 0;
    if (!known.includes(at)) return html`<td>${strings.never}</td>`;
    const shade = most > 0 ? (STRONGEST * Math.abs(value)) / most : 0;
    return html`<td style="background:color-mix(in srgb, var(--${value < 0 ? "neg" : "pos"}) ${shade.toFixed(1)}%, var(--zero))">${strings.cell(value)}</td>`;
  };
  const where = (at: number): string => strings.at(first, place(rows[rowOf(at)] as Cell, down), second, place(columns[at % columns.length] as Cell, across));
  const [high = 0, low = 0] = [1, -1].map((sign) => known.reduce((best, at) => (sign * (effect[at] ?? 0) > sign * (effect[best] ?? 0) ? at : best), known[0] ?? 0));
  return html`<figure class="effect">
    <figcaption>${title}</figcaption>
    ${scrolling(
      title,
      html`<table class="numbers">
        <thead>
          <tr>
            <td></td>
            ${seenColumns.map((j) => html`<th scope="col">${place(columns[j] as Cell, across)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${seenRows.map((i) => html`<tr><th scope="row">${place(rows[i] as Cell, down)}</th>${seenColumns.map((j) => cell(i * columns.length + j))}</tr>`)}
        </tbody>
      </table>`,
    )}
    <p class="note">${strings.beyond(first, second)} ${known.length > 0 ? strings.extremes(where(high), effect[high] ?? 0, where(low), effect[low] ?? 0) : nothing} ${known.length < seenRows.length * seenColumns.length ? strings.neverMeans : nothing}</p>
  </figure>`;
}

/** How the test ended, or how far it is; over: the run is, and what is not begun never will be. */
export function tested(study: Studied<Pairs>, over: boolean, go: (go: boolean) => void): TemplateResult {
  const all = study.answers.get(0);
  return html`<div class="pairs" data-pairs=${study.state}>
    ${study.state === "done" && all
      ? html`<p class="first" role="status" data-named=${all.named.length}><b>${strings.title}</b> ${strings.ended(all.named.map((pair) => name(all, pair)), all.tested, all.pairs, all.skipped.filter(({ why }) => why === "depends").length)}</p>`
      : pending(study, strings, { says: strings.going(strings.stages[all?.stage ?? "columns"], all?.namedCount ?? 0), step: all?.step ?? 0, steps: all?.steps ?? 1 }, over, go)}
  </div>`;
}

/** How pairs are tested, with the share of each that stands out. */
export function howTested({ state, answers }: Studied<Pairs>): TemplateResult | typeof nothing {
  const all = answers.get(0);
  if (state !== "done" || !all || all.pairs === 0) return nothing;
  const { named, trained, alpha, full } = all;
  const untested = untestedOf(all);
  const { columns } = strings;
  return html`<p class="note">${all.tested > 0 ? strings.about(trained, alpha) : nothing} ${full ? strings.full : nothing} ${untested.length > 0 ? html`<span data-untested>${strings.untested(untested)}</span>` : nothing}</p>
    ${named.length === 0
      ? nothing
      : scrolling(
          strings.list,
          html`<table class="numbers">
            ${heads([columns.pair, columns.share, columns.interval, columns.p])}
            <tbody>
              ${named.map((pair) => html`<tr data-pair=${name(all, pair)} data-share=${pair.share} data-p=${pair.p}><th scope="row">${name(all, pair)}</th><td>${percent(pair.share)}</td><td>${strings.interval(pair.low, pair.high)}</td><td>${strings.p(pair.p)}</td></tr>`)}
            </tbody>
          </table>`,
        )}`;
}

function name({ names }: Pairs, { first, second }: { readonly first: number; readonly second: number }): string {
  return strings.name(names[first] ?? "", names[second] ?? "");
}

/** What was not tested, with its reasons. */
function untestedOf(all: Pairs): string[] {
  const reasons = [...new Set(all.skipped.map(({ why }) => why))];
  const out = [...all.out].map((column) => all.names[column] ?? "");
  return [...reasons.map((why) => strings.why[why](all.skipped.filter((pair) => pair.why === why).map((pair) => name(all, pair)))), ...(out.length > 0 ? [strings.out(out)] : [])];
}
