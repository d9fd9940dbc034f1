// What a gzip file holds. A browser's own DecompressionStream refuses files of
// several members, as bgzip and cat make them.
import { Gunzip } from "fflate";
import { crc32 } from "./crc.js";
import { Fault, slices, type Piece } from "./piece.js";
import type { Source } from "./source.js";
import { packed as strings } from "./strings.js";

const STEP = 1 << 14; // bytes at a time: what is packed best is a thousand times as large
const TRAILER = 8; // bytes behind each member: its checksum and its size

export async function* gunzipped(file: Source, most: number): AsyncGenerator<Piece, void, void> {
  let out: Uint8Array[] = [];
  let crc = 0;
  let size = 0; // of the member
  let total = 0;
  let fed = 0; // bytes of the file
  let near = new Uint8Array(); // the last of them

  const check = (end: number): void => {
    const at = near.length - (fed - end) - TRAILER;
    const trailer = new DataView(near.buffer, near.byteOffset, near.byteLength);
    if (at < 0 || trailer.getUint32(at, true) !== crc || trailer.getUint32(at + 4, true) !== size % 2 ** 32) throw new Fault(strings.damagedGzip);
    crc = 0;
    size = 0;
  };
  const gunzip = new Gunzip((bytes) => {
    crc = crc32(crc, bytes);
    size += bytes.length;
    total += bytes.length;
    if (bytes.length > 0) out.push(bytes);
  });
  gunzip.onmember = check;
  for await (const { bytes, loaded } of slices(file)) {
    for (let at = 0; at < bytes.length; at += STEP) {
      const step = bytes.subarray(at, at + STEP);
      const joined = new Uint8Array(Math.min(near.length, TRAILER + 1024) + step.length); // a member's header may be long, and lie across
      joined.set(near.subarray(Math.max(0, near.length - TRAILER - 1024)));
      joined.set(step, joined.length - step.length);
      near = joined;
      fed += step.length;
      try {
        gunzip.push(step, false);
      } catch (reason) {
        throw reason instanceof Fault ? reason : new Fault(strings.damagedGzip);
      }
      if (total > most) throw new Fault(strings.large(most));
      for (const piece of out) yield { bytes: piece, loaded: loaded - bytes.length + at + step.length };
      out = [];
    }
  }
  check(file.size);
}
