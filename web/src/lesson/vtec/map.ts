import { html, nothing, svg, type PropertyValues, type SVGTemplateResult, type TemplateResult } from "lit";
import { Chart } from "../../charts/chart.js";
import type { Column, Ramp, Sheet } from "../../charts/sheet.js";
import { EngineFailure, isGone } from "../../engine/engine.js";
import { after } from "../../engine/pending.js";
import type { EngineError, Scene, Survey } from "../../engine/protocol.js";
import type { About } from "../../panel/about.js";
import { heads, observeWidth, touches } from "../../panel/panel.js";
import { problem } from "../../panel/problem.js";
import { offer } from "../../save/offer.js";
import { number, signed } from "../../text/format.js";
import { roundUp } from "../chapter/measure.js";
import { chapter } from "../chapter/strings.js";
import { sky as strings, tally } from "./strings.js";
import type { Surveyed } from "./surveyed.js";

const WHATS = ["tec", "bend"] as const;
type What = (typeof WHATS)[number];

const ROWS = 54; // of the grid
const COLUMNS = 54;
const METRES = 0.162372; // of delay at L1 that are one TECU, as in core/vtec
const SAMPLES = 12; // of a day, for scales that stay
const USUAL = 0.97; // share of the bends that their scale has room for: at the edge of the map there may be any
const BANDS = 20; // shades on either side of zero
const TRIES = 2; // more, when an engine has ended
const FRAME = 100; // ms between two pictures at the least
const MINUTES = 1440; // of a day
const BRIGHT = 14; // o'clock at the test station: the picture to begin with
const COARSE = { rows: 7, columns: 7 } as const; // of the table
const MARGIN = { left: 46, right: 8, top: 8, bottom: 24 } as const; // px
const TALL = { wide: 0.62, narrow: 0.95 } as const; // of the width
const PHONE = 480; // px
const HIGHEST = 560; // px
const LETTER = 9; // px, the widest of a number
const ROOM = 300; // km that are wide enough on the picture for the names of stations

const marks = { test: "diamond", station: "circle", point: "ring" } as const; // in the legend of a file
const every: readonly number[] = Array.from({ length: MINUTES }, (_, minute) => minute);

interface Cell {
  readonly row: number;
  readonly column: number;
}

/** What the colours mean on a day, TECU; NaN where nothing is known. */
interface Scale {
  readonly low: number;
  readonly high: number;
  readonly bend: number; // at either end
}

/** Where the grid is in the picture. */
interface Projection {
  readonly x: (longitude: number) => number;
  readonly y: (latitude: number) => number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The net of stations under the sky of one minute: a slider or a clock moves the time, a pointer or the arrow keys a cursor. */
class SkyMap extends Chart {
  static override properties = { surveyed: { attribute: false }, waiting: {}, what: { state: true }, day: { state: true }, minute: { state: true }, playing: { state: true }, survey: { state: true }, scene: { state: true }, cursor: { state: true }, width: { state: true }, failed: { state: true }, said: { state: true } };

  declare surveyed: Surveyed | null;
  declare waiting: string; // what to say while there is nothing to see
  private declare what: What;
  private declare day: number;
  private declare minute: number;
  private declare playing: boolean;
  private declare survey: Survey | null;
  private declare scene: Scene | null;
  private declare cursor: Cell | null;
  private declare width: number;
  private declare failed: EngineError | null;
  private declare said: string; // of the last file

  private scale: Scale | null = null;
  private readonly scales = new WeakMap<Surveyed, Map<number, Scale>>();
  private shown: { readonly surveyed: Surveyed; readonly day: number; readonly minute: number } | null = null; // what the scene is of
  private settled: Surveyed | null = null; // what the day and the time are of
  private asking = false;
  private ends = 0; // of engines that were asked, one after the other
  private visible = false;
  private next: (() => void) | undefined; // picture
  private observers: (ResizeObserver | IntersectionObserver)[] = [];

  constructor() {
    super();
    Object.assign(this, { surveyed: null, waiting: "", what: "tec", day: 0, minute: Number.NaN, playing: !matchMedia("(prefers-reduced-motion: reduce)").matches, survey: null, scene: null, cursor: null, width: 0, failed: null, said: "" });
  }

