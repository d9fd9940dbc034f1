import assert from "node:assert/strict";
import { test } from "node:test";

import { cancelled, EngineFailure, unusable } from "../engine/engine.js";
import type { Pool } from "../engine/pool.js";
import type { EngineError, Plan, Table } from "../engine/protocol.js";
import { parse } from "../state/spec.js";
import { readLink } from "../state/view.js";
import { column, plan, table } from "../engine/tables.test.js";
import { Loader, type Wanted } from "./loader.js";
import { awaited, empty } from "./loaded.js";
import { opening as strings } from "./strings.js";

const own = table(column("a"), column("y", { guess: "target", sure: false }));
const [first, other] = ["first.csv", "other.csv"].map((name) => new File(["a,y"], name)) as [File, File];

/** A loader whose files are read as this says, and what was asked of its pool. */
function made(read: (file: File, signal: AbortSignal) => Table | EngineError | Promise<Table> = () => own) {
  const seen = { closed: [] as string[], queries: [] as string[], failed: 0, plans: [] as ((plan: Plan) => void)[] };
  const pool = {
    async open(file: File, query: string, tell: (loaded: object) => void, signal: AbortSignal, second?: { readonly file: File }) {
      seen.queries.push(query);
      tell({ loaded: 1, total: 3 });
      const found = await read(second?.file ?? file, signal);
      if ("kind" in found) throw new EngineFailure(found);
      return { file, query, second, table: found };
    },
    close: ({ file }: { file: File }) => seen.closed.push(file.name),
    call: (_: string, { query }: { query: string }) => (query.includes("seed=9") ? Promise.reject(new EngineFailure(unusable("no"))) : Promise.resolve({ name: `${parse(query).spec.seed}.csv`, bytes: new Uint8Array() })),
    callOn: () => new Promise((resolve) => seen.plans.push(resolve)),
    up: () => Promise.resolve(),
  } as unknown as Pool;
  const loader = new Loader(pool, () => undefined, () => seen.failed++);
  const open = (link = "", wanted: Partial<Wanted> = {}) => loader.open({ file: first, sample: "none", ...wanted }, { tableSpec: parse(link).spec, view: readLink("").view });
  return { loader, seen, open };
}

test("a link about a reader's table waits for it, one about nothing of a table does not", () => {
  const of = (link: string, loaded = empty, sample = "none"): boolean => awaited(parse(link).spec, { ...readLink("").view, sample } as Parameters<typeof awaited>[1], loaded);
  assert.deepEqual([of("source=table&target=y"), of("source=table"), of("target=y"), of("source=table&target=y", { ...empty, table: own }), of("source=table&target=y", empty, "cars")], [true, false, false, false, false]);
});

test("another table starts without the settings of the one before, of which only its own sheet is known again", async () => {
  const { loader, seen, open } = made();
  const before = await open("separator=tab&target=a", { which: { member: "", sheet: "S" } });
  assert.deepEqual([before?.spec.separator, before?.spec.sheet, before?.spec.target, before?.same, before?.kept], ["auto", "S", "y", false, false]);
  assert.deepEqual([loader.loaded.guess, loader.place, loader.other(0)], [{ target: "y", sure: false }, 0, undefined]);
  const after = await open("sheet=S&target=a", { file: other });
  assert.deepEqual([after?.spec.sheet, seen.closed, loader.place, loader.other(0), loader.other()], ["", ["first.csv"], 1, first, undefined]);
  assert.equal((await open())?.spec.sheet, "S");
});

test("settings that are about the open table stay, with its runs, unless another is joined to it", async () => {
  const { loader, seen, open } = made();
  await open();
  const again = await open("separator=tab&target=a", { again: true });
  assert.deepEqual([again?.spec.separator, again?.spec.target, again?.same, again?.kept, loader.loaded.guess], ["tab", "a", true, true, null]);
  const second = { file: other, as: "below" } as const;
  assert.deepEqual([(await open("", { again: true, second }))?.kept, (await open("", { again: true }))?.kept, loader.opened?.second], [false, true, second]);
  assert.deepEqual([(await open("", { again: true, second: null }))?.kept, (await open("", { again: true }))?.kept, loader.opened?.second], [false, true, undefined]);
  assert.deepEqual([loader.misread(parse("").spec), loader.misread(parse("separator=tab").spec), loader.misread(parse("seed=2").spec), seen.queries.length], [false, true, false, 6]);
});

