/**
 * The bytes of a text in basE91, 13 or 14 bits in two characters, as web/build
 * writes it: of ASCII's printable characters all but &, < and >, so that it
 * can stand in HTML. White space is passed over.
 */
export function base91(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil((text.length * 14) / 16) + 1);
  let [length, first, bits, count] = [0, -1, 0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code <= 32) continue;
    const digit = code - 33 - (code > 38 ? 1 : 0) - (code > 60 ? 1 : 0) - (code > 62 ? 1 : 0);
    if (first < 0) {
      first = digit;
      continue;
    }
    const value = first + digit * 91;
    first = -1;
    bits |= value << count;
    count += (value & 8191) > 88 ? 13 : 14;
    for (; count > 7; count -= 8) {
      bytes[length++] = bits;
      bits >>= 8;
    }
  }
  if (first >= 0) bytes[length++] = bits | (first << count);
  return bytes.subarray(0, length);
}