  protected override firstUpdated(): void {
    const frame = this.querySelector(".frame");
    if (!frame) return;
    const watch = new IntersectionObserver(([entry]) => {
      this.visible = entry?.isIntersecting ?? false;
      this.go();
    });
    watch.observe(frame);
    this.observers = [watch, observeWidth(frame, (width) => (this.width = width))];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("visibilitychange", this.go);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("visibilitychange", this.go);
    for (const observer of this.observers) observer.disconnect();
    this.next?.();
    this.visible = false;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("surveyed") || changed.has("day")) Object.assign(this, { failed: null, said: "" });
  }

  protected override updated(changed: PropertyValues): void {
    if (["surveyed", "day", "minute", "playing"].some((key) => changed.has(key))) this.go();
    if (changed.get("scene") === null) this.drawSoon(); // the first: it can be saved now
  }

  /** Nothing: it is drawn as it is rendered. */
  protected override draw(): void {}

  /** Asks for the picture of the time that is set, and for those after it while it plays. Off the screen it asks for nothing. */
  private readonly go = (): void => {
    if (!this.visible || document.hidden || this.asking || this.failed || !this.surveyed) return;
    this.next?.();
    void this.show(this.surveyed);
  };

  private async show(surveyed: Surveyed): Promise<void> {
    this.asking = true;
    const began = performance.now();
    const isShown = (): boolean => this.shown?.surveyed === surveyed && this.shown.day === this.day && this.shown.minute === this.minute;
    try {
      if (!isShown()) await this.ask(surveyed);
      this.ends = 0;
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      if (surveyed === this.surveyed && !(isGone(reason) && ++this.ends <= TRIES)) this.failed = reason.detail;
    } finally {
      this.asking = false;
    }
    if (surveyed !== this.surveyed) return this.go();
    if (this.failed) return;
    if (!isShown()) this.next = after(FRAME, this.go); // it was moved on meanwhile, or its engine was ended
    else if (this.playing) {
      const timer = setTimeout(this.tick, Math.max(0, FRAME - (performance.now() - began))); // not pending: it plays for ever
      this.next = () => clearTimeout(timer);
    }
  }

  private readonly tick = (): void => {
    if (!this.playing || !this.visible || document.hidden) return;
    const times = this.times();
    this.minute = times[(times.indexOf(this.minute) + 1) % times.length] ?? this.minute;
  };

  private async ask(surveyed: Surveyed): Promise<void> {
    await surveyed.ask(async (engine, survey) => {
      if (surveyed !== this.surveyed) return;
      if (this.settled !== surveyed) this.settle(survey);
      Object.assign(this, { survey, settled: surveyed });
      const { day } = this;
      const known = this.scales.get(surveyed)?.get(day);
      const scale = known ?? (await scaleOf(this.times(), (minute) => engine.scene(survey.survey, day, 60 * minute, ROWS, COLUMNS)));
      if (!known) this.scales.set(surveyed, new Map([...(this.scales.get(surveyed) ?? []), [day, scale]]));
      const { minute, playing } = this;
      const plays = playing && this.shown?.surveyed === surveyed && this.shown.day === day;
      const scene = await engine.scene(survey.survey, day, 60 * minute, ROWS, COLUMNS, plays);
      if (surveyed !== this.surveyed || day !== this.day) return;
      Object.assign(this, { scene, scale, shown: { surveyed, day, minute } });
    });
  }

  /** A day and a time that a new survey has. */
  private settle(survey: Survey): void {
    this.survey = survey;
    if (this.day >= survey.days.length) this.day = 0;
    const longitude = survey.longitude[survey.test] ?? Number.NaN;
    const bright = Number.isNaN(longitude) ? 0 : (((BRIGHT - longitude / 15 + 48) % 24) * 60) | 0;
    this.minute = nearest(this.times(), Number.isNaN(this.minute) ? bright : this.minute);
  }

  /** The minutes that can be looked at: of a table of pierce points those that it has. */
  private times(): readonly number[] {
    const { survey, day } = this;
    return survey?.kind === "points" ? Array.from(survey.minute).filter((_, i) => survey.day[i] === day) : every;
  }

