// The words of links, of looks and of drawn rows.
import { number } from "../text/format.js";
import type { Spec } from "./spec.js";

export const themes: Readonly<Record<"auto" | "light" | "dark", string>> = { auto: "Like the system", light: "Light", dark: "Dark" };

export const links = {
  sweep: "the link asks for a sweep, a grid of runs. The figure shows one run; the chapter “How many samples” runs a grid",
};

/** How rows are drawn. */
export const drawn = {
  scenario: { psd: "PSD", flipped: "Flipped", mixed: "Mixed" } satisfies Record<Spec["scenario"], string>,
  formula: { psd: "+UUᵀ", flipped: "−UUᵀ", mixed: "UVᵀ" } satisfies Record<Spec["scenario"], string>,
  features: { gaussian: "Gaussian columns", uniform: "uniform columns", laplace: "Laplace columns", exponential: "exponential columns", threepoint: "three-point columns", twopoint: "two-point columns", slider: "columns between Gaussian and ±1", t5: "Student’s t columns, 5 degrees of freedom", t3: "Student’s t columns, 3 degrees of freedom", lognormal: "lognormal columns", counts: "count columns", equicorrelated: "Gaussian columns, each pair correlated by .9", onehot: "one-hot columns" } satisfies Record<Spec["features"], string>,
  noise: (noise: number) => `noise ${number(noise)}`,
};
