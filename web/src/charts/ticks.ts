// Where the ticks of axes stand.

/** The least of 1, 2 or 5 times a power of ten that is not below value. */
export function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return unit * ([1, 2, 5, 10].find((m) => m * unit >= value * (1 - 1e-12)) ?? 10);
}

/** The multiples of a step from low to high. */
export function multiples(step: number, low: number, high: number): number[] {
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step); i * step <= high; i++) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

/** Powers of ten from 10^low to 10^high, at most nine of them; 1 is one wherever it is within. */
export function decades(low: number, high: number): number[] {
  const every = Math.max(1, Math.ceil((high - low) / 8));
  const ticks: number[] = [];
  for (let e = Math.floor(high / every) * every; e >= low; e -= every) ticks.unshift(10 ** e);
  return ticks;
}
