// The pieces of the lab that can be shown elsewhere, and the settings that show each as it is now.
import { forFigure, forTable } from "./groups.js";
import { escape, initial, pairs, type Pair, type Spec } from "./spec.js";
import { chapters, readLink, unguessed, viewFields, writeLink, type Chapter, type Parts, type Place, type View } from "./view.js";

/** Charts of the figure, by the names under which they are hidden. */
export const charts = ["curve", "maps", "spectrum"] as const;
export type Chart = (typeof charts)[number];

/** A chapter has a prefix, since one is called as a chart is. */
export type Piece = "lab" | "figure" | Chart | "table" | `chapter:${Chapter}`;

/** What the page shows now. */
export interface State {
  readonly place: Place;
  readonly figureSpec: Spec;
  readonly tableSpec: Spec;
  readonly view: View;
  readonly parts: Parts; // the chapters'
}

/** What the address of the place that is shown holds. */
export function here({ place, figureSpec, tableSpec, view, parts }: State): { readonly spec: Spec; readonly view: View; readonly parts: Parts } {
  const { chapter, sample, path } = view;
  const alone = { ...view, chapter: "none", sample: "none", path: "none" } as const;
  if (place === "figure") return { spec: figureSpec, view: alone, parts: {} };
  if (place === "table") return { spec: forTable(tableSpec), view: { ...alone, sample }, parts: {} };
  return { spec: initial, view: { ...alone, chapter: chapter === "none" ? chapters[0] : chapter, path }, parts };
}

/** What can be left out around the figure's curves, and around a chart that stands alone. */
export const around = { figure: ["title", "switch", "controls", "verdict", "matrices"], chart: ["title", "switch", "controls", "verdict"] } as const satisfies Record<string, readonly View["hide"][number][]>;
export type Around = (typeof around.figure)[number];

const hidable = (viewFields.find(({ key }) => key === "hide")?.options ?? []) as View["hide"]; // in the order of links

export interface Look {
  readonly theme: View["theme"];
  readonly hide: readonly Around[];
}

/** Whether a built-in table is in use: a reader's is in no address. */
export function hasTable({ tableSpec, view }: State): boolean {
  return tableSpec.source === "table" && view.sample !== "none";
}

/** Whether a table of the reader's own is. */
export function isOwn({ tableSpec, view }: State): boolean {
  return tableSpec.source === "table" && view.sample === "none";
}

export function isChart(piece: Piece): piece is Chart {
  return charts.some((chart) => chart === piece);
}

export function isFigure(piece: Piece): piece is "figure" | Chart {
  return piece === "figure" || isChart(piece);
}

/** The settings of the page that shows a piece among all else. */
export function linked(state: State, piece: Piece, { theme }: Look): Pair[] {
  const view = { ...state.view, embed: "0", hide: [], theme } as const;
  switch (piece) {
    case "lab": {
      const { spec, parts, view: shown } = here({ ...state, view });
      return settings(spec, shown, Object.fromEntries(Object.entries(parts).map(([chapter, part]) => [chapter, unguessed(part)])));
    }
    case "table":
      return settings(forTable(state.tableSpec), { ...view, chapter: "none", path: "none" });
    case "figure":
    case "curve":
    case "maps":
    case "spectrum":
      return settings(forFigure(state.figureSpec), { ...view, chapter: "none", sample: "none", path: "none" });
    default: {
      const chapter = chapterOf(piece);
      return settings(initial, { ...readLink("").view, theme, chapter }, { [chapter]: unguessed(state.parts[chapter] ?? "") });
    }
  }
}

/** The settings of the page that shows a piece alone, as a frame does. */
export function embedded(state: State, piece: Piece, look: Look): Pair[] {
  const { spec, view, parts } = readLink(query(linked(state, piece, look)));
  const others = { curve: ["matrices"], maps: ["curve", "spectrum"], spectrum: ["curve", "maps"] } as const;
  const left: readonly string[] = isChart(piece) ? [...look.hide.filter((part) => part !== "matrices"), ...others[piece]] : isFigure(piece) ? look.hide : [];
  const hide = hidable.filter((part) => left.includes(part));
  return settings(spec, { ...view, embed: piece === "lab" ? "lab" : "1", hide }, parts);
}

function settings(spec: Spec, view: View, parts: Parts = {}): Pair[] {
  return pairs(writeLink(spec, view, parts));
}

export function isChapter(piece: Piece): piece is `chapter:${Chapter}` {
  return piece.startsWith("chapter:");
}

export function chapterOf(piece: `chapter:${Chapter}`): Chapter {
  return piece.slice("chapter:".length) as Chapter;
}

/** Between its = and & stands nothing but unreserved characters, commas and %XX: it means the same in every language. */
export function query(list: readonly Pair[]): string {
  return list.map(([key, value]) => `${escape(key)}=${escape(value)}`).join("&");
}
