// The grades as columns of a file: a line for each hand-in, none lost.
import type { Column } from "../charts/sheet.js";
import type { Chapter } from "../state/view.js";
import { chapters } from "../state/view.js";
import { suspect, type Graded, type Line } from "./compare.js";
import { grades as strings } from "./strings.js";

/** The chapters that are asked for or handed in, in the order of the lesson. */
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
