// The blocks between one-hot columns: their signs, and what a model writes into them.
// Blocks are numbered row by row: 12, 13, …, 23, …
import type { ModelFile } from "../../engine/protocol.js";

/** How many pairs of columns there are. */
export function pairs(columns: number): number {
  return (columns * (columns - 1)) / 2;
}

/** The columns of each block. */
export function ends(columns: number): (readonly [g: number, h: number])[] {
  return Array.from({ length: columns }, (_, g) => Array.from({ length: columns - g - 1 }, (_, i) => [g, g + 1 + i] as const)).flat();
}

/** The factors of all blocks; "" flips the last one. null unless they are as many numbers as there are pairs, none beyond ±1, and not all 0. */
export function read(blocks: string, columns: number): readonly number[] | null {
  const of = pairs(columns);
  if (blocks === "") return Array.from({ length: of }, (_, i) => (i === of - 1 ? -1 : 1));
  const signs = blocks.split(",").map((cell) => (cell.trim() === "" ? Number.NaN : Number(cell)));
  return signs.length === of && signs.every((s) => Math.abs(s) <= 1) && signs.some((s) => s !== 0) ? signs : null;
}

/** Whether the columns divide into two groups: a block is positive within a group and negative between them. */
export function balanced(signs: readonly number[], columns: number): boolean {
  const all = ends(columns);
  const group = (g: number): number => (g === 0 ? 1 : Math.sign(signs[g - 1] ?? 0)); // by its block with the first column
  return all.every(([g, h], i) => group(g) * group(h) === Math.sign(signs[i] ?? 0));
}

/** M as rows see it: a model of one-hot columns predicts the same if the factors of a column's levels are centred. The diagonal is shown. O(d²k) */
export function written({ bytes }: ModelFile, levels: number): Float64Array {
  const { u, v = u, target, features } = JSON.parse(new TextDecoder().decode(bytes)) as {
    readonly u: readonly (readonly number[])[];
    readonly v?: readonly (readonly number[])[];
    readonly target: { readonly scale: number };
    readonly features: readonly { readonly scale: number }[];
  };
  const centred = (rows: readonly (readonly number[])[]): number[][] => {
    const scaled = rows.map((row, i) => row.map((x) => x / (features[i]?.scale ?? Number.NaN)));
    return scaled.map((row, i) => {
      const from = i - (i % levels);
      const group = scaled.slice(from, from + levels);
      return row.map((x, f) => x - group.reduce((sum, other) => sum + (other[f] ?? Number.NaN), 0) / levels);
    });
  };
  const [left, right] = [centred(u), centred(v)];
  const dot = (a: readonly number[] | undefined, b: readonly number[] | undefined): number => (a ?? []).reduce((sum, x, f) => sum + x * (b?.[f] ?? Number.NaN), 0);
  return Float64Array.from(left.flatMap((_, i) => left.map((_, j) => (target.scale * (dot(left[i], right[j]) + dot(left[j], right[i]))) / 2)));
}

/** The largest size within the columns, where no row looks. */
export function unseen(d: number, values: Float64Array, levels: number): number {
  return values.reduce((most, x, at) => (Math.floor(Math.floor(at / d) / levels) === Math.floor((at % d) / levels) ? Math.max(most, Math.abs(x)) : most), 0);
}
