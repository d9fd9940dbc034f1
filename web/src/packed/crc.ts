// The checksum of gzip and zip, CRC-32 of ISO 3309.

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
