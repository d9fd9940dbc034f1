// A zip archive by its directory, which stands at its end: what it holds, and
// each file of it by itself.
import { Inflate } from "fflate";
import { crc32 } from "./crc.js";
import { bytesOf, Fault, MOST, slices, type Piece } from "./piece.js";
import type { Source } from "./source.js";
import { packed as strings } from "./strings.js";

/** A file of the archive. */
export interface Member {
  readonly name: string; // its path
  readonly size: number; // bytes, unpacked
  readonly packed: number; // bytes
  readonly crc: number;
  readonly method: number;
  readonly encrypted: boolean;
  readonly at: number; // of its header, in the archive
}

const END = 22; // bytes of the end of a directory, but for its comment
const MOST_COMMENT = 0xffff;
const STEP = 1 << 14; // as in gzip.ts

/** The files of an archive, folders and what operating systems put beside them left out. */
export async function members(file: Source): Promise<Member[]> {
  const start = Math.max(0, file.size - END - MOST_COMMENT);
  const tail = view(await bytesOf(file, start, file.size));
  let end = tail.byteLength - END;
  while (end >= 0 && !(tail.getUint32(end, true) === 0x06054b50 && tail.getUint16(end + 20, true) <= tail.byteLength - END - end)) end--;
  if (end < 0) throw new Fault(strings.notZip);
  let count = tail.getUint16(end + 10, true);
  let size = tail.getUint32(end + 12, true);
  let from = tail.getUint32(end + 16, true);
  let base = start + end - size - from; // of an archive behind something else
  if ((count === 0xffff || size === 0xffffffff || from === 0xffffffff) && end >= 20 && tail.getUint32(end - 20, true) === 0x07064b50) {
    const wide = view(await bytesOf(file, big(tail, end - 12), big(tail, end - 12) + 56));
    if (wide.byteLength < 56 || wide.getUint32(0, true) !== 0x06064b50) throw new Fault(strings.notZip);
    [count, size, from, base] = [big(wide, 32), big(wide, 40), big(wide, 48), 0];
  }
  if (base < 0 || from + base + size > file.size) throw new Fault(strings.notZip);
  const directory = view(await bytesOf(file, base + from, base + from + size));
  const all: Member[] = [];
  for (let at = 0, i = 0; i < count; i++) {
    if (at + 46 > directory.byteLength || directory.getUint32(at, true) !== 0x02014b50) throw new Fault(strings.notZip);
    const [named, extra, comment] = [directory.getUint16(at + 28, true), directory.getUint16(at + 30, true), directory.getUint16(at + 32, true)];
    const next = at + 46 + named + extra + comment;
    if (next > directory.byteLength) throw new Fault(strings.notZip);
    const name = new TextDecoder().decode(new Uint8Array(directory.buffer, directory.byteOffset + at + 46, named));
    let [packed, unpacked, header] = [directory.getUint32(at + 20, true), directory.getUint32(at + 24, true), directory.getUint32(at + 42, true)];
    for (let field = at + 46 + named; field + 4 <= at + 46 + named + extra; field += 4 + directory.getUint16(field + 2, true)) {
      if (directory.getUint16(field, true) !== 1) continue; // sizes that need more than four bytes
      let wide = field + 4;
      const take = (short: number): number => (short === 0xffffffff && wide + 8 <= next ? big(directory, (wide += 8) - 8) : short);
      unpacked = take(unpacked);
      packed = take(packed);
      header = take(header);
    }
    if (!name.endsWith("/") && !LITTER.test(name)) {
      all.push({ name, size: unpacked, packed, crc: directory.getUint32(at + 16, true), method: directory.getUint16(at + 10, true), encrypted: (directory.getUint16(at + 8, true) & 1) === 1, at: base + header });
    }
    at = next;
  }
  return all;
}

const LITTER = /(^|\/)(__MACOSX\/|\.DS_Store$|\._|Thumbs\.db$|desktop\.ini$)/;

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function big(bytes: DataView, at: number): number {
  return Number(bytes.getBigUint64(at, true));
}

/** What a file of the archive holds. */
export async function* unzipped(file: Source, member: Member, most = MOST.text): AsyncGenerator<Piece, void, void> {
  const { name, size, method } = member;
  if (member.encrypted) throw new Fault(strings.encryptedMember(name));
  if (method !== 0 && method !== 8) throw new Fault(strings.method(name, method));
  if (size > most) throw new Fault(strings.large(most));
  const damaged = new Fault(strings.damagedMember(name));
  const header = view(await bytesOf(file, member.at, member.at + 30));
  if (header.byteLength < 30 || header.getUint32(0, true) !== 0x04034b50) throw damaged;
  const from = member.at + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  let out: Uint8Array[] = [];
  let crc = 0;
  let total = 0;
  const inflate = new Inflate((bytes) => void out.push(bytes));
  for await (const { bytes, loaded } of slices(file.slice(from, from + member.packed))) {
    for (let at = 0; at < bytes.length; at += STEP) {
      const step = bytes.subarray(at, at + STEP);
      try {
        if (method === 8) inflate.push(step, false);
        else out.push(step);
      } catch {
        throw damaged;
      }
      for (const piece of out) {
        crc = crc32(crc, piece);
        total += piece.length;
        if (total > size) throw damaged;
        if (piece.length > 0) yield { bytes: piece, loaded: from + loaded - bytes.length + at + step.length };
      }
      out = [];
    }
  }
  if (total !== size || crc !== member.crc) throw damaged;
}
