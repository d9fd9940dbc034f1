// LZMA as its author's specification has it (https://www.7-zip.org/sdk.html,
// lzma-specification.txt), with the names from there, for a stream that tells
// its size: nothing smaller unpacks so much in a browser that cannot by itself.

const HEADER = 13; // bytes: lc, lp and pb in one, the dictionary's size, the result's
const TOP = 2 ** 24;
const [MOVE, HALF, ONE] = [5, 1024, 2048]; // of a probability
const [STATES, POSITIONS, LENGTHS] = [12, 16, 4];
const DAMAGED = "found damaged data in the .lzma file";

// where each kind of decision has its probabilities
const IS_MATCH = 0;
const IS_REP = IS_MATCH + STATES * POSITIONS;
const IS_REP_G0 = IS_REP + STATES;
const IS_REP_G1 = IS_REP_G0 + STATES;
const IS_REP_G2 = IS_REP_G1 + STATES;
const IS_REP0_LONG = IS_REP_G2 + STATES;
const SLOT = IS_REP0_LONG + STATES * POSITIONS;
const NEAR = SLOT + LENGTHS * 64; // the low bits of distances below 128
const ALIGN = NEAR + 128;
const LENGTH = ALIGN + 16;
const [CHOICE, CHOICE2, LOW, MID, HIGH] = [0, 1, 2, 2 + POSITIONS * 8, 2 + POSITIONS * 16];
const REP_LENGTH = LENGTH + HIGH + 256;
const LITERAL = REP_LENGTH + HIGH + 256;

/** Unpacks a whole .lzma file. Throws a RangeError where it is damaged or ends too soon. */
export function lzma(packed: Uint8Array): Uint8Array<ArrayBuffer> {
  if (packed.length < HEADER + 5) throw new RangeError(`found ${packed.length} bytes, want an .lzma file`);
  const head = new DataView(packed.buffer, packed.byteOffset, HEADER);
  const properties = head.getUint8(0);
  const lc = properties % 9;
  const lp = Math.floor(properties / 9) % 5;
  const pb = Math.floor(properties / 45);
  if (pb > 4 || head.getUint32(9, true) !== 0) throw new RangeError("found no size in the head of the .lzma file, want one");
  const out = new Uint8Array(head.getUint32(5, true));
  const odds = new Uint16Array(LITERAL + (0x300 << (lc + lp))).fill(HALF);
  const coder = new Uint32Array([0xffffffff, head.getUint8(HEADER - 1)]); // range and code; numbers of 32 bits in a variable would be boxed
  let from = HEADER;
  for (coder[1] = 0; from < HEADER + 5; from++) coder[1] = ((coder[1] as number) << 8) | (packed[from] as number);

  const narrow = (range: number, code: number): void => {
    if (range < TOP) {
      coder[0] = range << 8;
      coder[1] = (code << 8) | (packed[from++] as number);
    } else {
      coder[0] = range;
      coder[1] = code;
    }
  };
  const bit = (at: number): number => {
    const range = coder[0] as number;
    const code = coder[1] as number;
    const p = odds[at] as number;
    const bound = (range >>> 11) * p;
    if (code < bound) {
      odds[at] = p + ((ONE - p) >>> MOVE);
      narrow(bound, code);
      return 0;
    }
    odds[at] = p - (p >>> MOVE);
    narrow(range - bound, code - bound);
    return 1;
  };
  const tree = (at: number, bits: number): number => {
    let m = 1;
    for (let i = 0; i < bits; i++) m = (m << 1) | bit(at + m);
    return m - (1 << bits);
  };
  const reverse = (at: number, bits: number): number => {
    let m = 1;
    let value = 0;
    for (let i = 0; i < bits; i++) {
      const b = bit(at + m);
      m = (m << 1) | b;
      value |= b << i;
    }
    return value;
  };
  const direct = (bits: number): number => {
    let value = 0;
    for (let i = 0; i < bits; i++) {
      const range = (coder[0] as number) >>> 1;
      const code = coder[1] as number;
      const b = code >= range ? 1 : 0;
      value = (value << 1) | b;
      narrow(range, b ? code - range : code);
    }
    return value;
  };
  const length = (at: number, position: number): number => {
    if (!bit(at + CHOICE)) return 2 + tree(at + LOW + position * 8, 3);
    if (!bit(at + CHOICE2)) return 10 + tree(at + MID + position * 8, 3);
    return 18 + tree(at + HIGH, 8);
  };
  const distance = (long: number): number => {
    const slot = tree(SLOT + Math.min(long - 2, LENGTHS - 1) * 64, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) << bits;
    return slot < 14 ? base + reverse(NEAR + base - slot, bits) : base + (direct(bits - 4) << 4) + reverse(ALIGN, 4);
  };

  let state = 0;
  let [rep0, rep1, rep2, rep3] = [0, 0, 0, 0];
  for (let to = 0; to < out.length; ) {
    const position = to & ((1 << pb) - 1);
    if (!bit(IS_MATCH + state * POSITIONS + position)) {
      const before = to > 0 ? (out[to - 1] as number) : 0;
      const at = LITERAL + 0x300 * (((to & ((1 << lp) - 1)) << lc) + (before >> (8 - lc)));
      let symbol = 1;
      if (state >= 7) {
        let match = out[to - rep0 - 1] as number;
        while (symbol < 0x100) {
          const guess = (match >> 7) & 1;
          match <<= 1;
          const b = bit(at + ((1 + guess) << 8) + symbol);
          symbol = (symbol << 1) | b;
          if (guess !== b) break;
        }
      }
      while (symbol < 0x100) symbol = (symbol << 1) | bit(at + symbol);
      out[to++] = symbol;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let long = 1;
    if (!bit(IS_REP + state)) {
      rep3 = rep2;
      rep2 = rep1;
      rep1 = rep0;
      long = length(LENGTH, position);
      rep0 = distance(long);
      state = state < 7 ? 7 : 10;
    } else if (bit(IS_REP_G0 + state)) {
      let again = rep1;
      if (bit(IS_REP_G1 + state)) {
        again = rep2;
        if (bit(IS_REP_G2 + state)) {
          again = rep3;
          rep3 = rep2;
        }
        rep2 = rep1;
      }
      rep1 = rep0;
      rep0 = again;
      long = length(REP_LENGTH, position);
      state = state < 7 ? 8 : 11;
    } else if (bit(IS_REP0_LONG + state * POSITIONS + position)) {
      long = length(REP_LENGTH, position);
      state = state < 7 ? 8 : 11;
    } else {
      state = state < 7 ? 9 : 11;
    }
    if (rep0 >>> 0 >= to || to + long > out.length || from > packed.length) throw new RangeError(DAMAGED);
    for (const end = to + long; to < end; to++) out[to] = out[to - rep0 - 1] as number;
  }
  const marker = (): boolean => {
    const position = out.length & ((1 << pb) - 1);
    return bit(IS_MATCH + state * POSITIONS + position) === 1 && bit(IS_REP + state) === 0 && distance(length(LENGTH, position)) === -1;
  };
  if ((coder[1] !== 0 && !(marker() && coder[1] === 0)) || from > packed.length) throw new RangeError(DAMAGED);
  return out;
}
