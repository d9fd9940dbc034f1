// The words of the report.
import { count } from "../text/format.js";
import { counted } from "../text/strings.js";

export const report = {
  title: (name: string, target: string) => `${name}: ${target} predicted`,
  verdict: "Verdict",
  data: "Data",
  read: (rows: number, columns: number) => `${counted(rows, "row")} and ${counted(columns, "column")} were read.`,
  leftOut: "Left out",
  decisions: "Decisions",
  ignored: (name: string, reason: string) => `${name} is not used: ${reason}`,
  of: (name: string, text: string) => `${name}: ${text}`,
  more: (n: number) => `and ${count(n)} more`,
  errors: "Test errors",
  matters: "What matters",
  repeat: "How to repeat it",
  command: "Command",
  page: "Page",
  version: "Version",
  seed: "Seed",
  digest: "SHA-256 of the file",
  none: "Nothing.",
};
