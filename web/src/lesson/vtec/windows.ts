// Runs the windows of a survey on the pool, as many at once as there are
// engines, and keeps what each has given at the place where it belongs: what is
// made of them does not depend on the order in which they come.
import type { Lease } from "../../engine/calls.js";
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

interface Growing extends Results {
  readonly windows: (Window | EngineError | null)[];
  readonly fixes: (Fix | EngineError | null)[];
}

/** One call: a window, or the positions tried in one. */
export interface Task {
  readonly what: "window" | "fix";
  readonly at: number;
}

export class Windows extends Session {
  /** Of the run before until the next has something. */
  results: Results | null = null;
  over = 0; // calls of the run that is on, or was last
  of = 0;

  private growing: Growing | null = null; // the run that is on, or was last

  /** What is being worked on. */
  get working(): Surveyed | null {
    return this.phase === "running" || this.phase === "paused" ? (this.growing?.surveyed ?? null) : null;
  }

  /** Runs all windows, or those that are wanted, in place of those before. The survey is one that has been opened. Resolves when they are over or stopped. */
  start(surveyed: Surveyed, survey: Survey, wanted: (task: Task) => boolean = () => true): Promise<void> {
    this.stop();
    const growing: Growing = { surveyed, survey, windows: Array.from(survey.day, () => null), fixes: Array.from(survey.fixDay, () => null) };
    const tasks = order(survey).filter(wanted);
    Object.assign(this, { growing, over: 0, of: tasks.length });
    const take = ({ what, at }: Task, answer: Window | Fix | EngineError): void => {
      Object.assign(what === "window" ? growing.windows : growing.fixes, { [at]: answer });
      this.over++;
      this.results = growing;
      this.notify();
    };
    const work = async (task: Task, lease: Lease): Promise<void> => {
      const { survey } = await lease.ask((engine) => surveyed.on(engine));
      take(task, await lease.ask<Window | Fix>((engine) => (task.what === "window" ? engine.window(survey, task.at) : engine.fix(survey, task.at))));
    };
    return this.begin((signal) => surveyed.pool.each(surveyed.opened, tasks, { signal, ready: () => this.ready(), work, failed: take }));
  }
}

export function isError(found: Window | Fix | EngineError): found is EngineError {
  return "kind" in found;
}

export function isUsable<Result extends Window | Fix>(found: Result | EngineError | null): found is Result {
  return found !== null && !isError(found) && found.unusable === "";
}

/**
 * All calls of a survey in the order in which they are made: after any number of
 * them all days are about as far, and of each day the times that are done lie
 * evenly in it; positions come as evenly between windows.
 */
function order({ day, fixDay }: Pick<Survey, "day" | "fixDay">): Task[] {
  const windows = spreadOut(day).map((at): Task => ({ what: "window", at }));
  const fixes = spreadOut(fixDay).map((at): Task => ({ what: "fix", at }));
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
