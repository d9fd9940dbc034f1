// Runs what was handed in anew, in elements of the chapters that are on no page:
// what a chapter finds is found by its own code, and what is handed in is only
// compared with it, never run.
import { EngineFailure } from "../engine/engine.js";
import type { Pool } from "../engine/pool.js";
import type { Account, Accounting } from "../lesson/chapter/account.js";
import { average, last } from "../lesson/chapter/measure.js";
import { over, type Track } from "../lesson/chapter/runner.js";
import type { Chapter } from "../state/view.js";
import { duration } from "../text/strings.js";
import type { Model } from "../training/series.js";
import { readAssignment, seeded, writeAssignment, type Assignment } from "./assignment.js";
import { counted, gradePart, unread, type Found, type Line, type Replay } from "./compare.js";
import { costOfAll } from "./cost.js";
import type { HandIn, Part } from "./handin.js";
import { saidOf } from "./said.js";
import { seedOf } from "./seeds.js";
import { grades as strings } from "./strings.js";
import type { Submission } from "./submissions.js";

const MOST_SECONDS = 900; // of one engine, for a chapter whose settings are not the assignment's
const MOST_CELLS = 10e6; // numbers of a design, the same

/** A curve of a chapter run anew: test RMSE in units of the training mean's, mean over its runs. */
export type Curves = Readonly<Partial<Record<Model, readonly number[]>>>;

/** Settings of a chapter that somebody has handed in, once for all who have. */
interface Case {
  readonly chapter: Chapter;
  readonly own: string; // as the chapter writes it
  readonly unused: readonly string[];
  readonly runs: string; // that it asks for, as a text
  readonly size: number;
  readonly seconds: number;
  readonly cells: number;
  allowed: boolean; // by the assignment, whatever it takes
  replay: Replay | null;
  curves: Curves;
}

export interface Marked {
  readonly lines: readonly Line[];
  readonly assignment: Assignment | null; // that they were compared with
  readonly curves: ReadonlyMap<Line, Readonly<Partial<Record<Chapter, Curves>>>>;
}

export class Marker {
  done = 0; // runs
  total = 0;
  private readonly cases = new Map<string, Case>();
  private readonly at = new Set<Accounting>(); // work
  private readonly began = performance.now();
  private stopped = false;

  /** twin makes a chapter's element, null where there is none; notify is called when more is done. */
  constructor(
    private readonly pool: Pool,
    private readonly twin: (chapter: Chapter) => Accounting | null,
    private readonly notify: () => void,
  ) {}

  /** Seconds that are left, NaN before anything can be said. */
  get left(): number {
    const seconds = (performance.now() - this.began) / 1000;
    return this.done > 0 ? (seconds / this.done) * (this.total - this.done) : Number.NaN;
  }

  /** Ends all runs; what has not come to its end is told as not replayed. */
  stop(): void {
    this.stopped = true;
    for (const twin of this.at) twin.halt();
  }

  /** Marks them all, whoever stops it. given is the page's own assignment. */
  async mark(submissions: readonly Submission[], given: Assignment | null): Promise<Marked> {
    const assignment = given ?? mostCommon(submissions);
    const { version } = await this.pool.info("");
    for (const { found } of submissions) if ("handIn" in found) for (const part of found.handIn.parts) await this.expect(part, found.handIn, assignment);
    const waiting = [...this.cases.values()].filter(({ replay, size }) => replay === null && size > 0);
    this.total = waiting.reduce((sum, { size }) => sum + size, 0);
    const lanes = Math.max(1, Math.min(this.pool.size, Math.ceil((this.pool.size * waiting.length) / Math.max(1, this.total)) + 1));
    await Promise.all(Array.from({ length: lanes }, () => this.lane(waiting)));
    const curves = new Map<Line, Partial<Record<Chapter, Curves>>>();
    const lines = counted(submissions.map((submission) => this.line(submission, assignment, version)));
    lines.forEach((line, i) => {
      const found = submissions[i]?.found;
      const parts = found && "handIn" in found ? found.handIn.parts : [];
      curves.set(line, Object.fromEntries(parts.flatMap((part) => (part.ran ? [[part.chapter, this.cases.get(keyOf(part))?.curves ?? {}]] : []))));
    });
    return { lines, assignment, curves };
  }

  /** Notes what a part of a hand-in, and the assignment for its student, would run. */
  private async expect(part: Part, handIn: HandIn, assignment: Assignment | null): Promise<void> {
    if (!part.ran || this.stopped) return;
    const wanted = assignment?.chapters.includes(part.chapter) ? expectedOf(assignment, part.chapter, handIn.student) : null;
    const own = await this.case(part.chapter, part.own);
    const asked = wanted === null ? null : await this.case(part.chapter, wanted);
    if (!own || !asked || own.runs !== asked.runs) return;
    own.allowed = true;
    if (own.replay && own.size > 0) own.replay = null; // it was refused for one whom it was not set
  }

