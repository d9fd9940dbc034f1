/** The likely name: with other capitals or hyphens, or one slip in every three letters. */
export function meant(name: string, names: readonly string[]): string | undefined {
  const letters = plain(name);
  const most = Math.min(2, Math.floor(letters.length / 3));
  const near = names.map((other) => ({ other, slips: slips(letters, other) })).filter(({ slips }) => slips <= most);
  return near.sort((a, b) => a.slips - b.slips)[0]?.other;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, "");
}

/** How many letters are more, fewer, other, or changed with the next. */
function slips(a: string, b: string): number {
  let [earlier, before]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const now = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const changed = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      now.push(Math.min(at(before, j) + 1, at(now, j - 1) + 1, at(before, j - 1) + (same ? 0 : 1), changed ? at(earlier, j - 2) + 1 : Number.POSITIVE_INFINITY));
    }
    [earlier, before] = [before, now];
  }
  return at(before, b.length);
}

function at(row: readonly number[] | undefined, j: number): number {
  return row?.[j] ?? 0;
}