  protected override render(): TemplateResult {
    const { what, playing } = this;
    const shows = this.surveyed !== null && !this.failed;
    const [survey, scene, scale] = shows ? [this.survey, this.scene, this.scale] : [null, null, null];
    const times = this.times();
    const time = shows ? this.time() : "";
    return html`<figure class="chart sky">
      <figcaption>${strings.title[what]} <span class="num">${time}</span></figcaption>
      <div class="acts" role="group" aria-label=${strings.controls}>
        <button class="play" aria-pressed=${String(playing)} ?disabled=${!survey} @click=${() => (this.playing = !playing)}>${playing ? strings.pause : strings.play}</button>
        <label class="pick">
          <span>${strings.day}</span>
          <select class="day" ?disabled=${!survey} @change=${this.choose}>
            ${(survey?.days ?? [""]).map((name, i) => html`<option value=${i} .selected=${i === this.day}>${name}</option>`)}
          </select>
        </label>
        <label class="slide">
          <span>${strings.time}</span>
          <input
            type="range"
            class="minute"
            min="0"
            max=${times.length - 1}
            step="1"
            .value=${String(Math.max(0, times.indexOf(this.minute)))}
            ?disabled=${!survey}
            aria-valuetext=${time}
            @input=${(e: Event) => {
              this.playing = false;
              this.minute = times[Number((e.target as HTMLInputElement).value)] ?? this.minute;
            }}
          />
        </label>
        <fieldset class="segments">
          <legend class="seen-not">${strings.colours}</legend>
          ${WHATS.map((of) => html`<label><input type="radio" name="sky-what" value=${of} .checked=${of === what} @change=${() => (this.what = of)} /><span>${strings.whats[of]}</span></label>`)}
        </fieldset>
      </div>
      <div class="frame" style="height:${this.height()}px">
        ${scene && survey && scale ? this.picture(scene, survey, scale) : html`<p class="empty" role=${this.failed && !this.surveyed?.opened ? "alert" : nothing}>${this.failed ? problem(this.failed) : this.waiting}</p>`}
      </div>
      ${this.legend(scale, scene !== null && !this.knows(scene))}
      <p class="readout" aria-hidden="true">${this.cursor && scene ? this.says(scene, this.cursor) : scene ? (scene.unusable === "" ? `${strings.counts(scene.satellites.length, scene.satellite.length)} ${strings.hint(touches())}` : strings.unusable(scene.unusable)) : ""}</p>
      <ifm-save .of=${this} heading=${strings.title[what]}></ifm-save>
      <div class="days">
        ${(["maps", "points"] as const).map((kind) => html`<button data-write=${kind} ?disabled=${!survey || (kind === "maps" && survey.kind === "points")} @click=${() => void this.write(kind)}>${strings.write[kind]}</button>`)}
        <span class="note" role="status">${this.said}</span>
      </div>
      ${this.folded(strings.data, () => (scene && survey ? this.table(scene, survey) : nothing))}
    </figure>`;
  }

  private readonly choose = (event: Event): void => {
    this.day = Number((event.target as HTMLSelectElement).value);
    this.minute = nearest(this.times(), this.minute); // days of a table may have others
  };

  private height(): number {
    return Math.min(HIGHEST, Math.round((this.width || 600) * (this.width < PHONE ? TALL.narrow : TALL.wide)));
  }

  /** The settings of what it shows, not those of the last run. */
  override get about(): About | undefined {
    const { shown, survey } = this;
    if (!shown || !survey) return undefined;
    const { settings, source, query, name } = shown.surveyed;
    return { name, says: chapter.live(strings.live(settings, this.time(shown.day, shown.minute), survey.stations.length, source)), label: tally.badge[source], seed: settings.seed, chapter: "vtec", query, unit: strings.unit };
  }

  /** The day and the time of day, at Greenwich and at the test station. */
  private time(day = this.day, minute = this.minute): string {
    const { survey } = this;
    if (!survey || Number.isNaN(minute)) return "";
    const longitude = survey.longitude[survey.test] ?? Number.NaN;
    return strings.at(survey.days[day] ?? "", clock(minute), Number.isNaN(longitude) ? "" : clock(minute + 4 * longitude));
  }

  /** Whether the field between the signals is known. */
  private knows({ tec }: Scene): boolean {
    return !Number.isNaN(tec[0] ?? Number.NaN);
  }

  private values(scene: Scene): Float64Array {
    return this.what === "tec" ? scene.tec : scene.bend;
  }