test("a target that the table has not is told, one that was guessed is guessed anew, and one that the reader named is not", async () => {
  const { loader, open } = made();
  assert.equal((await open("source=table&target=z"))?.spec.target, "y");
  assert.deepEqual([loader.loaded.note, loader.loaded.guess], [strings.targetGone("z", "y"), { target: "y", sure: false }]);
  await open("target=y", { again: true, changed: true });
  assert.deepEqual(loader.loaded.guess, { target: "y", sure: false });
  loader.confirm();
  await open("target=y", { again: true, changed: true });
  assert.equal(loader.loaded.guess, null);
});

test("a file that cannot be read is told of, and aloud where the reader brought it; one that was cancelled has a note; what was open stays", async () => {
  let failure: EngineError = unusable("no");
  const { loader, seen, open } = made((file) => (file === first ? own : failure));
  await open();
  assert.equal(await open("sheet=S", { file: other, again: true }), null);
  assert.deepEqual([loader.loaded.failed, loader.loaded.reading, seen.failed], [{ name: "other.csv", error: failure, file: other, which: { member: "", sheet: "S" } }, null, 0]);
  await open("", { file: other });
  failure = { ...unusable("no"), file: "other.csv" };
  await open("", { file: first, second: { file: other, as: "below" } });
  assert.deepEqual([loader.loaded.failed, seen.failed], [{ name: "other.csv", error: failure }, 2]);
  failure = cancelled();
  await open("", { file: other });
  assert.deepEqual([loader.loaded.failed, loader.loaded.note, loader.loaded.table, seen.closed, seen.failed], [null, "Reading other.csv was cancelled.", own, [], 2]);
});

test("of two files that are read at once the later comes, and the earlier is aborted and closed", async () => {
  const { loader, seen, open } = made((file, signal) => (file === other ? own : new Promise((resolve) => signal.addEventListener("abort", () => setTimeout(resolve, 1, own)))));
  const early = open();
  await Promise.resolve();
  assert.deepEqual(loader.loaded.reading, { name: "first.csv", loaded: 1, total: 3 });
  loader.trainWhenRead();
  assert.equal(loader.loaded.note, strings.trainedOnceRead);
  assert.ok(await open("", { file: other }));
  assert.deepEqual([await early, loader.opened?.file, seen.closed], [null, other, ["first.csv"]]);
});

test("a drawn table is drawn anew for another seed, and comes no more once a file was brought", async () => {
  const { loader, open } = made();
  assert.equal(loader.outdated("signs", 1), true);
  const drawn = { file: undefined, sample: "signs" } as const;
  assert.deepEqual([(await open("seed=4", drawn))?.spec.target, loader.opened?.file.name, loader.place], ["y", "4.csv", -1]);
  assert.deepEqual([loader.outdated("signs", 4), loader.outdated("signs", 5), loader.outdated("cars", 5), loader.loaded.guess?.sure], [false, true, false, true]);
  await open("seed=9", drawn);
  assert.deepEqual(loader.loaded.failed, { name: "signs.csv", error: unusable("no") });
  const late = open("seed=5", drawn);
  loader.supersedeSamples();
  assert.deepEqual([await late, loader.guarded, await open("", { file: undefined })], [null, true, null]);
});

test("of two plans the last counts, and a target of which it is sure is asked for no longer", async () => {
  const { loader, seen, open } = made();
  await open();
  const spec = parse("source=table&target=y").spec;
  const asked = [loader.plan(spec), loader.plan(spec)];
  const planned = (sure: boolean): Plan => ({ ...plan(own), uses: plan(own).uses.map((use) => ({ ...use, sure })) });
  const [sure, unsure] = [planned(true), planned(false)];
  seen.plans[1]?.(unsure);
  seen.plans[0]?.(sure);
  await Promise.all(asked);
  assert.deepEqual([loader.loaded.plan, loader.loaded.planned, loader.loaded.guess?.sure], [unsure, spec, false]);
  const last = loader.plan(spec);
  seen.plans[2]?.(sure);
  await last;
  assert.deepEqual(loader.loaded.guess, { target: "y", sure: true });
});
