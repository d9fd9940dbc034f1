// Runs what was handed in anew, by the functions of its chapter: what is handed in
// is only compared with what they give, never believed.
import { answerOf } from "../engine/calls.js";
import type { Pool } from "../engine/pool.js";
import { parsed, shortest } from "../lesson/chapter/definition.js";
import { evaluate, planned } from "../lesson/chapter/evaluate.js";
import { average, last } from "../lesson/chapter/measure.js";
import { over, type Track } from "../lesson/chapter/runner.js";
import { parse } from "../state/spec.js";
import { limits } from "../state/spec.gen.js";
import type { Chapter } from "../state/view.js";
import { duration } from "../text/strings.js";
import type { Model } from "../training/series.js";
import { readAssignment, seeded, seedOf, writeAssignment, type Assignment, type Chapters } from "./assignment.js";
import { counted, gradePart, unread, type Curves, type Line, type Replay } from "./compare.js";
import { resultOf, type HandIn, type Part } from "./handin.js";
import { grades as strings } from "./strings.js";
import type { Submission } from "./submissions.js";

const MOST_SECONDS = 900; // of one engine, for settings that are not the assignment's
const MOST_CELLS = 10e6; // numbers of a design, the same

/** Settings of a chapter that somebody has handed in, once for all who have. */
interface Case {
  readonly chapter: Chapter;
  readonly own: string; // as the chapter writes it
  readonly unused: readonly string[];
  readonly runs: string; // as a text; the settings where they are no cells of a query
  readonly size: number; // how many, one where they are no cells
  readonly isCollected: boolean; // it cannot run anew
  replay: Replay | null;
  curves: Curves;
}

export interface Marked {
  readonly lines: readonly Line[];
  readonly assignment: Assignment | null;
}

export class Marker {
  done = 0; // runs
  total = 0;
  private readonly cases = new Map<string, Case>();
  private readonly stopping = new AbortController();
  private readonly began = performance.now();

  /** skies has the engine of the ionosphere; notify is called when more is done. */
  constructor(
    private readonly pool: Pool,
    private readonly skies: Pool,
    private readonly chapters: Chapters,
    private readonly notify: () => void,
  ) {}

  /** Seconds that are left, NaN before anything can be said. */
  get left(): number {
    const seconds = (performance.now() - this.began) / 1000;
    return this.done > 0 ? (seconds / this.done) * (this.total - this.done) : Number.NaN;
  }

  stop(): void {
    this.stopping.abort();
  }

  /** Marks them all, whoever stops it. given is the page's own assignment. */
  async mark(submissions: readonly Submission[], given: Assignment | null): Promise<Marked> {
    const assignment = given ?? mostCommon(submissions);
    const { version } = await this.pool.call("info", { query: "" });
    for (const { found } of submissions) if ("handIn" in found) for (const part of found.handIn.parts) await this.expect(part, found.handIn, assignment);
    const waiting = [...this.cases.values()].filter(({ replay }) => replay === null);
    this.total = waiting.reduce((sum, { size }) => sum + size, 0);
    const lanes = Math.max(1, Math.min(this.pool.size, Math.ceil((this.pool.size * waiting.length) / Math.max(1, this.total)) + 1));
    await Promise.all(Array.from({ length: lanes }, () => this.lane(waiting)));
    return { lines: counted(submissions.map((submission) => this.line(submission, assignment, version))), assignment };
  }

  private async expect(part: Part, handIn: HandIn, assignment: Assignment | null): Promise<void> {
    if (!part.ran || this.stopping.signal.aborted) return;
    const wanted = assignment?.chapters.includes(part.chapter) ? expectedOf(assignment, part.chapter, handIn.student) : null;
    const own = await this.case(part.chapter, part.own);
    const asked = wanted === null ? null : await this.case(part.chapter, wanted);
    if (asked?.runs !== own.runs || own.isCollected) return;
    own.replay = null; // it may have been refused to another student
  }

  private async case(id: Chapter, own: string): Promise<Case> {
    const key = `${id}?${own}`;
    const known = this.cases.get(key);
    if (known) return known;
    const chapter = this.chapters[id];
    const settled = shortest(chapter, own);
    const settings = parsed(chapter, settled.own).values;
    const collected = chapter.collected?.(settings) ?? "";
    const plan = collected === "" ? await answerOf(planned(chapter, this.poolOf(id), settled.own)) : null;
    const runs = plan?.result ?? [];
    let why = plan?.error?.message ?? collected;
    const { seconds, cells } = runs.length > 0 ? costOfAll(runs.map(({ query }) => query)) : { seconds: chapter.seconds?.(settings) ?? 0, cells: 0 };
    if (why === "" && seconds > MOST_SECONDS) why = strings.long(duration(seconds));
    else if (why === "" && cells > MOST_CELLS) why = strings.memory(cells);
    const text = runs.length > 0 ? runs.map(({ query, cell }) => `${query} ${cell}`).join("\n") : settled.own;
    const made: Case = { chapter: id, ...settled, runs: text, size: Math.max(1, runs.length), isCollected: collected !== "", replay: why === "" ? null : { why }, curves: {} };
    this.cases.set(key, made);
    return made;
  }

