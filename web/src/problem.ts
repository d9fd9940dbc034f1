import type { EngineError } from "./protocol.js";
import { page } from "./strings.js";

/** The sentence for an error: the engine's own, or ours where it could not speak. */
export function problem(error: EngineError): string {
  if (error.kind === "Lost" || error.kind === "Stopped") return page.crashed(error.message || page.silent);
  return error.kind === "NotStarted" ? page.notStarted(error.message) : bare(error.message);
}

/** A message without the package that it comes from, which only its authors look for. */
function bare(message: string): string {
  const said = message.replace(/^(core|data|eigen|fm|kernel|linear|moment|solve|spec|synth|vtec): /, "");
  return said === message ? said : said.replace(/^[a-z](?=[a-z])/, (first) => first.toUpperCase());
}
