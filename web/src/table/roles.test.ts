import assert from "node:assert/strict";
import { test } from "node:test";

import { column, note, plan, table } from "../engine/tables.test.js";
import type { Table, Topic } from "../engine/protocol.js";
import { rolesAgain, rolesFor, unknownNames, withChoices } from "../file/guess.js";
import { empty, type Loaded } from "../file/loaded.js";
import { parse, type Spec } from "../state/spec.js";
import { canWeigh, keptFrom, leftOut, listed, mayWeigh, rolesOf, withRole, withRoles } from "./roles.js";

const own = table(column("row", { guess: "ignore" }), column("a"), column("b"), column("y", { guess: "target" }));
const { columns } = own;
const chosen: Readonly<Record<string, "categorical" | "numeric">> = { a: "categorical", b: "numeric" };
const judged = plan(own, { uses: plan(own).uses.map((use) => ({ ...use, chosen: chosen[use.column] ?? "", judged: `${use.column} was judged` })) });
const spec = parse("source=table&target=y&ignore=row").spec;
const roles = ["ignore", "feature", "feature", "target"] as const;

/** The settings with another role for a column, where they alone give roles. */
const as = (table: Table, spec: Spec, at: number, role: Parameters<typeof withRole>[4]): Spec => ({ ...spec, ...withRole(table, spec, rolesOf(table, spec, empty), at, role) });

test("what validation rows have chosen is written down once, and what the reader has said stays", () => {
  assert.deepEqual(withChoices(spec, judged), { categorical: ["a"], numeric: ["b"] });
  assert.deepEqual(withChoices({ ...spec, numeric: ["a"] }, judged), { categorical: [], numeric: ["a", "b"] });
  const twice = { ...spec, ...withChoices(spec, judged) };
  assert.deepEqual(withChoices(twice, judged), { categorical: ["a"], numeric: ["b"] });
});

test("another target forgets what was chosen and said of the one before, and not what the reader has chosen", () => {
  const written = { ...spec, log: "yes", categorical: ["a"], numeric: ["b", "row"] } as const;
  const { target, log, categorical, numeric } = withRole(own, written, roles, 2, "target", judged);
  assert.deepEqual([target, log, categorical, numeric], ["b", "no", [], ["row"]]);
  assert.deepEqual(withRole(own, written, roles, 2, "ignore", judged), { target: "y", log: "yes", weight: "", ignore: ["row", "b"] }, "the same target keeps it");
  assert.equal(withRole(own, written, roles, 3, "feature").log, "no");
});

test("many columns take a role as one after the other would, in one change", () => {
  for (const role of ["ignore", "feature"] as const) {
    for (const picked of [[0], [1, 2], [0, 1, 2]]) {
      const all = withRoles(own, spec, roles, new Set(picked.map((at) => columns[at]?.name ?? "")), role);
      let [one, now] = [spec, [...roles] as Parameters<typeof withRole>[2][number][]];
      for (const at of picked) {
        one = { ...one, ...withRole(own, one, now, at, role) };
        now = now.map((was, i) => (i === at ? role : was));
      }
      const of = ({ target, weight, ignore, categorical, numeric }: Partial<typeof spec>): unknown => ({ target, weight, ignore, categorical, numeric });
      assert.deepEqual(of(all), of(one), `${role} ${picked.join()}`);
    }
  }
  assert.equal(withRoles(own, { ...spec, weight: "a" }, roles, new Set(["a"]), "ignore").weight, "", "it weighs no longer");
  assert.deepEqual(withRoles(own, { ...spec, ignore: ["gone", "row"] }, roles, new Set(["a"]), "ignore").ignore, ["gone", "row", "a"], "a name of another file stays");
});

test("a note stands beside one of the first forty columns, beside a rule, or at the verdict of test rows, or else in the list", () => {
  const wide = table(...Array.from({ length: 50 }, (_, i) => column(`c${i}`)));
  const of = (topic: Topic, name: string, cells = 0, hasTests = false): boolean => {
    const one = note("", { topic, columns: [name], cells });
    return listed(plan(wide, { notes: [one], hasTests }), wide, one);
  };
  assert.deepEqual([of("role", "c39"), of("role", "c40"), of("leak", "c0"), of("leak", "c45"), of("split", "c0", 1), of("split", "c0"), of("beyond", "c0"), of("beyond", "c45", 0, true)], [true, false, true, false, true, false, false, true]);
});

test("dates that were taken apart are ignored without a word, since naming them would ignore their parts", () => {
  const when = column("when", { kind: "categorical", guess: "ignore", parts: ["when (year)"] });
  const dated = table(when, column("when (year)"), column("id", { guess: "ignore" }), column("y", { guess: "target" }));
  const roles = rolesFor(dated, parse("").spec);
  assert.deepEqual(roles, { target: "y", weight: "", ignore: ["id"], categorical: [], numeric: [] });
  const spec = { ...parse("").spec, ...roles };
  assert.deepEqual(rolesOf(dated, spec, empty), ["ignore", "feature", "ignore", "target"]);
  for (const target of ["y", ""]) assert.deepEqual(as(dated, { ...spec, target }, 1, "ignore").ignore, ["when (year)", "id"], "in the order of columns");
  const used = as(dated, spec, 0, "feature");
  assert.deepEqual([used.categorical, used.ignore, as(dated, used, 0, "ignore").categorical], [["when"], ["id"], []]);
});

