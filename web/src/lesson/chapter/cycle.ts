// How one line is told from the next where colour says something else.
import type { Line } from "../../charts/lines.js";

const DASHES = ["", "7 4", "2 4", "9 3 1 3", "12 4", "4 2"] as const;
const SYMBOLS = ["circle", "square", "triangle"] as const;

/** Those of the line of that number, from 0; after 6 lines they begin again. */
export function cycle(i: number): Pick<Line, "dash" | "symbol"> {
  return { dash: DASHES[i % DASHES.length] ?? "", symbol: SYMBOLS[i % SYMBOLS.length] ?? "circle" };
}
