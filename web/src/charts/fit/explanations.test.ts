import assert from "node:assert/strict";
import { test } from "node:test";

import type { Explained } from "../../engine/protocol.js";
import { answers, Explanations, type Question } from "./explanations.js";

test("one question is asked at a time, the latest next, and an answer about another row is dropped", async () => {
  const asked: [line: string, answer: () => void][] = [];
  const explanations = new Explanations(({ line, changes }, cells) => new Promise((resolve) => asked.push([`${line} ${cells.join()} ${Object.keys(changes).length}`, () => resolve({} as Explained)])), () => undefined);
  const question = (line: number, changes: Question["changes"] = {}): Question => ({ model: "ifm", line, changes });
  const answer = async (): Promise<unknown> => {
    asked.at(-1)?.[1]();
    await new Promise((resolve) => setImmediate(resolve));
    return explanations.answered && [explanations.answered.line, explanations.answered.changes];
  };
  for (const one of [question(1), question(2), question(3, { a: "x" })]) explanations.ask(one);
  assert.equal(await answer(), null, "another row was chosen meanwhile");
  explanations.ask(question(3, { a: "y" }));
  assert.deepEqual([await answer(), await answer()], [[3, { a: "x" }], [3, { a: "y" }]]);
  assert.deepEqual(asked.map(([line]) => line), ["1  0", "3 a,x 1", "3 a,y 1"]);
  explanations.ask(null);
  assert.equal(explanations.answered, null);
  explanations.ask(question(4));
  assert.deepEqual(await answer(), [4, {}]);
});

test("an answer is one to the same question about the same row of the same model", () => {
  const one: Question = { model: "ifm", line: 1, changes: {} };
  assert.deepEqual([one, { ...one, line: 2 }, { ...one, model: "fm" as const }, { ...one, changes: {} }].map((other) => answers(one, other)), [true, false, false, false]);
});
