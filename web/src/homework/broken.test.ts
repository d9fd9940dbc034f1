import assert from "node:assert/strict";
import { test } from "node:test";

import { strToU8, zipSync } from "fflate";

import { Turns } from "../save/turns.js";
import { MOST_NAME, MOST_WORDS, pack, readHandIn, unpack, writeHandIn } from "./handin.js";
import { faults } from "./strings.js";
import { readSubmissions } from "./submissions.js";

// Broken hand-ins by the hundred, always the same; INPUTS=100000 makes more.
const inputs = Number(process.env["INPUTS"] ?? 200);

const text = writeHandIn({
  version: "0.3.0",
  assignment: "chapters=psd",
  student: "Émilie",
  parts: [{ chapter: "psd", own: "d=8&seed=3", guess: "stuck", then: "", ran: true, answer: null, numbers: [["fm", 0.1], ["none", null]], runs: [{ query: "d=8", cell: 0, digest: "0000" }], words: "Two\nlines" }],
});
const pieces = ["null", "[]", "{}", "-0", "1e999", "9007199254740993", '"\\ud800"', '"\\u0000"', "\u202e", '"__proto__":', '"psd"', "[".repeat(20_000) + "]".repeat(20_000), " ".repeat(5000), "x".repeat(5000), "]", "}", ",", '"'];

/** Numbers below most, by mulberry32. */
function draws(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % most;
  };
}

/** The text with a few of its pieces cut out, put twice, or replaced: from one value of its JSON to another as often as anywhere. */
function broken(whole: string, draw: (most: number) => number): string {
  let found = whole;
  for (let i = draw(2); i >= 0; i--) {
    const ends = [...found.matchAll(/[,:[\]{}]/g)].map(({ index }) => index + 1);
    const at = draw(2) ? (ends[draw(ends.length || 1)] ?? 0) : draw(found.length + 1);
    const to = draw(2) ? (ends.find((end) => end > at + 1) ?? at + 1) - 1 : at + draw(20);
    const piece = draw(3) ? pieces[draw(pieces.length)] : draw(2) ? found.slice(at, to).repeat(2) : "";
    found = found.slice(0, at) + piece + found.slice(to);
  }
  return found;
}

test(`${inputs} broken hand-ins are hand-ins within their bounds or end in a sentence, and so do their links`, async () => {
  let read = 0;
  for (let seed = 0; seed < inputs; seed++) {
    const draw = draws(seed);
    const found = readHandIn(broken(text, draw));
    if ("fault" in found) assert.match(found.fault, /\w/);
    else {
      read++;
      const { handIn } = found;
      assert.ok(handIn.student.length <= MOST_NAME + 1 && handIn.parts.every(({ words }) => words.length <= MOST_WORDS + 1), `seed ${seed}`);
      assert.ok(!("fault" in readHandIn(writeHandIn(handIn))), `seed ${seed}: it can be handed in again`);
    }
  }
  assert.ok(read > inputs / 100 && read < inputs / 2, `${read} of them are whole`);
  const packed = await pack(text);
  for (let seed = 0; seed < inputs / 3; seed++) {
    const draw = draws(seed);
    const at = draw(packed.length);
    const unpacked = await unpack(packed.slice(0, at) + (draw(2) ? String.fromCharCode(45 + draw(78)) : "") + packed.slice(at + draw(3)));
    if (unpacked !== null) readHandIn(unpacked);
  }
});

test("what is nested too deeply to be written again is no hand-in", () => {
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  assert.deepEqual(readHandIn(text.replace('"formatVersion":1', `"formatVersion":${deep}`)), { fault: faults.format("…") });
  assert.deepEqual(readHandIn(text.replace('"chapter":"psd"', `"chapter":${deep}`)), { fault: faults.chapter("…") });
});

test("broken zips of hand-ins and lists of links have a line for what is in them, whatever it is", async () => {
  const zip = zipSync({ "Ada_1_assignsubmission_file_/a.json": strToU8(text), "b/links.txt": strToU8(`https://x.org/#handin=${await pack(text)}`) });
  const turns = new Turns(new AbortController().signal, () => undefined);
  for (let seed = 0; seed < inputs / 3; seed++) {
    const draw = draws(seed);
    const bytes = zip.slice(0, draw(4) ? zip.length : draw(zip.length + 1));
    for (let i = draw(5); i > 0 && bytes.length > 0; i--) bytes[draw(bytes.length)] = draw(256);
    const lines = await readSubmissions([new File([bytes], "a.zip"), new File([broken(text, draw)], "b.json"), new File([broken("Ada,https://x.org/#handin=AAAA\n", draw)], "c.csv")], turns);
    assert.ok(lines.length >= 3, `seed ${seed}`);
    for (const { found } of lines) assert.ok("handIn" in found || /\w/.test(found.fault), `seed ${seed}`);
  }
});
