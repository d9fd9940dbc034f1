import assert from "node:assert/strict";
import { test } from "node:test";
import { choose, none, present, take, whose, write } from "./guess.js";

const answers = ["same", "worse", "stuck"];

test("the first guess is kept when the mind is changed, and again when it is changed back", () => {
  const first = choose(none, "worse", false);
  assert.deepEqual(first, { first: "worse", last: "" });
  const then = choose(first, "stuck", true);
  assert.deepEqual(then, { first: "worse", last: "stuck" });
  assert.deepEqual(["same", "worse"].map((key) => choose(then, key, true)), [{ first: "worse", last: "same" }, { first: "worse", last: "" }]);
  assert.deepEqual([present(none), present(first), present(then)], ["", "worse", "stuck"]);
});

test("what is chosen once the answer is known is no first guess", () => {
  const late = choose(none, "stuck", true);
  assert.deepEqual(late, { first: "", last: "stuck" });
  assert.deepEqual(choose(late, "worse", false), { first: "", last: "worse" }, "nor is what is chosen after it");
  assert.equal(whose(late, "stuck"), "late");
});

test("each answer says which of the guesses it is, and the address holds a guess and gives it back", () => {
  const all = [{ first: "worse", last: "" }, { first: "worse", last: "stuck" }, none].map((guess) => answers.map((key) => whose(guess, key)));
  assert.deepEqual(all, [[null, "only", null], [null, "first", "last"], [null, null, null]]);
  for (const guess of [none, { first: "worse", last: "" }, { first: "worse", last: "stuck" }, { first: "", last: "same" }]) {
    const written = write(guess).map((pair) => pair.split("=") as [string, string]);
    assert.deepEqual(take([["n", "5"], ...written], answers), { guess, rest: [["n", "5"]] });
  }
  const { guess, rest } = take([["guess", "rises"], ["guess", "same"], ["then", "same"]], answers);
  assert.deepEqual(guess, { first: "same", last: "" }, "the same twice is no change of mind");
  assert.deepEqual(rest, [["guess", "rises"]], "what is no answer is left to be told of");
});
