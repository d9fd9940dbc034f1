import assert from "node:assert/strict";
import { test } from "node:test";

import type { IfmLab as Declared, IfmLabEventMap, Iteration as DeclaredIteration } from "../../../bin/npm/ifm-lab.js";
import type { FromFrame, Iteration } from "../embed/messages.js";
import { IfmLab, meant } from "./ifm-lab.js";
import { kinds } from "./settings.gen.js";
import { form, read } from "./values.js";

/** What the frame tells, and what the package says of it, are assignable both ways. */
type FrameEvents = { readonly [Type in FromFrame["type"] as `ifm-${Type}`]: Omit<Extract<FromFrame, { readonly type: Type }>, "type"> };
type Said = { readonly [Name in keyof IfmLabEventMap]: IfmLabEventMap[Name]["detail"] };
const same = {
  element: (lab: IfmLab): Declared => lab,
  told: (told: FrameEvents): Said => told,
  said: (said: Said): FrameEvents => said,
  iteration: (one: DeclaredIteration): Iteration => one,
};

test("the element's script runs where there is no page, and the package's types are those of the element", () => {
  assert.equal("customElements" in globalThis, false);
  assert.equal(typeof IfmLab.prototype.restart, "function");
  assert.ok(Object.keys(kinds).every((name) => name in IfmLab.prototype));
  assert.ok(Object.values(same).every((one) => typeof one === "function"));
});

test("a property comes back from its attribute as it was", () => {
  for (const [kind, value, attribute] of [
    ["text", "a,b\\", "a,b\\"],
    ["number", 0.03, "0.03"],
    ["texts", ["a,b", "\\", "c d", ""], "a\\,b,\\\\,c d,"],
    ["texts", [], ""],
    ["numbers", [0, 1e-7, 12], "0,1e-7,12"],
  ] as const) {
    assert.equal(form(value), attribute);
    assert.deepEqual(read(kind, attribute), value);
    assert.equal(read(kind, null), null);
  }
  assert.deepEqual(read("number", ""), Number.NaN);
  assert.deepEqual(read("numbers", "2,x"), [2, Number.NaN]);
});

test("a mistyped name is taken for the setting that it is near to, and a short one for none", () => {
  const names = Object.keys(kinds);
  const mistyped = { sceanrio: "scenario", Scenario: "scenario", "lambda-w": "lambdaw", missing_as: "missingas", model: "models", iteration: "iterations", sed: "seed" };
  assert.deepEqual(Object.keys(mistyped).map((name) => meant(name, names)), Object.values(mistyped));
  assert.deepEqual(["m", "foo", "x-data", "nonsense"].filter((name) => meant(name, names)), []);
});
