// The yardstick of compute.mjs: one iteration of core/solve's AGD for iFM with
// everything known when it is compiled, 15000 rows of 100 columns, rank 8, no
// penalty. A pass over Z does all that can be done with a row while it is near;
// what a step changes of r, ZU and ZV is taken along by the next pass. Six
// passes remain, since a line search needs all of the gradient, and the next
// gradient all of the line search; core/solve saves two of them by ZᵀZ. Of the arrangements tried this is the fastest
// in V8.
//
// The host writes Z, y (negated, into R) and U, clears the rest, calls start
// once and iterate as often as it likes.

const N: usize = 15000;
const D: usize = 100;
const K: usize = 8;
/** Rows of a block of the gradient: 24 kB, which a first-level cache holds beside the rest. */
const BLOCK: usize = 30;

const ROW: usize = 800; // bytes of a row of Z

export const Z: usize = 65536;
export const R: usize = Z + 8 * N * D;
const P: usize = R + 8 * N;
const ZU: usize = P + 8 * N;
const ZV: usize = ZU + 8 * N * K;
const ZG: usize = ZV + 8 * N * K;
export const U: usize = ZG + 8 * N * K;
export const V: usize = U + 8 * D * K;
export const W: usize = V + 8 * D * K;
const GW: usize = W + 8 * D;
const GT: usize = GW + 8 * D; // the transpose of G, K×D
const SQUARES: usize = GT + 8 * D * K; // (Z²)ᵀr
const WEIGHTS: usize = SQUARES + 8 * D; // rowsum(held ∘ G)
const SCALED: usize = WEIGHTS + 8 * D; // r ∘ Z·held of a block
const G: usize = SCALED + 8 * BLOCK * K; // Zᵀ(r ∘ Z·held), D×K
export const END: usize = G + 8 * D * K;

export let bias: f64 = 0;
let sum: f64 = 0; // of r
let rr: f64 = 0;
let pp: f64 = 0;
let squaresOfG: f64 = 0;
let heldSquares: f64 = 0; // ‖Z·held‖²
let etaR: f64 = 0; // what r still has to take of p
let etaZ: f64 = 0; // what Z·held still has to take of ZG

// @ts-ignore: decorator
@inline function plus(s: v128, x: v128, y: v128): v128 {
  return f64x2.add(s, f64x2.mul(x, y));
}

// @ts-ignore: decorator
@inline function minus(s: v128, x: v128, y: v128): v128 {
  return f64x2.sub(s, f64x2.mul(x, y));
}

// @ts-ignore: decorator
@inline function lanes(s: v128): f64 {
  return f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
}

/** ZU and the sums over r, which hold −y: V, w and b are 0. */
export function start(): void {
  for (let i: usize = 0; i < N; i += 2) forwardPair(Z + i * ROW, U, ZU + i * 64);
  etaR = 0;
  etaZ = 0;
  finish();
}

/** One iteration; the result is ½‖r‖². */
export function iterate(): f64 {
  linearGradient();
  linearForward();
  linearStep();
  gradient(ZU);
  direction(U);
  forward(ZU);
  step(V);
  gradient(ZV);
  direction(V);
  forward(ZV);
  step(U);
  return finish();
}

/** b ← b − mean(r), and Zᵀr. */
export function linearGradient(): void {
  const mean = sum / <f64>N;
  bias -= mean;
  memory.fill(GW, 0, 8 * D);
  let x = Z;
  for (let r = R; r < R + 8 * N; r += 64) {
    for (let f: usize = 0; f < 64; f += 8) store<f64>(r + f, load<f64>(r + f) - mean);
    const r0 = v128.load64_splat(r), r1 = v128.load64_splat(r, 8), r2 = v128.load64_splat(r, 16), r3 = v128.load64_splat(r, 24);
    const r4 = v128.load64_splat(r, 32), r5 = v128.load64_splat(r, 40), r6 = v128.load64_splat(r, 48), r7 = v128.load64_splat(r, 56);
    for (let to = GW; to < GW + 8 * D; to += 16) {
      let s = plus(v128.load(to), r0, v128.load(x));
      let t = f64x2.mul(r1, v128.load(x, 800));
      s = plus(s, r2, v128.load(x, 1600));
      t = plus(t, r3, v128.load(x, 2400));
      s = plus(s, r4, v128.load(x, 3200));
      t = plus(t, r5, v128.load(x, 4000));
      s = plus(s, r6, v128.load(x, 4800));
      t = plus(t, r7, v128.load(x, 5600));
      v128.store(to, f64x2.add(s, t));
      x += 16;
    }
    x += 7 * ROW;
  }
}

