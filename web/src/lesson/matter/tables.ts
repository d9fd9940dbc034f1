// Quoted: the comparison on public tables, as core/cmd/ifm/README.md has it. A test holds
// them together. Errors are means over splits: RMSE, of the last four log-loss.

/** A public table: its name there, and the mean errors and standard deviations of FM and of iFM. */
export interface Quoted {
  readonly name: string;
  readonly fm: readonly [mean: number, sd: number];
  readonly ifm: readonly [mean: number, sd: number];
}

export const tables: readonly Quoted[] = [
  { name: "diabetes", fm: [57.1, 4.4], ifm: [56.7, 4] },
  { name: "tips", fm: [1.05, 0.21], ifm: [1.04, 0.19] },
  { name: "cars", fm: [2.92, 0.36], ifm: [2.89, 0.36] },
  { name: "red wine", fm: [0.665, 0.034], ifm: [0.66, 0.032] },
  { name: "bike days", fm: [640, 58], ifm: [651, 59] },
  { name: "weather", fm: [1.55, 0.06], ifm: [1.55, 0.06] },
  { name: "gapminder", fm: [2536, 1000], ifm: [1959, 330] },
  { name: "abalone", fm: [2.54, 0.09], ifm: [2.53, 0.09] },
  { name: "housing", fm: [53700, 950], ifm: [52100, 640] },
  { name: "bike hours", fm: [49.8, 2], ifm: [48.9, 2.4] },
  { name: "diabetes of Pima", fm: [0.497, 0.046], ifm: [0.496, 0.045] },
  { name: "species of penguins, 3", fm: [0.0241, 0.019], ifm: [0.0246, 0.018] },
  { name: "red wine, 6 classes", fm: [0.994, 0.036], ifm: [0.992, 0.037] },
  { name: "sex of penguins", fm: [0.244, 0.071], ifm: [0.236, 0.067] },
];
