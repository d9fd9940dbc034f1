// What a gzip file holds. A browser's DecompressionStream refuses files of several
// members, as bgzip and cat make them, so each member is unpacked by itself.
import { inflated } from "./inflate.js";
import { bytesOf, Fault, SLICE, type Piece } from "./piece.js";
import type { Source } from "./source.js";
import { packed as strings } from "./strings.js";

const HEADER = 10; // bytes
const MOST_FALSE = 3; // places within a member that look like the next: one is likely in 100 GB

export async function* gunzipped(file: Source, most: number): AsyncGenerator<Piece, void, void> {
  const starts: number[] = [];
  for (let at = 0; at < file.size; at += SLICE) {
    const bytes = await bytesOf(file, at, at + SLICE + HEADER);
    for (let i = bytes.indexOf(0x1f); i >= 0 && i < SLICE; i = bytes.indexOf(0x1f, i + 1)) if (isHeader(bytes.subarray(i, i + HEADER))) starts.push(at + i);
    yield { bytes: new Uint8Array(), loaded: 0 };
  }
  let total = 0;
  for (let member = 0, next = 1; member < Math.max(1, starts.length); member = next++) {
    const given = total;
    for (const last = next + MOST_FALSE; ; next++) {
      const start = starts[member] ?? 0;
      let size = given;
      try {
        for await (const { bytes, loaded } of inflated(file.slice(start, starts[next]), "gzip")) {
          const fresh = bytes.subarray(Math.max(0, total - size));
          size += bytes.length;
          if (size > most) throw new Fault(strings.large(most));
          if (fresh.length === 0) continue;
          total = size;
          yield { bytes: fresh, loaded: start + loaded };
        }
        break;
      } catch (reason) {
        if (reason instanceof Fault || reason instanceof DOMException) throw reason;
        if (next >= Math.min(last, starts.length)) throw new Fault(strings.damagedGzip);
      }
    }
  }
}

/** Whether a member may begin with these bytes: deflate, no unknown flag, a level and a system as they are numbered. */
function isHeader([id1, id2, method, flags = 0xff, , , , , level, system = 0]: Uint8Array): boolean {
  return id1 === 0x1f && id2 === 0x8b && method === 8 && flags < 0x20 && (level === 0 || level === 2 || level === 4) && (system < 14 || system === 255);
}
