import { svg, type SVGTemplateResult } from "lit";
import type { Scene, Survey } from "../../engine/protocol.js";
import { degrees, ends, inside, type Projection } from "./projection.js";
import { shade } from "./scale.js";

// What is drawn on the map, one layer above the other.

/** The cells of the grid, those of a shade together: their colours are the style sheet's, so that a theme can change them. */
export function shades(scene: Scene, values: Float64Array, levelOf: (value: number) => number | null): SVGTemplateResult[] {
  const [rows, columns] = [scene.latitude.length, scene.longitude.length];
  const paths = new Map<number, string>();
  for (let row = 0; row < rows; row++) {
    const level = (column: number): number | null => levelOf(values[(rows - 1 - row) * columns + column] ?? Number.NaN);
    for (let from = 0, to = 0; from < columns; from = to) {
      const shade = level(from);
      for (to = from + 1; to < columns && level(to) === shade; to++);
      if (shade !== null) paths.set(shade, `${paths.get(shade) ?? ""}M${from} ${row}h${to - from}v1h${from - to}z`);
    }
  }
  return [...paths].map(([level, path]) => svg`<path d=${path} style="fill:${shade(level)}" />`);
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
