// The f64x2 body of package kernel, in AssemblyScript. It works on Go's own
// memory: pointers are addresses, sizes and strides count numbers, and Go has
// checked every bound before it calls.
//
// Each function adds in the order that the doc comment of its Go namesake
// promises, so that both bodies give the same bits: a lane belongs to one sum,
// products are rounded before they are added (no relaxed SIMD), and what pads a
// vector is never stored.
//
// kernel.wasm beside this file is what it, cells.ts and sparse.ts compile to: `make update`
// writes it, `make test` compares.

/** Numbers of the inner dimension that are summed before C takes them: part of the order. */
const PANEL: i32 = 128;
/** Columns of B that a pass over A serves: four strips of four, packed in 16 kB of scratch memory. */
const GROUP: i32 = 16;

// @ts-ignore: decorator
@inline function plus(sum: v128, x: v128, y: v128): v128 {
  return f64x2.add(sum, f64x2.mul(x, y));
}

/** Takes alpha times one row of sums into C, of which `columns` exist. */
// @ts-ignore: decorator
@inline function take(c: usize, alpha: v128, s0: v128, s1: v128, columns: i32): void {
  if (columns >= 4) {
    v128.store(c, plus(v128.load(c), alpha, s0));
    v128.store(c, plus(v128.load(c, 16), alpha, s1), 16);
    return;
  }
  if (columns == 1) {
    v128.store64_lane(c, plus(v128.load64_zero(c), alpha, s0), 0);
    return;
  }
  v128.store(c, plus(v128.load(c), alpha, s0));
  if (columns == 3) v128.store64_lane(c, plus(v128.load64_zero(c, 16), alpha, s1), 0, 16);
}

/** Four rows of A times a strip of four columns: eight sums in registers. */
// @ts-ignore: decorator
@inline function tile(k: i32, a: usize, ars: usize, acs: usize, b: usize, brs: usize, alpha: v128, c: usize, ldc: usize, columns: i32): void {
  const zero = f64x2.splat(0);
  let s00 = zero, s01 = zero, s10 = zero, s11 = zero, s20 = zero, s21 = zero, s30 = zero, s31 = zero;
  let a1 = a + ars, a2 = a1 + ars, a3 = a2 + ars;
  const end = b + <usize>k * brs;
  do {
    const y0 = v128.load(b), y1 = v128.load(b, 16);
    let x = v128.load64_splat(a);
    s00 = plus(s00, x, y0);
    s01 = plus(s01, x, y1);
    x = v128.load64_splat(a1);
    s10 = plus(s10, x, y0);
    s11 = plus(s11, x, y1);
    x = v128.load64_splat(a2);
    s20 = plus(s20, x, y0);
    s21 = plus(s21, x, y1);
    x = v128.load64_splat(a3);
    s30 = plus(s30, x, y0);
    s31 = plus(s31, x, y1);
    a += acs;
    a1 += acs;
    a2 += acs;
    a3 += acs;
    b += brs;
  } while (b != end);
  take(c, alpha, s00, s01, columns);
  take(c + ldc, alpha, s10, s11, columns);
  take(c + 2 * ldc, alpha, s20, s21, columns);
  take(c + 3 * ldc, alpha, s30, s31, columns);
}