test("settings without a target keep the other roles that they name, those of another table none, and names that are no columns are told", () => {
  const read = table(column("id", { guess: "ignore" }), column("code", { guess: "ignore" }), column("a"), column("y", { guess: "target" }));
  const spec = { ...parse("").spec, ignore: ["a", "y", "gone"], categorical: ["code"], weight: "gone" };
  assert.deepEqual(rolesFor(read, spec), { target: "y", weight: "", ignore: ["a", "id"], categorical: ["code"], numeric: [] });
  assert.deepEqual(rolesFor(read, { ...spec, target: "price" }), { target: "y", weight: "", ignore: ["id", "code"], categorical: [], numeric: [] });
  assert.deepEqual(unknownNames(read, { ...spec, numeric: ["b"] }), ["gone", "b"]);
});

test("a table that is read in another way keeps the reader's roles, and takes the engine's where it thinks otherwise now", () => {
  const before = table(column("when", { guess: "ignore" }), column("used", { guess: "ignore" }), column("a"), column("b"), column("y", { guess: "target" }));
  const after = table(column("when", { guess: "ignore", parts: ["when (year)"] }), column("when (year)"), column("used"), column("a", { guess: "ignore" }), column("b"), column("y", { guess: "target" }));
  const spec = { ...parse("").spec, target: "y", ignore: ["when", "used", "b"], numeric: ["gone"] };
  assert.deepEqual(rolesAgain(after, before, spec), { target: "y", weight: "", ignore: ["a", "b"], categorical: [], numeric: [] });
  assert.equal(rolesAgain(after, before, { ...spec, target: "" }).target, "y", "a target that nobody has named is guessed anew");
});

test("one column weighs the rows at most; its name may speak for that, and never where its numbers cannot", () => {
  const weighed = table(column("wt"), column("count"), column("y", { guess: "target" }));
  const first = as(weighed, { ...parse("").spec, target: "y" }, 0, "weight");
  const second = as(weighed, first, 1, "weight");
  assert.deepEqual([first, second].map((spec) => rolesOf(weighed, spec, empty)), [["weight", "feature", "target"], ["feature", "weight", "target"]]);
  assert.deepEqual([first.weight, as(weighed, second, 1, "feature").weight], ["wt", ""]);
  assert.equal(rolesFor(table(column("y")), first).weight, "", "another table has it not");
  const numbers = { min: 0, cells: 40, missing: 0, distinct: 9 };
  for (const name of ["wt", "Weight", "sample_weight", "freq", "count"]) assert.ok(mayWeigh(column(name, numbers)), name);
  for (const name of ["Weight_in_lbs", "weightless", "county", "y"]) assert.ok(!mayWeigh(column(name, numbers)), name);
  assert.ok(!mayWeigh(column("wt", { ...numbers, min: -1 })));
  assert.ok(!mayWeigh(column("wt", { ...numbers, missing: 2 })));
  assert.ok(!canWeigh(column("wt", { min: Number.NaN })), "texts have no least number");
});

/** What is planned where columns are ignored by the plan alone, and why. */
function planned(spec: Spec, own: Table, out: Readonly<Record<string, string>>, by = ""): Loaded {
  const made = table(...own.columns.map((one) => ({ ...one, guess: one.name in out || spec.ignore.includes(one.name) ? ("ignore" as const) : one.guess, reason: out[one.name] ?? "" })));
  return { ...empty, plan: plan(made, by === "" ? {} : { split: "group", by }), planned: spec };
}

test("a column that the plan leaves out says the plan's reason, and as a feature it is given its kind, which keeps it", () => {
  const user = column("user", { kind: "categorical" });
  const rated = table(user, column("x"), column("y", { guess: "target" }));
  const spec = { ...parse("").spec, target: "y", ignore: ["x"] };
  const out = planned(spec, rated, { user: "the rows are split by it" }, "user");
  assert.deepEqual([0, 1, 2].map((at) => leftOut(rated, spec, at, out)), ["the rows are split by it", "", ""], "but not of one that the settings ignore");
  assert.equal(leftOut(rated, { ...spec, seed: 2 }, 0, out), "", "a plan is of its own settings");
  const change = withRole(rated, spec, rolesOf(rated, spec, out), 0, "feature");
  assert.deepEqual(change, { target: "y", log: "no", weight: "", ignore: ["x"], categorical: ["user"], numeric: [] });
  const used = { ...spec, ...change };
  const kept = planned(used, rated, {}, "user");
  assert.deepEqual([leftOut(rated, used, 0, kept), keptFrom(rated, used, user, kept)], ["", "user"], "which is the reader's choice");
  assert.equal(keptFrom(rated, used, user, planned(used, rated, {})), "", "as long as the rows are split by it");
  assert.equal(keptFrom(rated, spec, user, out), "");
});

