import assert from "node:assert/strict";
import { test } from "node:test";
import { plain } from "../../text/phrase.js";
import { parsed, type Chapter } from "../chapter/definition.js";
import { runOf } from "../chapter/tracks.test.js";
import { vtec } from "./chapter.js";
import type { Tally } from "./tally.js";
import type { Outcome } from "./work.js";

type Settings = Parameters<NonNullable<typeof vtec.seconds>>[0];

const settings = (own: string): Settings => parsed(vtec as unknown as Chapter, own).values as unknown as Settings;

/** A run whose windows are over as far as that, on two days that iFM leads. */
function run(over: number) {
  const row = { of: 10, over, used: over, zero: 0.1, rmse: [0.02, 0.01] };
  const tally: Tally = { methods: ["ridge", "ifm"], rows: [{ day: "A", ...row }, { day: "B", ...row }], zero: 0.1, average: [0.02, 0.01], groups: null, positions: null, unusable: [] };
  return runOf(settings("days=2&methods=ridge,ifm"), [], { tally, over: 2 * over, of: 20 } as unknown as Outcome);
}

test("a run is marked where it is on the simulator, and repeated where it takes a quarter of an hour at most", () => {
  assert.deepEqual(["", "sky=maps", "sky=disturbed", "sky=points"].map((own) => vtec.collected?.(settings(own)) === ""), [true, false, false, false]);
  const seconds = (own: string): number => vtec.seconds?.(settings(own)) ?? Number.NaN;
  assert.ok(seconds("") > 5 && seconds("") < 60, `${seconds("")} s as it is set first`);
  assert.ok(seconds("stride=1&stations=all") > 900);
});

test("a tenth of the windows gives a first answer, and a run that was stopped says how far it came", () => {
  assert.deepEqual([run(0), run(2), { ...run(2), phase: "stopped" as const }].map((one) => vtec.early?.(one) === null), [true, false, true]);
  assert.equal(vtec.answer(vtec.read(run(2))), "all");
  assert.match(plain(vtec.told(vtec.read(run(2)), "")), /^After 4 of 20 windows: iFM is the better of the two on 2 of 2 days\. Its RMSE, 0\.01000 m, is 50 % lower than ridge regression’s, 0\.02000 m\./);
  assert.deepEqual(vtec.told(vtec.read({ ...run(0), plan: null }), ""), []);
});
