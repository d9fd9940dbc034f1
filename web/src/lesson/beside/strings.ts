// The words of the experiments that stand beside a chapter's first one.
import { drawn } from "../../state/strings.js";
import type { Spec } from "../../state/spec.js";
import { number, signed } from "../../text/format.js";
import { say, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted } from "../../text/strings.js";

export const experiment = {
  of: (what: string, title: string) => `${what}: ${title}`,
  silent: "What these runs say will stand here, in their own numbers.",
  stopped: "Stopped before its end.",
};

/** A slope on logarithmic axes, as a reader writes it. */
function slope(value: number): string {
  return value === -0.5 ? "−½" : signed(value, 1).replace(/\.0$/, "");
}

/** What to say of a slope that is not that of its law. */
function unclear(found: Quantity, law: number): string {
  return Math.abs(found.value - law) > 0.2 ? `, not yet the ${slope(law)} of more rows` : "";
}

export const least = {
  title: "How small may τ be, from n rows?",
  lead: [
    "Algorithm 1 divides by τ. So the question is not whether τ is 0, but how small it may be. For each number of rows, halving finds the smallest τ at which gFM still recovers w and M within 1 %.",
    "Choose which moments it is given. On these axes 1/n is a line of slope −1, and 1/√n one of slope −½.",
  ],
  choice: "Moments κ and φ",
  names: { true: "true", estimated: "estimated", divided: "estimated, none refused" },
  line: { true: "true moments", estimated: "estimated", divided: "estimated, none refused" },
  guide: (value: number) => `slope ${slope(value)}`,
  cost: (runs: number) => `${counted(runs, "run")} a choice, some seconds.`,
  heading: "The smallest τ at which gFM finds the truth",
  waiting: "Press Run.",
  x: "rows n of an iteration",
  y: "smallest τ",
  at: (n: number) => `n = ${n.toLocaleString("en")}`,
  table: (name: string) => `Smallest τ, median of the trials; moments: ${name}`,
  columns: ["n", "smallest τ", "τ·n", "τ·√n"],
  told: {
    true: (found: Quantity): Phrase =>
      say`With the true moments the slope is ${found}${unclear(found, -1)}. What is divided by τ is the mean of u·r, where u = x² − 1 − κx is what x² tells beyond x, and r the residual. u has variance τ, so the noise of that mean is about √(τ/n), and divided by τ it is 1/√(τn). So τn has to be large: by this law twice the rows reach half the τ.`,
    estimated: (found: Quantity): Phrase =>
      say`With estimated moments the slope is ${found}${unclear(found, -0.5)}. κ is off by about 2/√n, and 2κ/τ is one of the weights, so near τ = 1/√n a weight that should be 0 is as large as those that belong there. Algorithm 1 refuses below that, so τ√n has to be large: by this law four times the rows reach half the τ. The theorem estimates its moments, and its n ∝ 1/τ² says the same.`,
    divided: (found: Quantity): Phrase =>
      say`With estimated moments and no refusal the slope is ${found}${found.value < -0.75 ? ", nearer to −1 than to −½" : ""}. An error of w that the wrong weight 2κ/τ carries into the diagonal comes back times κ only, so together they shrink like κ²/τ, about 1/(τn). The refusal, like the theorem’s proof, is more careful than the iteration needs.`,
  } satisfies Record<string, (found: Quantity) => Phrase>,
  live: (features: Spec["features"], d: number, k: number, trials: number, iterations: number, seed: number) =>
    `${[drawn.features[features], `d = ${d}`, `k = ${k}`, `seed ${seed}`].join(", ")}; median of ${counted(trials, "trial")}, the band from smallest to largest; solver: Algorithm 1, corrected, ${counted(iterations, "iteration")} of fresh rows; halved ${number(7, 1)} times between τ = 0.0002 and 1.`,
};

