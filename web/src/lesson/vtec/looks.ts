// How the line of a method is told from the others.
import type { Line } from "../../charts/lines.js";
import type { Method } from "./quoted.js";

export const looks: Readonly<Record<Method, Pick<Line, "colour" | "dash" | "symbol">>> = {
  ridge: { colour: "base", dash: "", symbol: "" },
  lasso: { colour: "base", dash: "2 3", symbol: "" },
  elasticnet: { colour: "base", dash: "9 3 2 3", symbol: "" },
  kernel: { colour: "gfm", dash: "2 4", symbol: "triangle" },
  fm: { colour: "fm", dash: "7 4", symbol: "square" },
  ifm: { colour: "ifm", dash: "", symbol: "circle" },
  gfm: { colour: "gfm", dash: "", symbol: "circle" },
  cubic: { colour: "base", dash: "6 3", symbol: "triangle" },
  kriging: { colour: "base", dash: "", symbol: "square" },
};
