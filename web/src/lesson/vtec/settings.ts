// The text form of the settings of the ionosphere experiment: the page's half of
// core/spec/ionosphere.go. Both read core/spec/testdata/ionosphere.json in their tests.
import { readAll, write, type Notice, type Settings } from "../../state/spec.js";
import { fields, type Ionosphere } from "./settings.gen.js";

export { fields, type Ionosphere };

/** Where the numbers come from: the simulator, a reader’s file, or a file that the simulator has written. */
export type Source = Ionosphere["sky"] | "file";

/** Reads the settings from a query. Never fails: what it cannot use leaves a notice. */
export function parse(query: string): { ionosphere: Ionosphere; notices: Notice[] } {
  const { settings, notices } = readAll(fields, query);
  return { ionosphere: settings as unknown as Ionosphere, notices };
}

/** The settings of a query that the engine has written. */
export function read(query: string): Ionosphere {
  return readAll(fields, query).settings as unknown as Ionosphere;
}

/** The query, without "?": the settings that differ from their defaults. */
export function encode(ionosphere: Ionosphere): string {
  return write(fields, ionosphere as unknown as Settings);
}
