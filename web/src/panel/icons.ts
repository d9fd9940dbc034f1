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
  undo: "M8 5 4 9l4 4M4 9h8a4 4 0 0 1 0 8h-2",
  share: "M10 12V3M6.5 6 10 2.5 13.5 6M5 9.5H4v8h12v-8h-1",
  theme: "M10 3a7 7 0 1 0 0 14zM10 3a7 7 0 0 1 0 14",
  menu: "M2.5 5h15M2.5 10h15M2.5 15h15",
  guessed: "M10 7a3 3 0 1 0 .01 0z",
  back: "M17 10H3m6-6-6 6 6 6",
  next: "M3 10h14m-6-6 6 6-6 6",
} as const;

/** A picture of a button or a mark, drawn in lines of the text’s colour. */
export function icon(name: keyof typeof paths): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d=${paths[name]} /></svg>`;
}