  /** The grid's rows go up and its columns to the right, a degree of longitude being as long as it is in the middle. */
  private projection({ latitude, longitude }: Scene): Projection {
    const [south, north] = ends(latitude);
    const [west, east] = ends(longitude);
    const narrow = Math.cos((((south + north) / 2) * Math.PI) / 180);
    const [width, height] = [this.width - MARGIN.left - MARGIN.right, this.height() - MARGIN.top - MARGIN.bottom];
    const scale = Math.min(width / ((east - west) * narrow || 1), height / (north - south || 1));
    const [w, h] = [(east - west) * narrow * scale, (north - south) * scale];
    const [left, top] = [MARGIN.left + (width - w) / 2, MARGIN.top + (height - h) / 2];
    return { x: (lon) => left + (lon - west) * narrow * scale, y: (lat) => top + (north - lat) * scale, left, top, width: w, height: h };
  }

  private picture(scene: Scene, survey: Survey, scale: Scale): TemplateResult {
    if (this.width === 0) return html``;
    const at = this.projection(scene);
    const { row, column } = this.cursor ?? { row: scene.latitude.length >> 1, column: scene.longitude.length >> 1 };
    const place = row * scene.longitude.length + column;
    return html`<svg class="map-svg" width=${this.width} height=${this.height()} role="img" aria-label=${this.describe(scene, survey)}>
        <g class="raster" transform="translate(${at.left},${at.top}) scale(${at.width / scene.longitude.length},${at.height / scene.latitude.length})">${shades(scene, this.values(scene), (v) => this.level(v, scale))}</g>
        ${graticule(scene, at)} ${net(survey, at)} ${points(scene, at, (i) => this.fill(scene, i, scale))} ${names(survey, scene, at)} ${this.what === "bend" ? extremes(scene, at) : nothing}
        <rect class="border" x=${at.left} y=${at.top} width=${at.width} height=${at.height} />
        ${this.cursor ? svg`<circle data-cursor class="cross" cx=${at.x(scene.longitude[column] ?? 0)} cy=${at.y(scene.latitude[row] ?? 0)} r="7" />` : nothing}
      </svg>
      <div
        class="grid"
        tabindex="0"
        role="slider"
        style="left:${at.left}px;top:${at.top}px;width:${at.width}px;height:${at.height}px"
        aria-label=${strings.cursor}
        aria-valuemin="0"
        aria-valuemax=${scene.tec.length - 1}
        aria-valuenow=${place}
        aria-valuetext=${this.says(scene, { row, column })}
        @keydown=${this.key}
        @focus=${() => (this.cursor ??= { row, column })}
        @blur=${() => (this.cursor = null)}
        @pointermove=${this.point}
        @pointerdown=${this.point}
        @pointerleave=${this.leave}
      ></div>`;
  }

  private readonly key = (event: KeyboardEvent): void => {
    const { scene, cursor } = this;
    const step = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [6, 0], PageDown: [-6, 0], Home: [0, -COLUMNS], End: [0, COLUMNS] }[event.key];
    if (!step || !scene || !cursor || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const held = (v: number, n: number): number => Math.min(Math.max(v, 0), n - 1);
    this.cursor = { row: held(cursor.row + (step[0] ?? 0), scene.latitude.length), column: held(cursor.column + (step[1] ?? 0), scene.longitude.length) };
  };

  private readonly point = (event: PointerEvent): void => {
    const { scene } = this;
    if (!scene) return;
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const of = (share: number, n: number): number => Math.min(Math.max(Math.floor(share * n), 0), n - 1);
    this.cursor = { row: of((box.bottom - event.clientY) / box.height, scene.latitude.length), column: of((event.clientX - box.left) / box.width, scene.longitude.length) };
  };

  private readonly leave = (event: PointerEvent): void => {
    if (event.pointerType !== "touch" && document.activeElement !== event.currentTarget) this.cursor = null;
  };

  /** The shade of a value, −BANDS … BANDS; null where nothing is known. */
  private level(value: number, { low, high, bend }: Scale): number | null {
    if (Number.isNaN(value)) return null;
    const share = this.what === "bend" ? value / bend : (value - low) / (high - low);
    return Math.round(BANDS * Math.min(Math.max(share, this.what === "bend" ? -1 : 0), 1));
  }

