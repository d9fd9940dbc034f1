// @ts-check
/** Pictures of few colours as PNG files with a palette, a third of their size otherwise. */
import { crc32, deflateSync } from "node:zlib";

/** The file of a picture of at most 256 colours; others become the nearest. The same pixels give the same bytes. @param {{ width: number, height: number, data: Uint8Array }} picture four bytes a pixel @returns {Buffer} */
export function paletted({ width, height, data }) {
  /** @type {Map<number, number>} */
  const seen = new Map();
  const colour = (/** @type {number} */ at) => ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
  for (let at = 0; at < data.length; at += 4) seen.set(colour(at), (seen.get(colour(at)) ?? 0) + 1);
  const palette = [...seen].sort(([a, m], [b, n]) => n - m || a - b).slice(0, 256).map(([value]) => value);
  const places = new Map(palette.map((value, i) => [value, i]));
  const place = (/** @type {number} */ value) => {
    const known = places.get(value);
    if (known !== undefined) return known;
    const nearest = palette.reduce((best, other, i) => (apart(other, value) < apart(palette[best] ?? 0, value) ? i : best), 0);
    places.set(value, nearest);
    return nearest;
  };
  const rows = Buffer.alloc(height * (width + 1)); // each begins with the number of its filter, 0: none
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = place(colour(4 * (y * width + x)));
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([8, 3], 8); // bits a pixel; by palette
  const colours = Buffer.from(palette.flatMap((value) => [value >> 16, (value >> 8) & 255, value & 255]));
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", size), chunk("PLTE", colours), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

/** @param {number} a @param {number} b */
function apart(a, b) {
  return [16, 8, 0].reduce((sum, bits) => sum + (((a >> bits) & 255) - ((b >> bits) & 255)) ** 2, 0);
}

/** @param {string} name @param {Buffer} content */
function chunk(name, content) {
  const named = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
