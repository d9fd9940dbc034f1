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
  sample: { penguins: "Penguins", cars: "Cars", diabetes: "Diabetes", signs: "Drawn: interactions of both signs", binary: "Drawn: ±1 columns (τ = 0)" } satisfies Record<Sample, string>,
  sampleOf: { penguins: "body mass of birds in Antarctica", cars: "fuel economy, 1970–82", diabetes: "disease progression in a year", signs: "600 rows, 10 columns, a known truth", binary: "600 rows, 10 columns, a known truth" } satisfies Record<Sample, string>,
};
