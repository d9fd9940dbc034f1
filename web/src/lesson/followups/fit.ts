// Straight lines through points on logarithmic axes.

/** y ≈ c·xˢ, by least squares of the logarithms; both NaN where two points are not at hand. */
export function powerLaw(x: readonly number[], y: readonly number[]): { readonly slope: number; readonly at: (x: number, slope?: number) => number } {
  const points = x.flatMap((v, i) => {
    const to = y[i] ?? Number.NaN;
    return v > 0 && to > 0 && Number.isFinite(to) ? [[Math.log(v), Math.log(to)] as const] : [];
  });
  const mean = (of: (point: readonly [number, number]) => number): number => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [mx, my] = [mean(([v]) => v), mean(([, v]) => v)];
  const slope = points.length < 2 ? Number.NaN : points.reduce((sum, [a, b]) => sum + (a - mx) * (b - my), 0) / points.reduce((sum, [a]) => sum + (a - mx) ** 2, 0);
  return { slope, at: (v, s = slope) => Math.exp(my + s * (Math.log(v) - mx)) };
}
