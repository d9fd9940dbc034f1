// @ts-check
/**
 * What the programs beside ours are timed on, and the plain loop that they are
 * checked by: iFM on Gaussian rows whose interactions have both signs, as the
 * page's "mixed" draws them. For classic workers, which load it with importScripts.
 */

/** @typedef {{ n: number, d: number, k: number, z: Float64Array, y: Float64Array, u: Float64Array }} Problem */

/**
 * Rows z, n×d, with targets y of variance 1 and the start u, d×k, with columns
 * of length 1. The same seed draws the same.
 *
 * @param {number} n @param {number} d @param {number} k
 * @returns {Problem}
 */
function draw(n, d, k, seed = 1) {
  let state = seed;
  const uniform = () => { // Mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  /** @param {number} length */
  const gaussian = (length) => Float64Array.from({ length }, () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()));
  const z = gaussian(n * d), w = gaussian(d), truth = { u: gaussian(d * k), v: gaussian(d * k) }, u = gaussian(d * k);
  const noise = gaussian(n);
  const y = predict({ n, d, k, z, y: noise, u }, { b: 0, w: w.map((x) => x * Math.sqrt(k)), u: truth.u, v: truth.v });
  const sd = Math.hypot(...y) / Math.sqrt(n);
  for (let i = 0; i < n; i++) y[i] = at(y, i) / sd + 0.1 * at(noise, i); // noise keeps every iteration at work
  for (let f = 0; f < k; f++) {
    let size = 0;
    for (let j = f; j < d * k; j += k) size += at(u, j) ** 2;
    for (let j = f; j < d * k; j += k) u[j] = at(u, j) / Math.sqrt(size);
  }
  return { n, d, k, z, y, u };
}

/** @param {Float64Array} x @param {number} i @returns {number} */
function at(x, i) {
  return /** @type {number} */ (x[i]);
}

/** @param {Problem} problem @param {{ b: number, w: Float64Array, u: Float64Array, v: Float64Array }} model */
function predict({ n, d, k, z }, { b, w, u, v }) {
  const f = times(z, w, n, d, 1), zu = times(z, u, n, d, k), zv = times(z, v, n, d, k);
  const diagonal = rowDots(u, v, d, k);
  for (let i = 0; i < n; i++) {
    let s = b;
    for (let c = i * k; c < (i + 1) * k; c++) s += at(zu, c) * at(zv, c);
    for (let j = 0; j < d; j++) s -= at(z, i * d + j) ** 2 * at(diagonal, j);
    f[i] = at(f, i) + s;
  }
  return f;
}

/** Z·a, n×k. @param {Float64Array} z @param {Float64Array} a @param {number} n @param {number} d @param {number} k */
function times(z, a, n, d, k) {
  const out = new Float64Array(n * k);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < d; j++) {
      const x = at(z, i * d + j);
      for (let c = 0; c < k; c++) out[i * k + c] = at(out, i * k + c) + x * at(a, j * k + c);
    }
  }
  return out;
}

/** @param {Float64Array} a @param {Float64Array} b @param {number} n @param {number} k */
function rowDots(a, b, n, k) {
  const out = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let s = 0;
    for (let c = i * k; c < (i + 1) * k; c++) s += at(a, c) * at(b, c);
    out[i] = s;
  }
  return out;
}

/** @param {Float64Array} x */
function squared(x) {
  let s = 0;
  for (const v of x) s += v * v;
  return s;
}

/**
 * Alternating gradient descent with exact line search, as core/solve does it,
 * in plain loops. Returns ½‖r‖² after each iteration, the start included.
 *
 * @param {Problem} problem @param {number} iterations
 */
function plainAGD({ n, d, k, z, y, u: u0 }, iterations) {
  const r = y.map((x) => -x), u = u0.slice(), v = new Float64Array(d * k);
  const zu = times(z, u, n, d, k), zv = new Float64Array(n * k);
  /** @param {number} eta @param {Float64Array} x @param {Float64Array} from */
  const take = (eta, x, from) => {
    for (let i = 0; i < x.length; i++) from[i] = at(from, i) - eta * at(x, i);
  };
  /** @param {Float64Array} block @param {Float64Array} held @param {Float64Array} zblock @param {Float64Array} zheld */
  const step = (block, held, zblock, zheld) => {
    const g = new Float64Array(d * k), squares = new Float64Array(d);
    for (let i = 0; i < n; i++) {
      const ri = at(r, i);
      for (let j = 0; j < d; j++) {
        const x = at(z, i * d + j);
        squares[j] = at(squares, j) + ri * x * x;
        for (let c = 0; c < k; c++) g[j * k + c] = at(g, j * k + c) + x * ri * at(zheld, i * k + c);
      }
    }
    for (let j = 0; j < d * k; j++) g[j] = at(g, j) - at(squares, Math.floor(j / k)) * at(held, j);
    const zg = times(z, g, n, d, k), p = rowDots(zheld, zg, n, k), weights = rowDots(held, g, d, k);
    for (let i = 0; i < n; i++) {
      let s = at(p, i);
      for (let j = 0; j < d; j++) s -= at(z, i * d + j) ** 2 * at(weights, j);
      p[i] = s;
    }
    const eta = squared(g) / squared(p);
    take(eta, g, block);
    take(eta, zg, zblock);
    take(eta, p, r);
  };
  const losses = [squared(r) / 2];
  for (let iteration = 0; iteration < iterations; iteration++) {
    let mean = 0;
    for (const x of r) mean += x / n;
    for (let i = 0; i < n; i++) r[i] = at(r, i) - mean;
    const gw = new Float64Array(d);
    for (let i = 0; i < n; i++) for (let j = 0; j < d; j++) gw[j] = at(gw, j) + at(z, i * d + j) * at(r, i);
    const p = times(z, gw, n, d, 1);
    take(squared(gw) / squared(p), p, r);
    step(v, u, zv, zu);
    step(u, v, zu, zv);
    losses.push(squared(r) / 2);
  }
  return losses;
}

Object.assign(globalThis, { draw, plainAGD });
