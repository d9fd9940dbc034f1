// Where the labels of a chart go: beside what they name, and never on each
// other or on a mark.

/** A box in px, the axis y pointing down. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A label before it is placed: the middle of its height is to be at y. */
export interface Wish {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

const ROUNDS = 30;

/**
 * The heights of labels line px high between top and bottom, each as near to
 * its wish as the others and the marks allow. Labels that crowd are pushed
 * apart together, in their order; what then still stands on something moves to
 * the nearest free place. O(n²·(bottom − top)).
 */
export function place(wishes: readonly Wish[], marks: readonly Box[], line: number, top: number, bottom: number): number[] {
  const order = wishes.map((_, i) => i).sort((a, b) => (wishes[a]?.y ?? 0) - (wishes[b]?.y ?? 0));
  const [least, most] = [top, Math.max(top, bottom)];
  const hold = (y: number): number => Math.min(Math.max(y, least), most);
  const at = wishes.map((wish) => hold(wish.y));
  const beside = (a: number, b: number): boolean => {
    const [p, q] = [wishes[a], wishes[b]];
    return p !== undefined && q !== undefined && p.left < q.right && q.left < p.right;
  };
  for (let round = 0; round < ROUNDS; round++) {
    order.forEach((lower, n) => {
      for (const upper of order.slice(0, n)) {
        const gap = (at[lower] ?? 0) - (at[upper] ?? 0);
        if (gap >= line || !beside(lower, upper)) continue;
        at[upper] = hold((at[upper] ?? 0) - (line - gap) / 2);
        at[lower] = hold((at[lower] ?? 0) + (line - gap) / 2);
      }
    });
  }
  const taken: Box[] = [...marks];
  for (const i of order) {
    const wish = wishes[i];
    if (!wish) continue;
    const box = (y: number): Box => ({ left: wish.left, right: wish.right, top: y - line / 2, bottom: y + line / 2 });
    const free = (y: number): boolean => y >= least && y <= most && !taken.some((other) => meets(box(y), other));
    const wanted = at[i] ?? 0;
    for (let away = 0; away <= most - least; away++) {
      const y = [wanted - away, wanted + away].find(free);
      if (y === undefined) continue;
      at[i] = y;
      break;
    }
    taken.push(box(at[i] ?? 0));
  }
  return at;
}

/** Whether two boxes share more than an edge. */
function meets(a: Box, b: Box): boolean {
  const slack = 0.01; // px: sums of halves of a line are not exact
  return a.left < b.right - slack && b.left < a.right - slack && a.top < b.bottom - slack && b.top < a.bottom - slack;
}
