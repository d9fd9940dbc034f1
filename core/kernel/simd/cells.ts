// Cuts the lines of a table into cells, and reads those that are to be numbers: what
// core/csv's quick scanner does a line at a time in Go, which is its oracle. A line
// that is not of the usual kind ends the work; Go sees to it.
//
// A word holds eight bytes, the first in its lowest: a search in it marks the highest
// bit of each byte that fits, exactly up to and including the first.

const HIGHS: u64 = 0x8080808080808080;
const ZEROS: u64 = 0x3030303030303030; // the digit 0, eight times
const LF = 10, CR = 13, QUOTE = 34, HASH = 35;

/** Where kernel.cellTables has the powers of ten: as float64, as uint64, and as {head, shift} from 10^−27 on. */
const INTEGERS: usize = 23 * 8, POWERS: usize = INTEGERS + 9 * 8;
const MAX_POWER = 27;

/** The place after the number that was read last. */
let after: usize = 0;

/** How many of the bytes of w, counted from the first, are digits, whose '0' is taken off. */
// @ts-ignore: decorator
@inline function digits(w: u64): i32 {
  return <i32>(ctz(((w + 0x7676767676767676) | w) & HIGHS) >> 3);
}

/** The number that the eight digits of w write. */
// @ts-ignore: decorator
@inline function value8(word: u64): u64 {
  const w = word * 10 + (word >> 8);
  return ((w & 0x000000ff000000ff) * 0x000f424000000064 + ((w >> 16) & 0x000000ff000000ff) * 0x0000271000000001) >> 32;
}

/** The number that the first n < 8 digits of w write. */
// @ts-ignore: decorator
@inline function value(w: u64, n: i32): u64 {
  return value8((w << <u64>((56 - 8 * n) & 63)) << 8);
}

/** 10ⁿ, n ≤ 8. */
// @ts-ignore: decorator
@inline function integer(tables: usize, n: i32): u64 {
  return load<u64>(tables + INTEGERS + (<usize>n << 3));
}

// @ts-ignore: decorator
@inline function signed(v: f64, minus: i32): f64 {
  return reinterpret<f64>(reinterpret<u64>(v) | (<u64>minus << 63));
}

/** The number at i, NaN for what is none or is left to others; `after` is the place after it. See core/cell/scan.go. */
// @ts-ignore: decorator
@inline function number(begin: usize, point: i32, tables: usize): f64 {
  const minus = <i32>(load<u8>(begin) == 45);
  const i = begin + minus;
  let w = load<u64>(i) ^ ZEROS;
  let whole = 1, m = w & 0xff;
  if (m > 9 || <i32>(((w >> 8) & 0xff) ^ 0x30) != point) {
    whole = digits(w);
    if (whole == 8) return longNumber(i, point, minus, tables);
    m = value(w, whole);
  }
  let j = i + whole, c = <i32>load<u8>(j), fraction = 0;
  if (c == point) {
    j++;
    w = load<u64>(j) ^ ZEROS;
    fraction = digits(w);
    if (fraction == 8) {
      m = m * 100000000 + value8(w);
      w = load<u64>(j, 8) ^ ZEROS;
      if ((w & 0xff) <= 9) {
        const n = digits(w);
        m = m * integer(tables, n) + value(w, n);
        fraction += n;
      }
      if (whole + fraction > 15) return longNumber(i, point, minus, tables); // m may not be exact
    } else {
      m = m * integer(tables, fraction) + value(w, fraction);
    }
    j += fraction;
    c = <i32>load<u8>(j);
  }
  if ((c | 0x20) == 101) return longNumber(i, point, minus, tables);
  after = j;
  if (whole + fraction == 0) return NaN;
  return signed(<f64>m / load<f64>(tables + (<usize>fraction << 3)), minus); // both exact: one rounding
}

/** Appends the digits at `after` to m and moves after them; the highest number where the result is not below 10¹⁹. */
function addDigits(sum: u64, tables: usize): u64 {
  let m = sum, n = 8;
  while (n == 8) {
    const w = load<u64>(after) ^ ZEROS;
    n = digits(w);
    if (m >= 10000000000000000000 / integer(tables, n)) return u64.MAX_VALUE;
    m = m * integer(tables, n) + (n == 8 ? value8(w) : value(w, n));
    after += n;
  }
  return m;
}

/** number without its sign, for any number of digits and with an exponent. */
function longNumber(start: usize, point: i32, minus: i32, tables: usize): f64 {
  after = start;
  let m = addDigits(0, tables), seen = after - start, scale = 0;
  if (m != u64.MAX_VALUE && <i32>load<u8>(after) == point) {
    const i = ++after;
    m = addDigits(m, tables);
    seen += after - i;
    scale = <i32>(i - after);
  }
  if (m == u64.MAX_VALUE || seen == 0) return NaN;
  if ((load<u8>(after) | 0x20) == 101) {
    const sign = load<u8>(++after);
    if (sign == 45 || sign == 43) after++;
    const w = load<u64>(after) ^ ZEROS, n = digits(w);
    if (n == 0 || n > 4) return NaN;
    scale += (sign == 45 ? -1 : 1) * <i32>value(w, n);
    after += n;
  }
  if (m <= 9007199254740992) {
    if (-23 < scale && scale <= 0) return signed(<f64>m / load<f64>(tables + (<usize>-scale << 3)), minus);
    if (0 < scale && scale < 23) return signed(<f64>m * load<f64>(tables + (<usize>scale << 3)), minus);
  }
  return m == 0 ? NaN : signed(decimal(m, scale, tables), minus);
}

