import assert from "node:assert/strict";
import { test } from "node:test";

import { clashes, namesIn, readAssignment, seeded, seedOf, writeAssignment } from "./assignment.js";
import { clean, plainName } from "./handin.js";

test("a student's seed follows from the assignment's and the name, not from how it is written or where it stands, and takes the place of a setting's", () => {
  const seed = seedOf(7, "Ada Lovelace");
  assert.equal(seed, 106_040, "in every version");
  for (const name of [" ada  lovelace ", "ADA LOVELACE", "Ada\u00a0Lovelace", "Ada Lovelace\u200b"]) assert.equal(seedOf(7, name), seed);
  assert.notEqual(seedOf(8, "Ada Lovelace"), seed);
  assert.notEqual(seedOf(7, "Ada Lovelacé"), seed);
  assert.ok(Number.isNaN(seedOf(7, " \u202e ")), "nobody has no seed");
  assert.deepEqual([seeded("d=8&seed=3&k=1", 9), seeded("", 9), seeded("d=8", Number.NaN)], ["d=8&k=1&seed=9", "seed=9", "d=8"]);
});

test("the seeds of a class spread over all there are", () => {
  const seeds = Array.from({ length: 3000 }, (_, i) => seedOf(1, `Student ${i}`));
  const [low, high] = [seeds.filter((seed) => seed <= 333_333).length, seeds.filter((seed) => seed > 666_666).length];
  for (const third of [low, high]) assert.ok(Math.abs(third - 1000) < 130, `${third} of 3000 in a third: five standard deviations of a fair share are 129`);
  assert.equal(clashes(1, Array.from({ length: 3000 }, (_, i) => `Student ${i}`)).length, 3000 - new Set(seeds).size);
});

test("a list has a name a line, each once, and hidden characters leave a text, which is told", () => {
  assert.deepEqual(namesIn("Ada Lovelace\r\n\n  Alan Turing \nada lovelace\n\u200b\n"), ["Ada Lovelace", "Alan Turing"]);
  assert.deepEqual(["Ada\u202e\u0007 Lovelace", "a\r\nb\tc"].map((text) => clean(text, 40)), [{ text: "Ada Lovelace", changed: true }, { text: "a\nb c", changed: false }]);
  assert.deepEqual(["abcdef", "😀\ud83d"].map((text) => clean(text, 3)), [{ text: "abc", changed: true }, { text: "😀", changed: true }]);
  assert.equal(plainName("ＡＤＡ"), "ada");
});

test("an assignment is read as it is written, without guesses and what it does not know, and one without a chapter is none", () => {
  const assignment = { title: "Week 3: signs & ranks", chapters: ["psd", "samples"], settings: { psd: "d=8&seed=3", samples: "ratios=1,2" }, seed: 42, words: false } as const;
  assert.deepEqual(readAssignment(writeAssignment(assignment)), assignment);
  assert.equal(readAssignment("chapters=psd&psd=d%3D8%26guess%3Dstuck%26then%3Dsame")?.settings.psd, "d=8");
  for (const query of ["", "title=x", "chapters=cube", "chapters="]) assert.equal(readAssignment(query), null);
  assert.equal(readAssignment(`chapters=psd&psd=${"x".repeat(1001)}`)?.settings.psd?.length, 1000);
  assert.deepEqual(readAssignment("chapters=cube,psd,psd&seed=-4&words=maybe&colour=red"), { title: "", chapters: ["psd"], settings: { psd: "" }, seed: 0, words: true });
});
