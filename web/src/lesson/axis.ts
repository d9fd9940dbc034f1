// The axis of τ: logarithmic, with a place for 0.

const STEP = 0.4; // decades from the smallest τ to 0

/** Where a τ stands on the axis: its logarithm, and 0 a step to the left of the smallest, what lies between them in proportion. */
export function place(tau: number, taus: readonly number[]): number {
  const least = Math.min(...taus.filter((t) => t > 0));
  if (!Number.isFinite(least)) return tau > 0 ? Math.log10(tau) : -STEP;
  return tau >= least * (1 - 1e-9) ? Math.log10(tau) : Math.log10(least) - STEP * (1 - tau / least);
}

/** Whether two τ are the same but for rounding. */
export function same(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));
}
