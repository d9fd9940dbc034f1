// A matrix on its way to another, as when the sign of the truth flips: its entries
// turn one after another, from the upper left to the lower right.
import type { Matrix } from "../../engine/protocol.js";

const MOST = 100; // features: what has more is shown at once
const LASTS = 900; // ms
const ENTRY = 0.4; // of that, for one entry

export class Turn {
  private constructor(
    private readonly from: Matrix,
    readonly to: Matrix,
    private readonly since: number, // ms
  ) {}

  /** The way to a matrix from what was shown before; null where there is none. */
  static between(from: Matrix | null, to: Matrix, now: number): Turn | null {
    if (!from || from === to || from.d !== to.d || to.d > MOST || to.values.every((value, at) => value === from.values[at])) return null;
    return new Turn(from, to, now);
  }

  over(now: number): boolean {
    return now >= this.since + LASTS;
  }

  /** What is seen of it now. */
  at(now: number): Matrix {
    const { from, to } = this;
    const { d } = to;
    const passed = (now - this.since) / LASTS;
    const values = to.values.map((value, at) => {
      const begins = ((Math.floor(at / d) + (at % d)) / Math.max(1, 2 * d - 2)) * (1 - ENTRY);
      const done = Math.min(Math.max((passed - begins) / ENTRY, 0), 1);
      const before = from.values[at] ?? 0;
      return before + (value - before) * done;
    });
    return { ...to, values };
  }
}
