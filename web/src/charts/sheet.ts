// What a chart tells of itself when it is saved. Types alone: the charts are
// there before what saves them.
import type { Matrix } from "../engine/protocol.js";
import type { About } from "../panel/about.js";

/** One thing of the legend. */
export interface Entry {
  readonly name: string;
  readonly colour: string; // a custom property's name, without its dashes
  readonly dash: string | null; // null: no line
  readonly symbol: "circle" | "ring" | "square" | "diamond" | "triangle" | "";
}

/** What the colours of a picture mean. */
export interface Ramp {
  readonly shades: readonly string[]; // as a style sheet has them, side by side
  readonly low: string; // what either end stands for
  readonly high: string; // with the unit
}

/** A column of the data, complete and at full precision. */
export interface Column {
  readonly name: string;
  readonly values: ArrayLike<number | string>; // a shorter column ends in empty cells, as NaN is one
  readonly days?: ArrayLike<number>; // of texts that are dates: since 1970, NaN of any other
}

/** A heat map: a pixel an entry, as the page has it. */
export interface HeatMap {
  readonly title: string;
  readonly note: string;
  readonly values: Matrix;
  readonly pixels: Uint32Array; // red in the lowest byte
}

/** Heat maps on one scale. */
export interface HeatMaps {
  readonly maps: readonly HeatMap[];
  readonly most: number; // at either end of the scale
  readonly ramp: Uint32Array; // its colours, from the negative end
}

/** Drawings that stand side by side. */
export interface Drawings {
  readonly drawings: readonly { readonly title: string; readonly note: string; readonly drawing: SVGSVGElement }[];
}

/** What there is to see: a drawing or several, heat maps, or a table whose cells have colours. What marks the reader's cursor in a drawing has data-cursor. */
export type Picture = SVGSVGElement | Drawings | HeatMaps | HTMLTableElement;

/** All that a file of a chart is made of. */
export interface Sheet {
  readonly what: string; // a part of its files' names
  readonly title: string;
  readonly described: string; // the picture in words
  readonly notes: readonly string[]; // what a reader of the picture has to know
  readonly legend: readonly Entry[];
  readonly ramp?: Ramp | undefined;
  readonly columns: readonly Column[]; // those of heat maps are made of the maps
  readonly picture: Picture | null; // null: the charts could not be loaded
  readonly texts?: Readonly<Record<"tex" | "md", (says: string, link: string) => string>>; // of a table, for a paper or a page
}

/** What can be saved: every chart. */
export interface Savable extends HTMLElement {
  readonly about: About | undefined; // read when it is saved, like the sheet
  sheet(): Sheet | null; // null: there is nothing to see
}
