// What stands side by side on one scale: the truth, and what each model has learnt of it.
import type { Matrix as Values } from "../../engine/protocol.js";

/** One heat map of the row. */
export interface Panelled {
  readonly key: string;
  readonly title: string;
  readonly column?: string; // its name in files, if that is longer
  readonly note: string; // beneath the title
  readonly values: Values | null; // null: not there yet
  readonly group?: number; // features in a row that never meet, as levels of one column do: their blocks are hatched
  readonly crosses?: readonly number[]; // features whose row and column are framed; told in words elsewhere
}

/** The largest size on a scale: the truth's, or the largest of all where there is no truth. */
export function largestOf(panels: readonly Panelled[], size: (values: Values) => number): number {
  const truth = panels.find(({ key }) => key === "truth")?.values;
  return (truth ? [truth] : panels.flatMap(({ values }) => values ?? [])).reduce((most, values) => Math.max(most, size(values)), 0);
}
