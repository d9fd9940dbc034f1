import assert from "node:assert/strict";
import { test } from "node:test";

import type { Scene } from "../../engine/protocol.js";
import { BANDS, level, METRES, ramp, range, scaleOf } from "./scale.js";

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