/** p = Z·g and ‖p‖². */
export function linearForward(): void {
  let x = Z, squares: f64 = 0;
  for (let p = P; p < P + 8 * N; p += 40) {
    let s0 = f64x2.splat(0), s1 = s0, s2 = s0, s3 = s0, s4 = s0;
    for (let g = GW; g < GW + 8 * D; g += 16) {
      const y = v128.load(g);
      s0 = plus(s0, v128.load(x), y);
      s1 = plus(s1, v128.load(x, 800), y);
      s2 = plus(s2, v128.load(x, 1600), y);
      s3 = plus(s3, v128.load(x, 2400), y);
      s4 = plus(s4, v128.load(x, 3200), y);
      x += 16;
    }
    const p0 = lanes(s0), p1 = lanes(s1), p2 = lanes(s2), p3 = lanes(s3), p4 = lanes(s4);
    store<f64>(p, p0);
    store<f64>(p, p1, 8);
    store<f64>(p, p2, 16);
    store<f64>(p, p3, 24);
    store<f64>(p, p4, 32);
    squares += p0 * p0 + p1 * p1 + p2 * p2 + p3 * p3 + p4 * p4;
    x += 4 * ROW;
  }
  pp = squares;
}

function linearStep(): void {
  let gg: f64 = 0;
  for (let g = GW; g < GW + 8 * D; g += 8) gg += load<f64>(g) * load<f64>(g);
  etaR = pp == 0 ? 0 : gg / pp;
  for (let j: usize = 0; j < 8 * D; j += 8) store<f64>(W + j, load<f64>(W + j) - etaR * load<f64>(GW + j));
}

/** G = Zᵀ(r ∘ Z·held), and (Z²)ᵀr; r and Z·held first take what the steps before left for them. */
export function gradient(zheld: usize): void {
  memory.fill(G, 0, 8 * D * K);
  memory.fill(SQUARES, 0, 8 * D);
  const forR = etaR, forZ = f64x2.splat(etaZ);
  let residuals: f64 = 0, s = f64x2.splat(0), t = s;
  for (let lo: usize = 0; lo < N; lo += BLOCK) {
    const r = R + (lo << 3), p = P + (lo << 3);
    let zh = zheld + (lo << 6), zg = ZG + (lo << 6), to = SCALED;
    for (let i: usize = 0; i < 8 * BLOCK; i += 8) {
      const v = load<f64>(r + i) - forR * load<f64>(p + i);
      store<f64>(r + i, v);
      residuals += v * v;
      const by = f64x2.splat(v);
      const a0 = minus(v128.load(zh), forZ, v128.load(zg)), a1 = minus(v128.load(zh, 16), forZ, v128.load(zg, 16));
      const a2 = minus(v128.load(zh, 32), forZ, v128.load(zg, 32)), a3 = minus(v128.load(zh, 48), forZ, v128.load(zg, 48));
      v128.store(zh, a0);
      v128.store(zh, a1, 16);
      v128.store(zh, a2, 32);
      v128.store(zh, a3, 48);
      s = plus(s, a0, a0);
      t = plus(t, a1, a1);
      s = plus(s, a2, a2);
      t = plus(t, a3, a3);
      v128.store(to, f64x2.mul(a0, by));
      v128.store(to, f64x2.mul(a1, by), 16);
      v128.store(to, f64x2.mul(a2, by), 32);
      v128.store(to, f64x2.mul(a3, by), 48);
      zh += 64;
      zg += 64;
      to += 64;
    }
    const x = Z + lo * ROW;
    for (let j: usize = 0; j < ROW; j += 80) squares(x + j, r, SQUARES + j);
    for (let j: usize = 0; j < D; j += 2) adjoint(x + 8 * j, G + 64 * j);
  }
  rr = residuals;
  heldSquares = lanes(f64x2.add(s, t));
}

/** Adds to four numbers. */
// @ts-ignore: decorator
@inline function grow(to: usize, s: v128, t: v128): void {
  v128.store(to, f64x2.add(v128.load(to), s));
  v128.store(to, f64x2.add(v128.load(to, 16), t), 16);
}

