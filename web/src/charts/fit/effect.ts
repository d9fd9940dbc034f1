import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { EffectPlace, NamedPair } from "../../engine/protocol.js";
import { Panel } from "../../panel/panel.js";
import { pairs as strings } from "./strings.js";

const STRONGEST = 45; // % of colour behind the largest number, which stays legible

/** What two columns do together, a cell for each two places of theirs: numbers, and colours that say the same. */
class Effect extends Panel {
  @property({ attribute: false }) accessor pair!: NamedPair;
  @property({ attribute: false }) accessor names!: readonly string[]; // of columns
  @property({ type: Number }) accessor few!: number; // rows below which a cell says little
  @property() accessor target!: string;

  protected override render(): TemplateResult {
    const { pair, few } = this;
    const [first, second] = [this.names[pair.first] ?? "", this.names[pair.second] ?? ""];
    const title = strings.effect(first, second, this.target);
    const most = pair.effect.reduce((size, v) => (Math.abs(v) > size ? Math.abs(v) : size), 0);
    const said = pair.effect.some((v, i) => !Number.isNaN(v) && (pair.seen[i] ?? 0) < few);
    return html`<figure class="effect">
      <figcaption>${title}</figcaption>
      <div class="scroll" tabindex="0" role="region" aria-label=${title}>
        <table class="numbers">
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
                ${pair.columns.map((_, j) => this.cell(i * pair.columns.length + j, most))}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <p class="note">${this.extremes(first, second)} ${said ? strings.fewMeans(few) : nothing} ${pair.effect.some(Number.isNaN) ? strings.neverMeans : nothing}</p>
    </figure>`;
  }

  private cell(at: number, most: number): TemplateResult {
    const { effect, seen } = this.pair;
    const value = effect[at] ?? Number.NaN;
    if (Number.isNaN(value)) return html`<td>${strings.never}</td>`;
    const shade = most > 0 ? (STRONGEST * Math.abs(value)) / most : 0;
    const few = (seen[at] ?? 0) < this.few;
    return html`<td data-few=${few} style="background:color-mix(in srgb, var(--${value < 0 ? "negative" : "positive"}) ${shade.toFixed(1)}%, var(--zero))">${strings.cell(value)}${few ? strings.few : nothing}</td>`;
  }

  /** Where it is highest and lowest, of cells that say something. */
  private extremes(first: string, second: string): string {
    const { effect, seen, rows, columns } = this.pair;
    const known = [...effect.keys()].filter((at) => !Number.isNaN(effect[at]) && (seen[at] ?? 0) >= this.few);
    const value = (at: number): number => effect[at] ?? Number.NaN;
    const [high, low] = [known.reduce((best, at) => (value(at) > value(best) ? at : best), known[0] ?? 0), known.reduce((best, at) => (value(at) < value(best) ? at : best), known[0] ?? 0)];
    const where = (at: number): string => strings.at(first, named(rows[Math.floor(at / columns.length)]), second, named(columns[at % columns.length]));
    return known.length === 0 ? "" : strings.extremes(where(high), value(high), where(low), value(low));
  }
}

function named(place: EffectPlace | undefined): string {
  if (!place) return "";
  if (place.missing) return strings.missing;
  if (place.merged > 0) return strings.merged(place.merged);
  return place.knot === null ? place.level : strings.knot(place.knot);
}

customElements.define("ifm-effect", Effect);
