// A zip archive by its directory, at its end.
import { inflated, steps } from "./inflate.js";
import { bytesOf, Fault, MOST, type Piece } from "./piece.js";
import type { Source } from "./source.js";
import { packed as strings } from "./strings.js";

export interface Member {
  readonly name: string; // its path
  readonly size: number; // bytes, unpacked
  readonly packed: number; // bytes
  readonly crc: number;
  readonly method: number;
  readonly encrypted: boolean;
  readonly described: boolean; // once more behind its bytes
  readonly at: number; // of its header, in the archive
}

const END = 22; // bytes of the end of a directory, but for its comment
const HEADER = 30; // bytes of what stands before a file, but for its name
const DESCRIPTOR = 16; // bytes of what may stand behind one
const MOST_COMMENT = 0xffff;
const LONGEST = 4096; // bytes of a name

/** Without folders and what operating systems put beside files. */
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
    const fields = at + 46 + named;
    const next = fields + extra + comment;
    if (next > directory.byteLength) throw new Fault(strings.notZip);
    let { packed, size: unpacked, ...member } = memberOf(directory, at + 2, at + 46);
    let header = directory.getUint32(at + 42, true);
    for (let field = fields; field + 4 <= fields + extra; field += 4 + directory.getUint16(field + 2, true)) {
      if (directory.getUint16(field, true) !== 1) continue; // sizes that need more than four bytes
      let wide = field + 4;
      const take = (short: number): number => (short === 0xffffffff && wide + 8 <= next ? big(directory, (wide += 8) - 8) : short);
      unpacked = take(unpacked);
      packed = take(packed);
      header = take(header);
    }
    all.push({ ...member, packed, size: unpacked, at: base + header });
    at = next;
  }
  return all.filter(isFile);
}

/** The files of an archive without a directory, as far as each header says where the next one is. */
export async function remains(file: Source): Promise<Member[]> {
  const all: Member[] = [];
  for (let at = 0; all.length < 0xffff; ) {
    const header = view(await bytesOf(file, at, at + HEADER + LONGEST));
    if (header.byteLength < HEADER || header.getUint32(0, true) !== 0x04034b50) break;
    const [named, extra] = [header.getUint16(26, true), header.getUint16(28, true)];
    if (header.byteLength < HEADER + named) break;
    const member = memberOf(header, 0, HEADER);
    all.push({ ...member, described: false, at });
    at += HEADER + named + extra + member.packed;
  }
  return all.filter(isFile);
}

/** By its header or, two bytes on, by its entry in the directory. */
function memberOf(bytes: DataView, at: number, named: number): Omit<Member, "at"> {
  return {
    name: new TextDecoder().decode(new Uint8Array(bytes.buffer, bytes.byteOffset + named, bytes.getUint16(at + 26, true))),
    encrypted: (bytes.getUint16(at + 6, true) & 1) === 1,
    described: (bytes.getUint16(at + 6, true) & 8) === 8,
    method: bytes.getUint16(at + 8, true),
    crc: bytes.getUint32(at + 14, true),
    packed: bytes.getUint32(at + 18, true),
    size: bytes.getUint32(at + 22, true),
  };
}

function isFile({ name }: Member): boolean {
  return !name.endsWith("/") && !/(^|\/)(__MACOSX\/|\.DS_Store$|\._|Thumbs\.db$|desktop\.ini$)/.test(name);
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function big(bytes: DataView, at: number): number {
  return Number(bytes.getBigUint64(at, true));
}

export async function* unzipped(file: Source, member: Member, most = MOST.text): AsyncGenerator<Piece, void, void> {
  const { name, size, method } = member;
  if (member.encrypted) throw new Fault(strings.encryptedMember(name));
  if (method !== 0 && method !== 8) throw new Fault(strings.method(name, method));
  if (size > most) throw new Fault(strings.large(most));
  const damaged = new Fault(strings.damagedMember(name));
  const header = view(await bytesOf(file, member.at, member.at + HEADER));
  if (header.byteLength < HEADER || header.getUint32(0, true) !== 0x04034b50) throw damaged;
  const from = member.at + HEADER + header.getUint16(26, true) + header.getUint16(28, true);
  const packed = file.slice(from, from + member.packed);
  let crc = 0;
  let total = 0;
  try {
    for await (const { bytes, loaded } of method === 0 ? steps(packed) : inflated(packed, "deflate-raw")) {
      crc = crc32(crc, bytes);
      total += bytes.length;
      if (total > size) throw damaged;
      if (bytes.length > 0) yield { bytes, loaded: from + loaded };
    }
  } catch (reason) {
    throw reason instanceof DOMException ? reason : damaged; // the file itself could not be read
  }
  if (total !== size || crc !== member.crc) throw damaged;
  if (!member.described) return;
  const descriptor = view(await bytesOf(file, from + member.packed, from + member.packed + DESCRIPTOR));
  const signed = descriptor.byteLength >= 4 && descriptor.getUint32(0, true) === 0x08074b50 ? 4 : 0;
  if (descriptor.byteLength < 12 + signed || descriptor.getUint32(signed, true) !== crc) throw damaged;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, i) => {
  let c = i;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

/** The checksum of these bytes behind those that have the checksum before. */
export function crc32(before: number, bytes: Uint8Array): number {
  let c = ~before;
  for (let i = 0; i < bytes.length; i++) c = (TABLE[(c ^ (bytes[i] ?? 0)) & 255] ?? 0) ^ (c >>> 8);
  return ~c >>> 0;
}
