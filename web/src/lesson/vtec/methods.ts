// The methods that the chapter compares: how each is called and drawn.
import type { Key } from "../../charts/looks.js";

/** Those of the paper's table, in its order. */
export const paper: readonly string[] = ["ridge", "lasso", "elasticnet", "kernel", "fm", "ifm"];

const keys: Readonly<Record<string, Key>> = {
  ridge: { name: "Ridge", colour: "base", dash: "", symbol: "" },
  lasso: { name: "LASSO", colour: "base", dash: "2 3", symbol: "" },
  elasticnet: { name: "Elastic net", colour: "base", dash: "9 3 2 3", symbol: "" },
  kernel: { name: "Kernel", colour: "gfm", dash: "2 4", symbol: "triangle" },
  fm: { name: "FM", colour: "fm", dash: "7 4", symbol: "square" },
  ifm: { name: "iFM", colour: "ifm", dash: "", symbol: "circle" },
  gfm: { name: "gFM", colour: "gfm", dash: "", symbol: "circle" },
  kriging: { name: "Kriging", colour: "base", dash: "", symbol: "square" },
};

export const ours = "not in the paper";

/** The name of a method, and how its line is told from others. */
export function keyOf(method: string): Key {
  return keys[method] ?? { name: method, colour: "base", dash: "", symbol: "" };
}

/** Its name with a note where the paper's table lacks it. */
export function nameOf(method: string): string {
  return paper.includes(method) ? keyOf(method).name : `${keyOf(method).name} (${ours})`;
}