/**
 * Two columns of Z times r ∘ Z·held, over the rows of a block: eight sums in
 * registers. A pointer a column, since an offset costs load64_splat an
 * instruction; one row a turn, since V8 orders the loads of a longer one before
 * its sums and runs out of registers.
 */
function adjoint(x: usize, to: usize): void {
  let s0 = f64x2.splat(0), s1 = s0, s2 = s0, s3 = s0, t0 = s0, t1 = s0, t2 = s0, t3 = s0;
  let next = x + 8;
  for (let y = SCALED; y < SCALED + 64 * BLOCK; y += 64) {
    const a = v128.load64_splat(x), b = v128.load64_splat(next);
    let v = v128.load(y);
    s0 = plus(s0, a, v);
    t0 = plus(t0, b, v);
    v = v128.load(y, 16);
    s1 = plus(s1, a, v);
    t1 = plus(t1, b, v);
    v = v128.load(y, 32);
    s2 = plus(s2, a, v);
    t2 = plus(t2, b, v);
    v = v128.load(y, 48);
    s3 = plus(s3, a, v);
    t3 = plus(t3, b, v);
    x += ROW;
    next += ROW;
  }
  grow(to, s0, s1);
  grow(to + 32, s2, s3);
  grow(to + 64, t0, t1);
  grow(to + 96, t2, t3);
}

/** Ten columns of (Z²)ᵀr over the rows of a block. */
function squares(x: usize, r: usize, to: usize): void {
  let s0 = f64x2.splat(0), s1 = s0, s2 = s0, s3 = s0, s4 = s0;
  for (let end = r + 8 * BLOCK; r < end; r += 8) {
    const y = v128.load64_splat(r);
    let v = v128.load(x);
    s0 = plus(s0, f64x2.mul(y, v), v);
    v = v128.load(x, 16);
    s1 = plus(s1, f64x2.mul(y, v), v);
    v = v128.load(x, 32);
    s2 = plus(s2, f64x2.mul(y, v), v);
    v = v128.load(x, 48);
    s3 = plus(s3, f64x2.mul(y, v), v);
    v = v128.load(x, 64);
    s4 = plus(s4, f64x2.mul(y, v), v);
    x += ROW;
  }
  grow(to, s0, s1);
  grow(to + 32, s2, s3);
  v128.store(to, f64x2.add(v128.load(to, 64), s4), 64);
}

/** Gᵀ, from here on with − diag((Z²)ᵀr)·held, 0 where it is nothing but rounding, and the weights rowsum(held ∘ G). */
export function direction(held: usize): void {
  let gg: f64 = 0;
  for (let j: usize = 0; j < D; j++) {
    const s = load<f64>(SQUARES + (j << 3));
    let weight: f64 = 0;
    for (let f: usize = 0; f < K; f++) {
      const at = (j << 6) + (f << 3), h = load<f64>(held + at), g = load<f64>(G + at) - s * h;
      store<f64>(GT + f * ROW + (j << 3), g);
      weight += g * h;
      gg += g * g;
    }
    store<f64>(WEIGHTS + (j << 3), weight);
  }
  if (gg <= 1e-24 * rr * heldSquares) {
    gg = 0;
    memory.fill(GT, 0, 8 * D * K);
    memory.fill(WEIGHTS, 0, 8 * D);
  }
  squaresOfG = gg;
}

/** Two rows of Z·A for start. */
function forwardPair(x: usize, a: usize, to: usize): void {
  for (let i: usize = 0; i < 2; i++) {
    for (let f: usize = 0; f < 64; f += 8) {
      let s: f64 = 0;
      for (let j: usize = 0; j < D; j++) s += load<f64>(x + i * ROW + (j << 3)) * load<f64>(a + (j << 6) + f);
      store<f64>(to + (i << 6) + f, s);
    }
  }
}

/** Two pairs of sums, a lane each, as four numbers times those of Z·held; stores them in ZG. */
// @ts-ignore: decorator
@inline function product(zg: usize, zheld: usize, s0: v128, s1: v128, s2: v128, s3: v128): v128 {
  const a = f64x2.add(v128.shuffle<f64>(s0, s1, 0, 2), v128.shuffle<f64>(s0, s1, 1, 3));
  const b = f64x2.add(v128.shuffle<f64>(s2, s3, 0, 2), v128.shuffle<f64>(s2, s3, 1, 3));
  v128.store(zg, a);
  v128.store(zg, b, 16);
  return plus(f64x2.mul(a, v128.load(zheld)), b, v128.load(zheld, 16));
}