/** Two rows of A times two strips that stand in a row: eight sums, and fewer loads and pointers for each. */
// @ts-ignore: decorator
@inline function wideTile(k: i32, a: usize, ars: usize, acs: usize, b: usize, brs: usize, alpha: v128, c: usize, ldc: usize): void {
  const zero = f64x2.splat(0);
  let s00 = zero, s01 = zero, s02 = zero, s03 = zero, s10 = zero, s11 = zero, s12 = zero, s13 = zero;
  let a1 = a + ars;
  const end = b + <usize>k * brs;
  do {
    const x0 = v128.load64_splat(a), x1 = v128.load64_splat(a1);
    let y = v128.load(b);
    s00 = plus(s00, x0, y);
    s10 = plus(s10, x1, y);
    y = v128.load(b, 16);
    s01 = plus(s01, x0, y);
    s11 = plus(s11, x1, y);
    y = v128.load(b, 32);
    s02 = plus(s02, x0, y);
    s12 = plus(s12, x1, y);
    y = v128.load(b, 48);
    s03 = plus(s03, x0, y);
    s13 = plus(s13, x1, y);
    a += acs;
    a1 += acs;
    b += brs;
  } while (b != end);
  take(c, alpha, s00, s01, 4);
  take(c + 32, alpha, s02, s03, 4);
  take(c + ldc, alpha, s10, s11, 4);
  take(c + ldc + 32, alpha, s12, s13, 4);
}

/** Four rows of A times a strip of which two columns exist at most. */
// @ts-ignore: decorator
@inline function narrowTile(k: i32, a: usize, ars: usize, acs: usize, b: usize, brs: usize, alpha: v128, c: usize, ldc: usize, columns: i32): void {
  const zero = f64x2.splat(0);
  let s0 = zero, s1 = zero, s2 = zero, s3 = zero;
  let a1 = a + ars, a2 = a1 + ars, a3 = a2 + ars;
  const end = b + <usize>k * brs;
  do {
    const y = v128.load(b);
    s0 = plus(s0, v128.load64_splat(a), y);
    s1 = plus(s1, v128.load64_splat(a1), y);
    s2 = plus(s2, v128.load64_splat(a2), y);
    s3 = plus(s3, v128.load64_splat(a3), y);
    a += acs;
    a1 += acs;
    a2 += acs;
    a3 += acs;
    b += brs;
  } while (b != end);
  take(c, alpha, s0, zero, columns);
  take(c + ldc, alpha, s1, zero, columns);
  take(c + 2 * ldc, alpha, s2, zero, columns);
  take(c + 3 * ldc, alpha, s3, zero, columns);
}

/** One row of A times a strip. */
// @ts-ignore: decorator
@inline function tileRow(k: i32, a: usize, acs: usize, b: usize, brs: usize, alpha: v128, c: usize, columns: i32): void {
  let s0 = f64x2.splat(0), s1 = s0;
  for (let p = 0; p < k; p++) {
    const x = v128.load64_splat(a);
    s0 = plus(s0, x, v128.load(b));
    s1 = plus(s1, x, v128.load(b, 16));
    a += acs;
    b += brs;
  }
  take(c, alpha, s0, s1, columns);
}

/** Copies rows of `columns` numbers, 0 for those that are missing from four. */
function packStrip(to: usize, k: i32, b: usize, brs: usize, bcs: usize, columns: i32): void {
  for (let p = 0; p < k; p++) {
    let from = b;
    for (let j = 0; j < 4; j++) {
      store<f64>(to, j < columns ? load<f64>(from) : 0);
      from += bcs;
      to += 8;
    }
    b += brs;
  }
}

