/** Two features of a matrix, i < j. */
export interface Pair {
  readonly i: number;
  readonly j: number;
}

/** At most so many pairs of d features with the largest sizes, largest first. O(d²). */
export function largestPairs(d: number, most: number, size: (i: number, j: number) => number): Pair[] {
  const sizes: number[] = [];
  const pairs: Pair[] = [];
  for (let i = 0; i < d; i++) {
    for (let j = i + 1; j < d; j++) {
      const own = size(i, j);
      if (pairs.length === most && own <= (sizes.at(-1) ?? 0)) continue;
      let [low, high] = [0, sizes.length]; // where it belongs
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((sizes[middle] ?? 0) >= own) low = middle + 1;
        else high = middle;
      }
      sizes.splice(low, 0, own);
      pairs.splice(low, 0, { i, j });
      sizes.length = pairs.length = Math.min(pairs.length, most);
    }
  }
  return pairs;
}
