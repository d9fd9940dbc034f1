import type { Quantity } from "../text/phrase.js";
import type { Said } from "./handin.js";

/** A number of a sentence as it is handed in. */
export function saidOf({ whose, value }: Quantity): Said {
  return [whose, Number.isFinite(value) ? value : null];
}