/** C += alpha·A·B. scratch holds GROUP·PANEL numbers. */
export function gemm(m: i32, n: i32, k: i32, alpha: f64, a: usize, rowsA: i32, columnsA: i32, b: usize, rowsB: i32, columnsB: i32, c: usize, rowsC: i32, scratch: usize): void {
  const ars = <usize>rowsA << 3, acs = <usize>columnsA << 3, brs = <usize>rowsB << 3, bcs = <usize>columnsB << 3, ldc = <usize>rowsC << 3;
  const factor = f64x2.splat(alpha);
  for (let p0 = 0; p0 < k; p0 += PANEL) {
    const inner = min(PANEL, k - p0);
    const panelA = a + <usize>p0 * acs, panelB = b + <usize>p0 * brs;
    // A last column that would fill a strip alone goes down its rows or columns of A instead.
    const alone = (n & 3) == 1 && (columnsA == 1 || rowsA == 1);
    const wide = alone ? n - 1 : n;
    if (alone) {
      let v = panelB + <usize>wide * bcs;
      if (rowsB != 1) {
        for (let p = 0; p < inner; p++) store<f64>(scratch + (<usize>p << 3), load<f64>(v + <usize>p * brs));
        v = scratch;
      }
      const to = c + (<usize>wide << 3);
      if (columnsA == 1) gemvRows(m, inner, alpha, panelA, ars, v, to, ldc);
      else gemvColumns(m, inner, alpha, panelA, acs, v, to, ldc, scratch + (<usize>PANEL << 3));
    }
    for (let j0 = 0; j0 < wide; j0 += GROUP) {
      const end = min(wide, j0 + GROUP);
      // A whole strip of contiguous numbers is read where it stands.
      const plain = columnsB == 1 ? j0 + ((end - j0) & ~3) : j0;
      for (let j = plain; j < end; j += 4) {
        packStrip(scratch + (<usize>((j - j0) * PANEL) << 3), inner, panelB + <usize>j * bcs, brs, bcs, min(4, end - j));
      }
      let from = panelA, to = c + (<usize>j0 << 3), i = 0;
      for (; i + 4 <= m; i += 4) {
        for (let j = j0; j < end; j += 4) {
          const packed = j >= plain;
          const strip = packed ? scratch + (<usize>((j - j0) * PANEL) << 3) : panelB + (<usize>j << 3);
          const step: usize = packed ? 32 : brs, at = to + (<usize>(j - j0) << 3);
          if (end - j > 2) {
            if (j + 8 > plain) tile(inner, from, ars, acs, strip, step, factor, at, ldc, end - j);
            else {
              wideTile(inner, from, ars, acs, strip, step, factor, at, ldc);
              wideTile(inner, from + 2 * ars, ars, acs, strip, step, factor, at + 2 * ldc, ldc);
              j += 4;
            }
          } else narrowTile(inner, from, ars, acs, strip, step, factor, at, ldc, end - j);
        }
        from += 4 * ars;
        to += 4 * ldc;
      }
      for (; i < m; i++) {
        for (let j = j0; j < end; j += 4) {
          const packed = j >= plain;
          const strip = packed ? scratch + (<usize>((j - j0) * PANEL) << 3) : panelB + (<usize>j << 3);
          tileRow(inner, from, acs, strip, packed ? 32 : brs, factor, to + (<usize>(j - j0) << 3), end - j);
        }
        from += ars;
        to += ldc;
      }
    }
  }
}

// @ts-ignore: decorator
@inline function low(x: v128, y: v128): v128 {
  return v128.shuffle<f64>(x, y, 0, 2);
}

// @ts-ignore: decorator
@inline function high(x: v128, y: v128): v128 {
  return v128.shuffle<f64>(x, y, 1, 3);
}

/**
 * Asks for two cache lines by reading a number of each that is not used. A
 * processor foresees rows that are read in the order in which they lie, and not
 * several at once: so loops of several whole rows without gaps ask for the lines of
 * the next ones in that order while they work, and wait less for memory.
 * Those of others stand at 0, which is always there, and do not move.
 */
// @ts-ignore: decorator
@inline function ask(ahead: usize): void {
  load<i32>(ahead);
  load<i32>(ahead, 64);
}

