// What refits of a model say of its pairs of columns.
import type { Refits, Strength } from "../../engine/protocol.js";
import { refits as strings } from "./strings.js";

const SHOWN = 8; // pairs

/** A pair as it is told. */
export interface Told {
  readonly name: string;
  readonly share: string;
  readonly range: string;
  readonly above: string;
  readonly pair: Strength;
}

/** The strongest pairs, in words. */
export function told({ names, strongest }: Refits): readonly Told[] {
  return strongest.slice(0, SHOWN).map((pair) => ({
    name: strings.name(names[pair.first] ?? "", names[pair.second] ?? ""),
    share: strings.share(pair.share),
    range: strings.range(pair.low, pair.high),
    above: (pair.above ? strings.above : strings.notAbove)(pair.reach),
    pair,
  }));
}

/** How many pairs are above what permuted rows reach. */
export function reached({ model, rank, pairs, strongest, above, threshold }: Refits): string {
  if (rank === 0) return strings.ridge(model);
  if (strongest.length === 0) return strings.nothing(model);
  return above === 0 ? strings.none(pairs, threshold) : strings.some(above, pairs, threshold);
}
