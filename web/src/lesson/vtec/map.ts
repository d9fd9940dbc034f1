import { html, nothing, svg, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { answerOf } from "../../engine/calls.js";
import { isAbsent } from "../../engine/engine.js";
import { Chart } from "../../charts/chart.js";
import { dataTable, savedColumns, type Column } from "../../charts/data.js";
import type { Sheet } from "../../charts/sheet.js";
import { after } from "../../engine/pending.js";
import type { EngineError, Scene, Survey } from "../../engine/protocol.js";
import type { About } from "../../panel/about.js";
import { segments } from "../../panel/inputs.js";
import { observeSize, touches } from "../../panel/panel.js";
import { problem } from "../../panel/problem.js";
import { offer } from "../../save/offer.js";
import { shade, shades } from "../chapter/shades.js";
import { chapter } from "../chapter/strings.js";
import { degrees, graticule, mark, names, net, points, project, strongestOf } from "./layers.js";
import { BANDS, level, METRES, ramp, range, scaleOf, type Scale, type What } from "./scale.js";
import { badges, clock, sky as strings } from "./strings.js";
import type { Surveyed } from "./surveyed.js";

const ROWS = 54; // of the grid
const COLUMNS = 54;
const COARSE = 7; // rows and columns of the table
const FRAME = 100; // ms between two pictures at the least
const MINUTES = 1440; // of a day
const BRIGHT = 14; // o'clock at the test station: the picture to begin with
const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [6, 0], PageDown: [-6, 0], Home: [0, -COLUMNS], End: [0, COLUMNS] };
const MARKS = ["test", "station", "point"] as const; // of the legend
const symbols = { test: "diamond", station: "circle", point: "ring" } as const; // the same in a file
const allDay: readonly number[] = Array.from({ length: MINUTES }, (_, minute) => minute);

type View = keyof typeof strings.views;

/** The sky of one minute. */
interface Picture {
  readonly surveyed: Surveyed;
  readonly survey: Survey;
  readonly day: number;
  readonly minute: number;
  readonly view: View;
  readonly scene: Scene;
  readonly scale: Scale;
}

interface Place {
  readonly row: number;
  readonly column: number;
}

/** The net of stations under the sky of one minute. A slider or a clock moves the time, a pointer or the arrow keys a cursor. */
class SkyMap extends Chart {
  @property({ attribute: false }) accessor surveyed: Surveyed | null = null;
  @property() accessor waiting = ""; // what to say while there is nothing to see
  @property({ attribute: false }) accessor errors: readonly EngineError[] = []; // that are said beside it
  @state() private accessor picture: Picture | null = null;
  @state() private accessor chosenWhat: What | null = null;
  @state() private accessor chosenView: View | null = null;
  @state() private accessor chosenDay = 0;
  @state() private accessor chosenMinute = Number.NaN;
  @state() private accessor playing: boolean = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  @state() private accessor cursor: Place | null = null;
  @state() private accessor size: readonly [width: number, height: number] = [0, 0]; // px
  @state() private accessor failed: EngineError | null = null;
  @state() private accessor said = ""; // of the last file

  private asking = false;
  private isSeen = false;
  private next: (() => void) | undefined; // cancels the next picture
  private observers: (ResizeObserver | IntersectionObserver)[] = [];

  /** Of the settings, or of what is shown until there is one. */
  private get survey(): Survey | null {
    return this.surveyed?.survey ?? this.picture?.survey ?? null;
  }

  private get day(): number {
    return this.chosenDay < (this.survey?.days.length ?? 0) ? this.chosenDay : 0;
  }

  /** The minutes of the slider: all, or those of a table of pierce points. */
  private get times(): readonly number[] {
    const { survey, day } = this;
    return survey?.kind === "points" ? Array.from(survey.minute).filter((_, i) => survey.day[i] === day) : allDay;
  }

  /** The time that was chosen, or a bright one. */
  private get minute(): number {
    const { times, survey, chosenMinute } = this;
    const longitude = survey?.longitude[survey.test] ?? Number.NaN;
    const wanted = !Number.isNaN(chosenMinute) ? chosenMinute : Number.isNaN(longitude) ? 0 : (((BRIGHT - longitude / 15 + 48) % 24) * 60) | 0;
    return times.reduce((best, time) => (Math.abs(time - wanted) < Math.abs(best - wanted) ? time : best), times[0] ?? 0);
  }