/** One panel of A·v for rows without gaps: eight rows at a time, two to a vector. */
function gemvRows(m: i32, k: i32, alpha: f64, a: usize, ars: usize, v: usize, c: usize, ldc: usize): void {
  const factor = f64x2.splat(alpha);
  const even = v + (<usize>(k & ~1) << 3);
  let i = 0;
  for (; i + 8 <= m; i += 8) {
    let s0 = f64x2.splat(0), s1 = s0, s2 = s0, s3 = s0;
    const near = i + 16 <= m && ars == <usize>k << 3, step: usize = near ? 128 : 0;
    let x0 = a, y = v, ahead: usize = near ? a + 8 * ars : 0;
    while (y != even) {
      ask(ahead);
      ahead += step;
      const w = v128.load(y);
      let x = x0;
      let q0 = f64x2.mul(v128.load(x), w), q1 = f64x2.mul(v128.load(x + ars), w);
      s0 = f64x2.add(f64x2.add(s0, low(q0, q1)), high(q0, q1));
      x += 2 * ars;
      q0 = f64x2.mul(v128.load(x), w), q1 = f64x2.mul(v128.load(x + ars), w);
      s1 = f64x2.add(f64x2.add(s1, low(q0, q1)), high(q0, q1));
      x += 2 * ars;
      q0 = f64x2.mul(v128.load(x), w), q1 = f64x2.mul(v128.load(x + ars), w);
      s2 = f64x2.add(f64x2.add(s2, low(q0, q1)), high(q0, q1));
      x += 2 * ars;
      q0 = f64x2.mul(v128.load(x), w), q1 = f64x2.mul(v128.load(x + ars), w);
      s3 = f64x2.add(f64x2.add(s3, low(q0, q1)), high(q0, q1));
      x0 += 16;
      y += 16;
    }
    if (k & 1) {
      const w = v128.load64_splat(y);
      s0 = plus(s0, low(v128.load64_zero(x0), v128.load64_zero(x0 + ars)), w);
      s1 = plus(s1, low(v128.load64_zero(x0 + 2 * ars), v128.load64_zero(x0 + 3 * ars)), w);
      s2 = plus(s2, low(v128.load64_zero(x0 + 4 * ars), v128.load64_zero(x0 + 5 * ars)), w);
      s3 = plus(s3, low(v128.load64_zero(x0 + 6 * ars), v128.load64_zero(x0 + 7 * ars)), w);
    }
    takePair(c, ldc, f64x2.mul(factor, s0));
    takePair(c + 2 * ldc, ldc, f64x2.mul(factor, s1));
    takePair(c + 4 * ldc, ldc, f64x2.mul(factor, s2));
    takePair(c + 6 * ldc, ldc, f64x2.mul(factor, s3));
    a += 8 * ars;
    c += 8 * ldc;
  }
  for (; i < m; i++) {
    let s: f64 = 0;
    for (let p: usize = 0; p < <usize>k << 3; p += 8) s += load<f64>(a + p) * load<f64>(v + p);
    store<f64>(c, load<f64>(c) + alpha * s);
    a += ars;
    c += ldc;
  }
}

// @ts-ignore: decorator
@inline function takePair(c: usize, ldc: usize, s: v128): void {
  store<f64>(c, load<f64>(c) + f64x2.extract_lane(s, 0));
  store<f64>(c + ldc, load<f64>(c + ldc) + f64x2.extract_lane(s, 1));
}

/** Columns of Z that gemvColumns sums at a time: of four rows and the next four they fit the first-level cache. */
const SUMS: i32 = 512;

/** One panel of A·v for columns without gaps, Zᵀ·v. sums holds SUMS numbers. */
function gemvColumns(m: i32, k: i32, alpha: f64, a: usize, acs: usize, v: usize, c: usize, ldc: usize, sums: usize): void {
  for (let j0 = 0; j0 < m; j0 += SUMS) {
    const columns = min(SUMS, m - j0), end = sums + (<usize>columns << 3);
    memory.fill(sums, 0, <usize>columns << 3);
    addRows(k, columns, sums, a, acs, v, false);
    for (let from = sums; from != end; from += 8) {
      store<f64>(c, load<f64>(c) + alpha * load<f64>(from));
      c += ldc;
    }
    a += <usize>SUMS << 3;
  }
}

// @ts-ignore: decorator
@inline function lanes(sum: v128, r: v128, x: v128, squared: bool): v128 {
  return plus(sum, squared ? f64x2.mul(r, x) : r, x);
}

// @ts-ignore: decorator
@inline function single(sum: f64, r: f64, x: f64, squared: bool): f64 {
  return sum + (squared ? r * x : r) * x;
}