export const ranks = {
  title: "Does the rank count twice?",
  lead: [
    "The paper’s abstract asks for rows like k²d, its theorem for a rate like √(kd/n), in which k counts once. Take n = 20 kd for every rank, and multiply what an iteration does to the error by √(n ÷ kd): the theorem says a constant, the abstract that it grows like √k.",
    "Centred means H(r − mean of r) in place of −½P⁽⁰⁾(r)·I. Both have the same expectation; but the mean of r, about the error of the trace, no longer stands before the chance correlations of the columns.",
  ],
  line: { algorithm1: "corrected", centred: "centred" },
  promise: "growing like √k, as for k²d rows",
  cost: (runs: number) => `${counted(runs, "run")} of gFM, some seconds.`,
  heading: "Rate of an iteration × √(n ÷ kd)",
  waiting: "Press Run.",
  x: "rank k",
  at: (k: number) => `k = ${k}`,
  table: "By rank: ‖M − M*‖ / ‖M*‖ after one iteration, and the rate × √(n ÷ kd)",
  columns: ["k", "corrected, after one", "centred, after one", "corrected, rate", "centred, rate"],
  tooFew: ["Give two ranks or more at which it converges to see what the rank does."] as Phrase,
  told: (low: number, high: number, from: Quantity, to: Quantity, fall: number, corrected: Quantity, centred: Quantity): Phrase =>
    say`From k = ${String(low)} to k = ${String(high)} the rate × √(n ÷ kd) goes from ${from} to ${to}: ${fall < 0.95 ? "it falls, so no k² shows on these columns, with or without centring" : fall > Math.sqrt(high / low) ** 0.5 ? "it grows with the rank here" : "it hardly changes"}. What centring changes is the beginning: for k = ${String(high)} the error of M after one iteration is ${corrected} corrected and ${centred} centred.`,
  live: (d: number, ratio: number, iterations: number, seed: number) => `${["Gaussian columns", `d = ${d}`, `n = ${ratio} dk fresh rows in each of ${counted(iterations, "iteration")}`, `seed ${seed}`].join(", ")}; gFM on a PSD truth with its diagonal kept; the rate is measured from iteration 2 on.`,
};

export const start = {
  title: "How large may the start be?",
  lead: [
    "Section 2 of the paper says that FM is the harder one to optimize, as its result depends on how large the random U is that it starts from. iFM has a symmetry: cU and V/c are the same model, and steps along exact lines keep it so.",
    "Each point is a fit of truth (a), which both can write, from a U of that norm.",
  ],
  cost: (runs: number) => `${counted(runs, "run")}, some seconds.`,
  heading: "Test RMSE ÷ sd of the truth’s second-order part",
  waiting: "Press Run.",
  x: "‖U‖ at the start",
  at: (norm: string) => `‖U‖ = ${norm}`,
  table: (iterations: number) => `By ‖U‖ at the start: test RMSE ÷ sd of the second-order part after ${counted(iterations, "iteration")}, median of the trials`,
  column: "‖U‖",
  same: (low: Quantity, high: Quantity, level: boolean): Phrase => (level ? say`iFM ends at ${low} whatever the start: the symmetry makes its curves the same up to rounding.` : say`iFM ends between ${low} and ${high}: its curves are the same but for rounding, which shows by now.`),
  stuck: (stuck: number, of: number) => (stuck > 0 ? `; ${stuck} of ${of} above 5 %` : ""),
  fm: (worst: string, stuck: Quantity, best: string, fewer: Quantity, of: number): Phrase => say`From ‖U‖ = ${worst} FM ends more than 5 % off in ${stuck} of ${String(of)} trials, from ‖U‖ = ${best} in ${fewer}: its one U stands on both sides of UUᵀ and has no such symmetry.`,
  level: ["FM finds the truth from every one of these starts about as often, so here its size matters little."] as Phrase,
  ahead: ["From a good start FM is ahead here: this truth leaves half of iFM’s factors nothing to do, which slows it."] as Phrase,
  live: (d: number, k: number, n: number, trials: number, iterations: number, seed: number) => `${["truth (a)", `d = ${d}`, `k = ${k}`, counted(n, "training row"), counted(iterations, "iteration"), `seed ${seed}`].join(", ")}; median of ${counted(trials, "trial")}, the band from smallest to largest; solver: alternating gradient descent.`,
};
