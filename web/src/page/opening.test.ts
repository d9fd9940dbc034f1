import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { Opening } from "./opening.js";

test("only an address that says nothing of the figure has an opening", () => {
  const queries = ["", "theme=dark", "embed=1&theme=light", "embed=0", "embed=slide", "theme=dark&d=8"];
  assert.deepEqual(queries.map((query) => new Opening(query, () => undefined).staged), [true, true, true, false, false, false]);
});

test("the sign flips once, three seconds after the run, at once where nothing moves or the run failed, and never once another has ended it", (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  let flips = 0;
  const flipped = (phase: "running" | "done" | "failed", still: boolean, ms: number, query = ""): number => {
    const [opening, before] = [new Opening(query, () => flips++), flips];
    for (let i = 0; i < 2; i++) opening.follow({ phase }, still);
    mock.timers.tick(ms);
    const found = flips - before;
    assert.equal(opening.end(), found === 0 && query === "", "whether it was still running");
    mock.timers.tick(9000);
    assert.equal(flips - before, found);
    return found;
  };
  assert.deepEqual([flipped("done", false, 2999), flipped("done", false, 3000), flipped("running", true, 9000)], [0, 1, 0]);
  assert.deepEqual([flipped("done", true, 0), flipped("failed", false, 0), flipped("done", true, 0, "d=8")], [1, 1, 0]);
});
