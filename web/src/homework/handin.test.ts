import assert from "node:assert/strict";
import { test } from "node:test";

import { broken, draws, inputs } from "./broken.test.js";
import { differing, linksIn, MOST_NAME, MOST_WORDS, pack, readHandIn, unpack, writeHandIn, type HandIn } from "./handin.js";
import { faults } from "./strings.js";

const runs = Array.from({ length: 60 }, (_, cell) => ({ query: "d=100&k=5&n=15000&scenario=flipped", cell, digest: `${cell}`.padStart(16, "0") }));
const handIn: HandIn = {
  version: "0.3.0",
  assignment: "chapters=psd",
  student: "Émilie du Châtelet",
  parts: [
    { chapter: "psd", own: "d=8&seed=3", guess: "stuck", then: "same", ran: true, answer: "stuck", numbers: [["fm", 0.1], ["ifm", 1e-9], ["none", null]], runs, words: "Two\nlines" },
    { chapter: "vtec", own: "", guess: "", then: "", ran: false, answer: null, numbers: [], runs: [], words: "" },
  ],
};

/** What is wrong with a hand-in that was changed, as a whole or in its parts. */
function read(change: (found: Record<string, unknown>, psd: Record<string, unknown>, vtec: Record<string, unknown>) => void): string {
  const found = JSON.parse(writeHandIn(handIn)) as Record<string, unknown>;
  const [psd = {}, vtec = {}] = found["parts"] as Record<string, unknown>[];
  change(found, psd, vtec);
  const result = readHandIn(JSON.stringify(found));
  return "fault" in result ? result.fault : "";
}

test("a hand-in is read as it is written, from a file and from a link", async () => {
  const text = writeHandIn(handIn);
  assert.deepEqual(readHandIn(text), { handIn, notes: [] });
  const packed = await pack(text);
  assert.match(packed, /^[\w-]+$/);
  assert.ok(packed.length < text.length / 2, "what repeats itself packs well");
  assert.equal(await unpack(packed), text);
});

test("all links of a text are found; one that is cut short, altered, none or a bomb gives nothing", async () => {
  const packed = await pack(writeHandIn(handIn));
  for (const broken of [packed.slice(0, -40), "", "!", "AAAA", packed.slice(20)]) assert.equal(await unpack(broken), null, broken.slice(0, 20));
  const large = [1 << 20, (1 << 20) + 1, 64 << 20].map(async (size) => (await unpack(await pack(" ".repeat(size))))?.length);
  assert.deepEqual(await Promise.all(large), [1 << 20, undefined, undefined]);
  assert.deepEqual(linksIn('name,link\r\nAda,"https://x.org/#handin=ab-_9"\nAlan,https://x.org/#handin=c <a href="file:///x.html#handin=d">'), [{ line: 2, packed: "ab-_9" }, { line: 3, packed: "c" }, { line: 3, packed: "d" }]);
});

test("what is no hand-in says what it is, and what to do", () => {
  for (const text of ["", "{", "[1,2", "{'a':1}", "\u0000"]) assert.match((readHandIn(text) as { fault: string }).fault, /JSON is broken/);
  for (const text of ["null", "3", '"x"', "[]", "{}", '{"format":"ifm-lab.model"}']) assert.match((readHandIn(text) as { fault: string }).fault, /another kind of file/);
  assert.match(read((found) => (found["formatVersion"] = 2)), /format 2, which this page does not read/);
  assert.match(read((found) => delete found["student"]), /student.* is missing or damaged/);
  assert.match(read((found) => (found["parts"] = {})), /missing or damaged/);
  assert.match(read((_, psd) => (psd["chapter"] = "__proto__")), /a chapter that this page does not have: __proto__/);
  assert.match(read((_, __, vtec) => (vtec["chapter"] = "psd")), /names the chapter “The PSD bias” twice/);
  assert.match(read((_, psd) => (psd["numbers"] = [["fm", "1"]])), /psd: numbers/);
  assert.match(read((_, psd) => (psd["runs"] = [["d=3", 0.5, "x"]])), /psd: runs/);
  assert.match(read((_, psd) => (psd["own"] = "d=3".repeat(3000))), /psd: own/);
  const [text, deep] = [writeHandIn(handIn), "[".repeat(100_000) + "]".repeat(100_000)];
  assert.deepEqual(readHandIn(text.replace('"formatVersion":1', `"formatVersion":${deep}`)), { fault: faults.format("…") }, "nested too deeply to be written again");
  assert.deepEqual(readHandIn(text.replace('"chapter":"psd"', `"chapter":${deep}`)), { fault: faults.chapter("…") });
});

test("names and words come without hidden characters", () => {
  const text = writeHandIn({ ...handIn, student: "Ada\u202e\u0000\nLovelace", parts: handIn.parts.map((part) => ({ ...part, words: "a\u202eb\nc" })) });
  const found = readHandIn(text);
  assert.ok("handIn" in found);
  assert.deepEqual([found.handIn.student, found.handIn.parts[0]?.words, found.notes.length], ["Ada Lovelace", "ab\nc", 1]);
});

test("numbers are the same within what two browsers round differently, and the first that is not is named", () => {
  assert.equal(differing([["fm", 0.1]], [["fm", 0.1 + 1e-12]]), "");
  assert.equal(differing([["fm", null]], [["fm", null]]), "");
  assert.match(differing([["fm", 0.1], ["ifm", 0.2]], [["fm", 0.1], ["ifm", 0.2001]]), /second number: 0\.2/);
  for (const value of [0, 1]) assert.match(differing([["fm", null]], [["fm", value]]), /first number: none/);
  assert.match(differing([["fm", 1]], [["ifm", 1]]), /first number/);
  assert.match(differing([], [["ifm", 1]]), /0 numbers handed in, 1 when repeated/);
});

test(`${inputs} broken hand-ins are hand-ins within their bounds or end in a sentence, and so do their links`, async () => {
  const text = writeHandIn({ ...handIn, parts: handIn.parts.map((part) => ({ ...part, runs: part.runs.slice(0, 1) })) });
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
