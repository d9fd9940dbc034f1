// The words of the report.
import { count } from "../text/format.js";
import { counted } from "../text/strings.js";

export const report = {
  title: (name: string, target: string, used: number | null, rows: number) => `${name}: ${target} predicted${used === null ? "" : ` from ${count(used)} of ${counted(rows, "row")}`}`,
  verdict: "Verdict",
  data: "Data",
  read: (rows: number, columns: number, files: readonly string[]) => `${counted(rows, "row")} and ${counted(columns, "column")} were read${files.length > 1 ? ` from ${files.join(" and ")}` : ""}.`,
  leftOut: "Left out",
  decisions: "Decisions",
  ignored: (name: string, reason: string) => `${name} is not used: ${reason}`,
  of: (name: string, text: string) => `${name}: ${text}`,
  more: (n: number) => `and ${count(n)} more`,
  errors: (splits: number) => (splits > 1 ? `Test errors, means of ${counted(splits, "split")}` : "Test errors"),
  first: "On the first split:",
  matters: "What matters",
  mattersFirst: "What matters, on the first split",
  repeat: "How to repeat it",
  command: "Command",
  file: "FILE",
  join: (first: string, second: string) => `Put the rows of ${second} below those of ${first} in one file, under the same columns. The command cannot join files.`,
  page: "Page",
  version: "Version",
  seed: "Seed",
  digest: "SHA-256 of the file",
  noDigest: "not known",
  none: "Nothing.",
};
