// The words of one iteration of Algorithm 1, stepped through.
import { number, power } from "../../text/format.js";
import { quantity, say, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted, list } from "../../text/strings.js";

export type Form = "printed" | "algorithm1";
export type Stage = "estimate" | "correct" | "orthogonalise" | "update";

const none = (value: number): Quantity => quantity("none", value);
const lengths = (values: readonly number[]): Phrase => list(values.map((value) => [quantity("none", value, number(value, 2))]));

export const iteration = {
  title: "The misprint, step by step",
  lead: (d: number, k: number, n: number) =>
    `The same algorithm, small enough to look at: d = ${d} columns, a truth of rank k = ${k}, ${n.toLocaleString("en")} new rows in each iteration. Each iteration estimates how wrong M is, corrects the estimate, orthogonalises U, and updates the model. It begins as the paper prints it.`,
  form: "The correction (Eq. 7)",
  forms: { printed: "as printed", algorithm1: "with the missing term" } satisfies Record<Form, string>,
  back: "Back",
  next: "Next",
  begin: "Begin",
  group: "Steps of the algorithm",
  keys: "Or the keys ← and →, once a button is chosen.",
  waiting: "Press Begin.",
  loading: "Computing …",
  place: (t: number, of: number, stage: number, stages: number, name: string) => `Iteration ${t} of ${of}, step ${stage} of ${stages}: ${name}`,
  stages: { estimate: "estimate", correct: "correct", orthogonalise: "orthogonalise", update: "update" } satisfies Record<Stage, string>,
  lines: { estimate: "H(r) of Eq. 7, for line 5", correct: "𝓜 of Eq. 7, for line 5", orthogonalise: "Line 5: U and its QR", update: "Line 5: V; line 6: w" } satisfies Record<Stage, string>,
  maps: {
    blank: "–",
    error: "M − M*, the hidden error",
    estimate: "H(r), the estimate",
    estimateLeft: "H(r) less the error",
    corrected: "𝓜(r), corrected",
    correctedLeft: "𝓜(r) less the error",
    before: "U = V − 𝓜Ū, before QR",
    after: "Ū, after QR: U = ŪR",
    triangle: "R",
    model: "M = sym(ŪVᵀ), the new model",
    truth: "M*, the truth",
    left: "M − M*, the new error",
  },
  scale: (most: number, exponent: number) => `One scale for all maps, from −${number(most, 2)} to +${number(most, 2)}. Orange and + is positive, blue and − negative.${exponent < 0 ? ` Numbers in units of ${power(exponent)}.` : ""}`,
  /** In units of the scale. */
  entry: (value: number) => (Math.abs(value) < 0.005 ? "0" : `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(Math.abs(value) < 0.995 ? 2 : 1).replace(/^0/, "")}`),
  told: {
    estimate: (first: boolean, mean: number): Phrase =>
      say`${first ? "The model is still 0, so its error is −M*. " : ""}H(r) is the mean of ½·r·xxᵀ over the rows, r being how far each prediction is off. Off the diagonal that is near the error. On the diagonal half the mean of r is added, ${none(mean / 2)} in every entry: the third map shows what H(r) gets wrong.`,
    printed: (mean: number, left: number): Phrase =>
      say`As printed, line 5 takes G₁ and G₂ off the diagonal, and no more. Nothing takes the estimate’s own bias away: half the mean of r is ${none(mean / 2)}, and ${none(left)} is still left on the diagonal, on average. One term is missing, −½P⁽⁰⁾(r)·I. Put it back: choose “with the missing term”.`,
    algorithm1: (mean: number, left: number): Phrase => say`With −½P⁽⁰⁾(r)·I, half the mean of r, ${none(mean / 2)}, is taken off every entry of the diagonal. On average ${none(left)} is left there: the chance of these rows, and no bias.`,
    orthogonalise: (before: readonly number[], cosine: number): Phrase => say`U is V less 𝓜 times the old Ū. Its columns have the lengths ${lengths(before)}, and the largest cosine between two is ${none(cosine)}. QR makes them perpendicular and of length 1: only their directions are kept.`,
    update: (from: number, to: number): Phrase => say`V becomes V·ŪᵀŪ less 𝓜Ū, and w becomes w − 𝓦. M was off by ${none(from)} of its size; now it is off by ${none(to)}.`,
    trace: (from: number, to: number, k: number, form: Form): Phrase =>
      form === "printed"
        ? say` The error of its trace goes from ${none(from)} to ${none(to)}. Without the term it is multiplied by −k/2 = ${none(-k / 2)}, and by the chance of the rows.`
        : say` The error of its trace goes from ${none(from)} to ${none(to)}.`,
  },
  table: "‖M − M*‖ / ‖M*‖ after each iteration so far",
  column: "Iteration",
  live: (d: number, k: number, n: number, iterations: number, seed: number) => `Live: computed in this browser. Gaussian columns, d = ${d}, k = ${k}, ${n.toLocaleString("en")} fresh rows in each of ${counted(iterations, "iteration")}, PSD truth with its diagonal kept, seed ${seed}; gFM by Algorithm 1, in units of the standardized rows.`,
};
