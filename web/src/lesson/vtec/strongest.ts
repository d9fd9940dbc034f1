import type { Scene } from "../../engine/protocol.js";

interface Strongest {
  readonly value: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** The strongest bend, or that of a sign; null where none is known. */
export function strongestOf({ bend, latitude, longitude }: Scene, sign = 0): Strongest | null {
  const size = (v: number): number => (sign === 0 ? Math.abs(v) : sign * v);
  let best = -1;
  bend.forEach((v, i) => {
    if (size(v) > (best < 0 ? 0 : size(bend[best] ?? 0))) best = i;
  });
  const n = longitude.length;
  return best < 0 ? null : { value: bend[best] ?? 0, latitude: latitude[Math.floor(best / n)] ?? 0, longitude: longitude[best % n] ?? 0 };
}
