// The keys of lines and dots.
import { html, nothing, svg, type TemplateResult } from "lit";

export { looks } from "./styles.js";

/** How a line is told from others. */
export interface Key {
  readonly name: string;
  readonly colour: string; // a custom property's name, without its dashes
  readonly dash: string;
  readonly symbol: "circle" | "square" | "triangle" | ""; // "": a reference without markers
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
