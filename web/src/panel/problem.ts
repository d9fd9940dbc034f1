import type { EngineError } from "../engine/protocol.js";
import { problems } from "./strings.js";

export function problem(error: EngineError): string {
  if (error.kind === "Lost" || error.kind === "Stopped") return problems.crashed(error.message || problems.silent);
  if (error.kind === "Full") return problems.full;
  return error.kind === "NotStarted" ? problems.notStarted(error.message) : withoutFile(error);
}

/** The message without the name of the file, which stands beside it; of its place the line, unless it is the file as a whole. */
function withoutFile({ file, message }: EngineError): string {
  if (file === "") return message;
  const place = new RegExp(`(^|[\\s(“])${file.replace(/\W/g, "\\$&")}:(?:(\\d+):(?:(\\d+):)?)? `, "g");
  return message.replace(place, (_, before: string, line?: string, column?: string) => before + (line === undefined || (line === "1" && column === "1") ? "" : problems.line(line)));
}
