import assert from "node:assert/strict";
import { test } from "node:test";

import { apart, box, distance, FRONT, gap, octants, overlap, product, seen, standing, turned, walls, type Point, type Turn } from "./geometry.js";

const grid = [-1, -0.5, 0, 0.5, 1];
const points = grid.flatMap((x) => grid.flatMap((y) => grid.map((z): Point => [x, y, z])));
const turns: readonly Turn[] = [FRONT, { about: 0, tilt: 0 }, { about: 2, tilt: -1 }, { about: 5, tilt: Math.PI / 2 }];

/** The pairs of FM's u. */
const written = (x: number, y: number, z: number): Point => [x * y, x * z, y * z];

test("what some u writes is reached, and what no u writes is not", () => {
  for (const m of points) {
    const [a, b, c] = m;
    const found = standing(m);
    if (product(m) > 0) {
      const first = Math.sqrt((a * b) / c);
      assert.ok(distance(written(first, a / first, b / first), m) < 1e-15);
      assert.equal(found, "reached");
    } else if (product(m) < 0) {
      assert.equal(found, "outside", "(u₁u₂u₃)² is never negative");
    } else {
      const zeros = m.filter((v) => v === 0).length;
      assert.equal(found, zeros > 1 ? "reached" : "approached", String(m)); // a factor of 0 takes two pairs with it
    }
  }
  assert.ok(distance(written(1000, -0.0009, -0.0007), [-0.9, -0.7, 0]) < 1e-6, "(s, a/s, b/s) comes near (a, b, 0)");
});

test("the nearest point of a product that is not negative is where the smallest pair is 0, as a search finds it", () => {
  for (const m of points) {
    const within = points.filter((p) => product(p) >= 0);
    const least = Math.min(...within.map((p) => distance(p, m)));
    assert.equal(gap(m), least, `from ${m}`); // the points of the grid have halves, exact in binary
    if (standing(m) !== "outside") continue;
    const [first, second, third] = walls(m);
    assert.ok(first && second && third);
    assert.equal(distance(first, m), least);
    assert.ok(distance(first, m) <= distance(second, m) && distance(second, m) <= distance(third, m));
    for (const wall of [first, second, third]) assert.equal(standing(wall), "approached", "no u has it");
  }
});

test("a view turns space: it keeps lengths and mirrors nothing", () => {
  for (const turn of turns) {
    for (const p of points) {
      const { right, up, near } = seen(p, turn);
      assert.ok(Math.abs(Math.hypot(right, up, near) - distance(p, [0, 0, 0])) < 1e-14, "a rotation, rounded thrice");
    }
    const [x, y, z] = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as const).map((axis) => seen(axis, turn)) as [ReturnType<typeof seen>, ReturnType<typeof seen>, ReturnType<typeof seen>];
    const across = x.right * (y.up * z.near - y.near * z.up) - x.up * (y.right * z.near - y.near * z.right) + x.near * (y.right * z.up - y.up * z.right);
    assert.ok(Math.abs(across - 1) < 1e-14);
  }
  assert.ok(seen([1, 1, -1], FRONT).near > 0, "the truth of the first run is on the near side at first");
  assert.equal(seen([0, 0, 1], { about: 1, tilt: 0 }).up, 1);
  assert.equal(turned({ about: 0.1, tilt: 1.5 }, { about: -0.2, tilt: 1 }).tilt, Math.PI / 2, "no further than straight above");
  assert.equal(turned({ about: 0.5, tilt: 0 }, { about: -1 }).about, 2 * Math.PI - 0.5, "once round is where it began");
});

test("the octants are those of a positive product, and a cube shows three faces and hides three edges", () => {
  assert.equal(octants.length, 4);
  for (const signs of octants) {
    assert.equal(product(signs), 1);
    const { faces, shown, hidden } = box(signs, 2, FRONT);
    assert.deepEqual([faces.length, shown.length, hidden.length], [3, 9, 3]);
    const nearest = (p: Point): number => seen(p, FRONT).near;
    const corners = faces.flatMap((face) => face.corners);
    assert.equal(new Set(corners.map(String)).size, 7, "all corners but the farthest");
    const [meeting] = hidden.map(([a, b]) => (nearest(a) < nearest(b) ? a : b));
    assert.ok(meeting && corners.every((corner) => nearest(corner) > nearest(meeting)), "the hidden edges meet at the farthest");
    assert.ok(corners.every((corner) => corner.every((v, i) => v === 0 || Math.sign(v) === signs[i])));
  }
});

test("labels are moved apart until none covers another, and not without need", () => {
  const crowd = [[0, 0], [3, 2], [-4, 1], [5, -3], [200, 0]].map(([x = 0, y = 0], i) => ({ x, y, text: `m${i}` }));
  const placed = apart(crowd);
  for (const [i, a] of placed.entries()) for (const b of placed.slice(i + 1)) assert.ok(!overlap(a, b), `${a.text} and ${b.text}`);
  assert.deepEqual([placed[0], placed[4]], [crowd[0], crowd[4]]);
});