  /** What the colours mean: the bend, unless nothing is known between the signals. */
  private get what(): What {
    return this.chosenWhat ?? (this.survey?.kind === "points" ? "tec" : "bend");
  }

  /** The net, or all signals if there is nothing else. */
  private get view(): View {
    return this.chosenView ?? (this.survey?.kind === "points" ? "whole" : "net");
  }

  protected override firstUpdated(): void {
    const frame = this.querySelector(".frame");
    if (!frame) return;
    const watch = new IntersectionObserver(([entry]) => {
      this.isSeen = entry?.isIntersecting ?? false;
      void this.go();
    });
    watch.observe(frame);
    this.observers = [watch, observeSize(frame, (...size) => (this.size = size))];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("online", this.retry);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("online", this.retry);
    for (const observer of this.observers) observer.disconnect();
    this.next?.();
    this.isSeen = false;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("surveyed") || changed.has("chosenDay")) Object.assign(this, { failed: null, said: "" });
  }

  protected override updated(changed: PropertyValues): void {
    if (["surveyed", "chosenDay", "chosenMinute", "playing", "chosenView"].some((key) => changed.has(key))) this.go();
    if (changed.get("picture") === null) this.drawSoon(); // the first: it can be saved now
  }

  /** Nothing: it is drawn as it is rendered. */
  protected override draw(): void {}

  /** Whether the picture has this survey, and the chosen time and part. */
  private isShown(surveyed: Surveyed): boolean {
    const { picture, day, minute, view } = this;
    return picture?.surveyed === surveyed && picture.day === day && picture.minute === minute && picture.view === view;
  }

  /** Asks for the picture of the chosen time, and for the next ones while it plays. Off the screen it asks for nothing. */
  private readonly go = async (): Promise<void> => {
    const { surveyed } = this;
    if (!this.isSeen || this.asking || this.failed || !surveyed) return;
    this.next?.();
    this.asking = true;
    const began = performance.now();
    const error = this.isShown(surveyed) ? null : (await answerOf(this.ask(surveyed))).error;
    this.asking = false;
    if (surveyed !== this.surveyed) void this.go();
    else if (error) this.failed = error;
    else if (!this.isShown(surveyed)) this.next = after(FRAME, this.go); // it was moved on meanwhile
    else if (this.playing) {
      const timer = setTimeout(() => requestAnimationFrame(this.tick), Math.max(0, FRAME - (performance.now() - began))); // not pending, as it plays for ever
      this.next = () => clearTimeout(timer);
    }
  };

  private readonly retry = (): void => {
    if (!isAbsent(this.failed)) return;
    this.failed = null;
    void this.go();
  };

  private readonly tick = (): void => {
    const { times, minute } = this;
    if (this.playing && this.isSeen) this.chosenMinute = times[(times.indexOf(minute) + 1) % times.length] ?? minute;
  };

  private async ask(surveyed: Surveyed): Promise<void> {
    await surveyed.ask(async (engine, survey) => {
      if (surveyed !== this.surveyed) return;
      this.requestUpdate(); // there is a survey now
      const { day, view, times, picture } = this;
      const scene = (minute: number, plays = false): Promise<Scene> => engine.call("scene", { survey: survey.survey, day, second: 60 * minute, rows: ROWS, columns: COLUMNS, whole: view === "whole" }, plays);
      const key = `${day} ${view}`;
      const scale = surveyed.scales.get(key) ?? (await scaleOf(times, scene));
      surveyed.scales.set(key, scale);
      const { minute, playing } = this;
      const shown = await scene(minute, playing && picture?.surveyed === surveyed && picture.day === day && picture.view === view);
      if (surveyed === this.surveyed && day === this.day && view === this.view) this.picture = { surveyed, survey, day, minute, view, scene: shown, scale };
    });
  }

  protected override render(): TemplateResult {
    const { what, view, day, times, playing, surveyed, failed } = this;
    const isOn = surveyed !== null && !failed;
    const survey = isOn ? this.survey : null;
    const picture = isOn ? this.picture : null;
    const time = survey ? timeOf(survey, day, this.minute) : "";
    const minute = times.indexOf(this.minute);
    const fault = failed ? problem(failed) : "";
    const isSaid = this.errors.some((error) => problem(error) === fault);
    return html`<figure class="chart sky" data-player>
      <figcaption>${strings.title[what]} <span class="num">${time}</span></figcaption>
      <div class="frame">
        ${picture ? this.map(picture) : html`<p class="empty" role=${failed && !isSaid && !surveyed?.opened ? "alert" : nothing}>${isSaid ? nothing : fault || this.waiting}</p>`}
      </div>
      ${this.legend(picture)}
      <p class="readout" aria-hidden="true">${picture && this.readout(picture.scene)}</p>
      <div class="row" role="group" aria-label=${strings.controls}>
        <button class="play" data-plays aria-pressed=${String(playing)} ?disabled=${!survey} @click=${() => (this.playing = !playing)}>${playing ? strings.pause : strings.play}</button>
        <select class="day" aria-label=${strings.day} ?disabled=${!survey} @change=${(e: Event) => (this.chosenDay = Number((e.target as HTMLSelectElement).value))}>
          ${(survey?.days ?? [""]).map((name, i) => html`<option value=${i} .selected=${i === day}>${name}</option>`)}
        </select>
        <input
          type="range"
          class="minute"
          style="--at:${((100 * minute) / Math.max(1, times.length - 1)).toFixed(1)}%"
          min="0"
          max=${times.length - 1}
          step="1"
          .value=${String(minute)}
          ?disabled=${!survey}
          aria-label=${strings.time}
          aria-valuetext=${time}
          @input=${(e: Event) => Object.assign(this, { playing: false, chosenMinute: times[Number((e.target as HTMLInputElement).value)] ?? this.minute })}
        />
      </div>
      <div class="row">
        ${segments("sky-what", strings.colours, strings.whats, what, (of) => (this.chosenWhat = of), { kind: "whats" })}
        ${segments("sky-view", strings.view, strings.views, view, (of) => (this.chosenView = of), { kind: "views" })}
      </div>
      ${this.saving(strings.title[what], strings.data, () => (picture ? html`${tables(picture)}${this.writing(picture.survey)}` : nothing))}
    </figure>`;
  }

  /** What writes the day as a file that the chapter reads, too. */
  private writing({ kind: from }: Survey): TemplateResult {
    return html`<div class="row">
      ${(["maps", "points"] as const).map((kind) => html`<button data-write=${kind} ?disabled=${kind === "maps" && from === "points"} @click=${() => void this.write(kind)}>${strings.write[kind]}</button>`)}
      <span class="note" role="status">${this.said}</span>
    </div>`;
  }

  /** The settings of what it shows, not those of the last run. */
  override get about(): About | undefined {
    if (!this.picture) return undefined;
    const { surveyed: { settings, source, query, name }, survey, day, minute } = this.picture;
    return { name, says: chapter.live(strings.live(settings, timeOf(survey, day, minute), survey.stations.length, source)), label: badges[source], seed: settings.seed, chapter: "vtec", query };
  }

  private map({ scene, survey, scale, day, minute }: Picture): TemplateResult {
    const { what, size: [width, height] } = this;
    if (width === 0) return html``;
    const { latitude, longitude, tec, bend } = scene;
    const at = project(scene, width, height);
    const place = this.cursor ?? { row: latitude.length >> 1, column: longitude.length >> 1 };
    const fill = (i: number): string => {
      const its = what === "tec" && !isKnown(scene) ? level((scene.delay[i] ?? Number.NaN) / METRES, "tec", scale) : null; // without a field a signal has the colour of what it sees
      return its === null ? "" : `fill:${shade(its, BANDS)}`;
    };
    const values = what === "tec" ? tec : bend;
    const [rows, columns] = [latitude.length, longitude.length];
    const raster = shades(rows, columns, BANDS, (row, column) => level(values[(rows - 1 - row) * columns + column] ?? Number.NaN, what, scale));
    return html`<svg class="map-svg" width=${width} height=${height} role="img" aria-label=${describe(scene, survey, timeOf(survey, day, minute))}>
        <g class="raster" transform="translate(${at.left},${at.top}) scale(${at.width / longitude.length},${at.height / latitude.length})">${raster}</g>
        ${graticule(scene, at)} ${points(scene, at, fill)} ${net(survey, at)} ${names(survey, scene, at)}
        <rect class="border" x=${at.left} y=${at.top} width=${at.width} height=${at.height} />
        ${this.cursor ? svg`<circle data-cursor class="cross" cx=${at.x(longitude[place.column] ?? 0)} cy=${at.y(latitude[place.row] ?? 0)} r="7" />` : nothing}
      </svg>
      <div
        class="over"
        style="left:${at.left}px;top:${at.top}px;width:${at.width}px;height:${at.height}px"
        @pointermove=${(event: PointerEvent) => this.point(event, scene)}
        @pointerdown=${(event: PointerEvent) => this.point(event, scene)}
        @pointerleave=${({ currentTarget, pointerType }: PointerEvent) => {
          if (pointerType !== "touch" && !(currentTarget as HTMLElement).matches(":focus-within")) this.cursor = null;
        }}
      >
        <input
          type="range"
          min="0"
          max=${tec.length - 1}
          step="1"
          .value=${String(place.row * longitude.length + place.column)}
          aria-label=${strings.cursor}
          aria-valuetext=${says(scene, place)}
          @input=${({ target }: Event) => ((target as HTMLInputElement).value = String(place.row * longitude.length + place.column))}
          @keydown=${(event: KeyboardEvent) => this.key(event, scene)}
          @focus=${() => (this.cursor ??= place)}
          @blur=${() => (this.cursor = null)}
        />
      </div>`;
  }

  private key(event: KeyboardEvent, { latitude, longitude }: Scene): void {
    const [step, { cursor }] = [STEPS[event.key], this];
    if (!step || !cursor || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.cursor = { row: within(cursor.row + step[0], latitude.length), column: within(cursor.column + step[1], longitude.length) };
  }

  private point({ currentTarget, clientX, clientY }: PointerEvent, { latitude, longitude }: Scene): void {
    const { left, bottom, width, height } = (currentTarget as HTMLElement).getBoundingClientRect();
    this.cursor = { row: within(((bottom - clientY) / height) * latitude.length, latitude.length), column: within(((clientX - left) / width) * longitude.length, longitude.length) };
  }

  private legend(picture: Picture | null): TemplateResult {
    const [low, high] = (picture && range(this.what, picture.scale)) ?? [];
    return html`<div class="legend ${low === undefined ? "blank" : ""}" aria-hidden="true">
      <span class="num">${low}</span><span class="ramp bands ${this.what}"></span><span class="num">${high === undefined ? "" : `${high} ${strings.unit}`}</span>
      ${MARKS.map((kind) => html`<span><svg viewBox="0 0 16 16">${mark(kind, 8, 8)}</svg> ${strings.marks[kind]}</span>`)}
    </div>`;
  }

  private readout(scene: Scene): string {
    if (this.cursor) return says(scene, this.cursor);
    return scene.unusable === "" ? `${(isKnown(scene) ? strings.caption : strings.signals)[this.what]} ${strings.hint(touches())}` : strings.unusable(scene.unusable);
  }

  private async write(what: "maps" | "points"): Promise<void> {
    const { surveyed, day } = this;
    if (!surveyed) return;
    this.said = strings.writing;
    const { result: file, error } = await answerOf(surveyed.ask((engine, { survey }) => engine.call("write", { survey, day, what })));
    this.said = error ? problem(error) : strings.written(file.name);
    if (file) offer(file.name, new Blob([new Uint8Array(file.bytes)], { type: what === "maps" ? "text/plain" : "text/csv" }));
  }

  override sheet(): Sheet | null {
    const { picture, what } = this;
    const drawing = this.querySelector<SVGSVGElement>("svg.map-svg");
    if (!picture || !drawing) return null;
    const { scene, survey, scale } = picture;
    const [day, at] = [survey.days[picture.day] ?? "", clock(picture.minute)];
    const time = timeOf(survey, picture.day, picture.minute);
    const rows = isKnown(scene) ? scene.tec : scene.satellite;
    return {
      what: `${what}-map-${day}-${at}`,
      title: `${strings.title[what]}, ${time}`,
      described: describe(scene, survey, time),
      notes: [(isKnown(scene) ? strings.caption : strings.signals)[what]],
      legend: MARKS.map((kind) => ({ name: strings.marks[kind], colour: "ink", dash: null, symbol: symbols[kind] })),
      ramp: ramp(what, scale),
      columns: savedColumns([
        { name: strings.columns.day, values: Array.from(rows, () => day) },
        { name: strings.columns.time, values: Array.from(rows, () => at) },
        ...(isKnown(scene) ? fieldOf(scene) : signalsOf(scene, survey)),
      ]),
      picture: drawing,
    };
  }
}

