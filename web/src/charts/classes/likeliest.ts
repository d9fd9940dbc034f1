/** The class of a row that has the largest of its probabilities. */
export function likeliest(probabilities: Float64Array, row: number, classes: readonly string[]): string {
  const own = probabilities.subarray(row * classes.length, (row + 1) * classes.length);
  return classes[own.indexOf(Math.max(...own))] ?? "";
}
