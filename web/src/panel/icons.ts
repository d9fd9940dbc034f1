import { html, type TemplateResult } from "lit";

const paths = {
  play: "M7 4.5v11l9-5.5z",
  pause: "M7 4v12M13 4v12",
  step: "M6 4.5v11l7-5.5zM15.5 4.5v11",
  stop: "M5 5h10v10H5z",
  again: "M4.5 10a5.5 5.5 0 1 0 1.8-4.1M4.5 3.5v3.4h3.4",
  more: "M4.5 10h.01M10 10h.01M15.5 10h.01",
  swap: "M4 7h11l-3-3M16 13H5l3 3",
  right: "M4 10.5l4 4 8-9",
  wrong: "M5 5l10 10M15 5 5 15",
  plus: "M4 10h12M10 4v12",
  minus: "M4 10h12",
} as const;

/** A picture of a button or a mark, drawn in lines of the text’s colour. */
export function icon(name: keyof typeof paths): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d=${paths[name]} /></svg>`;
}
