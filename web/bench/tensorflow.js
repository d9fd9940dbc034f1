// @ts-check
/**
 * The worker that fits iFM with TensorFlow.js, in float32 on its WebAssembly
 * backend with SIMD, to the rows of problem.js. Three programs:
 *
 *   plain  gradient descent as its users write it: rows are instances, and the
 *          adjoint is matMul's own transposeA, which its gradients use too
 *   kept   the same with all that was found to make it faster: Zᵀ is kept, and Z
 *          and Zᵀ stand on the right of every product, where XNNPACK packs them once
 *   exact  kept, but the very algorithm of core/solve: alternating, with exact
 *          line search
 */

const scope = /** @type {any} */ (globalThis);
/** @typedef {import("./compute.mjs").Load} Load */

const rate = 0.5;

/** @type {any} */
let tf;
/** @type {any} */
let constants;
/** @type {any} */
let model;
/** @type {(model: any, constants: any) => any} */
let step;

/** @param {Load} load */
async function prepare({ n, d, k, check, program }) {
  scope.importScripts("problem.js", "tf-core.min.js", "tf-backend-wasm.min.js");
  tf = scope.tf;
  tf.wasm.setWasmPaths(new URL(".", scope.location.href).href);
  if (!(await tf.setBackend("wasm")) || tf.getBackend() !== "wasm") throw new Error("TensorFlow.js has no WebAssembly backend here");
  if (!(await tf.env().getAsync("WASM_HAS_SIMD_SUPPORT"))) throw new Error("TensorFlow.js does not use SIMD here");
  const problem = scope.draw(n, d, k);
  const z = tf.tensor2d(Float32Array.from(problem.z), [n, d]), z2 = tf.square(z), y = tf.tensor2d(Float32Array.from(problem.y), [n, 1]), u = tf.tensor2d(Float32Array.from(problem.u), [d, k]);
  if (program === "plain") {
    constants = { n, k, z, z2, y };
    model = { u, v: tf.zeros([d, k]), w: tf.zeros([d, 1]), b: tf.scalar(0) };
    step = plain;
  } else {
    constants = { n, k, z, z2, zt: tf.transpose(z), zt2: tf.transpose(z2), y: tf.transpose(y), ones: tf.ones([1, k]) };
    model = { u: tf.transpose(u), v: tf.zeros([k, d]), w: tf.zeros([1, d]), b: tf.scalar(0) };
    step = kept;
    if (program === "exact") {
      step = exact;
      model = { ...model, r: tf.neg(constants.y), zu: tf.matMul(model.u, constants.zt), zv: tf.zeros([k, n]) };
    }
  }
  const { losses } = run(check);
  if (program === "exact") {
    const want = scope.plainAGD(problem, check).slice(1);
    const apart = Math.max(...losses.map((loss, i) => Math.abs(loss / want[i] - 1)));
    if (!(apart < 1e-3)) throw new Error(`the losses of TensorFlow.js, ${losses}, are ${apart} off those of the plain loop, ${want}`);
  } else if (!(losses[check - 1] < 0.5 * losses[0])) {
    throw new Error(`the loss of TensorFlow.js does not fall: ${losses}`);
  }
}

/** One gradient step on b, w, U and V at once. Returns the new model and the loss before the step. */
function plain(/** @type {any} */ { u, v, w, b }, /** @type {any} */ { n, k, z, z2, y }) {
  const [zu, zv, zw] = tf.split(tf.matMul(z, tf.concat([u, v, w], 1)), [k, k, 1], 1);
  const diagonal = tf.sum(tf.mul(u, v), 1, true);
  const f = tf.add(tf.add(zw, b), tf.sub(tf.sum(tf.mul(zu, zv), 1, true), tf.matMul(z2, diagonal)));
  const r = tf.sub(f, y);
  const [gu, gv, gw] = tf.split(tf.matMul(z, tf.concat([tf.mul(r, zv), tf.mul(r, zu), r], 1), true), [k, k, 1], 1);
  const squares = tf.matMul(z2, r, true);
  return {
    u: move(u, tf.sub(gu, tf.mul(squares, v)), n), v: move(v, tf.sub(gv, tf.mul(squares, u)), n), w: move(w, gw, n), b: move(b, tf.sum(r), n),
    loss: tf.div(tf.sum(tf.square(r)), 2),
  };
}

