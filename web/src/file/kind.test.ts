import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync, strToU8, zipSync } from "fflate";

import { beginning, kindOf } from "./kind.js";

const handIn = '{"format": "ifm-lab.hand-in"}';
const maps = "     1.0            IONOSPHERE MAPS     GPS                 IONEX VERSION / TYPE\n";
const packed = (files: Record<string, string>): Uint8Array => zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));

const kinds = {
  "hand-in": [["a.json", ` ${handIn}`], ["e.zip", packed({ "x/notes.txt": `see https://x/#handin=abc` })], ["e.zip", packed({ "a.pdf": "%PDF", "b.json": handIn })], ["e.ZIP", packed({ "Ada_1_assignsubmission_file_/a.pdf": "" })]],
  sweep: [["a.jsonl", '{"sweep":"0af9"}']],
  sky: [["igsg.10i", ""], ["x.INX.gz", ""], ["x.txt", maps], ["x.txt.gz", gzipSync(strToU8(maps))], ["x.csv", "# pierce points of a day\n"], ["x.csv", '#c\n"Time",PRN,site,Lat_IPP,lon\n'], ["x.txt", "UT1_UNIX GPS_SITE  SAT_ID LOS_TEC\n"]],
  model: [["m.json", '{"format": "x"}'], ["m.json", '{ "b": 1'], ["m.txt", "#global bias W0\n1"], ["m.txt", "#unary interactions Wj"]],
  table: [["a.csv", "a,b\n1,2\n"], ["a.txt", `x ${handIn}`], ["a.zip", packed({ "a.csv": "a,b" })], ["a.zip", "PK no zip"], ["a.csv", '{"sweep":"no digest"}'], ["a.csv", "time,prn,site,lat\n"], ["a.txt", "gps_site sat_id los_tec\n"], ["a.csv", `x,${maps}`.replace("IONEX", "\nIONEX")], ["a.csv", "#global bias W0,y\n"], ["cut.gz", gzipSync(strToU8(maps)).subarray(0, 12)]],
} as const;

test("a file is of a kind by its name and by its first 4096 bytes, however they come", async () => {
  for (const [kind, files] of Object.entries(kinds)) {
    for (const [i, [name, content]] of files.entries()) assert.equal(await kindOf(new File([content as BlobPart], name)), kind, `${name}, ${i}`);
  }
  const letters = Array.from({ length: 300_000 }, (_, i) => String.fromCharCode(97 + (i % 23))).join("");
  assert.equal(await beginning(new File([letters], "a")), letters.slice(0, 4096));
  const slow = { stream: () => new Blob([letters]).stream().pipeThrough(new TransformStream<Uint8Array, Uint8Array>({ transform: (bytes, to) => [0, 1, 2].forEach((i) => to.enqueue(bytes.subarray(1500 * i, 1500 * (i + 1)))) })) } as unknown as File;
  assert.equal(await beginning(slow), letters.slice(0, 4096));
});
