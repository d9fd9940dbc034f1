import { html, type TemplateResult } from "lit";
import type { Column } from "../../charts/sheet.js";
import type { Scene, Survey } from "../../engine/protocol.js";
import { heads } from "../../panel/panel.js";
import { number, signed } from "../../text/format.js";
import { degrees } from "./projection.js";
import type { What } from "./scale.js";
import { sky as strings } from "./strings.js";

const COARSE = { rows: 7, columns: 7 } as const;

/** The field at some places of the grid, and every pierce point. */
export function table(scene: Scene, survey: Survey, what: What): TemplateResult {
  const every = (n: number, some: number): number[] => Array.from({ length: some }, (_, i) => Math.round((i * (n - 1)) / (some - 1)));
  const columns = every(scene.longitude.length, COARSE.columns);
  const rows = every(scene.latitude.length, COARSE.rows).reverse();
  const values = what === "tec" ? scene.tec : scene.bend;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.fieldTable}>
      <table class="numbers">
        <caption>${strings.fieldTable}: ${strings.whats[what]}, ${strings.unit}</caption>
        ${heads([strings.corner, ...columns.map((c) => degrees(scene.longitude[c] ?? Number.NaN, "EW"))])}
        <tbody>
          ${rows.map((r) => html`<tr>
            <th scope="row">${degrees(scene.latitude[r] ?? Number.NaN, "NS")}</th>
            ${columns.map((c) => {
              const value = values[r * scene.longitude.length + c] ?? Number.NaN;
              return html`<td data-value=${value}>${what === "bend" ? signed(value, 2) : number(value)}</td>`;
            })}
          </tr>`)}
        </tbody>
      </table>
    </div>
    <div class="scroll tall" tabindex="0" role="region" aria-label=${strings.pointTable}>
      <table class="numbers pierced">
        <caption>${strings.pointTable}</caption>
        <thead>
          <tr>${[strings.columns.satellite, strings.columns.station, strings.columns.latitude, strings.columns.longitude, strings.columns.delay].map((name) => html`<th scope="col">${name}</th>`)}</tr>
        </thead>
        <tbody>
          ${Array.from(scene.satellite, (satellite, i) => html`<tr>
            <th scope="row">${scene.satellites[satellite]}</th>
            <td>${survey.stations[scene.station[i] ?? 0]}</td>
            <td>${number(scene.pointLatitude[i] ?? Number.NaN, 4)}</td>
            <td>${number(scene.pointLongitude[i] ?? Number.NaN, 5)}</td>
            <td>${number(scene.delay[i] ?? Number.NaN, 4)}</td>
          </tr>`)}
        </tbody>
      </table>
    </div>`;
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
