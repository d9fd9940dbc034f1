// The words of the chapter on FM's loophole.
import { questions, titles } from "../../state/chapters.gen.js";
import { drawn } from "../../state/strings.js";
import { count, number } from "../../text/format.js";
import { say, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted, duration, list } from "../../text/strings.js";
import type { Phase } from "../chapter/runner.js";
import { labels } from "../chapter/strings.js";

/** x2, x5 and x7. */
function named(names: readonly string[]): string {
  return list(names.map((name) => [name])).join("");
}

export const loophole = {
  title: titles.loophole,
  lead: "UUᵀ has no negative eigenvalue, and the truth of this chapter has no positive one. But FM leaves the diagonal of UUᵀ out. What stands there is never seen in a prediction, so it may be as large as it likes. That is a loophole.",
  question: questions.loophole,
  guesses: { none: "Nothing: the sign is wrong", some: "Some of it: the pairs that happen to suit it", all: "Nearly all of it, sign and all" },
  source: "This is not in the paper, which sets the diagonal aside before it argues.",
  cost: (runs: number, seconds: number) => `${counted(runs, "run")}, ${duration(seconds)}.`,
  waiting: { idle: "Press Run.", running: "Learning …", stopped: "Stopped before there was anything to draw.", done: "There is nothing to draw." } satisfies Record<Phase, string>,
  learns: "What FM learns, rank by rank",
  each: "Each rank is a run of its own, on the same rows. The framed rows are crosses: their diagonal entry is more than five times every other entry of the row.",
  rank: "Rank of FM",
  truth: "True M*",
  whole: (rank: number) => `UUᵀ, rank ${count(rank)}`,
  shown: "diagonal shown",
  left: "M* − M",
  unexplained: (share: string) => `${share} of M* left`,
  maps: "The truth, what FM learns with its hidden diagonal, and what it misses",
  found: (rank: number, names: readonly string[], left: string) => `Rank ${count(rank)}: ${names.length === 0 ? "no cross" : `${counted(names.length, "cross", "crosses")}, of ${named(names)}`}; ${left} of M* is left.`,
  heading: "Test RMSE ÷ sd of the truth’s second-order part",
  x: "numbers in the factors ÷ d: FM’s rank, twice iFM’s",
  at: (rank: number, d: number) => `${count(rank * d)} numbers`,
  noise: "noise alone",
  table: "By rank: FM’s crosses and test RMSE, and iFM’s with as many numbers",
  columns: { rank: "Rank of FM", numbers: "Numbers", crosses: "Crosses", most: "Largest diagonal entry ÷ its row’s others", fm: "FM: RMSE", ifm: "iFM: RMSE" },
  none: "none",
  tiny: "less than 0.001",
  copied: (name: string, missed: Quantity, negative: number, of: number): Phrase => say`FM of rank 1 has copied the row of ${name}, of whose ${counted(of, "pair")} ${count(negative)} ${negative === 1 ? "is" : "are"} negative, and misses ${missed} of it.`,
  hides: (height: Quantity): Phrase => say`For that it hides a diagonal entry ${height} times the largest of that row.`,
  brief: (name: string, missed: Quantity): Phrase => say`Of the row of ${name} FM of rank 1 misses ${missed}.`,
  partly: (name: string, missed: Quantity): Phrase => say`The row that FM of rank 1 has most nearly copied is that of ${name}; it misses ${missed} of it.`,
  tiles: (ranks: number, from: number): Phrase => [`At ${count(ranks)} of the ${count(from)} ranks below that, there is a cross for every column of U.`],
  ends: (rank: number, d: number, fm: number, first: Quantity, end: Quantity): Phrase => say`Where 1 is no interaction learnt, FM’s test RMSE falls from ${first} at rank 1 to ${end} at rank ${count(rank)}${rank < d ? ` = d − ${count(d - rank)}` : " = d"}, with ${count(fm)} numbers. There the bias ends.`,
  never: (rank: number, end: Quantity): Phrase => say`FM’s bias does not end here: at rank ${count(rank)} its test RMSE is still ${end}. More rows or more iterations may end it.`,
  ifm: (rank: number, numbers: number, end: Quantity): Phrase => say`iFM of rank ${count(rank)} has ${count(numbers)} numbers and ends at ${end}, without any loophole.`,
  reaches: "From which rank on is every truth within reach? From d − 1: a cross for every row but the last. With d − 2, crosses for all rows but three leave three pairs to one column, which can write them if their product is positive. So it is enough that the truth has three features with such a triangle. Only if every triangle has a negative product, d − 2 columns stay short. A truth of several negative eigenvalues may need fewer.",
  price: "The price: large c are slow to reach, so descent needs many steps. And each cross is d numbers learnt from the same rows; the chapter before shows what that costs where there is noise.",
  live: (n: number, test: number, d: number, k: number, noise: number, solver: string, iterations: number, seed: number) =>
    `${[counted(n, "training row"), counted(test, "test row"), `d = ${d}`, `${counted(k, "eigenvalue")}, all negative`, ...(noise > 0 ? [drawn.noise(noise)] : []), `seed ${seed}`].join(", ")}; solver: ${labels.options[solver]}, at most ${counted(iterations, "iteration")}.`,
};

export const building = {
  title: "Build a cross",
  about: "Choose a feature. Put c there in u, and at every other feature the truth’s entry of that row, divided by c. Then uuᵀ has the whole row, of either sign, and c² stands on the diagonal. Every other pair gets a product of two entries of the row, divided by c², which fades as c grows.",
  waiting: "The truth is drawn when you press Run.",
  play: "Let c grow",
  pause: "Pause",
  columns: "Columns of U, a row each",
  size: "c",
  value: (square: number, spilt: number) => `${number(square)} on the hidden diagonal, up to ${number(spilt)} spilt elsewhere`,
  maps: "A cross, built by hand",
  panels: { truth: "True M*", whole: "UUᵀ", hollow: "FM: without it", left: "M* − FM" },
  notes: { whole: "with its diagonal", left: (most: number) => `at most ${number(most, 2)}` },
  square: "Largest on the hidden diagonal",
  kept: "Largest error in the copied rows",
  spilt: "Largest entry spilt elsewhere",
  told: (names: readonly string[], negative: number, of: number, whole: boolean) =>
    whole
      ? `${counted(names.length, "column")} for ${count(names.length + 1)} features: every row is copied, so FM has the whole truth, at any c.`
      : `${names.length === 1 ? "One column copies the row" : `${count(names.length)} columns copy the rows`} of ${named(names)}: ${counted(of, "pair")}, ${count(negative)} of them negative.`,
  small: "c is still small: what is spilt elsewhere is as large as the truth.",
  large: "c is large: nearly nothing is spilt, and FM’s map shows the cross alone.",
  between: "The larger c, the less is spilt elsewhere.",
};
