// The words of opening a file, and the names of the built-in tables.
import type { Sample } from "../state/view.js";

/** Of opening a file, which is the page's own work: what its parts say is loaded with them. */
export const opening = {
  sampleError: (name: string) => `The built-in table ${name} could not be loaded from this site; check the connection and try again.`,
  folder: "This is a folder, want one file of a table; open the folder and drop the file inside.",
  twoFiles: "More than one file was dropped; the first was taken.",
  targetGone: (wanted: string, used: string) => `The link’s target “${wanted}” is no column of this table; “${used}” is offered instead.`,
  trainedOnceRead: "It is trained once it has been read.",
  unkept: "What keeps and opens models could not be loaded, perhaps because the connection was lost; try once more, or reload the page.",
};

export const builtIn = {
  sample: { penguins: "Penguins", cars: "Cars", diabetes: "Diabetes", signs: "Drawn: interactions of both signs", binary: "Drawn: columns of ±1" } satisfies Record<Sample, string>,
  sampleOf: { penguins: "Body mass from species, beak and flipper", cars: "Miles per gallon from weight, year and power", diabetes: "Progression after a year from ten measures", signs: "A known truth", binary: "A known truth" } satisfies Record<Sample, string>,
  sampleSize: { penguins: "344 × 7", cars: "406 × 9", diabetes: "442 × 11", signs: "600 × 11", binary: "600 × 11" } satisfies Record<Sample, string>,
};
