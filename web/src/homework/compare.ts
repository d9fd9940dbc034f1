// What a hand-in says beside what its settings give when they run anew.
import type { Column } from "../charts/sheet.js";
import { chapters, type Chapter } from "../state/view.js";
import type { Model } from "../training/series.js";
import { differing, plainName, type ReplayResult, type HandIn, type Part } from "./handin.js";
import { grades as strings } from "./strings.js";
import type { Submission } from "./submissions.js";

export type Replay = { readonly found: ReplayResult } | { readonly why: string };

/** A curve of a chapter run anew: test RMSE in units of the training mean's, mean over its runs. */
export type Curves = Readonly<Partial<Record<Model, readonly number[]>>>;

type Outcome = "equal" | "differs" | "not replayed" | "not run" | "missing";

/** What the grades say of one chapter of a hand-in. */
export interface Graded {
  readonly chapter: Chapter;
  readonly guess: string;
  readonly then: string; // the last one, where the mind was changed
  readonly right: "right" | "wrong" | "undecided" | ""; // of the last guess, by the replay; "" without either
  readonly outcome: Outcome;
  readonly why: string;
  readonly words: string;
  readonly curves: Curves;
}

/** One line of the grades, whatever came. */
export interface Line {
  readonly file: string;
  readonly who: string; // of the file, by the learning platform
  readonly handIn: HandIn | null;
  readonly student: string;
  readonly parts: readonly Graded[];
  readonly remarks: readonly string[];
}

/** other says how the settings differ from those asked for, and guesses are the chapter's answers in words. */
export function gradePart(part: Part, replay: Replay | null, other: string, guesses: Readonly<Record<string, string>> = {}, curves: Curves = {}): Graded {
  const { chapter, guess, then, words } = part;
  const of = (outcome: Outcome, why: string, right: Graded["right"] = ""): Graded => ({ chapter, guess, then, right, outcome, why: [other, why].filter(Boolean).join("; "), words, curves });
  if (!part.ran) return of("not run", "");
  if (!replay) return of("not replayed", strings.unplayed);
  if ("why" in replay) return of("not replayed", replay.why);
  const { found } = replay;
  const last = then || guess;
  const right = last === "" ? "" : found.answer === null ? "undecided" : last === found.answer ? "right" : "wrong";
  const why = altered(part, found, guesses);
  return of(why === "" ? "equal" : "differs", why, right);
}

/** In what a hand-in is not what its settings give; "" where it is. */
function altered(part: Part, found: ReplayResult, guesses: Readonly<Record<string, string>>): string {
  const { runs } = part;
  const said = (answer: string | null): string => (answer === null ? strings.none : `“${guesses[answer] ?? answer}”`);
  const told: string[] = [];
  const others = runs.length !== found.runs.length || runs.some(({ query, cell }, i) => query !== found.runs[i]?.query || cell !== found.runs[i]?.cell);
  const off = others ? 0 : runs.filter(({ digest }, i) => digest !== found.runs[i]?.digest).length;
  if (others) told.push(strings.otherRuns(runs.length, found.runs.length));
  if (off > 0) told.push(strings.digests(off, runs.length));
  const number = differing(part.numbers, found.numbers);
  if (number !== "") told.push(number);
  if (part.answer !== found.answer) told.push(strings.answer(said(part.answer), said(found.answer)));
  return told.join("; ");
}

export function unread({ file, who }: Submission, fault: string): Line {
  return { file, who, handIn: null, student: who, parts: [], remarks: [fault] };
}

export function counted(lines: readonly Line[]): Line[] {
  const times = new Map<string, number>();
  const key = ({ handIn, student }: Line): string => (handIn ? plainName(student) : "");
  for (const line of lines) times.set(key(line), (times.get(key(line)) ?? 0) + 1);
  return lines.map((line) => {
    const n = times.get(key(line)) ?? 0;
    return key(line) !== "" && n > 1 ? { ...line, remarks: [...line.remarks, strings.several(n)] } : line;
  });
}

/** Whether a line needs a look: it is no hand-in, or not what its settings give. */
export function suspect({ handIn, parts, remarks }: Line): boolean {
  return handIn === null || remarks.length > 0 || parts.some(({ outcome, why }) => outcome === "differs" || (outcome !== "equal" && why !== ""));
}

export function chaptersOf(lines: readonly Line[], asked: readonly Chapter[]): Chapter[] {
  return chapters.filter((chapter) => asked.includes(chapter) || lines.some(({ parts }) => parts.some((part) => part.chapter === chapter)));
}

export function columnsOf(lines: readonly Line[], asked: readonly Chapter[]): Column[] {
  const { columns } = strings;
  const column = (name: string, of: (line: Line) => string): Column => ({ name, values: lines.map((line) => of(line).replace(/\s+/g, " ")) });
  return [
    column(columns.student, ({ student }) => student),
    column(columns.file, ({ file }) => file),
    column(columns.look, (line) => (suspect(line) ? columns.yes : columns.no)),
    column(columns.remarks, ({ remarks }) => remarks.join("; ")),
    column(columns.version, ({ handIn }) => handIn?.version ?? ""),
    ...chaptersOf(lines, asked).flatMap((chapter) => {
      const of = (name: (chapter: Chapter) => string, get: (part: Graded) => string): Column =>
        column(name(chapter), ({ handIn, parts }) => {
          const part = parts.find((one) => one.chapter === chapter);
          return part ? get(part) : handIn && name === columns.replay ? "missing" : "";
        });
      return [of(columns.guess, ({ guess }) => guess), of(columns.then, ({ then }) => then), of(columns.right, ({ right }) => right), of(columns.replay, ({ outcome }) => outcome), of(columns.why, ({ why }) => why), of(columns.words, ({ words }) => words)];
    }),
  ];
}
