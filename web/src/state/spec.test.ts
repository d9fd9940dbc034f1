import assert from "node:assert/strict";
import { test } from "node:test";
import { readFile } from "node:fs/promises";

import { heightOf } from "./heights.js";
import { fit, form, pairs, parse, readAll, write, type Spec } from "./spec.js";
import { isFrame, isSlide, leads, lessonPlace, placeOf, rate, readLink, unguessed, writeLink } from "./view.js";

const plain: Spec = parse("").spec;

// Go's tests hold this half and their own to core/spec/testdata/links.json; here is what such a file would be too long for.

test("a text of too many bytes is cut between two letters", () => {
  for (const [text, kept] of [["x".repeat(1025), 1024], [`${"x".repeat(1023)}ö`, 1023]] as const) {
    const { spec, notices } = parse(`target=${text}`);
    assert.equal(spec.target, "x".repeat(kept));
    assert.deepEqual(notices.map(({ key }) => key), ["target"]);
  }
});

test("of names those too long are left out, and those after the last that there may be", () => {
  const names = Array.from({ length: 4097 }, (_, i) => `c${i}`);
  const { spec, notices } = parse(`ignore=${["x".repeat(1025), ...names].join(",")}`);
  assert.deepEqual([spec.ignore.length, spec.ignore.at(0), spec.ignore.at(-1)], [4095, "c0", "c4094"]);
  assert.equal(notices.length, 1);
});

test("rows that just fit stay as they are", () => {
  const most: Spec = { ...plain, d: 1000, n: 39_943, test: 2000 }; // 41,943 rows of 1000 are the most
  assert.deepEqual(fit(most), { spec: most, notices: [] });
  assert.deepEqual(fit({ ...most, n: 39_944 }).spec, most);
});

test("a query's parameters keep their order, a value's form is what a link says of it, and a notice names both as they were written", () => {
  assert.deepEqual(pairs("?b=2&&a=1%3D&c==&b"), [["b", "2"], ["a", "1="], ["c", "="], ["b", ""]]);
  assert.deepEqual([form("a,b"), form(0.5), form([1, 2]), form(["a,b", "c\\d"])], ["a,b", "0.5", "1,2", "a\\,b,c\\\\d"]);
  assert.deepEqual(parse("d=1e9").notices, [{ key: "d", found: "1e9", message: 'the link\'s d was "1e9"; used "1000" instead' }]);
});

test("another table of fields is read and written alike", () => {
  const table = [{ key: "days", kind: "ints", default: "1,2", min: 1, max: 9, options: [] }] as const;
  const { settings, notices } = readAll(table, "days=3,12&d=2");
  assert.deepEqual(settings, { days: [3, 9] });
  assert.deepEqual(notices.map(({ key }) => key), ["days", "d"]);
  assert.equal(write(table, settings), "days=3,9");
});

// Go's tests hold addresses as the page reads and writes them to core/spec/testdata/addresses.json.

test("a sweep, which the figure cannot show, is left out, and its notice names the chapter that shows one", () => {
  const { spec, view, notices } = readLink("sweep=rank&seed=3&speed=instant");
  assert.equal(writeLink(spec, view), "?seed=3&speed=instant");
  assert.match(notices[0]?.message ?? "", /How many samples/);
});

test("a chapter's settings begin without its name and have no guess, and a fragment names a chapter, the homework or a hand-in", () => {
  assert.deepEqual(readLink("?samples.d=12&samples.ratios=2,4").parts, { samples: "d=12&ratios=2,4" });
  assert.equal(unguessed("d=40&guess=all&then=few&guess&thenceforth=1&guesses=2&n=9"), "d=40&thenceforth=1&guesses=2&n=9");
  assert.deepEqual(["#psd", "#homework", "#handin=x", "#figure", "#psdx", ""].map(lessonPlace), ["#psd", "#homework", "#homework", undefined, undefined, undefined]);
});

test("a link leads to the place that it names last, or else to that of its settings, and may be a frame or a slide", () => {
  const told = (query: string, hash = ""): string => {
    const { spec, view, parts } = readLink(query);
    const place = placeOf(spec, view, parts, hash);
    return [place, ...(isFrame(view) ? ["framed"] : []), ...(isSlide(place, view) ? ["slide"] : []), ...(leads(hash) ? ["led"] : [])].join(" ");
  };
  assert.deepEqual(["", "embed=1", "embed=slide", "embed=slide&chapter=psd", "source=table", "source=table&homework.seed=1"].map((query) => told(query)), ["figure", "figure framed", "figure framed slide", "lesson framed", "table", "lesson"]);
  assert.deepEqual(["#table", "#figure", "#lesson", "#psd", "#handin=x", "#else"].map((hash) => told("source=table&chapter=psd", hash)), ["table led", "figure led", "lesson led", "lesson led", "lesson led", "lesson"]);
});

test("the pace is three times as fast on a table, and instant is instant", () => {
  assert.deepEqual([rate("slow", "synthetic"), rate("normal", "synthetic"), rate("normal", "table"), rate("instant", "table")], [15, 75, 225, Number.POSITIVE_INFINITY]);
});

test("a frame's height is the one that core/spec says, which wrote the file", async () => {
  const lines = (await readFile(new URL("../../../core/spec/testdata/heights.txt", import.meta.url), "utf8")).trim().split("\n");
  assert.ok(lines.length > 50);
  for (const line of lines) {
    const [query = "", width, high] = line.split(" ");
    assert.equal(heightOf(pairs(`?${query}`), Number(width)), Number(high), line);
  }
});
