// The words of lines over one x, and of what else a chapter draws.
import { number } from "../text/format.js";

export const lines = {
  data: "Data of this chart",
  cursor: (x: string) => `${x} under the cursor`,
  at: (place: string, parts: readonly string[]) => `${place}: ${parts.join(", ")}`,
  describe: (y: string, x: string, scale: "log" | "linear") => `Line chart of ${y} by ${x}, ${scale === "log" ? "logarithmic" : "linear"} axis.`,
  line: (name: string, from: string, first: number, to: string, last: number) => `${name}: ${number(first)} at ${from}, ${number(last)} at ${to}.`,
  range: "from – to",
  band: (low: number, high: number) => `${number(low)} – ${number(high)}`,
  axis: (y: string) => `Upright axis: ${y}.`,
};
