import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";

import { around, charts, embedded, hasTable, isOwn, linked, type Look, type Piece, type State } from "../state/piece.js";
import { chapters, placeOf, readLink } from "../state/view.js";
import { address, card, oembed, type Shown } from "./snippet.js";

const page = "https://lab.example/";
const file = new URL("../../../core/cmd/ifm/testdata/links.txt", import.meta.url); // whose links ifm takes, in a test of its own

const plain: Look = { theme: "dark", hide: around.chart };
const changed: Look = { theme: "dark", hide: ["title", "matrices"] };

/** States of the page, in each of which every piece is shared. */
const states: readonly (readonly [query: string, look: Look])[] = [
  ["n=50&d=5&iterations=3", plain],
  ["scenario=mixed&features=slider&tau=0.5&n=50&d=5&iterations=3&test=100&models=fm,gfm,ifm&chapter=psd&hide=curve&scale=linear&speed=instant&ghost=0&psd.d=50&psd.a%20b=c+d&vtec.days=2&vtec.methods=ridge,ifm", changed],
  ["source=table&sample=cars&target=Miles_per_Gallon&ignore=Name&trials=1&iterations=3&ranks=2&lambdas=0.1&n=50&d=5&test=100&theme=light&data.trials=2", plain],
  ["source=table&sample=signs&target=y&iterations=3&n=50&d=5", plain],
  ["source=table&target=Miles_per_Gallon&ignore=Name&trials=1&iterations=3&ranks=2&lambdas=0.1&n=50&d=5", plain], // of the reader's own, from a file that has no address
];

function stateOf(query: string): State {
  const link = readLink(query);
  return { ...link, place: placeOf(link.spec, link.view, link.parts, ""), figureSpec: link.spec, tableSpec: link.spec };
}

/** Every address that the dialog writes, behind its piece. */
function addresses(): string[] {
  return states.flatMap(([query, look]) => {
    const state = stateOf(query);
    const pieces: readonly Piece[] = ["lab", "figure", ...charts, ...(hasTable(state) ? ["table" as const] : []), ...chapters.map((chapter) => `chapter:${chapter}` as const)];
    return pieces.flatMap((piece) => {
      const shown: Shown = { page, settings: embedded(state, piece, look), link: linked(state, piece, look), title: "", height: 0 };
      return [address(page, shown.link), address(page, shown.settings), card(shown), oembed(shown)].map((written) => `${piece} ${written}`);
    });
  });
}

test("the addresses of every piece are those that ifm is tried with; UPDATE=1 writes them anew", async () => {
  const written = `${[...new Set(addresses())].join("\n")}\n`;
  if (process.env["UPDATE"]) await writeFile(file, written);
  assert.equal(await readFile(file, "utf8"), written);
  assert.deepEqual(states.map(([query]) => isOwn(stateOf(query))), [false, false, false, false, true]);
});
