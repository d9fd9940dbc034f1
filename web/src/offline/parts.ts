// What the first script of the offline file (start.ts) leaves for the page's
// (site.ts): the files that were in it.

export interface Parts {
  /** All but the engine, by their names. */
  readonly page: ReadonlyMap<string, Blob>;
  readonly engine: Promise<Blob>;
}

declare global {
  var ifmLabParts: Parts;
}

/** The name of the meta element that says what state the file starts from. */
export const STATE = "ifm-lab";
