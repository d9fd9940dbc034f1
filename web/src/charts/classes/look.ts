// How lines look of who tells classes apart: models as everywhere, what is beside them in its grey.
export { lineOf as look } from "../looks.js";
export { isModel } from "../../training/standing.js";
import { lineOf } from "../looks.js";
import type { Teller } from "./told.js";

export function colour(whose: Teller): string {
  return lineOf(whose).colour;
}
