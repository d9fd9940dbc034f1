import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { EffectPlace, NamedPair, Pairs } from "../../engine/protocol.js";
import { heads, Panel, prop, scrolling } from "../../panel/panel.js";
import { percent } from "../../text/format.js";
import type { Studied } from "../../training/study.js";
import { pending } from "./pending.js";
import { pairs as strings } from "./strings.js";

const STRONGEST = 45; // % of colour behind the largest number, which stays legible

/** The pairs of columns that a test names, each with its share of variance, and the effect of one of them. */
class NamedPairs extends Panel {
  @prop accessor study!: Studied<Pairs>;
  @property() accessor target = "";
  @property({ type: Boolean }) accessor over = false; // the run is: what is not begun never will be
  @state() private accessor chosen = ""; // by the reader; "": the first

  protected override render(): TemplateResult {
    const found = this.study.answers.get(0);
    return html`<section class="pairs" aria-labelledby="pairs" data-pairs=${this.study.state}>
      <h3 id="pairs">${strings.title}</h3>
      ${this.study.state === "done" && found ? this.found(found) : pending(this.study, strings, { says: strings.going(strings.stages[found?.stage ?? "columns"], found?.namedCount ?? 0), step: found?.step ?? 0, steps: found?.steps ?? 1 }, this.over, this.go)}
    </section>`;
  }

  private readonly go = (go: boolean): void => this.tell("ifm-study", { what: "pairs", go });

  private found(all: Pairs): TemplateResult {
    const { named, tested, pairs, trained, alpha, full } = all;
    const chosen = named.find((pair) => this.name(all, pair) === this.chosen) ?? named[0];
    const untested = this.untested(all);
    return html`<p class="first" role="status" data-named=${named.length}>${strings.ended(named.length, tested, pairs, all.skipped.filter(({ why }) => why === "depends").length)}</p>
      ${named.length > 0 ? this.list(all, chosen) : nothing} ${chosen ? effect(chosen, all.names, all.few, this.target) : nothing}
      <details>
        <summary>${strings.how}</summary>
        <p class="note">${tested === 0 ? nothing : strings.about(trained, alpha)} ${full ? strings.full : nothing} ${untested.length > 0 ? html`<span data-untested>${strings.untested(untested)}</span>` : nothing}</p>
      </details>`;
  }

  private list(all: Pairs, chosen: NamedPair | undefined): TemplateResult {
    const names = strings.columns;
    return scrolling(
      strings.list,
      html`<table class="numbers">
        ${heads([names.pair, names.share, names.interval, names.p])}
        <tbody>
          ${all.named.map((pair) => {
            const name = this.name(all, pair);
            return html`<tr data-pair=${name} data-share=${pair.share} data-p=${pair.p}>
              <th scope="row"><button aria-pressed=${String(pair === chosen)} title=${name} @click=${() => (this.chosen = name)}>${name}</button></th>
              <td>${percent(pair.share)}</td>
              <td>${strings.interval(pair.low, pair.high)}</td>
              <td>${strings.p(pair.p)}</td>
            </tr>`;
          })}
        </tbody>
      </table>`,
    );
  }

  private name({ names }: Pairs, { first, second }: { readonly first: number; readonly second: number }): string {
    return strings.name(names[first] ?? "", names[second] ?? "");
  }

  /** What was not tested, with its reasons. */
  private untested(all: Pairs): string[] {
    const reasons = [...new Set(all.skipped.map(({ why }) => why))];
    const out = [...all.out].map((column) => all.names[column] ?? "");
    return [...reasons.map((why) => strings.why[why](all.skipped.filter((pair) => pair.why === why).map((pair) => this.name(all, pair)))), ...(out.length > 0 ? [strings.out(out)] : [])];
  }
}

/** What two columns do together, a cell for each two places of theirs: numbers, and colours that say the same. few is how many rows are too few for a cell to say much. */
function effect(pair: NamedPair, names: readonly string[], few: number, target: string): TemplateResult {
  const [first, second] = [names[pair.first] ?? "", names[pair.second] ?? ""];
  const title = strings.effect(first, second, target);
  const most = pair.effect.reduce((size, v) => Math.max(size, Math.abs(v) || 0), 0);
  const scarce = (at: number): boolean => (pair.seen[at] ?? 0) < few;
  const cell = (at: number): TemplateResult => {
    const value = pair.effect[at] ?? Number.NaN;
    if (Number.isNaN(value)) return html`<td>${strings.never}</td>`;
    const shade = most > 0 ? (STRONGEST * Math.abs(value)) / most : 0;
    return html`<td data-few=${scarce(at)} style="background:color-mix(in srgb, var(--${value < 0 ? "neg" : "pos"}) ${shade.toFixed(1)}%, var(--zero))">${strings.cell(value)}${scarce(at) ? strings.few : nothing}</td>`;
  };
  const table = html`<table class="numbers">
    <thead>
      <tr>
        <td></td>
        ${pair.columns.map((place) => html`<th scope="col">${placeOf(place)}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${pair.rows.map(
        (place, i) => html`<tr>
          <th scope="row">${placeOf(place)}</th>
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
  const where = (at: number): string => strings.at(first, placeOf(rows[Math.floor(at / columns.length)]), second, placeOf(columns[at % columns.length]));
  return known.length === 0 ? "" : strings.extremes(where(high), value(high), where(low), value(low));
}

function placeOf(place: EffectPlace | undefined): string {
  if (!place) return "";
  if (place.missing) return strings.missing;
  if (place.merged > 0) return strings.merged(place.merged);
  return place.knot === null ? place.level : strings.knot(place.knot);
}

customElements.define("ifm-pairs", NamedPairs);
