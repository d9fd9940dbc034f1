import type { Scene } from "../../engine/protocol.js";

const MARGIN = { left: 46, right: 8, top: 8, bottom: 24 } as const; // px

/** Where the grid is in the picture. */
export interface Projection {
  readonly x: (longitude: number) => number;
  readonly y: (latitude: number) => number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The grid's rows go up and its columns to the right, a degree of longitude being as long as it is in the middle. */
export function project({ latitude, longitude }: Scene, wide: number, high: number): Projection {
  const [south, north] = ends(latitude);
  const [west, east] = ends(longitude);
  const narrow = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const [width, height] = [wide - MARGIN.left - MARGIN.right, high - MARGIN.top - MARGIN.bottom];
  const scale = Math.min(width / ((east - west) * narrow || 1), height / (north - south || 1));
  const [w, h] = [(east - west) * narrow * scale, (north - south) * scale];
  const [left, top] = [MARGIN.left + (width - w) / 2, MARGIN.top + (height - h) / 2];
  return { x: (lon) => left + (lon - west) * narrow * scale, y: (lat) => top + (north - lat) * scale, left, top, width: w, height: h };
}

export function inside({ left, top, width, height }: Projection, x: number, y: number): boolean {
  return x >= left && x <= left + width && y >= top && y <= top + height;
}

/** The first and the last edge of cells around these middles. */
export function ends(middles: Float64Array): readonly [number, number] {
  const [first, last] = [middles[0] ?? 0, middles.at(-1) ?? 0];
  const half = (last - first) / (middles.length - 1 || 1) / 2;
  return [first - half, last + half];
}

/** 30.2° N; longitudes from −180 to 180. */
export function degrees(value: number, [positive = "", negative = ""]: string, places = 1): string {
  const held = positive === "E" ? ((((value + 180) % 360) + 360) % 360) - 180 : value;
  return `${Math.abs(held).toFixed(places)}°${held > 0 ? ` ${positive}` : held < 0 ? ` ${negative}` : ""}`;
}
