// The words of the chapter on one-hot columns.
import { count, number } from "../../text/format.js";
import { say, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted } from "../../text/strings.js";

const letters = "ABCDEF";

export const matter = {
  lead: "Each row has one category of every column; each category is a feature. The weights between two columns form a block. At first FM can represent all blocks (+). Then every weight of B × C is flipped (−).",
  guesses: { always: "If one block is flipped", conflict: "If the signs of the three blocks of some three columns multiply to −", never: "Never" },
  source: "Not in the paper, whose columns are numeric. The law of the signs is structural balance: F. Harary, On the notion of balance of a signed graph, Michigan Mathematical Journal 2, 1953.",
  brief: (two: Quantity, columns: number, many: Quantity): Phrase => say`On two columns with their block flipped, FM’s error is ${two} of a straight-line fit’s; on these ${count(columns)} columns it is ${many}.`,
  free: ["No row has two categories of one column, so FM can put anything into the hatched blocks. "] as Phrase,
  conflict: (k: number): Phrase => [`With two columns, this freedom is enough for FM to flip the sign of their block. Each block has rank ${count(k)}. With three columns and an FM of that rank, the signs of FM’s three blocks always multiply to +. `],
  law: ["Two columns are therefore never a problem. More columns are fine if they divide into two groups so that blocks inside a group are + and blocks between the groups are −. Chapter 2 has the same law for three features."] as Phrase,
  honest: ["A higher rank removes the bias here: with as many parameters as iFM, FM represents every pattern of three columns. On numeric columns, giving FM as many parameters as iFM helps little. Yet on fourteen public tables FM and iFM are about equally good, for two reasons. Many of the columns are categories. And penalties on large weights keep both models’ interactions so small that FM’s wrong signs cost little."] as Phrase,
  two: (k: number, left: Quantity): Phrase => say`Two columns, their block flipped: FM of rank ${count(k)} ends at ${left} of the linear model’s error.`,
  many: (columns: number, flipped: number, of: number, balanced: boolean): Phrase => [`${count(columns)} columns, ${count(flipped)} of ${counted(of, "block")} flipped: the columns ${balanced ? "divide" : "do not divide"} into two groups.`],
  rank: (k: number, fm: Quantity, ifm: Quantity): Phrase => say`At rank ${count(k)} FM ends at ${fm}, iFM at ${ifm}.`,
  numbers: (rank: number, left: Quantity): Phrase => say`FM of rank ${count(rank)}, with as many numbers as iFM, ends at ${left}.`,
  enough: (rank: number): Phrase => [`FM represents the true matrix from rank ${count(rank)} on.`],
  maps: "Interactions, block by block",
  truth: "True M",
  never: "hatched: in no row",
  unseen: (most: number) => `hatched: up to ±${number(most, 2)}`,
  fit: (name: string, rank: number) => `${name}, rank ${count(rank)}`,
  same: (rank: number) => `FM, rank ${count(rank)} (as many numbers as iFM)`,
  blocks: "Blocks between two columns; press one to flip its sign",
  block: (g: number, h: number, sign: number) => `${letters.charAt(g)} × ${letters.charAt(h)} ${sign < 0 ? "−" : sign > 0 ? "+" : "0"}`,
  groups: (balanced: boolean) => (balanced ? "Two groups." : "No two groups."),
  level: (at: number, levels: number) => `${letters.charAt(Math.floor(at / levels))}${(at % levels) + 1}`,
  alone: "One block.",
  heading: "Test RMSE ÷ the linear model’s",
  x: "numbers for each level: FM’s rank, twice iFM’s",
  at: (numbers: number) => `${counted(numbers, "number")} for each level`,
  chart: "Error by size (1: no interaction learned)",
  table: "All runs on these columns",
  tableColumns: ["Model", "Numbers for each level", "Test RMSE ÷ the linear model’s"],
  bad: (found: string, of: number) => `the link’s blocks were “${found}”, not ${count(of)} numbers from −1 to 1 with at least one that is not 0; the last block is flipped instead`,
  more: "Three columns that conflict need FM of rank 2k, and no less. With one flipped block, 2k is enough for any number of columns. If all blocks are flipped, FM needs rank (m − 1)k for m columns. From four columns on, that is more numbers than iFM has. iFM of rank k represents all of these.",
  why: "Proof for three columns: Suppose FM of rank k represents all three blocks. Each category has a row of U. For each column of the table, take the rows of its categories and subtract their mean from each. This changes only the linear part. Since each block has rank k, the rows of U for the three columns are then A₁, A₂ and A₃ (see the formula) times k × k matrices T₁, T₂ and T₃. Each block gives an equation: T₁T₂ᵀ = S₁₂I, T₁T₃ᵀ = S₁₃I and T₂T₃ᵀ = S₂₃I. For k = 1 all T are numbers. Multiplied, the equations say S₁₂S₁₃S₂₃ = (T₁T₂T₃)², which is never negative. For larger k, the first two equations give T₂T₃ᵀ = S₁₂S₁₃(T₁T₁ᵀ)⁻¹. As T₁T₁ᵀ is positive definite, S₂₃ has the sign of S₁₂S₁₃.",
  dense: "With numeric columns only the diagonal is free, so FM gains little from having as many parameters as iFM. Measured for d = 30 and k = 3, all signs flipped (6,000 rows, so less is left than on the first page): 79 % of the linear model’s error is left at rank 3, 63 % at rank 6 (as many parameters as iFM), 13 % at rank 20, and none at rank 28.",
  quoted: "Quoted from our comparison: test error of FM and iFM on fourteen public tables",
  quotedColumns: ["Table", "FM", "iFM", "iFM against FM"],
  quotedNote: "Mean ± standard deviation over splits: of the RMSE, and of the log-loss for the last four. FM and iFM differ by less than 4 % on all but gapminder, where FM’s error varies much from split to split.",
  spread: (mean: number, sd: number) => `${number(mean)} ± ${number(sd, 2)}`,
  cost: (runs: number, time: string) => `${counted(runs, "run")}, ${time}.`,
  live: (columns: number, levels: number, n: number, k: number, iterations: number, seed: number) => `${counted(n, "training row")}, ${count(columns)} columns of ${counted(levels, "level")}, blocks of rank ${count(k)}, no noise, seed ${count(seed)}; at most ${counted(iterations, "iteration")}.`,
};