  private poolOf(chapter: Chapter): Pool {
    return chapter === "vtec" ? this.skies : this.pool;
  }

  private async lane(waiting: Case[]): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (this.stopping.signal.aborted) return;
      await this.replay(next);
    }
  }

  private async replay(one: Case): Promise<void> {
    let counted = 0;
    const count = (over: number): void => {
      this.done += over - counted;
      counted = over;
      this.notify();
    };
    const { result: account, error } = await answerOf(evaluate(this.chapters[one.chapter], this.poolOf(one.chapter), one.own, this.stopping.signal, (over) => count(Math.min(over, one.size - 1))));
    one.replay = account ? { found: resultOf(account) } : { why: error?.message ?? strings.stopped };
    one.curves = account ? curvesOf(account.tracks) : {};
    count(one.size);
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
    const parts = handIn.parts.map((part) => {
      const own = part.ran ? this.cases.get(keyOf(part)) : undefined;
      return gradePart(part, own?.replay ?? null, own ? this.other(own, handIn, assignment) : "", this.chapters[part.chapter].words.guesses, own?.curves);
    });
    return { file, who, handIn, student: named ? handIn.student : who, parts, remarks };
  }

  /** How settings differ from those asked for. */
  private other(own: Case, { student }: HandIn, assignment: Assignment | null): string {
    const { chapter } = own;
    const unused = own.unused.length > 0 ? strings.unused(own.unused) : "";
    if (!assignment) return unused;
    if (!assignment.chapters.includes(chapter)) return strings.unasked;
    const wanted = expectedOf(assignment, chapter, student);
    const asked = this.cases.get(`${chapter}?${wanted}`);
    if (asked?.runs === own.runs) return unused;
    const [theirs, ours] = [seedIn(own.own), seedIn(asked?.own ?? wanted)];
    const seed = theirs !== ours ? strings.seed(theirs, ours) : "";
    const rest = seeded(own.own, 0) !== seeded(asked?.own ?? wanted, 0) ? strings.settings(own.own, asked?.own ?? wanted) : "";
    return [unused, seed, rest].filter(Boolean).join("; ");
  }
}

function keyOf({ chapter, own }: Part): string {
  return `${chapter}?${own}`;
}

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

function curvesOf(tracks: readonly Track[]): Curves {
  const models = new Map<Model, number[][]>();
  for (const { started, test } of tracks.filter(over)) {
    if (!started || !(started.mean > 0) || test.length === 0) continue;
    models.set(started.model, [...(models.get(started.model) ?? []), test.map((rmse) => rmse / started.mean)]);
  }
  return Object.fromEntries([...models].map(([model, curves]) => [model, Array.from({ length: Math.max(...curves.map(({ length }) => length)) }, (_, i) => average(curves.map((curve) => curve[i] ?? last(curve))))]));
}

const PER_NUMBER = 1e-9; // s, for a number of the design and a column of the factors in an iteration
const PER_DRAW = 80e-9; // s, for a drawn number
const TABLE = 500; // rows of the built-in tables, at most
const COLUMNS = 20; // and their columns
const SOLVES = 10; // times as much, for an iteration that solves a system

interface Cost {
  readonly seconds: number; // of one engine
  readonly cells: number; // numbers of the design
}

/** A rough upper bound for a cell of a query: of a sweep it is that of the largest one. */
export function costOf(query: string): Cost {
  const { spec } = parse(query);
  const table = spec.source === "table";
  const k = spec.sweep === "rank" ? Math.max(...spec.ks) : spec.k;
  const d = table ? COLUMNS : spec.d;
  const n = table ? TABLE : spec.sweep === "none" ? spec.n : Math.min(Math.max(...spec.ratios) * d * k, limits.cells / d);
  const rank = table ? Math.max(...spec.ranks) : Math.max(k, spec.rank);
  const candidates = table ? spec.ranks.length * Math.max(spec.lambdas.length, spec.lambdaf.length) : 1;
  const cells = (n + (table ? 0 : spec.test)) * d;
  const draws = table ? 0 : n * d * (spec.batches === "fresh" ? spec.iterations : 1);
  const solves = spec.solver === "gauss-newton" || spec.solver === "auto" ? SOLVES : 1;
  return { cells, seconds: draws * PER_DRAW + cells * (2 * rank + 2) * spec.iterations * candidates * solves * PER_NUMBER };
}

export function costOfAll(queries: readonly string[]): Cost {
  const times = new Map<string, number>();
  for (const query of queries) times.set(query, (times.get(query) ?? 0) + 1);
  const costs = [...times].map(([query, n]) => ({ n, ...costOf(query) }));
  return { seconds: costs.reduce((sum, { n, seconds }) => sum + n * seconds, 0), cells: Math.max(0, ...costs.map(({ cells }) => cells)) };
}
