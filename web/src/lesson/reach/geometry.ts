// Three features, rank 1: the pairs (m₁₂, m₁₃, m₂₃) as points of space, what FM
// reaches of it, and how points are seen from a side.

export type Point = readonly [number, number, number];

/** FM has (u₁u₂u₃)² ≥ 0 of it. */
export function product([a, b, c]: Point): number {
  return a * b * c;
}

export function distance(p: Point, q: Point): number {
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

/**
 * Whether some u has (u₁u₂, u₁u₃, u₂u₃) = m: yes for a positive product, and for a
 * product of 0 with two zeros; with one zero alone some u comes as near as one
 * likes, but only as ‖u‖ grows without end.
 */
export function standing(m: Point): "reached" | "approached" | "outside" {
  if (m.filter((v) => v === 0).length === 1) return "approached";
  return m.some((v) => v === 0) || product(m) > 0 ? "reached" : "outside";
}

/** The boundaries that FM can approach from m outside: m with one pair at 0, the nearest first. */
export function walls(m: Point): readonly Point[] {
  const order = [0, 1, 2].sort((i, j) => Math.abs(m[i] ?? 0) - Math.abs(m[j] ?? 0));
  return order.map((zero): Point => [...m].with(zero, 0) as [number, number, number]);
}

/** The boundary that FM approaches: the nearest to its end. */
export function headed(truth: Point, end: Point): Point {
  return walls(truth).reduce((best, wall) => (distance(wall, end) < distance(best, end) ? wall : best));
}

/** FM's least distance from m: the smallest pair if the product is negative, since one sign must differ. */
export function gap(m: Point): number {
  return standing(m) === "outside" ? Math.min(...m.map(Math.abs)) : 0;
}

/** From where space is seen, in radians. */
export interface Turn {
  readonly about: number; // the upright axis
  readonly tilt: number; // from the horizon, up to π/2: from straight above
}

/** The first view: the true point of the first run is on the near side. */
export const FRONT: Turn = { about: 1.3, tilt: 0.42 };

export function turned({ about, tilt }: Turn, by: Partial<Turn>): Turn {
  const whole = 2 * Math.PI;
  const at = about + (by.about ?? 0);
  return { about: at - whole * Math.floor(at / whole), tilt: Math.min(Math.max(tilt + (by.tilt ?? 0), -Math.PI / 2), Math.PI / 2) };
}

/** A point on the picture, in its own units: to the right, up, and towards the reader. */
export interface Seen {
  readonly right: number;
  readonly up: number;
  readonly near: number;
}

/** The orthographic projection: m₂₃ is upright, m₁₂ and m₁₃ lie on the ground. */
export function seen([x, y, z]: Point, { about, tilt }: Turn): Seen {
  const forth = x * Math.cos(about) + y * Math.sin(about);
  return {
    right: y * Math.cos(about) - x * Math.sin(about),
    up: z * Math.cos(tilt) - forth * Math.sin(tilt),
    near: forth * Math.cos(tilt) + z * Math.sin(tilt),
  };
}

interface Label {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

const [WIDE, HIGH] = [8, 20]; // px, of a letter and of a line

/** Whether two labels, each centred on its place, cover each other. */
export function overlap(a: Label, b: Label): boolean {
  return Math.abs(a.x - b.x) < (WIDE * (a.text.length + b.text.length)) / 2 && Math.abs(a.y - b.y) < HIGH;
}

/** The labels, each moved up or down until it covers none before it. */
export function apart<L extends Label>(labels: readonly L[]): L[] {
  const placed: L[] = [];
  for (const label of labels) {
    let at = label;
    const way = placed.some((other) => overlap(at, other) && other.y > at.y) ? -1 : 1;
    for (let other = placed.find((one) => overlap(at, one)); other; other = placed.find((one) => overlap(at, one))) at = { ...at, y: other.y + way * HIGH };
    placed.push(at);
  }
  return placed;
}

type Sign = 1 | -1;
export type Signs = readonly [Sign, Sign, Sign];

/** The octants of product ≥ 0, all that FM reaches or approaches. */
export const octants: readonly Signs[] = [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]];

/** An octant's cube as it is seen: the corners of its near faces, of their edges (shown), and of the edges behind them (hidden). */
export function box(signs: Signs, size: number, turn: Turn) {
  const corner = (bits: number): Point => [bits & 1 ? signs[0] * size : 0, bits & 2 ? signs[1] * size : 0, bits & 4 ? signs[2] * size : 0];
  const faces = [0, 1, 2].flatMap((axis) => [0, 1].map((far) => ({ axis, far })));
  const facing = ({ axis, far }: { axis: number; far: number }): boolean => {
    const outward = (at: number): number => (at === axis ? (far ? 1 : -1) * (signs[axis] ?? 1) : 0);
    return seen([outward(0), outward(1), outward(2)], turn).near > 0;
  };
  const near = faces.filter(facing);
  const on = (bits: number, { axis, far }: { axis: number; far: number }): boolean => ((bits >> axis) & 1) === far;
  const edges = [0, 1, 2].flatMap((axis) => [0, 1, 2, 3, 4, 5, 6, 7].filter((bits) => !((bits >> axis) & 1)).map((bits) => [bits, bits | (1 << axis)] as const));
  const visible = edges.filter(([a, b]) => near.some((face) => on(a, face) && on(b, face)));
  const points = (list: typeof edges): (readonly [Point, Point])[] => list.map(([a, b]) => [corner(a), corner(b)]);
  return {
    signs,
    faces: near.map(({ axis, far }) => {
      const [one, two] = [1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)];
      return { axis, corners: [0, one, one | two, two].map((bits) => corner(bits | (far << axis))) };
    }),
    shown: points(visible),
    hidden: points(edges.filter((edge) => !visible.includes(edge))),
  };
}
