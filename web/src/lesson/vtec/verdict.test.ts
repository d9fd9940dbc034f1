import assert from "node:assert/strict";
import { test } from "node:test";

import { plain } from "../../text/phrase.js";
import type { Group, Groups, Tally } from "./tally.js";
import * as paper from "./quoted.js";
import { answer, brief, says } from "./verdict.js";

const methods = ["ridge", "fm", "ifm", "kriging"];

/** A table of days, with the RMSE of each method in order; a day of none has no window. */
function tally(days: readonly (readonly number[])[], more: Partial<Tally> = {}): Tally {
  const used = days.filter((day) => day.length > 0);
  const rows = days.map((rmse, i) => ({ day: String(i), of: 4, over: 4, used: rmse.length > 0 ? 4 : 0, zero: 0.1, rmse: rmse.length > 0 ? [...rmse] : methods.map(() => Number.NaN) }));
  const average = methods.map((_, m) => used.reduce((sum, day) => sum + (day[m] ?? Number.NaN), 0) / used.length);
  return { methods, rows, zero: 0.1, average, groups: null, positions: null, unusable: [], ...more };
}

const ahead = [0.02, 0.03, 0.016, 0.01];
const behind = [0.02, 0.03, 0.022, 0.01];
const level = [0.02, 0.03, 0.020001, 0.01];

test("iFM is judged by the days that it leads among the paper's methods, level or alone, of those that have windows", () => {
  const all = [[ahead, ahead, []], [ahead, level, behind], [ahead, behind]].map((days) => answer(tally(days)));
  assert.deepEqual(all, ["all", "most", "few"], "0.020001 is printed as 0.02000, and half is not most");
  assert.deepEqual([answer(tally([[], []])), answer({ ...tally([ahead]), methods: ["ridge", "fm", "gfm", "kriging"] }), answer({ ...tally([ahead]), methods: ["kriging", "ifm", "gfm"] })], [null, null, null]);
  for (const [m, mean] of paper.average.entries()) assert.equal((paper.days.reduce((sum, day) => sum + (day[m] ?? NaN), 0) / paper.days.length).toFixed(5), mean.toFixed(5));
});

test("in brief iFM is compared with the best of the paper's other methods, at length with ridge and the lowest of all", () => {
  assert.equal(plain(brief(tally([ahead, behind, []]))), "iFM leads on 1 of 2 days. Its average RMSE is 0.01900 m; the best other method, Ridge, has 0.02000 m.");
  assert.equal(
    plain(says(tally([ahead, level, behind, []]), null)),
    "iFM is the best of the three on 2 of 3 days, tied with another on one of them. Its RMSE, 0.01933 m, is 3.3 % lower than ridge regression’s, 0.02000 m. iFM beats ridge regression on 1 of 3 days. Kriging, which is not in the paper, has the lowest RMSE on average over 3 days: 0.01000 m. Predicting 0 gives 0.10000 m. iFM’s error is 93 % higher than Kriging’s.",
  );
});

test("two are level within a hundredth of the RMSE, a day on which both print alike is no day that iFM beats ridge on, and no day has nothing to compare", () => {
  const is = [[0.01985, "level with ridge regression’s, 0.02000 m, within 0.75 %"], [0.0197, "1.5 % lower than ridge"], [0.0204, "2.0 % higher than ridge"]] as const;
  for (const [ifm, told] of is) assert.match(plain(says(tally([[0.02, 0.03, ifm, 0.01]]), null)), new RegExp(`is ${told}`));
  assert.match(plain(says(tally([ahead, [0.02, 0.03, 0.02, 0.01]]), null)), /iFM beats ridge regression on 1 of 2 days/);
  assert.match(plain(says(tally([[], []]), null)), /^No window could be used/);
  const calm = ([["simulated", 0], ["simulated", 1], ["maps", 0]] as const).map(([sky, waves]) => plain(says(tally([ahead]), { sky, waves } as Parameters<typeof says>[1])));
  assert.deepEqual(calm.map((told) => told === calm[1]), [false, true, true], "a simulated sky without waves is said to be calm");
});

test("what days differ by says whether the lead may be chance", () => {
  const all: Group = { name: "all", differences: 9, rmse: [], blocks: [] };
  const groups = (...leads: readonly number[]): Groups => ({ hourly: false, all: { ...all, blocks: leads.map((lead) => [0.02, 0.03, 0.02 + lead, 0.01]) }, stations: [], hours: [], elevations: [] });
  const told = (...leads: readonly number[]): string => plain(says(tally([ahead, ahead, ahead], { groups: groups(...leads) }), null));
  // Student's t of 2 degrees is 4.303; the standard error of 3 days is their deviation over √3.
  assert.match(told(-0.003, -0.004, -0.005), /The difference is −0\.00400 m ± 0\.00248 m \(95 % interval over 3 days\)\./);
  assert.match(told(-0.0005, -0.004, -0.005), /−0\.00317 m ± 0\.00587 m \(95 % interval over 3 days\), which may be chance\./);
  assert.doesNotMatch(told(-0.004), /difference/, "one day has nothing to differ by");
});

test("a difference of positions within two standard errors may be chance", () => {
  const told = (error: number): string => plain(says(tally([ahead], { positions: { of: 4, over: 4, used: 4, tried: 1000, none: 0, perfect: 1, share: [0.6, 0.5, 0.63, 0.7], error: () => error } }), null));
  assert.match(told(0.01), /In 4 windows \(.*\) 1,000 positions are simulated; 63\.0 % are within a centimetre with iFM’s predictions, and 60\.0 % with ridge regression’s\. The difference is \+3\.0 ± 1 points \(± one standard error\)\./);
  assert.match(told(0.016), /\+3\.0 ± 1\.6 points \(± one standard error\), which may be chance\./, "less than two standard errors");
});
