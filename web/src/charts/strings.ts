// The words of charts.
import type { Measure } from "../engine/protocol.js";
import type { Spec } from "../state/spec.js";
import { drawn } from "../state/strings.js";
import { count, number } from "../text/format.js";
import { measured } from "../text/strings.js";

export const lost = "The charts could not be loaded, but the tables have their data. Check the connection, then try again or reload the page.";

/** How a reader reads a chart: by touching what, or pointing at it, for what there is to read. */
export function pointing(what: string, why: string): (touch: boolean) => string {
  return (touch) => (touch ? `Touch ${what} for ${why}.` : `Point at ${what}, or use the arrow keys, for ${why}.`);
}

/** What charts say in their files alone. */
export const saved = {
  error: (name: string, measure: Measure, unit: string) => `${name} test ${measured[measure]}${measure === "log-loss" ? ", in nats" : unit === "" ? "" : `, in units of ${unit}`}`,
  of: (name: string, what: string) => `${name} ${what}`,
  mean: (column: string) => `${column}, mean over trials`,
  low: (column: string) => `${column}, smallest`,
  high: (column: string) => `${column}, largest`,
  baseline: (name: string) => `baseline ${name}`,
  target: "target",
  theTarget: "the target",
  drawn: (scenario: Spec["scenario"], live: string) => `${drawn.scenario[scenario]} true matrix, ${drawn.formula[scenario]}. ${live}`,
};

export const curve = {
  titleOf: (target: string, measure: Measure) => `Test ${measured[measure]} of ${target} by iteration`,
  x: "iteration",
  iterations: (n: number) => `${count(n)} iterations`,
  cursor: "Iteration under the cursor",
  at: (iteration: number, parts: readonly string[]) => `Iteration ${count(iteration)}: ${parts.join(", ")}`,
  value: (name: string, value: number) => `${name} ${number(value)}`,
  waiting: {
    failed: "There is nothing to draw.",
    stopped: "Stopped before the first iteration.",
    fitting: "Encoding the rows and fitting linear regression …",
    soon: "The curves appear here after the first iteration.",
  },
  band: (trials: number) => `Mean of ${trials} trials. The band runs from the smallest to the largest. Reference lines are means too.`,
  kept: (name: string) => `${name} kept`,
  above: (text: string) => `${text} ↑`,
  below: (text: string) => `${text} ↓`,
  describe: {
    log: (measure: Measure) => `Line chart of test ${measured[measure]} by iteration, logarithmic axis.`,
    linear: (measure: Measure) => `Line chart of test ${measured[measure]} by iteration, linear axis.`,
  },
  describeShare: {
    log: "Line chart of the test error by iteration, a straight-line fit’s being 100 %, logarithmic axis.",
    linear: "Line chart of the test error by iteration, a straight-line fit’s being 100 %, linear axis.",
  },
  share: (percent: string) => `${percent} %`,
  least: "< 1 %",
  whole: (error: number) => `100 % is a straight-line fit, with test RMSE ${number(error)}.`,
  line: (name: string, start: string, now: string, iterations: number) => `${name} starts at ${start} and is at ${now} after ${count(iterations)} iterations.`,
  reference: (name: string, value: number) => `Reference line: ${name}, ${number(value)}.`,
  ghost: (unlike: string) => `Faint lines: previous run (${unlike}).`,
  ghostEnds: (unlike: string, parts: readonly string[]) => `Faint lines: previous run (${unlike}), which ended at ${parts.join(", ")}.`,
  setting: (name: string, value: string) => `${name}: ${value === "" ? "none" : value}`,
  others: (n: number) => `${count(n)} more`,
  before: (name: string) => `${name} before`,
  data: "Data of this chart",
  iteration: "Iteration",
};
