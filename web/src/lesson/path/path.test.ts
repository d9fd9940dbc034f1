import assert from "node:assert/strict";
import { test } from "node:test";
import { chapters } from "../../state/view.js";
import { along, neighbour, paths } from "./path.js";

test("each path holds the shorter ones, in the lesson's order, and the longest holds all", () => {
  const ways = paths.map(along);
  for (const [i, way] of ways.entries()) {
    assert.deepEqual(way, chapters.filter((name) => way.includes(name)));
    for (const name of ways[i - 1] ?? []) assert.ok(way.includes(name), `${name} is on ${paths[i]}`);
    assert.ok(way.length > (ways[i - 1]?.length ?? 0), "a longer path has more chapters");
  }
  assert.deepEqual(ways.at(-1), chapters);
  assert.deepEqual(along("none"), chapters, "who has chosen none walks through all");
});

test("next and back lead through a path and end with it, also from a chapter beside it", () => {
  const way = along("short");
  const walked = [way[0]];
  for (let here = neighbour("short", way[0]!, "next"); here; here = neighbour("short", here, "next")) walked.push(here);
  assert.deepEqual(walked, way);
  assert.equal(neighbour("short", way[0]!, "back"), null);
  for (const [i, name] of way.entries()) assert.equal(neighbour("short", name, "back"), way[i - 1] ?? null);
  const beside = chapters.find((name) => !way.includes(name));
  assert.ok(beside);
  assert.equal(neighbour("short", beside, "back"), way.findLast((name) => chapters.indexOf(name) < chapters.indexOf(beside)) ?? null);
  assert.equal(neighbour("short", chapters.at(-1)!, "next"), null);
});
