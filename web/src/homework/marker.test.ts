import assert from "node:assert/strict";
import { test } from "node:test";

import type { Pool } from "../engine/pool.js";
import { int, seed, settings } from "../lesson/chapter/settings.js";
import { track } from "../lesson/chapter/tracks.test.js";
import { quantity } from "../text/phrase.js";
import { readAssignment, writeAssignment, type Chapters } from "./assignment.js";
import type { HandIn, Part } from "./handin.js";
import { Marker } from "./marker.js";
import { grades as strings } from "./strings.js";

const large = "test=1000&k=1&rank=1&iterations=1&batches=reused&solver=agd&d=1000";

/** What settings of that d ask for: 3 and 4 for designs of 10 and 10.001 million numbers, 5 and 6 for no cells, 9 for what must be collected. */
const queries = (d: number, of: number): readonly string[] => (d === 3 ? [`${large}&n=9000`] : d === 4 ? [`${large}&n=9001`] : d === 5 || d === 6 ? [] : [`d=${d}&seed=${of}`, `d=${d}&seed=${of}`]);
const asked: string[] = []; // of what was run
const chapter = {
  settings: settings({ d: int(2, 2, 9), seed: seed() }),
  words: { guesses: {} },
  collected: ({ d }: { d: number }) => (d === 9 ? "collected" : ""),
  seconds: ({ d }: { d: number }) => (d === 6 ? 901 : 900),
  work(_: Pool, notify: () => void) {
    const work = { run: null as unknown, errors: [], over: 0, stop: () => undefined, close: () => undefined, jobs: (values: { d: number; seed: number }) => Promise.resolve(queries(values.d, values.seed).map((query, cell) => ({ query, cell }))) };
    return Object.assign(work, {
      async start(values: { d: number; seed: number }) {
        asked.push(`${values.d} ${values.seed}`);
        const tracks = queries(values.d, values.seed).map((query, cell) => track({ job: { query, cell, group: "" }, started: { model: cell === 0 ? "fm" : "ifm", mean: 2 } as never, test: [2, 1] }));
        work.over = tracks.length;
        notify();
        work.run = { settings: values, tracks, phase: "done", whole: true };
        await Promise.resolve();
      },
    });
  },
  read: (run: unknown) => run,
  answer: () => "yes",
  told: () => [quantity("fm", 1)],
};
const pool = { size: 2, call: () => Promise.resolve({ version: "1" }) } as unknown as Pool;
const marker = (): Marker => new Marker(pool, pool, { psd: chapter, samples: chapter, vtec: chapter } as unknown as Chapters, () => undefined);

const part = (own: string, id: Part["chapter"] = "psd"): Part => ({ chapter: id, own, guess: "", then: "", ran: true, answer: "yes", numbers: [["fm", 1]], runs: [0, 1].map((cell) => ({ query: "d=2&seed=1", cell, digest: track({}).digest.hex })), words: "" });
const found = (student: string, parts: readonly Part[], more: Partial<HandIn> = {}) => ({ file: `${student}.json`, who: "", found: { handIn: { version: "1", assignment: "chapters=psd", student, parts, ...more }, notes: [] } });

test("hand-ins are run anew as far as they may be, each once for all, and what is not as asked for is said", async () => {
  const mark = marker();
  const { lines, assignment } = await mark.mark([found("Flo", [part("d=9&seed=4&x=1")], { assignment: "chapters=psd,samples" }), found("Ada", [part("")]), found("Bob", [part("d=2")]), found("", [part("d=3")], { version: "0", assignment: "" }), found("Cy", [part("d=4")]), found("Di", [part("d=5"), part("", "samples")]), found("Ed", [part("d=6")]), found("Gil", []), found("Hal", [part("")])], null);
  assert.equal(writeAssignment(assignment ?? assert.fail("that of most")), writeAssignment(readAssignment("chapters=psd") ?? assert.fail()));
  assert.deepEqual(lines.map(({ parts }) => parts.map(({ outcome, why }) => `${outcome}: ${why}`)), [
    [`not replayed: ${strings.unused(["x"])}; ${strings.seed("4", "1")}; ${strings.settings("d=9&seed=4", "")}; collected`],
    ["equal: "],
    ["equal: "],
    [`differs: ${strings.settings("d=3", "")}; ${strings.otherRuns(2, 1)}`],
    [`not replayed: ${strings.settings("d=4", "")}; ${strings.memory(10_001_000)}`],
    [`differs: ${strings.settings("d=5", "")}; ${strings.otherRuns(2, 0)}`, `equal: ${strings.unasked}`],
    [`not replayed: ${strings.settings("d=6", "")}; ${strings.long("about 15 minutes")}`],
    [],
    ["equal: "],
  ]);
  assert.deepEqual(lines.map(({ remarks }) => remarks), [[strings.assignment("")], [], [], [strings.nameless(""), strings.version("0", "1"), strings.unassigned], [], [], [], [strings.missing(["psd"])], []]);
  assert.deepEqual([[...asked].sort(), mark.done, mark.total], [["2 1", "2 1", "2 1", "3 1", "5 1"], 8, 8], "psd as it is set first, as Bob wrote it, samples, and two others");
  assert.deepEqual(lines[1]?.parts[0]?.curves, { fm: [1, 0.5], ifm: [1, 0.5] });
});

test("what the assignment asks for is run whatever it takes, with the student's seed, and nothing after a stop", async () => {
  const own = readAssignment("chapters=psd&psd=d%3D6&seed=7");
  const { lines } = await marker().mark([found("Ada", [part("d=6&seed=5")])], own);
  assert.match(lines[0]?.parts[0]?.why ?? "", /^seed 5; this student’s is \d+; not run again/);
  const plain = await marker().mark([found("Ada", [part("d=6")])], readAssignment("chapters=psd&psd=d%3D6"));
  assert.equal(plain.lines[0]?.parts[0]?.outcome, "differs", "it was run, and gave no runs");
  const stopped = marker();
  stopped.stop();
  assert.deepEqual((await stopped.mark([found("Ada", [part("")])], null)).lines[0]?.parts[0]?.why, strings.unplayed);
});