  /** The style of a pierce point: where the field between is not known it has the colour of what its signal sees. */
  private fill(scene: Scene, i: number, scale: Scale): string {
    const level = this.what === "tec" && !this.knows(scene) ? this.level((scene.delay[i] ?? Number.NaN) / METRES, scale) : null;
    return level === null ? "" : `fill:${shade(level)}`;
  }

  private legend(scale: Scale | null, signals: boolean): TemplateResult {
    const range = scale && this.range(scale);
    const [low, high] = range ?? ["", ""];
    return html`<div class="legend ${range ? "" : "blank"}" aria-hidden="true">
      <span class="num">${low}</span><span class="ramp bands ${this.what}"></span><span class="num">${range ? `${high} ${strings.unit}` : ""}</span>
      <ul class="key">
        ${(["test", "station", "point"] as const).map((kind) => html`<li><svg viewBox="0 0 16 16">${mark(kind, 8, 8)}</svg>${strings.marks[kind]}</li>`)}
      </ul>
      <span class="caption">${(signals ? strings.signals : strings.caption)[this.what]}</span>
    </div>`;
  }

  private says({ latitude, longitude, tec, bend }: Scene, { row, column }: Cell): string {
    const at = row * longitude.length + column;
    return strings.place(degrees(latitude[row] ?? Number.NaN, "NS"), degrees(longitude[column] ?? Number.NaN, "EW"), tec[at] ?? Number.NaN, bend[at] ?? Number.NaN);
  }

  private describe(scene: Scene, survey: Survey): string {
    const known = Array.from(scene.tec).filter((v) => !Number.isNaN(v));
    const strongest = strongestOf(scene);
    return strings.describe({
      time: this.time(),
      low: known.length > 0 ? Math.min(...known) : Number.NaN,
      high: known.length > 0 ? Math.max(...known) : Number.NaN,
      stations: survey.stations.length,
      test: survey.stations[survey.test] ?? "",
      satellites: scene.satellites.length,
      points: scene.satellite.length,
      strongest: strongest && { value: strongest.value, latitude: degrees(strongest.latitude, "NS"), longitude: degrees(strongest.longitude, "EW") },
      unusable: scene.unusable,
    });
  }

  private async write(what: "maps" | "points"): Promise<void> {
    const { surveyed, day } = this;
    if (!surveyed) return;
    this.said = strings.writing;
    try {
      const { name, bytes } = await surveyed.ask((engine, { survey }) => engine.write(survey, day, what));
      offer(name, new Blob([new Uint8Array(bytes)], { type: what === "maps" ? "text/plain" : "text/csv" }));
      this.said = strings.written(name);
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      this.said = problem(reason.detail);
    }
  }

  override sheet(): Sheet | null {
    const { scene, survey, shown } = this;
    const drawing = this.querySelector<SVGSVGElement>("svg.map-svg");
    if (!scene || !survey || !shown || !drawing) return null;
    const [day, at] = [survey.days[shown.day] ?? "", clock(shown.minute)];
    return {
      what: `${this.what}-map-${day}-${at}`,
      title: `${strings.title[this.what]}, ${this.time(shown.day, shown.minute)}`,
      described: this.describe(scene, survey),
      notes: [(this.knows(scene) ? strings.caption : strings.signals)[this.what]],
      legend: (["test", "station", "point"] as const).map((kind) => ({ name: strings.marks[kind], colour: "ink", dash: null, symbol: marks[kind] })),
      ramp: this.ramp(),
      columns: columnsOf(scene, survey, day, at),
      picture: drawing,
    };
  }

  /** The colours of the legend, for a file. */
  private ramp(): Ramp | undefined {
    const range = this.scale && this.range(this.scale);
    if (!range) return undefined;
    const [low, high] = range;
    const from = this.what === "bend" ? -BANDS : 0;
    return { shades: Array.from({ length: BANDS - from + 1 }, (_, i) => shade(from + i)), low, high: `${high} ${strings.unit}` };
  }

  /** What the ends of the scale are, in numbers; null where nothing is known. */
  private range({ low, high, bend }: Scale): readonly [string, string] | null {
    if (Number.isNaN(this.what === "bend" ? bend : low)) return null;
    return this.what === "bend" ? [`≤ ${signed(-bend, 1)}`, `≥ ${signed(bend, 1)}`] : [number(low, 3), number(high, 3)];
  }

