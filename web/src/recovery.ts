// How well what was learnt agrees with the truth.
import type { Matrix } from "./protocol.js";

/** ‖M − truth‖ / ‖truth‖, Frobenius. */
export function relativeError(m: Matrix, truth: Matrix): number {
  let [off, all] = [0, 0];
  for (let at = 0; at < truth.values.length; at++) {
    const v = truth.values[at] ?? 0;
    off += ((m.values[at] ?? 0) - v) ** 2;
    all += v ** 2;
  }
  return Math.sqrt(off / all);
}
