// What is drawn on the map: the projection, and the layers from the bottom up.
import { svg, type SVGTemplateResult } from "lit";
import type { Box } from "../../charts/labels.js";
import type { Scene, Survey } from "../../engine/protocol.js";

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
  const lines = (low: number, high: number, room: number): number[] => {
    const step = [1, 2, 5, 10, 20, 30].find((s) => (high - low) / s <= Math.min(6, room)) ?? 60;
    return Array.from({ length: Math.max(0, Math.floor(high / step) - Math.ceil(low / step) + 1) }, (_, i) => (Math.ceil(low / step) + i) * step);
  };
  return [
    ...lines(south, north, at.height / LINE).map((lat) => svg`<g class="parallel"><line x1=${at.left} x2=${at.left + at.width} y1=${at.y(lat)} y2=${at.y(lat)} /><text x=${at.left - 6} y=${at.y(lat)} dy="0.32em" text-anchor="end">${degrees(lat, "NS", 0)}</text></g>`),
    ...lines(west, east, at.width / NAME).map((lon) => svg`<g class="parallel"><line x1=${at.x(lon)} x2=${at.x(lon)} y1=${at.top} y2=${at.top + at.height} /><text x=${at.x(lon)} y=${at.top + at.height + 16} text-anchor="middle">${degrees(lon, "EW", 0)}</text></g>`),
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

const LETTER = 9; // px, the widest
const LINE = 16; // px
const NAME = 52; // px, of a meridian, with the space to the next
const ROOM = 0.3; // of the map's height: a net that takes more has room for the names of all stations
const STATION = 7; // px, half of a mark with its rim
const FARTHER = [0, 16, 32, 48, 64]; // px, from the test station, which has its name always
const CORNERS = [[1, 1], [-1, 1], [1, -1], [-1, -1]] as const; // right and below first

/** The name of the test station, then of the others or, where the net is small, of the satellites: each at a corner that hides no station and no other name, or nowhere. */
export function names(survey: Survey, scene: Scene, at: Projection): SVGTemplateResult[] {
  const all = survey.stations.map((text, i) => ({ text, kind: i === survey.test ? "name test" : "name", x: at.x(survey.longitude[i] ?? Number.NaN), y: at.y(survey.latitude[i] ?? Number.NaN) }));
  const stations = all.filter(({ x, y }) => inside(at, x, y)).sort((a, b) => b.kind.length - a.kind.length);
  const heights = stations.map(({ y }) => y);
  const named = Math.max(...heights) - Math.min(...heights) > ROOM * at.height ? stations : [...stations.slice(0, 1), ...middles(scene, at)];
  const taken: Box[] = stations.map(({ x, y }) => ({ left: x - STATION, right: x + STATION, top: y - STATION, bottom: y + STATION }));
  return named.flatMap(({ text, kind, x, y }) => {
    const wide = LETTER * text.length;
    const boxes = (kind === "name test" ? FARTHER : [0]).flatMap((off) => CORNERS.map(([right, down]): Box => {
      const [left, top] = [right > 0 ? x + STATION + off : x - STATION - off - wide, down > 0 ? y + 1 + off : y - 1 - off - LINE];
      return { left, right: left + wide, top, bottom: top + LINE };
    }));
    const isFree = (box: Box): boolean => taken.every((other) => box.left >= other.right || other.left >= box.right || box.top >= other.bottom || other.top >= box.bottom);
    const box = boxes.find((box) => inside(at, box.left, box.top) && inside(at, box.right, box.bottom) && isFree(box));
    if (!box) return [];
    taken.push(box);
    return [svg`<text class=${kind} x=${(box.left + box.right) / 2} y=${(box.top + box.bottom) / 2} dy="0.34em" text-anchor="middle">${text}</text>`];
  });
}

/** The satellites, each in the middle of its own signals. */
function middles({ satellites, satellite, pointLatitude, pointLongitude }: Scene, at: Projection) {
  return satellites
    .map((text, s) => {
      const own = Array.from(satellite, (_, i) => i).filter((i) => satellite[i] === s);
      const mean = (of: (i: number) => number): number => own.reduce((sum, i) => sum + of(i), 0) / own.length;
      return { text, kind: "satellite", x: at.x(mean((i) => pointLongitude[i] ?? Number.NaN)), y: at.y(mean((i) => pointLatitude[i] ?? Number.NaN)) };
    })
    .filter(({ x, y }) => inside(at, x, y));
}

/** The strongest bend; null where none is known. */
export function strongestOf({ bend, latitude, longitude }: Scene): { readonly value: number; readonly latitude: number; readonly longitude: number } | null {
  const best = bend.reduce((most, v, i) => (Math.abs(v) > (most < 0 ? 0 : Math.abs(bend[most] ?? 0)) ? i : most), -1);
  const n = longitude.length;
  return best < 0 ? null : { value: bend[best] ?? 0, latitude: latitude[Math.floor(best / n)] ?? 0, longitude: longitude[best % n] ?? 0 };
}
