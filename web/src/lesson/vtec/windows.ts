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

  /** Runs all windows, or those that are wanted. Resolves when they are over or stopped. */
  async runAll(surveyed: Surveyed, survey: Survey, isWanted: (task: Task) => boolean = () => true): Promise<void> {
    const results = { surveyed, survey, windows: Array.from(survey.day, () => null), fixes: Array.from(survey.fixDay, () => null) };
    const tasks = order(survey).filter(isWanted);
    Object.assign(this, { latest: surveyed, over: 0, of: tasks.length });
    await this.begin((signal) =>
      surveyed.each<Task, Window | Fix>(tasks, {
        signal,
        ready: () => this.ready(),
        ask: (engine, here, { what, at }) => engine.call(what === "windows" ? "window" : "fix", { survey: here, window: at }),
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
  const spread = (what: Task["what"], days: Int32Array) => {
    const counts = new Map<number, number>();
    const turns = Array.from(days, (on, at) => {
      const i = counts.get(on) ?? 0;
      counts.set(on, i + 1);
      return { what, at, on, turn: backwards(i) };
    });
    return turns.sort((a, b) => a.turn - b.turn || a.on - b.on).map((task, i) => ({ ...task, share: (i + 1) / turns.length }));
  };
  return [...spread("windows", day), ...spread("fixes", fixDay)].sort((a, b) => a.share - b.share);
}

/** The binary digits of a whole number, reversed behind the point: so any beginning of 0, 1, 2 … is spread evenly. */
function backwards(i: number): number {
  return i === 0 ? 0 : (backwards(i >> 1) + (i & 1)) / 2;
}