  private async case(chapter: Chapter, own: string): Promise<Case | null> {
    const key = `${chapter}?${own}`;
    const known = this.cases.get(key);
    if (known) return known;
    const twin = this.twin(chapter);
    if (!twin) return null;
    const settled = twin.settle(own);
    let runs: Awaited<ReturnType<Accounting["planned"]>> = [];
    let replay: Replay | null = null;
    try {
      runs = await twin.planned(settled.own);
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      replay = { why: reason.detail.message };
    }
    twin.disconnectedCallback();
    const { seconds, cells } = costOfAll(runs.map(({ query }) => query));
    if (!replay && runs.length === 0) replay = { why: strings.noCells };
    else if (!replay && seconds > MOST_SECONDS) replay = { why: strings.long(duration(seconds)) };
    else if (!replay && cells > MOST_CELLS) replay = { why: strings.memory(cells) };
    const made: Case = { chapter, ...settled, runs: runs.map(({ query, cell }) => `${query} ${cell}`).join("\n"), size: runs.length, seconds, cells, allowed: false, replay, curves: {} };
    this.cases.set(key, made);
    return made;
  }

  /** Runs cases one after the other until there are none. */
  private async lane(waiting: Case[]): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (this.stopped) return;
      await this.replay(next);
    }
  }

  private async replay(one: Case): Promise<void> {
    const twin = this.twin(one.chapter);
    if (!twin) return;
    this.at.add(twin);
    let told = 0;
    const tell = (): void => {
      this.done += twin.over - told;
      told = twin.over;
      this.notify();
    };
    const timer = setInterval(tell, 250);
    try {
      const account = await twin.replay(one.own);
      tell();
      one.replay = account ? { found: foundOf(account) } : { why: strings.stopped };
      if (account) one.curves = curvesOf(account.tracks);
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      one.replay = { why: reason.detail.message };
    } finally {
      clearInterval(timer);
      this.at.delete(twin);
      twin.disconnectedCallback();
    }
  }

  private line({ file, who, found }: Submission, assignment: Assignment | null, version: string): Line {
    if ("fault" in found) return unread({ file, who, found }, found.fault);
    const { handIn, notes } = found;
    const remarks = [...notes];
    const named = handIn.student !== "";
    if (!named) remarks.push(strings.nameless(who));
    if (handIn.version !== version) remarks.push(strings.version(handIn.version, version));
    if (assignment && same(handIn) !== writeAssignment(assignment)) remarks.push(handIn.assignment === "" ? strings.unassigned : strings.assignment(readAssignment(handIn.assignment)?.title ?? ""));
    const asked = assignment?.chapters ?? [];
    const missing = asked.filter((chapter) => !handIn.parts.some((part) => part.chapter === chapter));
    if (missing.length > 0) remarks.push(strings.missing(missing));
    const parts = handIn.parts.map((part) => gradePart(part, this.cases.get(keyOf(part))?.replay ?? null, part.ran ? this.other(part, handIn, assignment) : ""));
    return { file, who, handIn, student: named ? handIn.student : who, parts, remarks };
  }

  /** In what a part's settings are not the assignment's. */
  private other(part: Part, { student }: HandIn, assignment: Assignment | null): string {
    const own = this.cases.get(keyOf(part));
    if (!own) return "";
    const unused = own.unused.length > 0 ? strings.unused(own.unused) : "";
    if (!assignment) return unused;
    if (!assignment.chapters.includes(part.chapter)) return strings.unasked;
    const wanted = expectedOf(assignment, part.chapter, student);
    const asked = this.cases.get(`${part.chapter}?${wanted}`);
    const differs = !asked || (asked.size > 0 ? asked.runs !== own.runs : asked.own !== own.own);
    if (!differs) return unused;
    const [theirs, ours] = [seedIn(own.own), seedIn(asked?.own ?? wanted)];
    const seed = theirs !== ours ? strings.seed(theirs, ours) : "";
    const rest = seeded(own.own, 0) !== seeded(asked?.own ?? wanted, 0) ? strings.settings(own.own, asked?.own ?? wanted) : "";
    return [unused, seed, rest].filter(Boolean).join("; ");
  }
}

function keyOf({ chapter, own }: Part): string {
  return `${chapter}?${own}`;
}

/** What an assignment asks a student to run in a chapter. */
export function expectedOf({ settings, seed }: Assignment, chapter: Chapter, student: string): string {
  return seeded(settings[chapter] ?? "", seed === 0 ? Number.NaN : seedOf(seed, student));
}

function seedIn(own: string): string {
  return own.split("&").findLast((pair) => pair.startsWith("seed="))?.slice(5) ?? "1";
}

/** The assignment that a hand-in names, in its one form. */
function same({ assignment }: HandIn): string {
  const read = readAssignment(assignment);
  return read ? writeAssignment(read) : "";
}

function mostCommon(submissions: readonly Submission[]): Assignment | null {
  const times = new Map<string, number>();
  for (const { found } of submissions) if ("handIn" in found && found.handIn.assignment !== "") times.set(same(found.handIn), (times.get(same(found.handIn)) ?? 0) + 1);
  const [most] = [...times].sort(([, a], [, b]) => b - a);
  return most ? readAssignment(most[0]) : null;
}

function foundOf({ answer, numbers, runs }: Account): Found {
  return { answer, numbers: numbers.map(saidOf), runs };
}

function curvesOf(tracks: readonly Track[]): Curves {
  const models = new Map<Model, number[][]>();
  for (const { started, test } of tracks.filter(over)) {
    if (!started || !(started.mean > 0) || test.length === 0) continue;
    models.set(started.model, [...(models.get(started.model) ?? []), test.map((rmse) => rmse / started.mean)]);
  }
  return Object.fromEntries([...models].map(([model, curves]) => [model, Array.from({ length: Math.max(...curves.map(({ length }) => length)) }, (_, i) => average(curves.map((curve) => curve[i] ?? last(curve))))]));
}
