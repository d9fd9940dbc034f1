// The words of opening a file, and the names of the built-in tables.
import type { Sample } from "../state/view.js";

/** Of opening a file, which is the page's own work: what its parts say is loaded with them. */
export const opening = {
  sampleError: (name: string) => `The built-in table ${name} could not be loaded. Check the connection and try again.`,
  folder: "This is a folder. Drop one file from inside it.",
  twoFiles: "You dropped several files. The first is used.",
  targetGone: (wanted: string, used: string) => `The link’s target “${wanted}” is not a column of this table. “${used}” is suggested instead.`,
  columnsGone: (names: readonly string[]) => `This table does not have these columns of the link: ${names.slice(0, 5).map((name) => `“${name}”`).join(", ")}${names.length > 5 ? ", …" : ""}.`,
  trainedOnceRead: "Training starts once the file is read.",
};

export const builtIn = {
  sample: { penguins: "Penguins", cars: "Cars", diabetes: "Diabetes", signs: "Simulated: interactions of both signs", binary: "Simulated: ±1 columns" } satisfies Record<Sample, string>,
  sampleOf: { penguins: "Body mass from species, beak and flipper", cars: "Miles per gallon from weight, year and power", diabetes: "Progression after a year from ten measures", signs: "A known true model", binary: "A known true model" } satisfies Record<Sample, string>,
  sampleSize: { penguins: "344 × 7", cars: "406 × 9", diabetes: "442 × 11", signs: "600 × 11", binary: "600 × 11" } satisfies Record<Sample, string>,
};
