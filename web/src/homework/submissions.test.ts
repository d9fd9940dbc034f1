import assert from "node:assert/strict";
import { test } from "node:test";

import { strToU8, Zip, ZipDeflate, zipSync } from "fflate";

import { Turns } from "../save/turns.js";
import { broken, draws, inputs } from "./broken.test.js";
import { pack, writeHandIn } from "./handin.js";
import { readSubmissions, whose } from "./submissions.js";

const turns = (): Turns => new Turns(new AbortController().signal, () => undefined);
const handIn = (student: string): string => writeHandIn({ version: "1", assignment: "", student, parts: [] });

/** Each submission's file, and its student or what is wrong with it. */
async function all(...files: readonly File[]): Promise<string[]> {
  return (await readSubmissions(files, turns())).map(({ file, found }) => `${file}: ${"fault" in found ? found.fault : found.handIn.student}`);
}

test("files, lists of links and zips are read in their order, a line each, and the platform's path says whose a file is", async () => {
  const link = `https://x.org/#handin=${await pack(handIn("Alan"))}`;
  const zip = zipSync({ "Grace_1_assignsubmission_file_/a.json": strToU8(handIn("Grace")), "Edsger_2_assignsubmission_onlinetext_/onlinetext.html": strToU8(`<p><a href="${link}">x</a></p>`), "folder/": new Uint8Array() });
  assert.deepEqual(await all(new File([handIn("Ada")], "ada.json"), new File([`name,link\nAlan,${link}\nAlan,${link.slice(0, -9)}\n`], "links.csv"), new File([new Uint8Array(zip)], "export.zip")), [
    "ada.json: Ada",
    "links.csv, line 2: Alan",
    "links.csv, line 3: its link is damaged or incomplete; ask for the file",
    "export.zip/Grace_1_assignsubmission_file_/a.json: Grace",
    "export.zip/Edsger_2_assignsubmission_onlinetext_/onlinetext.html, line 1: Alan",
  ]);
  const paths = ["Ada Lovelace_4711_assignsubmission_file_/x.json", "Group A-Ada Lovelace_4711_assignsubmission_file_x.json", "lovelaceada_LATE_123_456_hand-in.json", "hand-in.json"];
  assert.deepEqual(paths.map(whose), ["Ada Lovelace", "Group A-Ada Lovelace", "lovelaceada", ""]);
});

test("a list of links in UTF-16, of either order, is read", async () => {
  const text = `\ufeffhttps://x.org/#handin=${await pack(handIn("Ada"))}`;
  for (const little of [true, false]) {
    const view = new DataView(new ArrayBuffer(2 * text.length));
    for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), little);
    assert.deepEqual(await all(new File([view], "l.txt")), ["l.txt, line 1: Ada"]);
  }
});

test("what is none, or unpacks to more than is read, has a line that says so", async () => {
  const zip = zipSync({ "a/essay.pdf": strToU8("%PDF"), "b/more.zip": zipSync({}), "c/x.json": strToU8("{"), "__MACOSX/._x": strToU8("x"), ".DS_Store": strToU8("x"), "d/notes.txt": strToU8("hello") });
  const large = { name: "large.json", size: 1e10, slice: () => new Blob(["{"]) } as unknown as File;
  const gone = { name: "folder", size: 0, slice: () => ({ arrayBuffer: () => Promise.reject(new Error("a folder")) }) } as unknown as File;
  assert.deepEqual(await all(new File([new Uint8Array(zip)], "e.zip"), new File([], "empty.json"), new File([new Uint8Array(zipSync({}))], "none.zip"), large, gone, new File(["\ufeffx"], "x.txt")), [
    "e.zip/a/essay.pdf: not a hand-in: another kind of file",
    "e.zip/b/more.zip: a zip within the zip: unpack it and drop its files",
    "e.zip/c/x.json: not a hand-in: its JSON is broken; ask for the original file or the link",
    "e.zip/d/notes.txt: not a hand-in and no link to one",
    "empty.json: not a hand-in: its JSON is broken; ask for the original file or the link",
    "none.zip: the zip is empty",
    "large.json: too large for a hand-in",
    "folder: could not be read; if it is a folder, drop its files or a zip of it",
    "x.txt: not a hand-in and no link to one",
  ]);
  const bomb = new Uint8Array(zipSync({ "a.json": new Uint8Array(9 << 20), "b.json": strToU8(handIn("Bob")) }));
  assert.deepEqual(await all(new File([bomb], "z.zip")), ["z.zip/a.json: too large for a hand-in", "z.zip/b.json: Bob"]);
});

test("a zip that was written as a stream is read, and one that is cut short says so", async () => {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((_, chunk) => void chunks.push(new Uint8Array(chunk)));
  for (const name of ["a.json", "b.json"]) {
    const file = new ZipDeflate(name);
    zip.add(file);
    file.push(strToU8(handIn(name)), true);
  }
  zip.end();
  assert.deepEqual(await all(new File(chunks, "s.zip")), ["s.zip/a.json: a.json", "s.zip/b.json: b.json"]);
  const whole = zipSync({ "a.json": strToU8(handIn("Ada")), "b.json": [strToU8(handIn("Bob").padEnd(30_000, String(Math.PI))), { level: 0 }] });
  const told = await all(new File([new Uint8Array(whole.slice(0, 20_000))], "cut.zip"));
  assert.equal(told[0], "cut.zip/a.json: Ada");
  assert.match(told.at(-1) ?? "", /cut\.zip: the zip is damaged or incomplete/);
});

test("broken zips of hand-ins and lists of links have a line for what is in them, whatever it is", async () => {
  const text = handIn("Émilie");
  const zip = zipSync({ "Ada_1_assignsubmission_file_/a.json": strToU8(text), "b/links.txt": strToU8(`https://x.org/#handin=${await pack(text)}`) });
  for (let seed = 0; seed < inputs / 3; seed++) {
    const draw = draws(seed);
    const bytes = zip.slice(0, draw(4) ? zip.length : draw(zip.length + 1));
    for (let i = draw(5); i > 0 && bytes.length > 0; i--) bytes[draw(bytes.length)] = draw(256);
    const lines = await readSubmissions([new File([bytes], "a.zip"), new File([broken(text, draw)], "b.json"), new File([broken("Ada,https://x.org/#handin=AAAA\n", draw)], "c.csv")], turns());
    assert.ok(lines.length >= 3, `seed ${seed}`);
    for (const { found } of lines) assert.ok("handIn" in found || /\w/.test(found.fault), `seed ${seed}`);
  }
});
