import assert from "node:assert/strict";
import { test } from "node:test";

import { axis, beyond, clip, shareAxis, type Axes } from "./axis.js";
import { place } from "./labels.js";
import { decades, multiples, roundUp } from "./ticks.js";

const axes: Axes = { scale: "linear", x: [0, 10], y: [0, 4], ticks: [] };

test("a line is drawn as far as it lies on the axis, with a mark where it leaves", () => {
  assert.deepEqual(clip(axes, [[0, 1], [1, 3]]), { path: [[0, 1], [1, 3]], exits: [] });
  assert.deepEqual(clip(axes, [[0, 2], [1, 6], [2, 8], [3, 0]]), { path: [[0, 2], [0.5, 4], [1, Number.NaN], [2.5, 4], [3, 0]], exits: [[0.5, 4]] });
  assert.deepEqual([[[0, 9], [1, 4]], [[0, 2], [4, 6]]].map((line) => clip(axes, line as [number, number][]).exits), [[[0, 4]], [[2, 4]]], "the first begins beyond");
  assert.deepEqual(clip(axes, [[0, 2], [1, Number.POSITIVE_INFINITY]]).exits, [[0, 4]], "it leaves at once");
  const { path } = clip({ ...axes, scale: "log", y: [1, 100] }, [[0, 10], [1, 1000]]);
  assert.ok(Math.abs((path[1]?.[0] ?? 0) - 0.5) < 1e-12, "half of the way in decades");
});

test("a table's axis goes around ridge, down to the lowest line, and its end doubles once a line comes there", () => {
  const of = (last: number, least: number, mean = 8, kept?: number): Axes => axis("linear", { iterations: 100 } as Parameters<typeof axis>[1], { ridge: 4, mean } as Parameters<typeof axis>[2], [{ iteration: [0, last], error: [8, least], done: kept !== undefined, kept }] as unknown as Parameters<typeof axis>[3], []);
  assert.deepEqual([20, 21, 41, 81, 130].map((last) => of(last, 4).x[1]), [20, 40, 80, 100, 130]);
  const close = (found: readonly number[], ...want: number[]): void => want.forEach((v, i) => assert.ok(Math.abs((found[i] ?? NaN) - v) < 1e-12, `${found}`));
  close(of(1, 4).y, 3.2, 5.2);
  close(of(1, 4, 4).y, 3.2, 4.6);
  close(of(1, 3).y, 2.4, 5.2);
  close(of(1, 6, 8, 6).y, 3.2, 6.48);
  close(of(1, 9, 8, 9).y, 3.2, 8.64);
});

test("the figure's axis is of shares of a linear model's error, and a table's logarithmic one has whole decades from its lowest line", () => {
  assert.deepEqual(shareAxis("linear", 9, 2), { scale: "linear", x: [0, 9], y: [0, 2.08], ticks: [0, 1, 2] });
  const { x, y, ticks } = shareAxis("log", 9, 2);
  assert.deepEqual([x, y, ticks].flat().map((v) => Number(v.toPrecision(9))), [0, 9, 1.6e-4, 2.6, 2, 0.2, 0.02, 0.002, 2e-4]);
  const of = (least: number, ridge = 1): Axes => axis("log", { iterations: 10 } as Parameters<typeof axis>[1], { ridge, mean: 1 } as Parameters<typeof axis>[2], [], [{ whose: "trees", error: least }]);
  assert.deepEqual([of(0.05).ticks, of(0.05).y.map((v) => Number(v.toFixed(9)))], [[0.01, 0.1, 1], [0.01, 1.15]]);
  assert.deepEqual([of(0.5).scale, of(0.5).ticks], ["log", [0.6, 0.8, 1]], "less than a factor of 20 has even ticks");
  assert.deepEqual([of(2, Number.NaN).y, of(2, 0).y], [[0.8, 1.15], [0.8, 1.15]], "without a ridge the mean stands for it");
  assert.deepEqual([0, 4, 4.1, -0.1].map((v) => beyond(axes, v)), [0, 0, 1, -1]);
});

test("ticks stand at 1, 2 or 5 times powers of ten, or at these", () => {
  assert.deepEqual([0.7, 1, 1.1, 3, 60].map(roundUp), [1, 1, 2, 5, 100]);
  assert.deepEqual([multiples(0.2, 0.1, 0.8), decades(-2, 1)], [[0.2, 0.4, 0.6, 0.8], [0.01, 0.1, 1, 10]]);
  assert.equal(decades(-16, 0).length, 9);
  assert.deepEqual(decades(-8, 1).map(Math.log10).map(Math.round), [-8, -6, -4, -2, 0]);
});

test("labels stand at least a line apart, within the chart and off its marks", () => {
  const wish = (y: number) => ({ left: 0, right: 1, y });
  assert.deepEqual(place([wish(50), wish(80)], [], 17, 0, 100), [50, 80], "where they are wanted, if there is room");
  assert.deepEqual(place([wish(50), wish(50)], [], 20, 0, 100), [40, 60]);
  assert.deepEqual(place([wish(0), wish(1)], [], 20, 10, 100).map(Math.round), [10, 30]);
  assert.deepEqual(place([wish(50)], [{ left: 0, right: 1, top: 40, bottom: 55 }], 10, 0, 100), [60], "the nearest free place");
  const beside = ([[1, 2, 40, 60], [-1, 0, 40, 60], [0, 1, 55, 70], [0, 1, 0, 45]] as const).map(([left, right, top, bottom]) => ({ left, right, top, bottom }));
  for (const mark of beside) assert.deepEqual(place([wish(50)], [mark], 10, 0, 100), [50], "an edge may be shared");
});
