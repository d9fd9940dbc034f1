// How lines and dots look: models by colour, dash and marker, what stands beside them in grey.
import { html, nothing, svg, type TemplateResult } from "lit";
import type { Model, Whose } from "../training/series.js";
import { isModel } from "../training/standing.js";

/** How a line is told from others. */
export interface Key {
  readonly name: string;
  readonly colour: string; // a custom property's name, without its dashes
  readonly dash: string;
  readonly symbol: "circle" | "square" | "triangle" | ""; // "": a reference without markers
}

export const looks = {
  fm: { colour: "fm", dash: "7 4", symbol: "square" },
  gfm: { colour: "gfm", dash: "2 4", symbol: "triangle" },
  ifm: { colour: "ifm", dash: "", symbol: "circle" },
} as const;

const dashes = { mean: "1 4", ridge: "9 3 1 3", quadratic: "5 3", trees: "9 3 1 3 1 3" } as const;

/** The line of a model or a baseline. */
export function lineOf(whose: Whose): { readonly colour: Model | "base"; readonly dash: string; readonly width: number } {
  if (isModel(whose)) return { ...looks[whose], width: whose === "ifm" ? 2.5 : 2.25 };
  return { colour: "base", dash: dashes[whose], width: 1.75 };
}

/** The legend of lines: a piece of each beside its name. */
export function legend(keys: readonly Key[]): TemplateResult {
  return html`<ul class="key">
    ${keys.map(
      ({ name, colour, dash, symbol }) => html`<li>
        <svg viewBox="0 0 36 12" aria-hidden="true" style="--of:var(--${colour})">
          <line x1="1" y1="6" x2="35" y2="6" stroke-dasharray=${dash} />
          ${symbol === "circle" ? svg`<circle cx="18" cy="6" r="4" />` : symbol === "square" ? svg`<rect x="14.5" y="2.5" width="7" height="7" />` : symbol === "triangle" ? svg`<path d="M18 1.5l4.5 8h-9z" />` : nothing}
        </svg>
        ${name}
      </li>`,
    )}
  </ul>`;
}
