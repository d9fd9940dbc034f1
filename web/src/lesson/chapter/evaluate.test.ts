import assert from "node:assert/strict";
import { test } from "node:test";

import type { Pool } from "../../engine/pool.js";
import type { Chapter, Work } from "./definition.js";
import { accountOf, evaluate } from "./evaluate.js";
import { seed, settings } from "./settings.js";
import { failed, runOf, track } from "./tracks.test.js";

/** A chapter whose two runs are over, the second of them by an error. */
function ended(kind: string) {
  const tracks = [track({}), failed(kind)];
  const work = { run: runOf({ seed: 1 }, tracks), errors: [], start: () => Promise.resolve(true), stop: () => undefined, close: () => undefined } as unknown as Work<never, unknown>;
  return { work, chapter: { settings: settings({ seed: seed() }), read: () => null, answer: () => null, told: () => [], work: () => work } as unknown as Chapter };
}

const evaluated = (chapter: Chapter) => evaluate(chapter, {} as Pool, "", new AbortController().signal, () => undefined);

test("a run that an engine's failure ended is no account, so that nothing can be handed in or marked by it; one that its settings ended is", async () => {
  for (const kind of ["Lost", "Full", "Stopped", "Unstarted", "NotStarted", "panicked"]) {
    const { work, chapter } = ended(kind);
    assert.equal(accountOf(chapter, work, ""), null, kind);
    await assert.rejects(evaluated(chapter), { name: "EngineFailure", message: kind });
  }
  const { chapter } = ended("SpecError");
  assert.match((await evaluated(chapter))?.runs[1]?.digest ?? "", / SpecError$/);
});
