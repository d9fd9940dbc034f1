// The words of the chapter on three dimensions.
import { count, signed } from "../../text/format.js";
import { say, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted } from "../../text/strings.js";
import { labels } from "../chapter/strings.js";
import type { Point, Signs } from "./geometry.js";

/** A point's three pairs, (−0.9, −0.7, +0.02). */
function point(p: Point): string {
  return `(${p.map((v) => signed(Math.abs(v) < 5e-5 ? 0 : v, Math.abs(v) < 0.1 ? 2 : 3)).join(", ")})`;
}

const axes = ["m₁₂", "m₁₃", "m₂₃"] as const;

export const reach = {
  lead: "You are the FM. Press an ingredient to change its number. A pair’s sign is the product of its two numbers.",
  guesses: { yes: "Yes", larger: "Yes, with larger numbers", never: "No, never" },
  source: "The paper describes FM’s limit, but not this smallest case. Once the linear part is learned, the expected squared error is 4‖m − m*‖². So a point near the true one in this picture predicts nearly as well.",
  cost: "2 runs, a second or two.",
  place: "The true point",
  flip: "Flip all three",
  axes,
  keys: { m12: "true m₁₂", m13: "true m₁₃", m23: "true m₂₃" },
  outside: (truth: string, value: Quantity, gap: Quantity): Phrase => say`As a point in space, the three true pairs are ${truth}. They multiply to ${value}. FM’s pairs are products of its three numbers: (u₁u₂)(u₁u₃)(u₂u₃) is a square, never negative. The nearest point that FM can approach has one pair at 0 and is ${gap} from the true point.`,
  reached: (truth: string, value: Quantity): Phrase => say`The pairs of the true point ${truth} multiply to ${value}, so a rank-1 FM can represent it.`,
  approached: (truth: string): Phrase => say`The true point ${truth} is on the boundary. FM reaches points as near as you like, but only with ever larger numbers.`,
  other: (away: Quantity): Phrase => say`This start leads to another face, ${away} away.`,
  fm: (iteration: number, at: string, product: Quantity, away: Quantity, rmse: Quantity): Phrase => say`After ${counted(iteration, "iteration")} FM is at ${at}, which multiply to ${product}. It is ${away} from the true point, and its test error is ${rmse}.`,
  size: (size: Quantity, half: number, before: Quantity): Phrase => say`‖u‖ is ${size}; at iteration ${count(half)} it was ${before}.`,
  grows: ["FM gets near a point with a 0 only with ever larger numbers, so its loss has no minimum."] as Phrase,
  settles: ["It has stopped growing."] as Phrase,
  never: ["Multiply the signs of the three pairs. Each ingredient’s number is used twice, so FM always gets +, however large the numbers. The true signs give −."] as Phrase,
  yes: ["Multiply the signs of the three pairs. Each ingredient’s number is used twice, so FM always gets +, as the true signs do."] as Phrase,
  four: ["So FM can have four of the eight sign patterns. iFM has two numbers for each ingredient. For tea and milk it adds two products: tea’s first × milk’s second, and tea’s second × milk’s first. So it can have all eight."] as Phrase,
  few: ["With two numbers for each ingredient, FM gets all eight, too. That is enough only because there are just three ingredients. Take thirty features whose signs clash, as on the first page. Even with as many parameters as iFM, FM keeps over half of the error of a straight-line fit, which has no pairs."] as Phrase,
  geometry: "In the picture, a rank-1 FM reaches the shaded octants, where the three multiply to +. From a true point outside, the nearest points of FM are on a face, where one pair is 0. iFM can reach every point.",
  found: (iteration: number, at: string, away: Quantity, size: Quantity): Phrase => say`After ${counted(iteration, "iteration")} FM is at ${at}, ${away} from the true point, with ‖u‖ = ${size}.`,
  ifm: (away: Quantity, rmse: Quantity): Phrase => say`iFM ends ${away} from the true point, with a test error of ${rmse}.`,
  live: (n: number, test: number, iterations: number, seed: number) => `${[counted(n, "training row"), counted(test, "test row"), "d = 3", "models of rank 1", "no noise", `seed ${seed}`].join(", ")}; solver: ${labels.options["agd"]}, at most ${counted(iterations, "iteration")}. A pair’s weight is in M twice (Mᵢⱼ and Mⱼᵢ), so a pair adds 2·m·xᵢ·xⱼ to the target.`,
};

export const trio = {
  truth: "True signs",
  you: "You, as FM",
  press: (feature: string, number: string) => `${feature}: ${number}. Change its sign`,
  right: (n: number) => `${n} of 3 right`,
  tried: (n: number, of: number) => `${n} of ${of} choices tried`,
};

export const space = {
  title: "What FM can reach, and the paths of FM and iFM",
  role: "picture in three dimensions",
  space: "A picture of space with the axes m₁₂, m₁₃ and m₂₃. Four of its eight octants are shaded, those whose signs multiply to plus: FM of rank 1 reaches nothing outside them.",
  keys: "The arrow keys turn it, Home brings the first view back.",
  truthAt: (at: string, standing: "reached" | "approached" | "outside") => `The true point is at ${at}, ${{ reached: "which FM reaches", approached: "on the boundary, which FM only approaches", outside: "outside of them" }[standing]}.`,
  stale: "The paths are from the previous run, with another true point.",
  path: (name: string, from: string, to: string) => `${name} goes from ${from} to ${to}.`,
  truth: "truth",
  wall: "nearest face",
  axes,
  product: "product",
  sizes: { fm: "‖u‖", ifm: "√(‖u‖‖v‖)" },
  of: (name: string, what: string) => `${name} ${what}`,
  point,
  signs: (signs: Signs) => signs.map((sign) => (sign > 0 ? "+" : "−")).join(" "),
  iteration: "iteration",
  model: (name: string, at: string, product: string, size: string, value: string) => `${name} ${at}, product ${product}, ${size} ${value}`,
  at: (iteration: number, parts: readonly string[]) => `Iteration ${count(iteration)}: ${parts.join("; ")}.`,
  turns: "Turn the picture",
  ways: { left: "Turn to the left", right: "Turn to the right", up: "Tilt up", down: "Tilt down" },
  home: "First view",
  spin: "Turn slowly",
  stop: "Stop turning",
  stands: (about: number, tilt: number) => `Turned by ${count(about)}° from the first view, seen from ${Math.abs(tilt)}° ${tilt < 0 ? "below" : "above"}.`,
  caption: "Shaded: the octants whose signs multiply to plus, all that FM of rank 1 reaches or approaches. Small marks: iterations 0, 1, 2, 5, 10, 20, 50, …",
  data: "These paths as a table",
};
