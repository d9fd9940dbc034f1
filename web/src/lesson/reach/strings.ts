// The words of the chapter on three dimensions.
import { questions, titles } from "../../state/chapters.gen.js";
import { count, signed } from "../../text/format.js";
import { say, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted } from "../../text/strings.js";
import type { Phase } from "../chapter/definition.js";
import { labels } from "../chapter/strings.js";
import type { Point, Signs } from "./geometry.js";

/** A point's three pairs, (−0.9, −0.7, +0.02). */
function point(p: Point): string {
  return `(${p.map((v) => signed(Math.abs(v) < 5e-5 ? 0 : v, Math.abs(v) < 0.1 ? 2 : 3)).join(", ")})`;
}

const axes = ["m₁₂", "m₁₃", "m₂₃"] as const;

export const reach = {
  title: titles.reach,
  lead: "Three columns have three pairs, so a model’s interactions are a point in space: (m₁₂, m₁₃, m₂₃). FM of rank 1 writes them with three numbers: m₁₂ = u₁u₂, m₁₃ = u₁u₃, m₂₃ = u₂u₃. The shaded octants are what it reaches: there the product of the three is not negative. Set the truth where you like, and see where FM and iFM go.",
  question: questions.reach,
  guesses: { zero: "To zero: it gives the interactions up", stops: "To the nearest point that it can write, and there it stops", wall: "Towards a boundary that it never reaches, and U grows and grows" },
  source: "Not in the paper, which names the bias: this is its smallest case. Once the linear part is learnt, the loss over all rows of such columns is 2‖m − m*‖²: near in this picture is near in RMSE.",
  cost: "2 runs, a second or two.",
  waiting: { idle: "Press Run for the paths.", running: "Learning …", paused: "Learning …", stopped: "Stopped before there was a path.", done: "There is no path to draw." } satisfies Record<Phase, string>,
  place: "Where the truth is",
  flip: "Flip all three signs",
  axes,
  keys: { m12: "m₁₂ of the truth", m13: "m₁₃ of the truth", m23: "m₂₃ of the truth" },
  outside: (truth: string, value: Quantity, wall: string, gap: Quantity): Phrase =>
    say`The truth is ${truth} with the product ${value}. FM of rank 1 cannot write it: (u₁u₂)(u₁u₃)(u₂u₃) is a square. Nothing that it can write is nearer than ${gap}; ${wall} is so near, on the boundary.`,
  reached: (truth: string, value: Quantity): Phrase => say`The truth is ${truth} with the product ${value}, which is not negative, and FM of rank 1 can write it.`,
  approached: (truth: string): Phrase => say`The truth is ${truth}, on the boundary. No u writes it, since u₁u₂u₃ = 0 makes two of the pairs 0; but some u comes as near as you like.`,
  other: (wall: string, away: Quantity): Phrase => say`From this start it goes to another boundary: ${wall} is ${away} away. Another seed may lead to the nearest.`,
  fm: (iteration: number, at: string, product: Quantity, away: Quantity, rmse: Quantity, twice: boolean): Phrase => say`After ${counted(iteration, "iteration")} FM is at ${at}, with the product ${product}. It is ${away} from the truth, and its test RMSE is ${rmse}${twice ? ", about twice that" : ""}.`,
  size: (size: Quantity, half: number, before: Quantity): Phrase => say`‖u‖ is ${size}; at iteration ${count(half)} it was ${before}.`,
  grows: ["So it grows, and it has to: a point with one zero is written by no u, and points near it take a long one. FM has no minimum here at all."] as Phrase,
  settles: ["It grows no more."] as Phrase,
  found: (iteration: number, at: string, away: Quantity, size: Quantity): Phrase => say`After ${counted(iteration, "iteration")} FM is at ${at}, ${away} from the truth, with ‖u‖ = ${size}.`,
  ifm: (iteration: number, away: Quantity, rmse: Quantity): Phrase => say`iFM of rank 1 has u and v, and every point of this space: after ${counted(iteration, "iteration")} it is ${away} from the truth, with a test RMSE of ${rmse}.`,
  live: (n: number, test: number, iterations: number, seed: number) => `${[counted(n, "training row"), counted(test, "test row"), "d = 3", "models of rank 1", "no noise", `seed ${seed}`].join(", ")}; solver: ${labels.options["agd"]}, at most ${counted(iterations, "iteration")}. Pairs are in target units for one standard deviation of both columns.`,
};

export const space = {
  title: "What FM of rank 1 reaches, and where FM and iFM go",
  role: "picture in three dimensions",
  space: "A picture of space with the axes m₁₂, m₁₃ and m₂₃. Four of its eight octants are shaded, those whose signs multiply to plus: FM of rank 1 reaches nothing outside them.",
  keys: "The arrow keys turn it, Home brings the first view back.",
  truthAt: (at: string, standing: "reached" | "approached" | "outside") => `The truth is at ${at}, ${{ reached: "which FM reaches", approached: "on the boundary, which FM only approaches", outside: "outside of them" }[standing]}.`,
  stale: "The paths are those of the run before, to another truth.",
  path: (name: string, from: string, to: string) => `${name} goes from ${from} to ${to}.`,
  pathOf: (name: string) => `path of ${name}`,
  truth: "the truth",
  truthShort: "truth",
  wall: "the nearest point of the boundary",
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
  hint: (touch: boolean) => (touch ? "Drag the picture sideways to turn it." : "Drag the picture, or use the arrow keys on it, to turn it."),
  caption: "Shaded: the octants whose signs multiply to plus, all that FM of rank 1 reaches or approaches. Small marks: iterations 0, 1, 2, 5, 10, 20, 50, …",
  data: "These paths as a table",
};
