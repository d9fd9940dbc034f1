import type { EngineError } from "./protocol.js";
import { page } from "./strings.js";

/** The sentence for an error: the engine's own, or ours where it could not speak. */
export function problem(error: EngineError): string {
  if (error.kind === "Lost" || error.kind === "Stopped") return page.crashed(error.message || page.silent);
  return error.kind === "NotStarted" ? page.notStarted(error.message) : error.message;
}
