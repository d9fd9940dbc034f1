import assert from "node:assert/strict";
import { test } from "node:test";
import { counted, moved, type Place } from "./deck.js";

const order = ["psd", "spectrum"] as const;

test("a projector shows the figure, then each chapter's question, run and answer", () => {
  const seen: string[] = [];
  let place: Place = { chapter: "none", present: "1" };
  for (let i = 0; i < 7; i++) {
    const [at, of] = counted(place, order);
    seen.push(`${at}/${of} ${place.chapter} ${place.present}`);
    place = moved(place, 1, order);
  }
  assert.deepEqual(seen, ["1/7 none 1", "2/7 psd 1", "3/7 psd run", "4/7 psd answer", "5/7 spectrum 1", "6/7 spectrum run", "7/7 spectrum answer"]);
});

test("nothing lies before the first screen or behind the last, and a chapter that is not in the order stands before the first", () => {
  const [first, last]: Place[] = [{ chapter: "none", present: "1" }, { chapter: "spectrum", present: "answer" }];
  assert.deepEqual([moved(first as Place, -1, order), moved(last as Place, 1, order)], [first, last]);
  assert.deepEqual(moved({ chapter: "vtec", present: "run" }, 1, order), { chapter: "psd", present: "1" });
  assert.deepEqual(counted({ chapter: "none", present: "answer" }, order), [1, 7], "the figure has one screen");
});