function kept(/** @type {any} */ { u, v, w, b }, /** @type {any} */ { n, k, z, z2, zt, zt2, y, ones }) {
  const [zu, zv] = tf.split(tf.matMul(tf.concat([u, v], 0), zt), [k, k], 0); // w as a 17th row would cost more than on its own
  const diagonal = tf.matMul(ones, tf.mul(u, v));
  const f = tf.add(tf.add(tf.matMul(w, zt), b), tf.sub(tf.matMul(ones, tf.mul(zu, zv)), tf.matMul(diagonal, zt2)));
  const r = tf.sub(f, y);
  const [gu, gv] = tf.split(tf.matMul(tf.concat([tf.mul(r, zv), tf.mul(r, zu)], 0), z), [k, k], 0);
  const squares = tf.matMul(r, z2), gw = tf.matMul(r, z);
  return {
    u: move(u, tf.sub(gu, tf.mul(squares, v)), n), v: move(v, tf.sub(gv, tf.mul(squares, u)), n), w: move(w, gw, n), b: move(b, tf.sum(r), n),
    loss: tf.div(tf.sum(tf.square(r)), 2),
  };
}

function exact(/** @type {any} */ { u, v, w, b, r, zu, zv }, /** @type {any} */ { z, z2, zt, zt2, ones }) {
  const mean = tf.mean(r);
  b = tf.sub(b, mean);
  r = tf.sub(r, mean);
  const g = tf.matMul(r, z), p = tf.matMul(g, zt), eta = ratio(g, p);
  w = tf.sub(w, tf.mul(eta, g));
  r = tf.sub(r, tf.mul(eta, p));
  /** @type {(block: any, held: any, zblock: any, zheld: any) => [any, any]} */
  const along = (block, held, zblock, zheld) => {
    const g = tf.sub(tf.matMul(tf.mul(zheld, r), z), tf.mul(held, tf.matMul(r, z2))), zg = tf.matMul(g, zt);
    const p = tf.sub(tf.matMul(ones, tf.mul(zheld, zg)), tf.matMul(tf.matMul(ones, tf.mul(held, g)), zt2)), eta = ratio(g, p);
    r = tf.sub(r, tf.mul(eta, p));
    return [tf.sub(block, tf.mul(eta, g)), tf.sub(zblock, tf.mul(eta, zg))];
  };
  [v, zv] = along(v, u, zv, zu);
  [u, zu] = along(u, v, zu, zv);
  return { u, v, w, b, r, zu, zv, loss: tf.div(tf.sum(tf.square(r)), 2) };
}

const ratio = (/** @type {any} */ g, /** @type {any} */ p) => tf.div(tf.sum(tf.square(g)), tf.sum(tf.square(p)));

const move = (/** @type {any} */ block, /** @type {any} */ gradient, /** @type {number} */ n) => tf.sub(block, tf.mul(gradient, rate / n));

/** @param {number} iterations */
function run(iterations) {
  const losses = [], began = performance.now();
  for (let i = 0; i < iterations; i++) {
    const { loss, ...next } = tf.tidy(() => step(model, constants));
    losses.push(loss.dataSync()[0]);
    loss.dispose();
    tf.dispose(model);
    model = next;
  }
  return { ms: (performance.now() - began) / iterations, losses };
}

scope.onmessage = async (/** @type {MessageEvent} */ { data }) => {
  try {
    scope.postMessage({ result: data.run === undefined ? await prepare(data) : run(data.run) });
  } catch (reason) {
    scope.postMessage({ error: String(reason) });
  }
};
