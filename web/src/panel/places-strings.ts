// The words of lists of places in a file.
import { count } from "../text/format.js";

export const places = {
  badTitle: (n: number) => `${count(n)} ${n === 1 ? "row" : "rows"} could not be read and ${n === 1 ? "is" : "are"} left out`,
  more: (n: number) => `and ${count(n)} more`,
  facts: { line: "Line", column: "Column", field: "Field", found: "Found" },
};
