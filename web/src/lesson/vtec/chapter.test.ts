import assert from "node:assert/strict";
import { test } from "node:test";

import type { Scene } from "../../engine/protocol.js";
import { plain } from "../../text/phrase.js";
import { parsed, type Chapter } from "../chapter/definition.js";
import { runOf } from "../chapter/tracks.test.js";
import { poolOf } from "../../engine/workers.test.js";
import { vtec } from "./chapter.js";
import { fileNeeded } from "./strings.js";
import { BANDS, level, METRES, ramp, range, scaleOf } from "./scale.js";
import type { Tally } from "./tally.js";
import { SkyWork, type Outcome } from "./work.js";
import { latex, markdown } from "./write.js";

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

const scene = (tec: readonly number[], bend: readonly number[], delay: readonly number[] = []): Promise<Scene> => Promise.resolve({ tec: Float64Array.from(tec), bend: Float64Array.from(bend), delay: Float64Array.from(delay) } as unknown as Scene);

test("a scale is of twelve times of the day, of the field or else of the signals, and has room for the usual bends", async () => {
  const asked: number[] = [];
  const day = await scaleOf(Array.from({ length: 24 }, (_, i) => 10 * i), (minute) => {
    asked.push(minute);
    return scene([minute + 1.5, Number.NaN], [...Array.from({ length: 8 }, () => -0.3), Number.NaN, minute === 220 ? 99 : 0.1]);
  });
  assert.deepEqual(asked, Array.from({ length: 12 }, (_, i) => 20 * i));
  assert.deepEqual(day, { low: 1, high: 222, bend: 0.5 });
  assert.deepEqual(await scaleOf([0], () => scene([Number.NaN], [], [3 * METRES])), { low: 3, high: 4, bend: Number.NaN });
  assert.deepEqual(await scaleOf([], () => scene([], [0, 0])), { low: Number.NaN, high: Number.NaN, bend: 0.001 });
});

test("a value's shade is its share of the scale, as far as that goes, and its ends are told", () => {
  const scale = { low: 10, high: 30, bend: 2 };
  assert.deepEqual([9, 10, 20, 31, Number.NaN].map((v) => level(v, "tec", scale)), [0, 0, BANDS / 2, BANDS, null]);
  assert.deepEqual([-3, -1, 0, 3].map((v) => level(v, "bend", scale)), [-BANDS, -BANDS / 2, 0, BANDS]);
  assert.deepEqual([range("bend", scale), range("tec", scale)], [["≤ −2", "≥ +2"], ["10", "30"]]);
  assert.deepEqual([range("bend", { ...scale, bend: Number.NaN }), ramp("tec", { ...scale, low: Number.NaN })], [null, undefined]);
  assert.deepEqual([ramp("tec", scale)?.shades.length, ramp("bend", scale)?.shades.length, ramp("tec", scale)?.low], [BANDS + 1, 2 * BANDS + 1, "10"]);
});

const line = { title: "Day 1", cells: [{ text: "0.1", best: true }, { text: "–", best: false }] };
const grid = { caption: "50 % of a_b | c", head: ["Day", "FM", "α"], rows: [line], foot: [line] };

test("a table for a paper or a page marks the best, and no text leaves its place", () => {
  const text = latex(grid, "seed 1\n\\end", "https://a/?b=1");
  assert.ok(text.startsWith("% seed 1 \\end\n% https://a/?b=1\n\\begin{table}\n\\caption{50 \\% of a\\_b | c}"));
  assert.equal(text.split("\n").filter((row) => row === "Day 1 & \\textbf{0.1} & -- \\\\").length, 2);
  assert.equal(text.match(/\\begin/g)?.length, 2);
  const rows = markdown(grid, "seed 1", "https://a/?b=<1>").split("\n");
  assert.deepEqual(rows, ["50 % of a\\_b \\| c", "", "| Day | FM | α |", "| :-- | --: | --: |", "| Day 1 | **0.1** | – |", "| Day 1 | **0.1** | – |", "", "seed 1 <https://a/?b=%3C1%3E>", ""]);
});

test("windows are run on the simulator, or on a file of the sky that is asked for, which is let go of once another came", async () => {
  const pool = poolOf(1);
  const closed: unknown[] = [];
  pool.close = (one) => void closed.push(one);
  const work = new SkyWork(pool, () => undefined);
  const start = (own: string): Promise<boolean> => work.start(settings(`days=1&${own}`) as unknown as Parameters<typeof work.start>[0]);
  const files = await Promise.all([0, 1].map(() => pool.openSky(new File([], "a.inx"), "", () => undefined, new AbortController().signal)));
  await assert.rejects(start("sky=maps"), { message: fileNeeded });
  work.use(files[0] ?? null);
  await assert.rejects(start("sky=points"), { message: fileNeeded });
  assert.deepEqual([await start("sky=maps"), work.run?.phase, work.starting, work.differs()], [true, "done", false, false]);
  work.use(files[1] ?? null);
  assert.deepEqual([work.differs(), await start("sky=simulated"), work.differs(), closed], [true, true, false, []]);
  work.close();
  assert.deepEqual(closed, files);
});
