import { html, nothing, svg, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { Chart } from "../../charts/chart.js";
import type { Sheet } from "../../charts/sheet.js";
import { EngineFailure, isGone } from "../../engine/engine.js";
import { after } from "../../engine/pending.js";
import type { EngineError, Scene, Survey } from "../../engine/protocol.js";
import type { About } from "../../panel/about.js";
import { observeWidth, touches } from "../../panel/panel.js";
import { problem } from "../../panel/problem.js";
import { offer } from "../../save/offer.js";
import { chapter } from "../chapter/strings.js";
import { clock } from "./clock.js";
import { graticule, mark, net, points, shades } from "./layers.js";
import { columnsOf, table } from "./maptable.js";
import { names } from "./names.js";
import { degrees, project } from "./projection.js";
import { level, METRES, ramp, range, scaleOf, shade, WHATS, type Scale, type What } from "./scale.js";
import { strongestOf } from "./strongest.js";
import { badges, sky as strings } from "./strings.js";
import type { Surveyed } from "./surveyed.js";

const ROWS = 54; // of the grid
const COLUMNS = 54;
const TRIES = 2; // more, when an engine has ended
const FRAME = 100; // ms between two pictures at the least
const MINUTES = 1440; // of a day
const BRIGHT = 14; // o'clock at the test station: the picture to begin with
const TALL = { wide: 0.7, narrow: 0.95 } as const; // of the width
const PHONE = 480; // px
const HIGHEST = 620; // px

const VIEWS = ["net", "whole"] as const;
type View = (typeof VIEWS)[number];
const marks = { test: "diamond", station: "circle", point: "ring" } as const; // in the legend of a file
const every: readonly number[] = Array.from({ length: MINUTES }, (_, minute) => minute);

interface Cell {
  readonly row: number;
  readonly column: number;
}

/** The net of stations under the sky of one minute: a slider or a clock moves the time, a pointer or the arrow keys a cursor. */
class SkyMap extends Chart {
  @property({ attribute: false }) accessor surveyed: Surveyed | null = null;
  @property() accessor waiting = ""; // what to say while there is nothing to see
  @state() private accessor chosen: What | null = null;
  @state() private accessor seen: View | null = null; // as chosen
  @state() private accessor day = 0;
  @state() private accessor minute = Number.NaN;
  @state() private accessor playing: boolean = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  @state() private accessor survey: Survey | null = null;
  @state() private accessor scene: Scene | null = null;
  @state() private accessor cursor: Cell | null = null;
  @state() private accessor width = 0;
  @state() private accessor failed: EngineError | null = null;
  @state() private accessor said = ""; // of the last file

  private scale: Scale | null = null;
  private readonly scales = new WeakMap<Surveyed, Map<string, Scale>>();
  private shown: { readonly surveyed: Surveyed; readonly day: number; readonly minute: number; readonly view: View } | null = null; // what the scene is of
  private settled: Surveyed | null = null; // what the day and the time are of
  private asking = false;
  private ends = 0; // of engines that were asked, one after the other
  private visible = false;
  private next: (() => void) | undefined; // picture
  private observers: (ResizeObserver | IntersectionObserver)[] = [];

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
    if (["surveyed", "day", "minute", "playing", "seen"].some((key) => changed.has(key))) this.go();
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
    const isShown = (): boolean => this.shown?.surveyed === surveyed && this.shown.day === this.day && this.shown.minute === this.minute && this.shown.view === this.view;
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
      const { day, view } = this;
      const key = `${day} ${view}`;
      const known = this.scales.get(surveyed)?.get(key);
      const scale = known ?? (await scaleOf(this.times(), (minute) => engine.scene(survey.survey, day, 60 * minute, ROWS, COLUMNS, view === "whole")));
      if (!known) this.scales.set(surveyed, new Map([...(this.scales.get(surveyed) ?? []), [key, scale]]));
      const { minute, playing } = this;
      const plays = playing && this.shown?.surveyed === surveyed && this.shown.day === day && this.shown.view === view;
      const scene = await engine.scene(survey.survey, day, 60 * minute, ROWS, COLUMNS, view === "whole", plays);
      if (surveyed !== this.surveyed || day !== this.day || view !== this.view) return;
      Object.assign(this, { scene, scale, shown: { surveyed, day, minute, view } });
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

  /** What the colours are of: what bends the content, but where nothing is known between the signals. */
  private get what(): What {
    return this.chosen ?? (this.survey?.kind === "points" ? "tec" : "bend");
  }

  /** What there is to see: the net, or all signals where there is nothing else. */
  private get view(): View {
    return this.seen ?? (this.survey?.kind === "points" ? "whole" : "net");
  }

  /** The minutes that can be looked at: of a table of pierce points those that it has. */
  private times(): readonly number[] {
    const { survey, day } = this;
    return survey?.kind === "points" ? Array.from(survey.minute).filter((_, i) => survey.day[i] === day) : every;
  }

  protected override render(): TemplateResult {
    const { what, view, playing } = this;
    const shows = this.surveyed !== null && !this.failed;
    const [survey, scene, scale] = shows ? [this.survey, this.scene, this.scale] : [null, null, null];
    const times = this.times();
    const time = shows ? this.time() : "";
    return html`<figure class="chart sky" data-player>
      <figcaption>${strings.title[what]} <span class="num">${time}</span></figcaption>
      <div class="acts" role="group" aria-label=${strings.controls}>
        <button class="play" data-plays aria-pressed=${String(playing)} ?disabled=${!survey} @click=${() => (this.playing = !playing)}>${playing ? strings.pause : strings.play}</button>
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
            @input=${(e: Event) => Object.assign(this, { playing: false, minute: times[Number((e.target as HTMLInputElement).value)] ?? this.minute })}
          />
        </label>
        <fieldset class="segments whats">
          <legend class="seen-not">${strings.colours}</legend>
          ${WHATS.map((of) => html`<label><input type="radio" name="sky-what" value=${of} .checked=${of === what} @change=${() => (this.chosen = of)} /><span>${strings.whats[of]}</span></label>`)}
        </fieldset>
        <fieldset class="segments views">
          <legend class="seen-not">${strings.view}</legend>
          ${VIEWS.map((of) => html`<label><input type="radio" name="sky-view" value=${of} .checked=${of === view} @change=${() => (this.seen = of)} /><span>${strings.views[of]}</span></label>`)}
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
      ${this.folded(strings.data, () => (scene && survey ? table(scene, survey, what) : nothing))}
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
    return { name, says: chapter.live(strings.live(settings, this.time(shown.day, shown.minute), survey.stations.length, source)), label: badges[source], seed: settings.seed, chapter: "vtec", query, unit: strings.unit };
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

  private picture(scene: Scene, survey: Survey, scale: Scale): TemplateResult {
    if (this.width === 0) return html``;
    const { what } = this;
    const at = project(scene, this.width, this.height());
    const { row, column } = this.cursor ?? { row: scene.latitude.length >> 1, column: scene.longitude.length >> 1 };
    const place = row * scene.longitude.length + column;
    return html`<svg class="map-svg" width=${this.width} height=${this.height()} role="img" aria-label=${this.describe(scene, survey)}>
        <g class="raster" transform="translate(${at.left},${at.top}) scale(${at.width / scene.longitude.length},${at.height / scene.latitude.length})">${shades(scene, what === "tec" ? scene.tec : scene.bend, (v) => level(v, what, scale))}</g>
        ${graticule(scene, at)} ${points(scene, at, (i) => this.fill(scene, i, scale))} ${net(survey, at)} ${names(survey, scene, at, what === "bend")}
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

  /** The style of a pierce point: where the field between is not known it has the colour of what its signal sees. */
  private fill(scene: Scene, i: number, scale: Scale): string {
    const its = this.what === "tec" && !this.knows(scene) ? level((scene.delay[i] ?? Number.NaN) / METRES, "tec", scale) : null;
    return its === null ? "" : `fill:${shade(its)}`;
  }

  private legend(scale: Scale | null, signals: boolean): TemplateResult {
    const ends = scale && range(this.what, scale);
    const [low, high] = ends ?? ["", ""];
    return html`<div class="legend ${ends ? "" : "blank"}" aria-hidden="true">
      <span class="num">${low}</span><span class="ramp bands ${this.what}"></span><span class="num">${ends ? `${high} ${strings.unit}` : ""}</span>
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
      ramp: this.scale ? ramp(this.what, this.scale) : undefined,
      columns: columnsOf(scene, survey, day, at),
      picture: drawing,
    };
  }
}

function nearest(times: readonly number[], minute: number): number {
  return times.reduce((best, time) => (Math.abs(time - minute) < Math.abs(best - minute) ? time : best), times[0] ?? 0);
}

customElements.define("ifm-skymap", SkyMap);
