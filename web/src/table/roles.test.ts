import assert from "node:assert/strict";
import { test } from "node:test";

import type { Column, Topic } from "../engine/protocol.js";
import { parse } from "../state/spec.js";
import { withChoices } from "../file/guess.js";
import { isGuess, listed, ownKind, withKind, withRole, withRoles } from "./roles.js";
import { column, note, plan, table } from "../engine/tables.test.js";

const own = table(column("row", { guess: "ignore" }), column("a"), column("b"), column("y", { guess: "target" }));
const { columns } = own;
const chosen: Readonly<Record<string, "categorical" | "numeric">> = { a: "categorical", b: "numeric" };
const judged = plan(own, { uses: plan(own).uses.map((use) => ({ ...use, chosen: chosen[use.column] ?? "", judged: `${use.column} was judged` })) });
const spec = parse("source=table&target=y&ignore=row").spec;
const roles = ["ignore", "feature", "feature", "target"] as const;

test("what validation rows have chosen is written down once, and what the reader has said stays", () => {
  assert.deepEqual(withChoices(spec, judged), { categorical: ["a"], numeric: ["b"] });
  assert.deepEqual(withChoices({ ...spec, numeric: ["a"] }, judged), { categorical: [], numeric: ["a", "b"] });
  const twice = { ...spec, ...withChoices(spec, judged) };
  assert.deepEqual(withChoices(twice, judged), { categorical: ["a"], numeric: ["b"] });
});

test("another target forgets what was chosen for the one before, and not what the reader has chosen", () => {
  const written = { ...spec, categorical: ["a"], numeric: ["b", "row"] };
  const { target, categorical, numeric } = withRole(own, written, roles, 2, "target", judged);
  assert.deepEqual([target, categorical, numeric], ["b", [], ["row"]]);
  assert.deepEqual(withRole(own, written, roles, 2, "ignore", judged), { target: "y", log: "no", weight: "", ignore: ["row", "b"] }, "the same target keeps it");
});

test("a column that the engine would leave out is used once its kind is named", () => {
  const used = withRole(own, spec, roles, 0, "feature", judged);
  assert.deepEqual([used.ignore, used.numeric], [[], ["row"]]);
});

test("the page's own reading is the one that was chosen, and only another is written down", () => {
  const loaded = { plan: judged, planned: spec };
  assert.deepEqual(ownKind(columns[1] as Column, 1, spec, loaded), { kind: "categorical", reason: "a was judged" });
  assert.equal(ownKind(columns[1] as Column, 1, parse("").spec, loaded).kind, "numeric", "of other settings nothing is known");
  assert.deepEqual(withKind({ ...spec, categorical: ["a"] }, "a", "numeric", "categorical"), { categorical: [], numeric: ["a"] });
  assert.deepEqual(withKind({ ...spec, numeric: ["a"] }, "a", "categorical", "categorical"), { categorical: [], numeric: [] });
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

test("a column is what the engine takes it for by its role and its kind, and an ignored one by its role", () => {
  const of = (guess: Column["guess"], role: Parameters<typeof isGuess>[1], as: Column["kind"]): boolean => isGuess({ guess, kind: "numeric" }, role, as);
  assert.deepEqual([of("feature", "feature", "numeric"), of("feature", "feature", "categorical"), of("ignore", "ignore", "categorical"), of("feature", "ignore", "numeric")], [true, false, true, false]);
});

test("a note stands beside one of the first forty columns, beside a rule, or at the verdict of test rows, or else in the list", () => {
  const wide = table(...Array.from({ length: 50 }, (_, i) => column(`c${i}`)));
  const of = (topic: Topic, name: string, cells = 0, hasTests = false): boolean => {
    const one = note("", { topic, columns: [name], cells });
    return listed(plan(wide, { notes: [one], hasTests }), wide, one);
  };
  assert.deepEqual([of("role", "c39"), of("role", "c40"), of("leak", "c0"), of("leak", "c45"), of("split", "c0", 1), of("split", "c0"), of("beyond", "c0"), of("beyond", "c45", 0, true)], [true, false, true, false, true, false, false, true]);
});