/**
 * Adds n rows of X to acc, one after the other, each times its number in r: their
 * numbers, or their squares. Four rows at a time save three of four loads and
 * stores of acc.
 */
// @ts-ignore: decorator
@inline function addRows(n: i32, d: i32, acc: usize, x: usize, stride: usize, r: usize, squared: bool): void {
  const fours = acc + (<usize>(d & ~3) << 3), end = acc + (<usize>d << 3);
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    const r0 = v128.load64_splat(r), r1 = v128.load64_splat(r, 8), r2 = v128.load64_splat(r, 16), r3 = v128.load64_splat(r, 24);
    const near = i + 8 <= n && stride == <usize>d << 3, step: usize = near ? 128 : 0;
    let x0 = x, x1 = x0 + stride, x2 = x1 + stride, x3 = x2 + stride, to = acc, ahead: usize = near ? x + 4 * stride : 0;
    while (to != fours) {
      ask(ahead);
      ahead += step;
      let s = lanes(v128.load(to), r0, v128.load(x0), squared);
      s = lanes(s, r1, v128.load(x1), squared);
      s = lanes(s, r2, v128.load(x2), squared);
      v128.store(to, lanes(s, r3, v128.load(x3), squared));
      s = lanes(v128.load(to, 16), r0, v128.load(x0, 16), squared);
      s = lanes(s, r1, v128.load(x1, 16), squared);
      s = lanes(s, r2, v128.load(x2, 16), squared);
      v128.store(to, lanes(s, r3, v128.load(x3, 16), squared), 16);
      x0 += 32;
      x1 += 32;
      x2 += 32;
      x3 += 32;
      to += 32;
    }
    while (to != end) {
      let s = single(load<f64>(to), load<f64>(r), load<f64>(x0), squared);
      s = single(s, load<f64>(r, 8), load<f64>(x1), squared);
      s = single(s, load<f64>(r, 16), load<f64>(x2), squared);
      store<f64>(to, single(s, load<f64>(r, 24), load<f64>(x3), squared));
      x0 += 8;
      x1 += 8;
      x2 += 8;
      x3 += 8;
      to += 8;
    }
    x += 4 * stride;
    r += 32;
  }
  for (; i < n; i++) {
    const s = load<f64>(r);
    let x0 = x;
    for (let to = acc; to != end; to += 8) {
      store<f64>(to, single(load<f64>(to), s, load<f64>(x0), squared));
      x0 += 8;
    }
    x += stride;
    r += 8;
  }
}

/** The eight running sums of Dot, four vectors, as one number. */
// @ts-ignore: decorator
@inline function total(s0: v128, s1: v128, s2: v128, s3: v128): f64 {
  const s = f64x2.add(f64x2.add(s0, s1), f64x2.add(s2, s3));
  return f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
}

export function dot(n: i32, x: usize, y: usize): f64 {
  let s0 = f64x2.splat(0), s1 = s0, s2 = s0, s3 = s0, i = 0;
  for (; i + 8 <= n; i += 8) {
    s0 = plus(s0, v128.load(x), v128.load(y));
    s1 = plus(s1, v128.load(x, 16), v128.load(y, 16));
    s2 = plus(s2, v128.load(x, 32), v128.load(y, 32));
    s3 = plus(s3, v128.load(x, 48), v128.load(y, 48));
    x += 64;
    y += 64;
  }
  let sum = total(s0, s1, s2, s3);
  for (; i < n; i++) {
    sum += load<f64>(x) * load<f64>(y);
    x += 8;
    y += 8;
  }
  return sum;
}

export function sum(n: i32, x: usize): f64 {
  let s0 = f64x2.splat(0), s1 = s0, s2 = s0, s3 = s0, i = 0;
  for (; i + 8 <= n; i += 8) {
    s0 = f64x2.add(s0, v128.load(x));
    s1 = f64x2.add(s1, v128.load(x, 16));
    s2 = f64x2.add(s2, v128.load(x, 32));
    s3 = f64x2.add(s3, v128.load(x, 48));
    x += 64;
  }
  let sum = total(s0, s1, s2, s3);
  for (; i < n; i++) {
    sum += load<f64>(x);
    x += 8;
  }
  return sum;
}

