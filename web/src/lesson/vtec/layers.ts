// What is drawn on the map: the projection, and the layers from the bottom up.
import { svg, type SVGTemplateResult } from "lit";
import type { Box } from "../../charts/labels.js";
import type { Scene, Survey } from "../../engine/protocol.js";
import { signed } from "../../text/format.js";
import { sky as strings } from "./strings.js";

const MARGIN = { left: 46, right: 8, top: 8, bottom: 24 } as const; // px

/** Where the grid is in the picture. */
interface Projection {
  readonly x: (longitude: number) => number;
  readonly y: (latitude: number) => number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Rows go up and columns to the right; a degree of longitude is as long as in the middle of the grid. */
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

function inside({ left, top, width, height }: Projection, x: number, y: number): boolean {
  return x >= left && x <= left + width && y >= top && y <= top + height;
}

/** The first and the last edge of cells around these middles. */
function ends(middles: Float64Array): readonly [number, number] {
  const [first, last] = [middles[0] ?? 0, middles.at(-1) ?? 0];
  const half = (last - first) / (middles.length - 1 || 1) / 2;
  return [first - half, last + half];
}

/** 30.2° N; longitudes from −180 to 180. */
export function degrees(value: number, [positive = "", negative = ""]: string, places = 1): string {
  const held = positive === "E" ? ((((value + 180) % 360) + 360) % 360) - 180 : value;
  return `${Math.abs(held).toFixed(places)}°${held > 0 ? ` ${positive}` : held < 0 ? ` ${negative}` : ""}`;
}

/** Lines of whole degrees, with their names. */
export function graticule(scene: Scene, at: Projection): SVGTemplateResult[] {
  const [south, north] = ends(scene.latitude);
  const [west, east] = ends(scene.longitude);
  const lines = (low: number, high: number): number[] => {
    const step = [1, 2, 5, 10, 20, 30].find((s) => (high - low) / s <= 6) ?? 60;
    return Array.from({ length: Math.max(0, Math.floor(high / step) - Math.ceil(low / step) + 1) }, (_, i) => (Math.ceil(low / step) + i) * step);
  };
  return [
    ...lines(south, north).map((lat) => svg`<g class="parallel"><line x1=${at.left} x2=${at.left + at.width} y1=${at.y(lat)} y2=${at.y(lat)} /><text x=${at.left - 6} y=${at.y(lat)} dy="0.32em" text-anchor="end">${degrees(lat, "NS", 0)}</text></g>`),
    ...lines(west, east).map((lon) => svg`<g class="parallel"><line x1=${at.x(lon)} x2=${at.x(lon)} y1=${at.top} y2=${at.top + at.height} /><text x=${at.x(lon)} y=${at.top + at.height + 16} text-anchor="middle">${degrees(lon, "EW", 0)}</text></g>`),
  ];
}

/** Which stations are joined, and the stations. */
export function net({ latitude, longitude, edges, test }: Survey, at: Projection): SVGTemplateResult[] {
  const x = (i: number): number => at.x(longitude[i] ?? Number.NaN);
  const y = (i: number): number => at.y(latitude[i] ?? Number.NaN);
  const known = (i: number): boolean => !Number.isNaN(x(i) + y(i));
  const joined = Array.from({ length: edges.length / 2 }, (_, i) => [edges[2 * i] ?? 0, edges[2 * i + 1] ?? 0] as const).filter(([a, b]) => known(a) && known(b));
  const stations = Array.from(latitude, (_, i) => i).filter(known);
  return [
    svg`<path class="mesh" d=${joined.map(([a, b]) => `M${x(a).toFixed(1)} ${y(a).toFixed(1)}L${x(b).toFixed(1)} ${y(b).toFixed(1)}`).join("")} />`,
    ...stations.map((i) => mark(i === test ? "test" : "station", x(i), y(i))),
  ];
}

export function mark(kind: "test" | "station" | "point", x: number, y: number, style = ""): SVGTemplateResult {
  return kind === "test" ? svg`<rect class="test" x=${x - 5} y=${y - 5} width="10" height="10" transform="rotate(45 ${x} ${y})" />` : svg`<circle class=${kind} cx=${x} cy=${y} r=${kind === "station" ? 3.5 : style === "" ? 2.25 : 4} style=${style} />`;
}

/** Where signals pierce the shell. */
export function points({ satellite, pointLatitude, pointLongitude }: Scene, at: Projection, style: (i: number) => string): SVGTemplateResult[] {
  return Array.from(satellite, (_, i) => ({ x: at.x(pointLongitude[i] ?? Number.NaN), y: at.y(pointLatitude[i] ?? Number.NaN), style: style(i) }))
    .filter(({ x, y }) => inside(at, x, y))
    .map(({ x, y, style }) => mark("point", x, y, style));
}

// Names. None hides a station or another name: each takes the first free place near what it names,
// off the edges and pierce points if possible. A line joins it to what it names where that is far.

const LETTER = 9; // px, the widest
const BOLD = 10;
const NEARER = 1.2; // times as far another station is from the name of one
const ROOM = 0.3; // of the map's height: a net that takes more has room for the names of all stations
const LINE = 16; // px
const STATION = 7; // px, half of a mark with its rim
const FAR = 90; // px, from a mark to its name
const STEP = 6;
const AROUND = 12; // directions, the first below and to the right
const DOTS = 8; // px between two on an edge
const LOOSE = 20; // px, from where on a line is needed

/** What is to be named. */
interface Named {
  readonly text: string;
  readonly kind: "name test" | "name" | "satellite" | "extreme";
  readonly x: number;
  readonly y: number;
  readonly needed: boolean; // else only close by
}

/** The names of the test station, the strongest bends, the satellites and the other stations, in the order in which they choose. */
export function names(survey: Survey, scene: Scene, at: Projection, bends: boolean): SVGTemplateResult[] {
  const stations = survey.stations.map((text, i) => ({ text, i, x: at.x(survey.longitude[i] ?? Number.NaN), y: at.y(survey.latitude[i] ?? Number.NaN) })).filter(({ x, y }) => inside(at, x, y));
  const room = Math.max(...stations.map(({ y }) => y)) - Math.min(...stations.map(({ y }) => y)) > ROOM * at.height;
  const taken: Box[] = stations.map(({ x, y }) => ({ left: x - STATION, right: x + STATION, top: y - STATION, bottom: y + STATION }));
  const soft = [...dots(survey, at), ...Array.from(scene.satellite, (_, i) => [at.x(scene.pointLongitude[i] ?? Number.NaN), at.y(scene.pointLatitude[i] ?? Number.NaN)] as const)];
  const all: Named[] = [
    ...stations.filter(({ i }) => i === survey.test).map(({ text, x, y }): Named => ({ text, kind: "name test", x, y, needed: true })),
    ...(bends ? [1, -1].flatMap((sign) => strongestOf(scene, sign) ?? []) : []).map(({ value, latitude, longitude }): Named => ({ text: `${signed(value, 2)} ${strings.unit}`, kind: "extreme", x: at.x(longitude), y: at.y(latitude), needed: true })),
    ...middles(scene, at).map(({ text, x, y }): Named => ({ text, kind: "satellite", x, y, needed: false })),
    ...stations.filter(({ i }) => room && i !== survey.test).map(({ text, x, y }): Named => ({ text, kind: "name", x, y, needed: false })),
  ];
  return all.flatMap((named) => {
    const box = around(named, at, taken, soft, named.kind === "name" ? stations : []);
    if (!box) return [];
    taken.push(box);
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const [byX, byY] = [Math.min(Math.max(named.x, box.left), box.right), Math.min(Math.max(named.y, box.top), box.bottom)];
    const loose = Math.hypot(named.x - byX, named.y - byY) > LOOSE;
    return [svg`${loose ? svg`<line class="lead" x1=${named.x} y1=${named.y} x2=${byX} y2=${byY} />` : ""}<text class=${named.kind} x=${x} y=${y} dy="0.34em" text-anchor="middle">${named.text}</text>`];
  });
}

/** The nearest free box around what is named; close by, the one that covers least. null if there is none, or each is as near to another station. */
function around({ text, x, y, needed }: Named, at: Projection, taken: readonly Box[], soft: readonly (readonly [number, number])[], others: readonly { readonly x: number; readonly y: number }[]): Box | null {
  const half = ((needed ? BOLD : LETTER) * text.length) / 2;
  let best: Box | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (let away = 0; away <= (needed ? FAR : STEP); away += STEP) {
    if (best && away > STEP) break;
    for (let direction = 0; direction < AROUND; direction++) {
      const angle = ((direction + 1) * 2 * Math.PI) / AROUND;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const touch = Math.min((STATION + half) / Math.abs(cos), (STATION + LINE / 2) / Math.abs(sin)) + away; // the box and the mark
      const [middleX, middleY] = [x + cos * touch, y + sin * touch];
      const box = { left: middleX - half, right: middleX + half, top: middleY - LINE / 2, bottom: middleY + LINE / 2 };
      const fits = inside(at, box.left, box.top) && inside(at, box.right, box.bottom);
      const own = Math.hypot(middleX - x, middleY - y);
      if (!fits || others.some((other) => (other.x !== x || other.y !== y) && Math.hypot(middleX - other.x, middleY - other.y) < NEARER * own)) continue;
      if (taken.some((other) => box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom)) continue;
      const on = soft.filter(([x, y]) => x > box.left && x < box.right && y > box.top && y < box.bottom).length;
      if (on < least) [best, least] = [box, on];
      if (least === 0) return best;
    }
  }
  return best;
}

/** Places on the edges of the net. */
function dots({ edges, longitude, latitude }: Survey, at: Projection): (readonly [number, number])[] {
  return Array.from({ length: edges.length / 2 }, (_, e) => {
    const [a, b] = [edges[2 * e] ?? 0, edges[2 * e + 1] ?? 0];
    const [x, y] = [at.x(longitude[a] ?? Number.NaN), at.y(latitude[a] ?? Number.NaN)];
    const [far, down] = [at.x(longitude[b] ?? Number.NaN) - x, at.y(latitude[b] ?? Number.NaN) - y];
    const n = Math.ceil(Math.hypot(far, down) / DOTS) || 0;
    return Array.from({ length: n }, (_, i) => [x + (far * i) / n, y + (down * i) / n] as const);
  }).flat();
}

/** The satellites, each in the middle of its own signals. */
function middles({ satellites, satellite, pointLatitude, pointLongitude }: Scene, at: Projection): { readonly text: string; readonly x: number; readonly y: number }[] {
  return satellites
    .map((text, s) => {
      const own = Array.from(satellite, (_, i) => i).filter((i) => satellite[i] === s);
      const mean = (of: (i: number) => number): number => own.reduce((sum, i) => sum + of(i), 0) / own.length;
      return { text, x: at.x(mean((i) => pointLongitude[i] ?? Number.NaN)), y: at.y(mean((i) => pointLatitude[i] ?? Number.NaN)) };
    })
    .filter(({ x, y }) => inside(at, x, y));
}

/** The strongest bend, or that of a sign; null where none is known. */
export function strongestOf({ bend, latitude, longitude }: Scene, sign = 0): { readonly value: number; readonly latitude: number; readonly longitude: number } | null {
  const size = (v: number): number => (sign === 0 ? Math.abs(v) : sign * v);
  const best = bend.reduce((most, v, i) => (size(v) > (most < 0 ? 0 : size(bend[most] ?? 0)) ? i : most), -1);
  const n = longitude.length;
  return best < 0 ? null : { value: bend[best] ?? 0, latitude: latitude[Math.floor(best / n)] ?? 0, longitude: longitude[best % n] ?? 0 };
}