/** The day and the time of day, at Greenwich and at the test station. */
function timeOf({ days, longitude, test }: Survey, day: number, minute: number): string {
  const east = longitude[test] ?? Number.NaN;
  return strings.at(days[day] ?? "", clock(minute), Number.isNaN(east) ? "" : clock(minute + 4 * east));
}

/** Whether the field between the signals is known. */
function isKnown({ tec }: Scene): boolean {
  return !Number.isNaN(tec[0] ?? Number.NaN);
}

/** A whole number of 0 … n − 1. */
function within(value: number, n: number): number {
  return Math.min(Math.max(Math.floor(value), 0), n - 1);
}

function says({ latitude, longitude, tec, bend }: Scene, { row, column }: Place): string {
  const at = row * longitude.length + column;
  return strings.place(degrees(latitude[row] ?? Number.NaN, "NS"), degrees(longitude[column] ?? Number.NaN, "EW"), tec[at] ?? Number.NaN, bend[at] ?? Number.NaN);
}

function describe(scene: Scene, { stations, test }: Survey, time: string): string {
  const known = scene.tec.filter((v) => !Number.isNaN(v));
  const most = strongestOf(scene);
  return [
    strings.describe(time, stations.length, stations[test] ?? ""),
    known.length > 0 ? strings.content(Math.min(...known), Math.max(...known)) : strings.unknown,
    scene.unusable === "" ? strings.counts(scene.satellites.length, scene.satellite.length) : strings.none(scene.unusable),
    most ? strings.most(degrees(most.latitude, "NS"), degrees(most.longitude, "EW"), most.value) : "",
  ].join(" ");
}

