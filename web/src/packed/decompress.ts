// Unpacks the pages of Parquet files. Whatever does not fill its page is damage.
import { decompress } from "fzstd";
import { snappyUncompress } from "hyparquet/src/snappy.js";
import { inflated } from "./inflate.js";
import { MemorySource } from "./source.js";
import type { Readers } from "./readers.js";
import type { Unpack } from "./pages.js";

export function unpacker(brotli: () => Readers["brotli"]): Unpack {
  return async (codec, packed, size) => {
    if (size === 0) return packed.subarray(0, 0);
    const page = await unpacked(codec, packed, size, brotli);
    if (page.length !== size) throw new RangeError("a page is not as long as it should be");
    return page;
  };
}

async function unpacked(codec: number, packed: Uint8Array<ArrayBuffer>, size: number, brotli: () => Readers["brotli"]): Promise<Uint8Array> {
  switch (codec) {
    case 0:
      return packed;
    case 1:
      return snappy(packed, size);
    case 2:
      return gunzip(packed, size);
    case 4:
      return brotli()(packed, size);
    case 5:
    case 7: {
      const page = new Uint8Array(size);
      return page.subarray(0, Math.max(0, (codec === 5 ? lz4Frames : lz4)(packed, page)));
    }
    case 6:
      return decompress(packed);
    default:
      throw new RangeError(`compression ${codec} is unknown`);
  }
}

function snappy(packed: Uint8Array, size: number): Uint8Array {
  let length = 0;
  for (let i = 0; i < 5; i++) {
    const byte = packed[i] ?? 0;
    length += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) break;
  }
  const page = new Uint8Array(length === size ? size : 0);
  snappyUncompress(packed, page);
  return page;
}

async function gunzip(packed: Uint8Array, size: number): Promise<Uint8Array> {
  const page = new Uint8Array(size);
  let at = 0;
  for await (const { bytes } of inflated(new MemorySource(packed), "gzip")) {
    page.set(bytes, at);
    at += bytes.length;
  }
  return page.subarray(0, at);
}

/** LZ4 as Hadoop frames it: each block behind two lengths. Others wrote one block without them. */
function lz4Frames(packed: Uint8Array, page: Uint8Array): number {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  for (let at = 0, to = 0; at + 8 <= packed.length; ) {
    const until = to + view.getUint32(at);
    const end = at + 8 + view.getUint32(at + 4);
    if (end > packed.length || until > page.length || lz4(packed.subarray(at + 8, end), page.subarray(to, until)) !== until - to) break;
    [at, to] = [end, until];
    if (at === packed.length && to === page.length) return to;
  }
  return lz4(packed, page);
}

/** Unpacks one block and returns how many bytes it has, or -1 if it is damaged. core/packed/decompress.go does the same: other decoders differ in what they refuse. */
function lz4(packed: Uint8Array, page: Uint8Array): number {
  let at = 0;
  let to = 0;
  const length = (four: number): number => {
    let sum = four;
    for (let byte = four === 15 ? 255 : 0; byte === 255 && at < packed.length; ) sum += byte = packed[at++] ?? 0;
    return sum;
  };
  while (at < packed.length) {
    const token = packed[at++] ?? 0;
    const literals = length(token >> 4);
    if (literals > packed.length - at || literals > page.length - to) return -1;
    page.set(packed.subarray(at, at + literals), to);
    at += literals;
    to += literals;
    if (at === packed.length) return to;
    if (at + 2 > packed.length) return -1;
    const distance = (packed[at++] ?? 0) + 256 * (packed[at++] ?? 0);
    const match = 4 + length(token & 15);
    if (distance === 0 || distance > to || match > page.length - to) return -1;
    for (const end = to + match; to < end; to++) page[to] = page[to - distance] ?? 0;
  }
  return -1;
}
