// @ts-check
/** The worker that runs fused.wasm, on the rows of problem.js. */

const scope = /** @type {any} */ (globalThis);
/** @typedef {import("./compute.mjs").Load} Load */
/** @typedef {{ value: number }} Address */

/** @type {{ memory: WebAssembly.Memory, Z: Address, R: Address, U: Address, END: Address, start(): void, iterate(): number }} */
let kernel;

/** @param {Load} load */
async function prepare({ n, d, k, check }) {
  scope.importScripts("problem.js");
  const problem = scope.draw(n, d, k);
  const { instance } = await WebAssembly.instantiateStreaming(fetch("fused.wasm"));
  kernel = /** @type {any} */ (instance.exports);
  const { memory, Z, R, U, END } = kernel;
  new Uint8Array(memory.buffer, Z.value, END.value - Z.value).fill(0);
  new Float64Array(memory.buffer, Z.value, n * d).set(problem.z);
  new Float64Array(memory.buffer, R.value, n).set(problem.y.map((/** @type {number} */ y) => -y));
  new Float64Array(memory.buffer, U.value, d * k).set(problem.u);
  kernel.start();
  const losses = run(check).losses;
  const want = scope.plainAGD(problem, check).slice(1);
  const apart = Math.max(...losses.map((loss, i) => Math.abs(loss / want[i] - 1)));
  if (!(apart <= 1e-9)) throw new Error(`the fused kernel's losses ${losses} are ${apart} off those of the plain loop, ${want}`);
}

/** @param {number} iterations */
function run(iterations) {
  const losses = [], began = performance.now();
  for (let i = 0; i < iterations; i++) losses.push(kernel.iterate());
  return { ms: (performance.now() - began) / iterations, losses };
}

scope.onmessage = async (/** @type {MessageEvent} */ { data }) => {
  try {
    scope.postMessage({ result: data.run === undefined ? await prepare(data) : run(data.run) });
  } catch (reason) {
    scope.postMessage({ error: String(reason) });
  }
};
