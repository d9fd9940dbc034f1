// The words of the figure.
import type { Spec } from "../state/spec.js";
import { count } from "../text/format.js";
import type { Worded } from "./term.js";

export const three = {
  title: ["Milk goes with tea.", "Lemon goes with tea.", "So milk goes with lemon?"],
  heading: "Three features",
  hint: "Flip a sign",
  features: ["tea", "milk", "lemon"],
  flip: (a: string, b: string, plus: boolean) => `${a} with ${b}: ${plus ? "plus" : "minus"}. Flip`,
  fm: "FM",
  ifm: "iFM",
  numbers: { fm: "one number", ifm: "two numbers" },
  right: "all right",
  wrong: "one wrong",
  patterns: "The eight sign patterns",
  pattern: (signs: string) => `Signs ${signs}`,
  four: "FM: 4 of 8",
  eight: "iFM: all 8",
  multiply: "Multiply the three pairs’ signs:",
  always: "always gets",
  can: ", which both models can have.",
  what: "What if one pair clashes?",
  invite: "Lemon curdles milk: flip it",
};

export const figure = {
  lead: ["With one number per ingredient, a ", ["fm", "factorization machine"], " ("] satisfies Worded,
  leadOn: ") must say yes. Its improved form (",
  leadEnd: ") can say no.",
  heading: (d: number) => `The same with ${count(d)} features`,
  share: ["Error ÷ a ", ["linear", "straight-line fit"], "’s"] satisfies Worded,
  signs: { psd: "Signs agree", flipped: "Signs clash", mixed: "Both" } satisfies Record<Spec["scenario"], string>,
  stem: ["A ", ["stem", "stem"], " is the strength of one ", ["pattern", "pattern"], " (an eigenvalue). "] satisfies Worded,
  missed: ": a wrong pattern.",
  alone: "Test error ÷ a straight-line fit’s",
  curve: (signs: string) => `Test error by iteration: ${signs}`,
  spectrum: (signs: string) => `Strengths of the patterns: ${signs}`,
  hidden: "This frame’s link hides every part of the figure.",
  why: "Why?",
  truth: "True",
  whole: "True M*",
};

export const bar = {
  label: "Experiment",
  replay: "Replay",
  signs: "Signs of the true patterns",
  d: "Features",
  rank: "Rank",
  ranks: (rank: number, fm: number) => (rank === fm ? count(rank) : `${count(rank)}, FM ${count(fm)}`),
  equal: "FM: equal parameters",
  n: "Rows",
  noise: "Noise",
  more: "More: step, speed, axis, seed, heat maps, data and all settings",
  seed: (seed: number) => `Seed ${seed}`,
};

const removed = (share: number): string => (share > 0.995 ? "all" : percentOf(share));

/** A whole percentage, unless that says 0 of what is there. */
function percentOf(share: number): string {
  return share > 0 && share < 0.005 ? "< 1 %" : `${Math.round(100 * share)} %`;
}

export const verdicts = {
  when: { psd: "When signs agree, ", flipped: "When signs clash, ", mixed: "With both signs, " } satisfies Record<Spec["scenario"], string>,
  everything: "both models learn everything.",
  fair: "With equal parameters ",
  fairBoth: "With equal parameters both models learn everything.",
  removes: (left: number) => (left > 1.005 ? "adds" : "removes"),
  part: (left: number) => (left > 1.005 ? percentOf(left - 1) : removed(1 - left)),
  leaves: (left: number) => percentOf(left),
  ofError: " of the error, ",
  alone: " of a straight-line fit’s error",
  noise: (share: number) => ` ${percentOf(share)} is noise, which no model removes.`,
  trials: (trials: number) => ` Means over ${count(trials)} trials.`,
};
