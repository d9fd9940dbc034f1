import { html, svg, type TemplateResult } from "lit";
import "../element.js";
import { axisX, axisY, gridX, gridY } from "../marks.js";
import type { ChartSpec, Content } from "../spec.js";
import { classes as shared } from "./strings.js";

/** What such a chart says of itself. */
interface Words {
  title(what: string): string;
  readonly x: string;
  readonly y: string;
  readonly cursor: string;
  hint(touch: boolean): string;
  readonly data: string; // the table's
}

/** What is particular to one. */
export interface Parts extends Pick<Content<number>, "notes" | "legend" | "summary" | "columns" | "marks"> {
  readonly x: ArrayLike<number>; // of the points that the cursor goes through, from 0 to 1
  readonly y: ArrayLike<number>;
  readonly along: boolean; // a pointer means the nearest point along x, at whatever height
  readonly colour: string;
  readonly radius: number; // px, of the cursor's mark
  readonly first: number; // the point that the keyboard begins at
  says(at: number): string;
}

const MARGIN = { left: 56, right: 16, top: 26, bottom: 40 }; // px

/** A chart of the unit square with its diagonal, about what is known of two classes, with a cursor from point to point. what is class 1, in words. */
export function square(name: string, words: Words, what: string, of: readonly unknown[], parts: Parts | null): TemplateResult {
  const spec: ChartSpec<number> = { name, title: words.title(what), look: "scatter", waiting: shared.soon, data: words.data, of, content: parts && contentOf(parts, words) };
  return html`<ifm-chart .spec=${spec}></ifm-chart>`;
}

function contentOf({ x, y, along, colour, radius, first, says, marks, ...parts }: Parts, words: Words): Content<number> {
  const places = Array.from(x, (_, i) => i);
  const point = (i: number): { readonly x: number; readonly y: number } => ({ x: x[i] ?? 0, y: 1 - (y[i] ?? 0) }); // from the left and the top
  return {
    ...parts,
    rows: places,
    svg: "scatter-svg",
    x: { domain: [0, 1] },
    y: { domain: [0, 1] },
    margin: () => MARGIN,
    cursor: {
      name: words.cursor,
      hint: words.hint,
      places,
      first,
      says,
      mark: (i) => html`<svg class="mark" aria-hidden="true">${svg`<circle cx="${100 * point(i).x}%" cy="${100 * point(i).y}%" r=${radius} style="fill:var(--${colour})" />`}</svg>`,
      at(left, top, { width, height }) {
        const off = places.map((i) => (point(i).x * width - left) ** 2 + (along ? 0 : (point(i).y * height - top) ** 2));
        return places.length === 0 ? null : off.indexOf(Math.min(...off));
      },
      stays: (i) => (places.length === 0 ? null : Math.min(i, places.length - 1)),
    },
    marks: (Plot, room) => [
      gridY(Plot, 5),
      gridX(Plot, 5),
      axisX(Plot, 5, words.x),
      axisY(Plot, 5, words.y, { labelAnchor: "top", labelOffset: 40 }),
      Plot.line([[0, 0], [1, 1]], { stroke: "var(--base)", strokeWidth: 1.5, strokeDasharray: "2 3" }),
      ...marks(Plot, room),
    ],
  };
}

/** px between the axes. */
export function across({ width }: { readonly width: number }): number {
  return width - MARGIN.left - MARGIN.right;
}
