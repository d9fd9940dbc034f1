import assert from "node:assert/strict";
import { test } from "node:test";
import { Remaining } from "./remaining.js";

test("the time left counts down by itself while the pace is the same", () => {
  const remaining = new Remaining();
  assert.ok(Number.isNaN(remaining.left(0.1, 0.5)), "a tenth of a second tells nothing");
  for (let elapsed = 1; elapsed <= 20; elapsed++) assert.ok(Math.abs(remaining.left(elapsed, elapsed / 20) - (20 - elapsed)) < 1e-9);
});

test("it does not jump with each run that is over", () => {
  const remaining = new Remaining();
  const told = Array.from({ length: 39 }, (_, i) => remaining.left((i + 1) / 2, Math.floor((i + 1) / 4) / 10)).filter((left) => !Number.isNaN(left)); // ten runs, over every two seconds: the share stands still between
  for (const [i, left] of told.entries()) assert.ok(i === 0 || left <= (told[i - 1] ?? 0) + 1e-9, `${told}`);
});

test("a pace that has changed clearly is told, and it never goes below nothing", () => {
  const remaining = new Remaining();
  const told = [[2, 0], [2, 0.5], [10, 0.5], [20, 1], [20.5, 1]] as const; // other work has taken the processor at 10 s
  assert.deepEqual(told.map(([elapsed, share]) => remaining.left(elapsed, share)), [NaN, 2, 10, 0, 0]);
  remaining.reset();
  assert.ok(Number.isNaN(remaining.left(0.1, 0)));
});
