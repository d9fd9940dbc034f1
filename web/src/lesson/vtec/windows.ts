// The windows of a survey, run wherever an engine is free, as many at once as there
// are engines. What each has given stands at its place in the survey, so that what
// is made of them does not depend on the order in which they come.
import type { EngineError, Fix, Survey, Window } from "../../engine/protocol.js";
import { Session } from "../chapter/session.js";
import type { Surveyed } from "./surveyed.js";

/** What has come of a survey; null, or an error, where nothing has. */
export interface Results {
  readonly surveyed: Surveyed;
  readonly survey: Survey;
  readonly windows: readonly (Window | EngineError | null)[]; // in the survey's order
  readonly fixes: readonly (Fix | EngineError | null)[];
}

/** One call: a window, or the positions tried in one. */
interface Task {
  readonly what: "windows" | "fixes";
  readonly at: number;
}

export class Windows extends Session {
  results: Results | null = null; // of the run before until the next has any
  over = 0; // calls of the run that is on, or was last
  of = 0;
  private latest: Surveyed | null = null; // of that run

  /** What is being worked on. */
  get working(): Surveyed | null {
    return this.phase === "running" || this.phase === "paused" ? this.latest : null;
  }

  /** Runs all windows, or those that are wanted, in place of those before. Resolves when they are over or stopped. */
  async runAll(surveyed: Surveyed, survey: Survey, isWanted: (task: Task) => boolean = () => true): Promise<void> {
    this.stop();
    const results = { surveyed, survey, windows: Array.from(survey.day, () => null), fixes: Array.from(survey.fixDay, () => null) };
    const tasks = order(survey).filter(isWanted);
    Object.assign(this, { latest: surveyed, over: 0, of: tasks.length });
    await this.begin((signal) =>
      surveyed.each<Task, Window | Fix>(tasks, {
        signal,
        ready: () => this.ready(),
        ask: (engine, here, { what, at }) => (what === "windows" ? engine.window(here, at) : engine.fix(here, at)),
        take: ({ what, at }, answer) => {
          Object.assign(results[what], { [at]: answer });
          Object.assign(this, { results, over: this.over + 1 });
          this.notify();
        },
      }),
    );
  }
}

export function isError(answer: object): answer is EngineError {
  return "kind" in answer;
}

export function isUsable<Result extends { readonly unusable: string }>(answer: Result | EngineError | null): answer is Result {
  return answer !== null && !isError(answer) && answer.unusable === "";
}

/**
 * All calls of a survey in the order in which they are made: after any number of
 * them all days are about as far, and of each day the times that are done lie
 * evenly in it; positions come as evenly between windows.
 */
function order({ day, fixDay }: Pick<Survey, "day" | "fixDay">): Task[] {
  const windows = spreadOut(day).map((at): Task => ({ what: "windows", at }));
  const fixes = spreadOut(fixDay).map((at): Task => ({ what: "fixes", at }));
  const place = (of: readonly Task[]) => of.map((task, i) => ({ task, share: (i + 1) / of.length }));
  return [...place(windows), ...place(fixes)].sort((a, b) => a.share - b.share).map(({ task }) => task);
}

/** Indices of what belongs to days, in turn a day, and within one as the digits of their places read backwards. */
function spreadOut(day: ArrayLike<number>): number[] {
  const days = new Map<number, number[]>();
  for (let i = 0; i < day.length; i++) {
    const of = day[i] ?? 0;
    const list = days.get(of);
    if (list) list.push(i);
    else days.set(of, [i]);
  }
  const turns = [...days.values()].map((list) => backwards(list.length).map((i) => list[i] ?? 0));
  const longest = Math.max(0, ...turns.map((list) => list.length));
  return Array.from({ length: longest }, (_, i) => turns.flatMap((list) => list[i] ?? [])).flat();
}

/** 0 … n−1 by their binary digits read backwards: any beginning is spread evenly. */
function backwards(n: number): number[] {
  const bits = Math.max(0, Math.ceil(Math.log2(n)));
  const reversed = Array.from({ length: 2 ** bits }, (_, i) => {
    let r = 0;
    for (let bit = 0; bit < bits; bit++) r = 2 * r + ((i >> bit) & 1);
    return r;
  });
  return reversed.filter((i) => i < n);
}
