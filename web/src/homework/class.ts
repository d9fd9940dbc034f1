import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { lineChart, type Drawing, type Line as Drawn } from "../charts/lines.js";
import { legend, looks } from "../charts/looks.js";
import { multiples, roundUp } from "../charts/ticks.js";
import { heads, Panel } from "../panel/panel.js";
import type { Chapter } from "../state/view.js";
import { number } from "../text/format.js";
import { short } from "../text/strings.js";
import { suspect, type Graded, type Line } from "./compare.js";
import type { Curves } from "./marker.js";
import { marking as strings } from "./strings.js";

const MODELS = ["fm", "gfm", "ifm"] as const;
const DECADES = 12; // drawn at most

/** A class in one picture: what it guessed of a chapter, and the curves that its runs have. */
class Class extends Panel {
  @property() accessor chapter!: Chapter;
  @property({ attribute: false }) accessor options!: Readonly<Record<string, string>>; // its answers
  @property({ attribute: false }) accessor lines!: readonly Line[];
  @property({ attribute: false }) accessor curves!: readonly Curves[]; // a line each

  protected override render(): TemplateResult {
    const parts = this.lines.flatMap((line) => line.parts.filter((part) => part.chapter === this.chapter));
    const drawing = this.drawing();
    const models = MODELS.filter((model) => this.curves.some((curves) => curves[model]));
    return html`${this.guesses(parts)}
      ${drawing
        ? html`<div class="overlay" data-chapter=${this.chapter}>
            ${legend(models.map((model) => ({ ...looks[model], symbol: "", name: short[model] })))}
            ${lineChart({ heading: strings.curves(this.chapter), drawing, waiting: strings.waiting })}
            <p class="note">${strings.about}</p>
          </div>`
        : nothing}`;
  }

  /** Each answer as a bar of those who guessed it first, beside how many ended with it and whom the replays bear out. */
  private guesses(parts: readonly Graded[]): TemplateResult {
    const options = Object.entries(this.options);
    const known = new Set(options.map(([key]) => key));
    const rows = [...options, ["", strings.without] as const];
    const of = (key: string, get: (part: Graded) => string): number => parts.filter((part) => (known.has(get(part)) ? get(part) : "") === key).length;
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.guesses(this.chapter)}>
      <table class="numbers guessed">
        <caption>${strings.guesses(this.chapter)}</caption>
        ${heads(strings.guessHeads)}
        <tbody>
          ${rows.map(([key, text]) => {
            const first = of(key, ({ guess }) => guess);
            const last = of(key, ({ guess, then }) => then || guess);
            const right = parts.filter((part) => part.right === "right" && (part.then || part.guess) === key).length;
            return html`<tr data-guess=${key}>
              <th scope="row">${text}</th>
              <td data-value=${first} style="--share:${parts.length > 0 ? ((100 * first) / parts.length).toFixed(1) : 0}%">${strings.share(first, parts.length)}</td>
              <td data-value=${last}>${strings.share(last, parts.length)}</td>
              <td>${key === "" ? "" : right}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
  }

  private drawing(): Drawing | null {
    const lines = this.lines.flatMap((line, i): Drawn[] =>
      MODELS.flatMap((model) => {
        const y = this.curves[i]?.[model];
        const flag = suspect(line) ? `${strings.flag} ` : "";
        return y ? [{ ...looks[model], symbol: "" as const, name: `${flag}${line.student || line.file}, ${short[model]}`, x: y.map((_, at) => at), y }] : [];
      }),
    );
    const every = lines.flatMap(({ y }) => y).filter((value) => value > 0 && Number.isFinite(value));
    if (every.length === 0) return null;
    const high = Math.max(0, Math.ceil(Math.log10(every.reduce((most, value) => Math.max(most, value), 0))));
    const low = Math.max(Math.min(high - 1, Math.floor(Math.log10(every.reduce((least, value) => Math.min(least, value), 1)))), high - DECADES);
    const end = Math.max(...lines.map(({ y }) => y.length - 1), 1);
    return {
      lines,
      x: { domain: [0, end], ticks: multiples(roundUp(end / 5), 0, end), label: strings.x, format: String },
      y: { type: "log", domain: [10 ** low, 10 ** high], ticks: Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)), label: strings.y, format: (value) => number(value, 1) },
      at: strings.at,
    };
  }
}

customElements.define("ifm-class", Class);