export function axpy(n: i32, alpha: f64, x: usize, y: usize): void {
  const factor = f64x2.splat(alpha);
  let i = 0;
  for (; i + 4 <= n; i += 4) {
    v128.store(y, plus(v128.load(y), factor, v128.load(x)));
    v128.store(y, plus(v128.load(y, 16), factor, v128.load(x, 16)), 16);
    x += 32;
    y += 32;
  }
  for (; i < n; i++) {
    store<f64>(y, load<f64>(y) + alpha * load<f64>(x));
    x += 8;
    y += 8;
  }
}

export function rowSquares(n: i32, d: i32, to: usize, x: usize, c: usize): void {
  const eights = c + (<usize>(d & ~7) << 3), end = c + (<usize>d << 3);
  for (let i = 0; i < n; i++) {
    let s0 = f64x2.splat(0), s1 = s0, s2 = s0, s3 = s0, w = c;
    while (w != eights) {
      const x0 = v128.load(x), x1 = v128.load(x, 16), x2 = v128.load(x, 32), x3 = v128.load(x, 48);
      s0 = plus(s0, f64x2.mul(v128.load(w), x0), x0);
      s1 = plus(s1, f64x2.mul(v128.load(w, 16), x1), x1);
      s2 = plus(s2, f64x2.mul(v128.load(w, 32), x2), x2);
      s3 = plus(s3, f64x2.mul(v128.load(w, 48), x3), x3);
      x += 64;
      w += 64;
    }
    let sum = total(s0, s1, s2, s3);
    while (w != end) {
      const v = load<f64>(x);
      sum += load<f64>(w) * v * v;
      x += 8;
      w += 8;
    }
    store<f64>(to, sum);
    to += 8;
  }
}

export function colSquares(n: i32, d: i32, acc: usize, x: usize, r: usize): void {
  addRows(n, d, acc, x, <usize>d << 3, r, true);
}

export function rowDots(n: i32, k: i32, to: usize, a: usize, b: usize): void {
  const row = <usize>k << 3;
  let i = 0;
  for (; i + 2 <= n; i += 2) {
    // Two rows, a lane each.
    let s = f64x2.splat(0), x = a, y = b, f = 0;
    for (; f + 2 <= k; f += 2) {
      const q0 = f64x2.mul(v128.load(x), v128.load(y)), q1 = f64x2.mul(v128.load(x + row), v128.load(y + row));
      s = f64x2.add(f64x2.add(s, low(q0, q1)), high(q0, q1));
      x += 16;
      y += 16;
    }
    if (f < k) s = plus(s, low(v128.load64_zero(x), v128.load64_zero(x + row)), low(v128.load64_zero(y), v128.load64_zero(y + row)));
    v128.store(to, s);
    a += 2 * row;
    b += 2 * row;
    to += 16;
  }
  if (i < n) {
    let s: f64 = 0;
    for (let f: usize = 0; f < row; f += 8) s += load<f64>(a + f) * load<f64>(b + f);
    store<f64>(to, s);
  }
}

export function rowScale(n: i32, k: i32, to: usize, r: usize, a: usize): void {
  for (let i = 0; i < n; i++) {
    const s = v128.load64_splat(r);
    let f = 0;
    for (; f + 2 <= k; f += 2) {
      v128.store(to, f64x2.mul(s, v128.load(a)));
      a += 16;
      to += 16;
    }
    if (f < k) {
      store<f64>(to, load<f64>(r) * load<f64>(a));
      a += 8;
      to += 8;
    }
    r += 8;
  }
}

export { cutLines } from "./cells";
export { sparseAdjoint, sparseForward } from "./sparse";
