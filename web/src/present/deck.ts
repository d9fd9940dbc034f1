// The order of what a projector shows: the figure, then each chapter's question,
// its pictures and its answer.
import type { Chapter, View } from "../state/view.js";

type Step = Exclude<View["present"], "0">;

/** A screen. The figure has one, with "none" as its chapter. */
export interface Place {
  readonly chapter: View["chapter"];
  readonly present: Step;
}

const STEPS = ["1", "run", "answer"] as const;

export function moved(from: Place, by: number, order: readonly Chapter[]): Place {
  const all = deck(order);
  const last = all.length - 1;
  return all[Math.min(last, Math.max(0, indexOf(from, all) + by))] ?? from;
}

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