/** ZG = Z·G, p = rowsum(Z·held ∘ ZG) − Z²·weights and ‖p‖². A vector is two columns of Z and of Gᵀ, so no number is spread over one. */
export function forward(zheld: usize): void {
  let zg = ZG, x = Z, squares: f64 = 0;
  for (let p = P; p < P + 8 * N; p += 16) {
    let s0 = f64x2.splat(0), s1 = s0, s2 = s0, s3 = s0, t0 = s0, t1 = s0, t2 = s0, t3 = s0, q0 = s0, q1 = s0;
    for (let g = GT; g < GT + ROW; g += 16) {
      const a = v128.load(x), b = v128.load(x, 800);
      let y = v128.load(g, 6400 + 800);
      q0 = plus(q0, f64x2.mul(y, a), a);
      q1 = plus(q1, f64x2.mul(y, b), b);
      y = v128.load(g);
      s0 = plus(s0, a, y);
      t0 = plus(t0, b, y);
      y = v128.load(g, 800);
      s1 = plus(s1, a, y);
      t1 = plus(t1, b, y);
      y = v128.load(g, 1600);
      s2 = plus(s2, a, y);
      t2 = plus(t2, b, y);
      y = v128.load(g, 2400);
      s3 = plus(s3, a, y);
      t3 = plus(t3, b, y);
      x += 16;
    }
    x -= ROW;
    q0 = f64x2.sub(product(zg, zheld, s0, s1, s2, s3), q0);
    q1 = f64x2.sub(product(zg + 64, zheld + 64, t0, t1, t2, t3), q1);
    s0 = f64x2.splat(0), s1 = s0, s2 = s0, s3 = s0, t0 = s0, t1 = s0, t2 = s0, t3 = s0;
    for (let g = GT + 4 * ROW; g < GT + 5 * ROW; g += 16) {
      const a = v128.load(x), b = v128.load(x, 800);
      let y = v128.load(g);
      s0 = plus(s0, a, y);
      t0 = plus(t0, b, y);
      y = v128.load(g, 800);
      s1 = plus(s1, a, y);
      t1 = plus(t1, b, y);
      y = v128.load(g, 1600);
      s2 = plus(s2, a, y);
      t2 = plus(t2, b, y);
      y = v128.load(g, 2400);
      s3 = plus(s3, a, y);
      t3 = plus(t3, b, y);
      x += 16;
    }
    x += ROW;
    const p0 = lanes(f64x2.add(q0, product(zg + 32, zheld + 32, s0, s1, s2, s3)));
    const p1 = lanes(f64x2.add(q1, product(zg + 96, zheld + 96, t0, t1, t2, t3)));
    store<f64>(p, p0);
    store<f64>(p, p1, 8);
    squares += p0 * p0 + p1 * p1;
    zg += 128;
    zheld += 128;
  }
  pp = squares;
}

/** Moves the block; what r and Z times the block move by is left to the next pass. */
function step(block: usize): void {
  etaR = pp == 0 ? 0 : squaresOfG / pp;
  etaZ = etaR;
  for (let j: usize = 0; j < D; j++) {
    for (let f: usize = 0; f < K; f++) {
      const at = block + (j << 6) + (f << 3);
      store<f64>(at, load<f64>(at) - etaR * load<f64>(GT + f * ROW + (j << 3)));
    }
  }
}

/** r takes the last step; ½‖r‖² and the sum for the next bias. */
export function finish(): f64 {
  const eta = f64x2.splat(etaR);
  let s0 = f64x2.splat(0), s1 = s0, t0 = s0, t1 = s0;
  for (let i: usize = 0; i < 8 * N; i += 32) {
    const a = minus(v128.load(R + i), eta, v128.load(P + i)), b = minus(v128.load(R + i, 16), eta, v128.load(P + i, 16));
    v128.store(R + i, a);
    v128.store(R + i, b, 16);
    s0 = f64x2.add(s0, a);
    s1 = f64x2.add(s1, b);
    t0 = plus(t0, a, a);
    t1 = plus(t1, b, b);
  }
  sum = lanes(f64x2.add(s0, s1));
  rr = lanes(f64x2.add(t0, t1));
  return rr / 2;
}
