// A field of numbers in shades to either side of zero.
import { svg, type SVGTemplateResult } from "lit";

/** The colour of a level of −bands … bands. */
export function shade(level: number, bands: number): string {
  const weight = (Math.abs(level) / bands) ** 0.8; // small values stay visible, as in the heat maps
  return `color-mix(in oklab, var(--${level < 0 ? "neg" : "pos"}) ${(100 * weight).toFixed(1)}%, var(--zero))`;
}

/** The cells of a grid, a path for each level; null leaves a cell out. The style sheet has the colours, so a theme or a printer can change them. */
export function shades(rows: number, columns: number, bands: number, levelOf: (row: number, column: number) => number | null): SVGTemplateResult[] {
  const paths = new Map<number, string>();
  for (let row = 0; row < rows; row++) {
    for (let from = 0, to = 0; from < columns; from = to) {
      const level = levelOf(row, from);
      for (to = from + 1; to < columns && levelOf(row, to) === level; to++);
      if (level !== null) paths.set(level, `${paths.get(level) ?? ""}M${from} ${row}h${to - from}v1h${from - to}z`);
    }
  }
  return [...paths].map(([level, path]) => svg`<path d=${path} style="fill:${shade(level, bands)}" />`);
}
