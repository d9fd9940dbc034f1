// Reads packed files whole, for the tests of what is packed.
import assert from "node:assert/strict";

import { readParquet } from "./parquet.js";
import type { Most, Notice } from "./piece.js";
import { unpack } from "./unpack.js";

interface Reading {
  readonly most?: Most;
  readonly keep?: readonly string[];
  readonly heed?: (loaded: number) => Promise<void>;
}

export async function read(file: Uint8Array | Blob, { heed = () => Promise.resolve(), ...how }: Reading = {}): Promise<{ readonly text: string; readonly notices: readonly Notice[] }> {
  const parquet = (): ReturnType<typeof readParquet> => readParquet(() => assert.fail("none of these is packed by Brotli"));
  const { pieces, notices } = await unpack(file instanceof Blob ? file : new Blob([new Uint8Array(file)]), "t", { wanted: { member: "", sheet: "" }, parquet, heed, ...how });
  let text = "";
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    text += new TextDecoder().decode(next.value.bytes);
    assert.ok(!how.most || text.length <= how.most.text);
  }
  return { text, notices };
}
