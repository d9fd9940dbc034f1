const BLOCK = 1024;
const STRIDES = [8, 40];

/**
 * The bytes that web/build wrote as differences, so that tables of rising
 * numbers pack well. First comes a byte a block of the rest: 0, or by which of
 * the strides and from which byte on each 32 bits, the lower first, are what is
 * to be added to those a stride before.
 */
export function undelta(written: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const blocks = Math.ceil(written.length / (BLOCK + 1));
  const bytes = written.subarray(blocks);
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let block = 0; block < blocks; block++) {
    const way = written[block] as number;
    if (way === 0) continue;
    const stride = STRIDES[(way - 1) >> 2] as number;
    const end = Math.min((block + 1) * BLOCK, bytes.length);
    for (let at = block * BLOCK + ((way - 1) & 3); at + 4 <= end; at += 4) {
      words.setUint32(at, words.getUint32(at, true) + words.getUint32(at - stride, true), true);
    }
  }
  return bytes;
}
