// The order of what a projector shows: the figure, then each chapter's question,
// its pictures and its answer.
import type { Chapter, View } from "../state/view.js";

type Step = Exclude<View["present"], "0">;

/** A screen: of the figure, whose chapter is "none", there is one. */
export interface Place {
  readonly chapter: View["chapter"];
  readonly present: Step;
}

const STEPS = ["1", "run", "answer"] as const;

/** The screen so many after this one, below 0 before it; the first or the last where there is none. */
export function moved(from: Place, by: number, order: readonly Chapter[]): Place {
  const all = deck(order);
  const last = all.length - 1;
  return all[Math.min(last, Math.max(0, indexOf(from, all) + by))] ?? from;
}

/** Which screen this is, from 1, and of how many. */
export function counted(place: Place, order: readonly Chapter[]): readonly [number, number] {
  const all = deck(order);
  return [indexOf(place, all) + 1, all.length];
}

function deck(order: readonly Chapter[]): Place[] {
  return [{ chapter: "none", present: "1" }, ...order.flatMap((chapter) => STEPS.map((present): Place => ({ chapter, present })))];
}

/** A chapter that is not in the order stands before the first. */
function indexOf(place: Place, all: readonly Place[]): number {
  return Math.max(0, all.findIndex(({ chapter, present }) => chapter === place.chapter && (chapter === "none" || present === place.present)));
}
