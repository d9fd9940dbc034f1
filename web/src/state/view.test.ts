import assert from "node:assert/strict";
import { test } from "node:test";

import { lessonPlace, rate, readLink, unguessed, writeLink } from "./view.js";

/** What the page makes of an address, written again, and whose notices it shows. */
const addresses: readonly (readonly [name: string, query: string, written: string, ...told: string[]])[] = [
  ["nothing is all defaults", "", ""],
  ["a run's settings stand before the page's, and a chapter's after both", "psd.d=50&speed=instant&seed=4&chapter=psd", "?seed=4&chapter=psd&speed=instant&psd.d=50"],
  ["a chapter's settings leave the figure's as they are", "d=40&samples.d=12", "?d=40&samples.d=12"],
  ["a chapter's settings stay together, and the chapters in their order", "vtec.seed=2&psd.d=50&vtec.days=3&interaction.n=9", "?interaction.n=9&psd.d=50&vtec.seed=2&vtec.days=3"],
  ["a chapter's settings stay as they were written, wrong or not", "psd.d=1e9&psd.colour=a%20b+c", "?psd.d=1e9&psd.colour=a%20b+c"],
  ["the homework that is set stands behind all chapters", "homework.chapters=psd&homework.psd=d%3D8&vtec.seed=2", "?vtec.seed=2&homework.chapters=psd&homework.psd=d%3D8"],
  ["what is no chapter before the point is not known", "cube.d=50", "", "cube.d"],
  ["what only begins like a chapter's name is not known", "database=1", "", "database"],
  ["what is wrong with the page's settings is told before the run's", "d=1e9&theme=blue&speed=fast", "?d=1000", "theme", "speed", "d"],
  ["parts to hide keep their order", "hide=spectrum,title,nose", "?hide=title,spectrum", "hide"],
  ["a sweep, which the figure cannot show, is told and left out", "sweep=rank&seed=3&speed=instant", "?seed=3&speed=instant", "sweep"],
  ["a chapter is known however its name is escaped, and keeps its values as they were", "%70sd.d=50&psd%2Edepth=a%20b+c&%70sd.%64", "?psd.d=50&psd.depth=a%20b+c&psd.d"],
  ["a chapter's setting without a name stays, and nothing at all does not", "psd.=1&psd.&data", "?psd.=1", "data"],
  ["the last of several values counts, and of a chapter's the chapter says so", "d=40&d=50&speed=slow&speed=instant&psd.d=1&psd.d=2", "?d=50&speed=instant&psd.d=1&psd.d=2"],
  ["a name is known however it is escaped", "%73peed=instant&%64=40", "?d=40&speed=instant"],
];

for (const [name, query, written, ...told] of addresses) {
  test(name, () => {
    const { spec, view, parts, notices } = readLink(query);
    assert.equal(writeLink(spec, view, parts), written);
    assert.deepEqual(notices.map(({ key }) => key), told);
    assert.deepEqual(readLink(written), { spec, view, parts, notices: [] }, "and reads what it writes");
  });
}

test("a sweep's notice names the chapter that shows one", () => {
  assert.match(readLink("sweep=rank").notices[0]?.message ?? "", /How many samples/);
});

test("a chapter's settings begin without its name", () => {
  assert.deepEqual(readLink("?samples.d=12&samples.ratios=2,4").parts, { samples: "d=12&ratios=2,4" });
});

test("the pace is three times as fast on a table, and instant is instant", () => {
  assert.deepEqual([rate("slow", "synthetic"), rate("normal", "synthetic"), rate("normal", "table"), rate("instant", "table")], [15, 75, 225, Number.POSITIVE_INFINITY]);
});

test("a fragment names a chapter, the homework or a hand-in, and nothing else of the lesson", () => {
  assert.deepEqual(["#psd", "#homework", "#handin=x", "#figure", "#psdx", ""].map(lessonPlace), ["#psd", "#homework", "#homework", undefined, undefined, undefined]);
});

test("a guess is left out of a chapter's settings, and what only begins like one is not", () => {
  assert.equal(unguessed("d=40&guess=all&then=few&guess&thenceforth=1&guesses=2&n=9"), "d=40&thenceforth=1&guesses=2&n=9");
});
