// The numbers of the map as tables.
import { html, type TemplateResult } from "lit";
import type { Column } from "../../charts/sheet.js";
import type { Scene, Survey } from "../../engine/protocol.js";
import { table } from "../../panel/panel.js";
import { number, signed } from "../../text/format.js";
import { degrees } from "./projection.js";
import type { What } from "./scale.js";
import { sky as strings } from "./strings.js";

const COARSE = 7; // rows and columns of the grid

/** The field at some places of the grid, and every pierce point. */
export function tables(scene: Scene, survey: Survey, what: What): TemplateResult {
  const { latitude, longitude, satellite, pointLatitude, pointLongitude, delay } = scene;
  const some = (n: number): number[] => Array.from({ length: COARSE }, (_, i) => Math.round((i * (n - 1)) / (COARSE - 1)));
  const columns = some(longitude.length);
  const rows = some(latitude.length).reverse().map((r) => html`<tr>
    <th scope="row">${degrees(latitude[r] ?? Number.NaN, "NS")}</th>
    ${columns.map((c) => {
      const value = (what === "tec" ? scene.tec : scene.bend)[r * longitude.length + c] ?? Number.NaN;
      return html`<td data-value=${value}>${what === "bend" ? signed(value, 2) : number(value)}</td>`;
    })}
  </tr>`);
  const pierced = Array.from(satellite, (s, i) => html`<tr>
    <th scope="row">${scene.satellites[s]}</th>
    <td>${survey.stations[scene.station[i] ?? 0]}</td>
    ${([[pointLatitude, 4], [pointLongitude, 5], [delay, 4]] as const).map(([values, digits]) => html`<td>${number(values[i] ?? Number.NaN, digits)}</td>`)}
  </tr>`);
  const heads = strings.columns;
  return html`${table(`${strings.fieldTable}: ${strings.whats[what]}, ${strings.unit}`, [strings.corner, ...columns.map((c) => degrees(longitude[c] ?? Number.NaN, "EW"))], rows)}
    ${table(strings.pointTable, [heads.satellite, heads.station, heads.latitude, heads.longitude, heads.delay], pierced, { kind: "pierced" })}`;
}

/** What a spreadsheet gets: the field or, where nobody knows it, what the signals see. */
export function columnsOf(scene: Scene, survey: Survey, day: string, at: string): Column[] {
  const { columns } = strings;
  const rows = (n: number, of: readonly Column[]): Column[] => [{ name: columns.day, values: Array.from({ length: n }, () => day) }, { name: columns.time, values: Array.from({ length: n }, () => at) }, ...of];
  if (Number.isNaN(scene.tec[0] ?? Number.NaN))
    return rows(scene.satellite.length, [
      { name: columns.satellite, values: Array.from(scene.satellite, (i) => scene.satellites[i] ?? "") },
      { name: columns.station, values: Array.from(scene.station, (i) => survey.stations[i] ?? "") },
      { name: columns.latitude, values: scene.pointLatitude },
      { name: columns.longitude, values: scene.pointLongitude },
      { name: columns.delay, values: scene.delay },
    ]);
  const wide = scene.longitude.length;
  return rows(scene.tec.length, [
    { name: columns.latitude, values: Array.from(scene.tec, (_, i) => scene.latitude[Math.floor(i / wide)] ?? Number.NaN) },
    { name: columns.longitude, values: Array.from(scene.tec, (_, i) => scene.longitude[i % wide] ?? Number.NaN) },
    { name: columns.tec, values: scene.tec },
    { name: columns.bend, values: scene.bend },
  ]);
}