/** The field at some places, if it is known, and every pierce point. */
function tables({ scene, survey }: Picture): TemplateResult {
  const some = (n: number): number[] => Array.from({ length: COARSE }, (_, i) => Math.round(((i + 0.5) * n) / COARSE - 0.5));
  const wide = scene.longitude.length;
  const rows = some(scene.latitude.length).reverse().flatMap((row) => some(wide).map((column) => row * wide + column));
  return html`${isKnown(scene) ? dataTable(strings.fieldTable, fieldOf(scene), rows) : nothing} ${dataTable(strings.pointTable, signalsOf(scene, survey), [...scene.satellite.keys()])}`;
}

function fieldOf({ latitude, longitude, tec, bend }: Scene): Column[] {
  const { columns } = strings;
  const wide = longitude.length;
  return [
    column(columns.latitude, Array.from(tec, (_, i) => latitude[Math.floor(i / wide)] ?? Number.NaN)),
    column(columns.longitude, Array.from(tec, (_, i) => longitude[i % wide] ?? Number.NaN)),
    column(columns.tec, tec),
    column(columns.bend, bend),
  ];
}

function signalsOf({ satellites, satellite, station, pointLatitude, pointLongitude, delay }: Scene, { stations }: Survey): Column[] {
  const { columns } = strings;
  return [
    column(columns.satellite, Array.from(satellite, (i) => satellites[i] ?? "")),
    column(columns.station, Array.from(station, (i) => stations[i] ?? "")),
    column(columns.latitude, pointLatitude),
    column(columns.longitude, pointLongitude),
    column(columns.delay, delay),
  ];
}

/** A column of a file and of the table. */
function column(name: string, values: ArrayLike<number | string>): Column {
  return { name, head: name, values };
}

customElements.define("ifm-skymap", SkyMap);
