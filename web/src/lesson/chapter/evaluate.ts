// Runs a chapter without a page: homework marks hand-ins with the same functions
// that show a chapter.
import { EngineFailure, isOfTheEngine } from "../../engine/engine.js";
import type { Pool } from "../../engine/pool.js";
import type { EngineError } from "../../engine/protocol.js";
import { fate, type Account, type Ran } from "./account.js";
import { parsed, written, type Chapter, type Common, type Work } from "./definition.js";

/** What a run gave; null before its end, after a stop, and where an engine failed. look is the choice of the chapter's switch. */
export function accountOf(chapter: Chapter, work: Work<Common, unknown>, look: string): Account | null {
  const { run } = work;
  if (run?.phase !== "done" || !run.whole || failureOf(work)) return null;
  const numbers = chapter.read(run);
  const { tracks } = run;
  const runs = tracks.map(({ job: { query, cell }, digest, error }) => ({ query, cell, digest: digest.hex + fate(error) }));
  return { own: written(chapter, run.settings), answer: chapter.answer(numbers), numbers: chapter.told(numbers, look).filter((piece) => typeof piece !== "string"), runs, tracks };
}

/** The failure of an engine that ended some of the runs: their settings are not to blame. */
function failureOf({ run, errors }: Work<Common, unknown>): EngineError | undefined {
  return [...errors, ...(run?.tracks ?? []).flatMap(({ error }) => error ?? [])].find(isOfTheEngine);
}

/** The runs that a hand-in's settings ask for; none where they are no cells of a query. Rejects with an EngineFailure where there is nothing to run. */
export async function planned(chapter: Chapter, pool: Pool, own: string): Promise<readonly Omit<Ran, "digest">[]> {
  const work = chapter.work(pool, () => undefined);
  try {
    return (await work.jobs(parsed(chapter, own).values)).map(({ query, cell }) => ({ query, cell }));
  } finally {
    work.close();
  }
}

/**
 * Runs a chapter under these settings and gives account of it; null where the
 * signal has stopped it. progress is called with the number of runs that are
 * over. Rejects with an EngineFailure if there is nothing to run or an engine failed.
 */
export async function evaluate(chapter: Chapter, pool: Pool, own: string, signal: AbortSignal, progress: (over: number) => void): Promise<Account | null> {
  const work = chapter.work(pool, () => progress(work.over));
  const stop = (): void => work.stop();
  signal.addEventListener("abort", stop);
  try {
    if (signal.aborted) return null;
    await work.start(parsed(chapter, own).values);
    const failure = failureOf(work);
    if (failure && !signal.aborted) throw new EngineFailure(failure);
    return accountOf(chapter, work, chapter.look?.initial ?? "");
  } finally {
    signal.removeEventListener("abort", stop);
    work.close();
  }
}
