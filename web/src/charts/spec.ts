// What a chart is, as plain data: ifm-chart draws it and does all that charts
// have in common.
import type { Column } from "./data.js";
import type * as plot from "./plot.js";
import type { Entry } from "./sheet.js";

/** px. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What a picture has for itself, with its margins. */
export interface Room extends Size {
  /** The width of a text, in px. */
  long(text: string, weight?: number): number;
}

/** Left free around the axes, px. */
export interface Margin {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The cursor that a pointer, a finger or the arrow keys move from place to place. Sizes are those of the box between the axes. */
export interface Cursor<Place> {
  readonly name: string;
  readonly hint?: (touch: boolean) => unknown; // what stands below the chart while the cursor is nowhere
  readonly places: readonly Place[]; // of the arrow keys
  readonly first: number; // the index of the place that they begin at
  says(place: Place): string;
  mark(place: Place, size: Size): unknown;

  /** What a pointer means so many px from the left and the top of the box; null: nothing. */
  at(x: number, y: number, size: Size): Place | null;

  /** Where the cursor is once the data has changed; null: nowhere. */
  stays(place: Place): Place | null;

  /** Follows a press on a place, or Enter. */
  choose?(place: Place, byKey: boolean): void;
}

/** What takes the place of drawing anew, where only marks move: Plot takes more than twice as long. */
interface Moves {
  readonly of: readonly unknown[]; // while these stay
  move(drawing: SVGSVGElement, room: Room): void;
}

/** What there is to see once there is data. */
export interface Content<Place> {
  readonly notes?: readonly string[]; // for files
  readonly legend: readonly Entry[]; // the same
  readonly rows: readonly number[]; // of the columns, those that the table shows
  readonly note?: string; // below the table
  readonly svg?: string; // the drawing's class
  readonly x: plot.ScaleOptions;
  readonly y: plot.ScaleOptions;
  readonly cursor: Cursor<Place>;
  readonly moves?: Moves | undefined;
  summary(): string; // the picture in words
  columns(): readonly Column[];
  margin(room: Room): Margin;
  marks(Plot: typeof plot, room: Room): plot.Markish[];
  stands?(size: Size, place: Place | null): unknown; // over the picture, wherever the cursor is
}

export interface ChartSpec<Place> {
  readonly name: string; // a part of its files' names
  readonly title: string;
  readonly caption?: unknown; // the title where words of it open; "": it stands elsewhere
  readonly look?: string; // a class of the figure
  readonly height?: number; // px, if it is not that of all charts
  readonly waiting: string; // what to say while there is nothing to see
  readonly data: string; // what its table is called
  readonly of?: readonly unknown[]; // what the picture depends on, if not on all: while these stay, it does too
  readonly content: Content<Place> | null; // null: there is nothing to see yet
}