  /** The field at some places of the grid, and every pierce point. */
  private table(scene: Scene, survey: Survey): TemplateResult {
    const every = (n: number, some: number): number[] => Array.from({ length: some }, (_, i) => Math.round((i * (n - 1)) / (some - 1)));
    const columns = every(scene.longitude.length, COARSE.columns);
    const rows = every(scene.latitude.length, COARSE.rows).reverse();
    const values = this.values(scene);
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.fieldTable}>
        <table class="numbers">
          <caption>${strings.fieldTable}: ${strings.whats[this.what]}, ${strings.unit}</caption>
          ${heads([strings.corner, ...columns.map((c) => degrees(scene.longitude[c] ?? Number.NaN, "EW"))])}
          <tbody>
            ${rows.map((r) => html`<tr>
              <th scope="row">${degrees(scene.latitude[r] ?? Number.NaN, "NS")}</th>
              ${columns.map((c) => {
                const value = values[r * scene.longitude.length + c] ?? Number.NaN;
                return html`<td data-value=${value}>${this.what === "bend" ? signed(value, 2) : number(value)}</td>`;
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
}

/** What a spreadsheet gets: the field or, where nobody knows it, what the signals see. */
function columnsOf(scene: Scene, survey: Survey, day: string, at: string): Column[] {
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

/** Scales for a whole day, so that the colours mean the same while the time moves: of the field or, where nobody knows it, of what the signals see. */
async function scaleOf(times: readonly number[], scene: (minute: number) => Promise<Scene>): Promise<Scale> {
  const [contents, bends]: [number[], number[]] = [[], []];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const { tec, bend, delay } = await scene(times[Math.floor((sample * times.length) / SAMPLES)] ?? 0);
    const known = tec.filter((v) => !Number.isNaN(v));
    for (const v of known.length > 0 ? known : delay.map((metres) => metres / METRES)) contents.push(v);
    for (const v of bend) if (!Number.isNaN(v)) bends.push(Math.abs(v));
  }
  const usual = Float64Array.from(bends).sort()[Math.floor(USUAL * bends.length)] ?? Number.NaN;
  const [low, high] = contents.reduce(([least, most], v) => [Math.min(least, v), Math.max(most, v)], [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
  const known = contents.length > 0;
  return { low: known ? Math.floor(low) : Number.NaN, high: known ? Math.max(Math.ceil(high), Math.floor(low) + 1) : Number.NaN, bend: Number.isNaN(usual) ? usual : roundUp(usual || 1e-3) };
}

function nearest(times: readonly number[], minute: number): number {
  return times.reduce((best, time) => (Math.abs(time - minute) < Math.abs(best - minute) ? time : best), times[0] ?? 0);
}

/** The first and the last edge of cells around these middles. */
function ends(middles: Float64Array): readonly [number, number] {
  const [first, last] = [middles[0] ?? 0, middles.at(-1) ?? 0];
  const half = (last - first) / (middles.length - 1 || 1) / 2;
  return [first - half, last + half];
}

/** The cells of the grid, those of a shade together: their colours are the style sheet's, so that a theme can change them. */
function shades(scene: Scene, values: Float64Array, levelOf: (value: number) => number | null): SVGTemplateResult[] {
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

/** The colour of a level. */
function shade(level: number): string {
  const weight = (Math.abs(level) / BANDS) ** 0.8; // small values stay visible, as in the heat maps
  return `color-mix(in oklab, var(--${level < 0 ? "negative" : "positive"}) ${(100 * weight).toFixed(1)}%, var(--zero))`;
}

/** Lines of whole degrees, with their names. */
function graticule(scene: Scene, at: Projection): SVGTemplateResult[] {
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
function net({ latitude, longitude, edges, test }: Survey, at: Projection): SVGTemplateResult[] {
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

function mark(kind: "test" | "station" | "point", x: number, y: number, style = ""): SVGTemplateResult {
  return kind === "test" ? svg`<rect class="test" x=${x - 5} y=${y - 5} width="10" height="10" transform="rotate(45 ${x} ${y})" />` : svg`<circle class=${kind} cx=${x} cy=${y} r=${kind === "station" ? 3.5 : style === "" ? 2.25 : 4} style=${style} />`;
}

/** Where signals pierce the shell, and each satellite's name in the middle of its own. */
function points({ satellites, satellite, pointLatitude, pointLongitude }: Scene, at: Projection, style: (i: number) => string): SVGTemplateResult[] {
  const middles = satellites.map((name, s) => {
    const own = Array.from(satellite, (_, i) => i).filter((i) => satellite[i] === s);
    const mean = (of: (i: number) => number): number => own.reduce((sum, i) => sum + of(i), 0) / own.length;
    return { name, x: at.x(mean((i) => pointLongitude[i] ?? Number.NaN)), y: at.y(mean((i) => pointLatitude[i] ?? Number.NaN)) };
  });
  const inside = (x: number, y: number): boolean => x >= at.left && x <= at.left + at.width && y >= at.top && y <= at.top + at.height;
  return [
    ...Array.from(satellite, (_, i) => ({ x: at.x(pointLongitude[i] ?? Number.NaN), y: at.y(pointLatitude[i] ?? Number.NaN), style: style(i) }))
      .filter(({ x, y }) => inside(x, y))
      .map(({ x, y, style }) => mark("point", x, y, style)),
    ...middles.filter(({ x, y }) => inside(x, y)).map(({ name, x, y }) => svg`<text class="satellite" x=${x} y=${y - 8} text-anchor="middle">${name}</text>`),
  ];
}

/** The test station's name, and where there is room those of the others. */
function names({ stations, latitude, longitude, test }: Survey, { latitude: rows }: Scene, at: Projection): SVGTemplateResult[] {
  const [south, north] = ends(rows);
  const kilometre = at.height / ((north - south) * 111.2);
  const all = ROOM * kilometre > 220;
  return stations.flatMap((name, i) => {
    const [x, y] = [at.x(longitude[i] ?? Number.NaN), at.y(latitude[i] ?? Number.NaN)];
    return Number.isNaN(x + y) || (i !== test && !all) ? [] : [svg`<text class=${i === test ? "name test" : "name"} x=${x + 7} y=${y + (i === test ? 16 : 11)}>${name}</text>`];
  });
}

/** The strongest bends of either sign, in numbers: nothing is told by colour alone. */
function extremes(scene: Scene, at: Projection): SVGTemplateResult[] {
  const found = [1, -1].flatMap((sign) => strongestOf(scene, sign) ?? []);
  return found.map(({ value, latitude, longitude }) => {
    const text = `${signed(value, 2)} ${strings.unit}`;
    const half = (LETTER * text.length) / 2;
    const x = Math.min(Math.max(at.x(longitude), at.left + half), at.left + at.width - half);
    const y = Math.min(Math.max(at.y(latitude), at.top + 16), at.top + at.height - 8);
    return svg`<text class="extreme" x=${x} y=${y} text-anchor="middle">${text}</text>`;
  });
}

interface Strongest {
  readonly value: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** The strongest bend, or that of a sign; null where none is known. */
function strongestOf({ bend, latitude, longitude }: Scene, sign = 0): Strongest | null {
  const size = (v: number): number => (sign === 0 ? Math.abs(v) : sign * v);
  let best = -1;
  bend.forEach((v, i) => {
    if (size(v) > (best < 0 ? 0 : size(bend[best] ?? 0))) best = i;
  });
  const n = longitude.length;
  return best < 0 ? null : { value: bend[best] ?? 0, latitude: latitude[Math.floor(best / n)] ?? 0, longitude: longitude[best % n] ?? 0 };
}

/** 30.2° N; longitudes from −180 to 180. */
function degrees(value: number, [positive = "", negative = ""]: string, places = 1): string {
  const held = positive === "E" ? ((((value + 180) % 360) + 360) % 360) - 180 : value;
  return `${Math.abs(held).toFixed(places)}°${held > 0 ? ` ${positive}` : held < 0 ? ` ${negative}` : ""}`;
}

/** 06:20 of a minute of the day, or of the days beside it. */
export function clock(minute: number): string {
  const held = ((Math.round(minute) % MINUTES) + MINUTES) % MINUTES;
  return `${String(Math.floor(held / 60)).padStart(2, "0")}:${String(held % 60).padStart(2, "0")}`;
}

customElements.define("ifm-skymap", SkyMap);
