// The rule of signs of three features: which signs one number a feature can give
// its three pairs, and which two numbers can.

export type Sign = 1 | -1;

/** One of tea, milk and lemon each. */
export type Three<T> = readonly [T, T, T];

/** The features of each pair: tea and milk, tea and lemon, milk and lemon. */
export const PAIRS: Three<readonly [number, number]> = [[0, 1], [0, 2], [1, 2]];

/** All patterns of three signs: those whose product is +, then the others. */
export const PATTERNS: readonly Three<Sign>[] = [
  [1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1],
  [1, 1, -1], [1, -1, 1], [-1, 1, 1], [-1, -1, -1],
];

export function product([a, b, c]: Three<Sign>): Sign {
  return (a * b * c) as Sign;
}

/** FM’s number of each feature. Tea’s is +1; the others give tea’s two pairs their signs. */
export function fmNumbers([milk, lemon]: Three<Sign>): Three<Sign> {
  return [1, milk, lemon];
}

/** The signs that one number a feature gives the pairs. */
export function pairSigns([tea, milk, lemon]: Three<Sign>): Three<Sign> {
  return [(tea * milk) as Sign, (tea * lemon) as Sign, (milk * lemon) as Sign];
}

/** The signs that FM gives the pairs. At most one is not the truth’s: that of milk and lemon. */
export function fmSigns(truth: Three<Sign>): Three<Sign> {
  return pairSigns(fmNumbers(truth));
}

/** iFM’s two numbers of each feature, u and v. A pair i, j has the sign of uᵢvⱼ + vᵢuⱼ, which are equal here. */
export function ifmNumbers(truth: Three<Sign>): Three<readonly [Sign, Sign]> {
  const whole = product(truth);
  const [a, b, c] = fmNumbers(truth.map((sign) => whole * sign) as unknown as Three<Sign>);
  const both = (u: Sign): readonly [Sign, Sign] => [u, (whole * u) as Sign];
  return [both(a), both(b), both(c)];
}

export function flipped(signs: Three<Sign>, pair: number): Three<Sign> {
  return signs.map((sign, at) => (at === pair ? -sign : sign)) as unknown as Three<Sign>;
}
