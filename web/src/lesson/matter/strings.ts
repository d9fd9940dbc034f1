// The words of the chapter on one-hot columns.
import { count, number } from "../../text/format.js";
import { say, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted } from "../../text/strings.js";

const letters = "ABCDEF";

export const matter = {
  lead: "A row has one level of each column, such as one user and one item. The interactions of two columns form a block. Here one block has its sign flipped.",
  guesses: { always: "As soon as one block is flipped", conflict: "With three table columns or more, if their signs conflict", never: "Never: one level a column is always easy" },
  source: "Not in the paper, whose columns are dense. The law of the signs is structural balance: F. Harary, On the notion of balance of a signed graph, Michigan Mathematical Journal 2, 1953.",
  brief: (two: Quantity, columns: number, many: Quantity): Phrase => say`A straight-line fit’s error is 1. FM’s is ${two} on two columns with their block flipped, and ${many} on these ${count(columns)} columns.`,
  free: ["No row has two levels of one column, so FM can put anything into the hatched blocks. "] as Phrase,
  conflict: ["Between two columns, that lets it flip their block. Between three, it cannot represent signs that multiply to −. "] as Phrase,
  law: ["Two columns are therefore never a problem. More are fine if they fall into two camps, with the blocks between the camps flipped and no others. That is the rule of three features again, for columns."] as Phrase,
  honest: ["A higher rank removes the bias here: with as many parameters as iFM, FM represents every pattern of three columns. On numeric columns, as many parameters help FM little. Yet on fourteen public tables the two are mostly level. Many columns there are one-hot, the rows are too few for all of the rank, and penalties shrink the interactions of both."] as Phrase,
  two: (k: number, left: Quantity): Phrase => say`Two columns, their block flipped: FM of rank ${count(k)} ends at ${left} of the linear model’s error.`,
  many: (columns: number, flipped: number, of: number, balanced: boolean): Phrase => [`${count(columns)} columns, ${count(flipped)} of ${counted(of, "block")} flipped: ${balanced ? "two camps" : "no two camps"}.`],
  rank: (k: number, fm: Quantity, ifm: Quantity): Phrase => say`At rank ${count(k)} FM ends at ${fm}, iFM at ${ifm}.`,
  numbers: (rank: number, left: Quantity): Phrase => say`FM of rank ${count(rank)}, with as many numbers as iFM, ends at ${left}.`,
  enough: (rank: number): Phrase => [`FM represents the true matrix from rank ${count(rank)} on.`],
  maps: "Interactions of all levels, block by block",
  truth: "True M",
  never: "hatched: unseen",
  unseen: (most: number) => `hatched ≤ ${number(most, 2)}`,
  fit: (name: string, rank: number) => `${name}, rank ${count(rank)}`,
  same: (rank: number) => `FM, rank ${count(rank)}: iFM’s numbers`,
  blocks: "Blocks between two columns; press one to flip its sign",
  block: (g: number, h: number, sign: number) => `${letters.charAt(g)} × ${letters.charAt(h)} ${sign < 0 ? "−" : sign > 0 ? "+" : "0"}`,
  camps: (balanced: boolean) => (balanced ? "Two camps." : "No two camps."),
  alone: "One block.",
  heading: "Test RMSE ÷ the linear model’s",
  x: "numbers for each level: FM’s rank, twice iFM’s",
  at: (numbers: number) => `${counted(numbers, "number")} for each level`,
  chart: "Error by size; 1 is no interaction learned",
  table: "All runs on these columns",
  tableColumns: ["Model", "Numbers for each level", "Test RMSE ÷ the linear model’s"],
  bad: (found: string, of: number) => `the link’s blocks were “${found}”, not ${count(of)} numbers from −1 to 1 with at least one that is not 0; the last block is flipped instead`,
  why: "The blocks within a column are never seen, and neither is a constant that is added to a row of a block. So compare centred factors A. Any FM that represents the blocks has U = A·T in each column, and the matrices T of two columns give ±1 times the identity. At rank k that fixes the sign of every triangle.",
  more: "Three columns that conflict take FM rank 2k, and no less. One flipped block takes 2k for any number of columns. If all blocks are flipped, m columns take (m − 1)k: from four columns on, that is more than iFM’s numbers. iFM of rank k represents all of these.",
  dense: "Dense columns have no unseen blocks but the diagonal, so equal numbers help FM little there. Measured for d = 30 and k = 3, all signs flipped: 79 % of the linear model’s error is left at rank 3, 63 % at rank 6, which has iFM’s numbers, 13 % at rank 20, and none at rank 28.",
  quoted: "Quoted: test error of FM and iFM on fourteen public tables",
  quotedColumns: ["Table", "FM", "iFM", "iFM against FM"],
  quotedNote: "As “ifm compare” prints them: mean ± standard deviation over splits, RMSE, or log-loss for the last four. The difference is below 4 % on all but gapminder, where FM varies most.",
  spread: (mean: number, sd: number) => `${number(mean)} ± ${number(sd, 2)}`,
  cost: (runs: number, time: string) => `${counted(runs, "run")}, ${time}.`,
  live: (columns: number, levels: number, n: number, k: number, iterations: number, seed: number) => `${counted(n, "training row")}, ${count(columns)} columns of ${counted(levels, "level")}, blocks of rank ${count(k)}, no noise, seed ${count(seed)}; at most ${counted(iterations, "iteration")}.`,
};
