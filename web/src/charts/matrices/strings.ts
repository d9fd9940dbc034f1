// The words of learned interactions.
import { count, number, signed } from "../../text/format.js";

export const matrix = {
  title: "Learned interactions",
  caption: "All maps share one colour scale.",
  negative: "negative",
  positive: "positive",
  zero: "zero",
  waiting: "not trained yet",
  pair: "Pairs, strongest first",
  doubted: "Pairs, sorted by disagreement",
  names: (a: string, b: string) => `${a} × ${b}`,
  entry: (name: string, value: number, sign: string) => `${name} ${signed(value)}, ${sign}`,
  rank: (rank: number) => `rank ${rank}`,
  nearZero: ", all near 0",
  describe: (name: string, d: number, positive: number, negative: number, most: number) => `Heat map of ${name}, ${d} by ${d}: ${count(positive)} positive and ${count(negative)} negative pairs, the largest ${number(most)} in size.`,
  data: "The strongest pairs as a table",
  doubtedData: "The pairs with the largest disagreement as a table",
  columns: { pair: "Pair" },
  unseen: (groups: number) => `The blocks within its ${count(groups)} columns are hatched: no row sees them.`,
  crosses: "Each cross in FM’s matrix is a row of the true matrix. One column of U copied it, signs included.",
  loophole: "See “FM’s loophole”.",
};

export const spectrum = {
  title: "Their eigenvalues",
  about: "Of each matrix before its diagonal is removed. FM’s are never below zero.",
  scale: (most: number) => `All charts share one axis, from −${number(most, 2)} to +${number(most, 2)}.`,
  arrow: "An arrow means off the scale.",
  wrong: "A cross marks a stem that the true matrix does not have.",
  cursor: "Eigenvalue",
  slot: (at: number, of: number) => `Eigenvalue ${count(at)} of ${count(of)}`,
  none: (name: string) => `${name} 0`,
  cannot: "none below zero: FM cannot",
  cannotGo: "FM cannot",
  here: "go here",
  never: "never",
  describe: (name: string, above: number, below: number, largest: number, smallest: number, cannot: string, wrong: number) =>
    `Eigenvalues of ${name}: ${above === 0 ? "none" : count(above)} clearly above zero and ${below === 0 ? "none" : count(below)} clearly below, from ${signed(largest)} to ${signed(smallest)}.${cannot === "" ? "" : ` In its lower half: ${cannot}.`}${wrong === 0 ? "" : ` Not in the true matrix: ${count(wrong)}.`}`,
  data: "The eigenvalues as a table",
  column: "Eigenvalue",
};
