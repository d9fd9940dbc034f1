// Links the SIMD kernel to a program of Go: for the page's worker and for
// wasm/exec.mjs, which runs Go's tests in Node.js.
//
//	const kernel = link(bytes of core/kernel/simd/kernel.wasm);
//	const instance = await WebAssembly.instantiate(program, { ...go.importObject, ...kernel.imports });
//	kernel.attach(instance);
//	go.run(instance);
//
// Go's program needs the kernel as an import and the kernel needs Go's memory,
// so the imports are small functions that find the kernel when they are called.
// Each takes its own number of arguments: spread ones cost two to four times as
// much.

/** @typedef {Record<"gemm" | "dot" | "sum" | "axpy" | "rowSquares" | "colSquares" | "rowDots" | "rowScale" | "sparseForward" | "sparseAdjoint" | "cutLines", (...args: number[]) => number>} Kernel */

/**
 * Without SIMD in this browser the kernel does not compile; Go then learns from
 * `linked` that it is on its own, and calls none of the others.
 *
 * @param {BufferSource} bytes
 */
export function link(bytes) {
  const module = compile(bytes);
  /** @type {Kernel} */
  let kernel;
  const imports = {
    linked: () => (module ? 1 : 0),
    /** @type {(m: number, n: number, k: number, alpha: number, a: number, ars: number, acs: number, b: number, brs: number, bcs: number, c: number, ldc: number, scratch: number) => number} */
    gemm: (m, n, k, alpha, a, ars, acs, b, brs, bcs, c, ldc, scratch) => kernel.gemm(m, n, k, alpha, a, ars, acs, b, brs, bcs, c, ldc, scratch),
    /** @type {(n: number, x: number, y: number) => number} */
    dot: (n, x, y) => kernel.dot(n, x, y),
    /** @type {(n: number, x: number) => number} */
    sum: (n, x) => kernel.sum(n, x),
    /** @type {(n: number, alpha: number, x: number, y: number) => number} */
    axpy: (n, alpha, x, y) => kernel.axpy(n, alpha, x, y),
    /** @type {(n: number, d: number, dst: number, x: number, c: number) => number} */
    rowSquares: (n, d, dst, x, c) => kernel.rowSquares(n, d, dst, x, c),
    /** @type {(n: number, d: number, acc: number, x: number, r: number) => number} */
    colSquares: (n, d, acc, x, r) => kernel.colSquares(n, d, acc, x, r),
    /** @type {(n: number, k: number, dst: number, a: number, b: number) => number} */
    rowDots: (n, k, dst, a, b) => kernel.rowDots(n, k, dst, a, b),
    /** @type {(n: number, k: number, dst: number, r: number, a: number) => number} */
    rowScale: (n, k, dst, r, a) => kernel.rowScale(n, k, dst, r, a),
    /** @type {(m: number, k: number, dst: number, start: number, column: number, p: number) => number} */
    sparseForward: (m, k, dst, start, column, p) => kernel.sparseForward(m, k, dst, start, column, p),
    /** @type {(m: number, k: number, acc: number, start: number, column: number, r: number) => number} */
    sparseAdjoint: (m, k, acc, start, column, r) => kernel.sparseAdjoint(m, k, acc, start, column, r),
    /** @type {(p: number, end: number, sep: number, point: number, comments: number, columns: number, most: number, wanted: number, numbers: number, from: number, to: number, sizes: number, texts: number, tables: number) => number} */
    cutLines: (p, end, sep, point, comments, columns, most, wanted, numbers, from, to, sizes, texts, tables) => kernel.cutLines(p, end, sep, point, comments, columns, most, wanted, numbers, from, to, sizes, texts, tables),
  };
  return {
    imports: { kernel: imports },
    /** @param {WebAssembly.Instance} program */
    attach(program) {
      const memory = /** @type {WebAssembly.Memory} */ (program.exports["mem"]);
      if (module) kernel = /** @type {any} */ (new WebAssembly.Instance(module, { env: { memory } }).exports);
    },
  };
}

/**
 * A few kB: compiled at once, in a worker or in Node.js.
 *
 * @param {BufferSource} bytes
 */
function compile(bytes) {
  try {
    return new WebAssembly.Module(bytes);
  } catch (reason) {
    if (reason instanceof WebAssembly.CompileError) return null;
    throw reason;
  }
}
