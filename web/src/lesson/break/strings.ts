// The words of the chapter in which a reader breaks FM.
import { questions, titles } from "../../state/chapters.gen.js";
import { count, number } from "../../text/format.js";
import { quantity, say, type Phrase } from "../../text/phrase.js";
import { counted } from "../../text/strings.js";
import type { Tally } from "./contests.js";
import { GOAL, MOST, type Level } from "./levels.js";

const subscripts = "₁₂₃₄₅₆";

function feature(i: number): string {
  return `x${subscripts.charAt(i)}`;
}

/** An error as a share of what there is to learn. */
function share(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}

export const breaking = {
  title: titles.break,
  question: questions.break,
  guesses: { fm: "FM", alike: "Neither: each about half of the time", ifm: "iFM" },
  lead: "Paint how six features go together. After each stroke both models are fitted again, as if they had unlimited rows without noise.",
  source: "Not in the paper. With infinitely many rows and independent columns of mean 0 and variance 1, the test RMSE is 2√Σ(Mᵢⱼ − M̂ᵢⱼ)² over the pairs i < j. The errors above are divided by that of a model without interactions.",
  cost: (draws: number) => `${counted(draws, "matrix", "matrices")}, some seconds.`,
  live: (draws: number, seed: number) => `${counted(draws, "matrix", "matrices")}, seed ${seed}, each pair drawn from −1, −0.9, …, 1; FM of rank 2 and iFM of rank 1, errors as of infinitely many rows.`,
  signs: ["A random matrix has strengths (eigenvalues) of both signs. iFM has one strength of each sign. FM’s two are both above zero. "] as Phrase,
  brief: ({ ifm, fm, level }: Tally): Phrase => say`iFM is nearer on ${quantity("ifm", ifm, count(ifm))} of ${count(ifm + fm + level)} random matrices, FM on ${quantity("fm", fm, count(fm))}.`,
  design: ["Random matrices rarely break FM, because its free diagonal helps. It takes a designed matrix: paint one, or try the levels."] as Phrase,
  tally: ({ ifm, fm, level, median, most }: Tally): Phrase =>
    say`iFM is ahead on ${quantity("ifm", ifm, count(ifm))} of ${count(ifm + fm + level)} matrices, FM on ${quantity("fm", fm, count(fm))}; on the other ${count(level)} they are within 1 %. The median score, FM’s error ÷ iFM’s, is ${quantity("none", median, median.toFixed(2))}, the highest ${quantity("none", most, most.toFixed(2))}.`,
  yours: (score: number, above: number, of: number): Phrase => say`Yours, ${quantity("none", score, score.toFixed(2))}, is above ${count(above)} of the ${count(of)}.`,
  bad: (found: string) => `the link’s m was ${found}, not 15 numbers from −1 to 1; used one negative pair instead`,
  draws: "Matrices drawn at random",
  reset: "Start over",
  random: "Random",
};

export const board = {
  feature,
  mine: "M, yours: interactions of six features",
  heading: "Yours",
  brush: "Paint with",
  none: "no interaction of a feature with itself",
  cell: (i: number, j: number, value: number) => `${feature(i)} and ${feature(j)}: ${value === 0 ? "0" : `${String(value).replace("-", "−")}, ${value > 0 ? "positive" : "negative"}`}`,
  keys: "Drag, or use arrows, Space, + and −, digits, Delete.",
  of: (name: string) => `${name}’s fit to M`,
  names: { fm: "FM, rank 2", ifm: "iFM, rank 1" },
  title: "M and the fits of FM and iFM",
};

export const stems = {
  title: "Eigenvalues of M",
  name: (i: number) => `λ${subscripts.charAt(i)}`,
  about: "Drag an eigenvalue, or use the arrow keys. Then the diagonal is removed, which changes the other eigenvalues, too.",
  told: (i: number, value: number, held: boolean) => `You asked for λ${subscripts.charAt(i)} = ${number(value, 3)}. The diagonal was then left out${held ? ", and entries were kept between −1 and 1" : ""}. Above are the eigenvalues of the M that remains.`,
};

export const score = {
  heading: "Score",
  about: "FM’s error ÷ iFM’s. Errors below 1 % count as 1 %.",
  leaves: (value: number) => `${share(value)} left`,
  waiting: "fitting …",
  told: (value: number, fm: number, ifm: number) => `Score ${value.toFixed(2)}: FM misses ${share(fm)} of M, iFM ${share(ifm)}.`,
  nothing: "All pairs are 0, so there is nothing to learn. Paint a pair.",
  hidden: (features: readonly number[]) => `In the limit, FM copies ${features.length === 1 ? "the row" : "the rows"} of ${features.map(feature).join(" and ")} (dashed) exactly. Each needs a column with an entry that grows without bound. Its square is on the diagonal, which is left out.`,
};

export const goals = {
  heading: "Levels",
  start: "Begin with its matrix",
  done: "✓ Reached by this M",
  before: "✓ Reached before",
  open: "Not reached yet",
  titles: { pair: "One negative pair", triangle: "A frustrated triangle", rank: "Beat rank 2", positive: "Not one negative pair" } satisfies Record<Level, string>,
  texts: {
    pair: `Exactly one pair is negative, and the score is ${GOAL.pair} or more.`,
    triangle: `Paint at most ${MOST} pairs. Three of them form a triangle whose product is negative. The score is ${GOAL.triangle} or more.`,
    rank: `The score is ${GOAL.rank} or more: FM of rank 2 misses most of the matrix.`,
    positive: `No pair is negative, and the score is ${GOAL.positive} or more.`,
  } satisfies Record<Level, string>,
  hints: {
    pair: "One negative pair alone is easy for FM. Connect the two features through others.",
    triangle: "An FM of rank 2 can represent one triangle. What if you add a fourth feature?",
    rank: "FM’s two columns can copy the rows of two features. What if all six rows are equally large?",
    positive: "Split the six features into two groups of three; let only pairs across groups interact.",
  } satisfies Record<Level, string>,
  because: {
    pair: "FM represents a lone negative pair by two numbers of opposite sign. Here other pairs need equal signs for the same two features. One sign for each feature cannot satisfy all pairs, and FM’s two columns are not enough to mend that.",
    triangle: "All three pairs of the triangle should be negative. In one column of U, two of three signs always agree, so one column cannot do it. Two columns can. For four features that all clash, FM needs three columns; iFM needs only its eigenvalue below zero.",
    rank: "This M has a large negative eigenvalue, which iFM represents with one column of U and V. FM can only copy single rows, one for each column, through its free diagonal (its loophole): it gets two of the six.",
    positive: "Every entry is positive, yet one eigenvalue is negative: FM’s limit concerns eigenvalues, not the signs of pairs. If two groups interact with each other but not within themselves, M has one eigenvalue of each sign. iFM’s U and V represent that exactly.",
  } satisfies Record<Level, string>,
};