/** m·10^e for m > 0, correctly rounded; NaN where its first bits do not settle that. See core/cell/decimal.go. */
function decimal(m: u64, e: i32, tables: usize): f64 {
  if (e < -MAX_POWER || e > MAX_POWER) return NaN;
  const power = tables + POWERS + (<usize>(MAX_POWER + e) << 4);
  const head = load<u64>(power), shift = <i32>load<i64>(power, 8);
  const clear = <i32>clz(m), w = m << <u64>clear;
  const w0 = w & 0xffffffff, w1 = w >> 32, h0 = head & 0xffffffff, h1 = head >> 32;
  const low = w0 * h0, middle = w1 * h0 + (low >> 32), other = w0 * h1 + (middle & 0xffffffff);
  const high = w1 * h1 + (middle >> 32) + (other >> 32), lowest = w * head;
  if ((high & 0x1ff) == 0x1ff && lowest + w < lowest) return NaN;
  const top = high >> 63, bits = high >> (9 + top);
  if (lowest == 0 && (high & 0x1ff) == 0 && (bits & 3) == 1) return NaN;
  const mantissa = (bits + (bits & 1)) >> 1;
  const exponent = <i64>(10 + <i32>top + 64 + shift - clear + 52 + 1023);
  return reinterpret<f64>((<u64>(exponent - 1) << 52) + mantissa);
}

/**
 * Cuts at most so many lines between p and end, of as many cells as there are columns.
 * Where `wanted` has a 1 a cell is read as a number. Of each cell, one line after the
 * other, `numbers` gets the number, NaN for a text, and `from` and `to` where a text
 * stands, counted from p, its quotes left out; of each line `sizes` gets its bytes and
 * `texts` its cells that are texts. Returns how many lines it has cut.
 */
export function cutLines(p: usize, end: usize, sep: i32, point: i32, comments: i32, columns: i32, most: i32, wanted: usize, numbers: usize, from: usize, to: usize, sizes: usize, texts: usize, tables: usize): i32 {
  const seps = i8x16.splat(<i8>sep), feeds = i8x16.splat(<i8>LF), quotes = i8x16.splat(<i8>QUOTE), none = i8x16.splat(0);
  let at = p, lines = 0;
  for (; lines < most && at < end; lines++) {
    const start = at;
    let c = <i32>load<u8>(at);
    if (c == LF || c == CR || (c == HASH && comments)) return lines;
    let count = 0;
    for (let column = 0; ; ) {
      store<i32>(from, <i32>(at - p));
      let v: f64 = NaN;
      if (load<u8>(wanted + column)) {
        v = number(at, point, tables);
        let j = after;
        c = <i32>load<u8>(j);
        if (c == CR) {
          c = <i32>load<u8>(++j);
          if (c != LF) v = NaN;
        }
        if (v == v && (c == sep || c == LF)) {
          if (j >= end) return lines;
          at = j + 1;
        } else {
          v = NaN;
        }
      }
      if (v != v) {
        if (columns == 1) return lines; // it may be blank
        count++;
        let begin = at, j = at;
        const quoted = load<u8>(at) == QUOTE;
        if (quoted) {
          begin = ++j;
          store<i32>(from, <i32>(j - p));
        }
        for (; ; j += 16) {
          const x = v128.load(j);
          const ends = v128.or(i8x16.eq(x, feeds), i8x16.eq(x, quotes));
          const stop = i8x16.bitmask(quoted ? ends : v128.or(ends, i8x16.eq(x, seps)));
          const odd = i8x16.bitmask(v128.or(x, i8x16.eq(x, none))); // a byte that is 0 or not ASCII
          const marked = stop | 0x10000, before = marked & -marked; // the first that stops, or all
          if (odd & (before - 1)) return lines;
          if (stop) {
            j += ctz(stop);
            break;
          }
          if (j >= end) return lines;
        }
        if (j >= end) return lines;
        let text = j;
        c = <i32>load<u8>(j);
        if (quoted) {
          if (c != QUOTE) return lines;
          c = <i32>load<u8>(++j);
          if (c == CR) {
            c = <i32>load<u8>(++j);
            if (c != LF) return lines;
          }
          if (c != sep && c != LF) return lines;
        } else {
          if (c == QUOTE) return lines;
          if (c == LF && text > begin && load<u8>(text - 1) == CR) text--;
        }
        if (j >= end) return lines;
        store<i32>(to, <i32>(text - p));
        at = j + 1;
      }
      store<f64>(numbers, v);
      numbers += 8;
      from += 4;
      to += 4;
      column++;
      if (c == sep) {
        if (column == columns) return lines;
        continue;
      }
      if (column != columns) return lines;
      break;
    }
    store<i32>(sizes + (<usize>lines << 2), <i32>(at - start));
    store<i32>(texts + (<usize>lines << 2), count);
  }
  return lines;
}
