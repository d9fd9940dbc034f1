import { html, nothing, svg, type PropertyValues, type SVGTemplateResult, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { Chart } from "../../charts/chart.js";
import { dataTable, savedColumns, type Column } from "../../charts/data.js";
import { looks } from "../../charts/looks.js";
import type { Entry, Sheet } from "../../charts/sheet.js";
import { observeSize } from "../../panel/panel.js";
import { number, signed } from "../../text/format.js";
import { short } from "../../text/strings.js";
import { thin } from "../../training/series.js";
import { apart, box, FRONT, octants, product, seen, standing, turned, walls, type Point, type Seen, type Turn } from "./geometry.js";
import { space as strings } from "./strings.js";

const MODELS = ["fm", "ifm"] as const;
type Model = (typeof MODELS)[number];

/** Where a model was, one entry an iteration. */
export interface Path {
  readonly points: readonly Point[];
  readonly sizes: readonly number[]; // ‖u‖ of FM, √(‖u‖‖v‖) of iFM
}

/** The truth as it is set, and the paths of a run to this truth or to the one before. */
export interface Scene {
  readonly truth: Point;
  readonly paths: Readonly<Record<Model, Path>>;
  readonly stale: boolean; // the paths are of another truth
  readonly key: string; // differs where anything of it does
}

const STEP = Math.PI / 36; // of a key or a button
const PER_PX = 0.01; // rad, of a drag
const PACE = 0.35; // rad/s, of the slow turn
const ROWS = 60; // of the table at most
const ROOM = 1.15; // of the axes, beyond what lies farthest
const LETTER = 17; // px, room for a label beyond the cubes
const SHARES = [1, 2, 5]; // of a power of ten: iterations that have a mark on the path
const SHADES = [0.1, 0.16, 0.22]; // of faces, by the axis that they stand across

/** The buttons and keys: by how many steps each turns about the axis and tilts. The near side goes where the arrow points. */
const WAYS: readonly { readonly way: keyof typeof strings.ways; readonly key: string; readonly arrow: string; readonly by: readonly [about: number, tilt: number] }[] = [
  { way: "left", key: "ArrowLeft", arrow: "←", by: [1, 0] },
  { way: "right", key: "ArrowRight", arrow: "→", by: [-1, 0] },
  { way: "up", key: "ArrowUp", arrow: "↑", by: [0, -1] },
  { way: "down", key: "ArrowDown", arrow: "↓", by: [0, 1] },
];

/** Space with what FM reaches of it, turned by hand. */
class Space extends Chart {
  @property({ attribute: false, hasChanged: (now: Scene, before?: Scene) => now.key !== before?.key }) accessor scene!: Scene;
  @property() accessor waiting = ""; // what to say while there are no paths
  @state() private accessor turn: Turn = FRONT;
  @state() private accessor spinning = false; // by itself
  @state() private accessor at: number | null = null; // iteration; null: the last
  @state() private accessor said = ""; // how it stands, after a key or a button
  @state() private accessor width = 480; // px
  @state() private accessor height = 400;

  private described = ""; // what follows from the scene alone, and not from the turn
  private named: readonly Entry[] = [];
  private held: { readonly x: number; readonly y: number; readonly turn: Turn } | null = null;
  private observer: ResizeObserver | undefined;

  protected override firstUpdated(): void {
    const picture = this.querySelector(".space");
    if (picture) this.observer = observeSize(picture, (width, height) => Object.assign(this, { width, height: height || this.height }));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer?.disconnect();
    this.spinning = false;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("scene")) return;
    this.described = `${this.describe()} ${strings.keys}`;
    this.named = this.legend();
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("scene")) this.drawSoon();
    if (changed.has("spinning") && this.spinning) this.spin();
  }

  /** Nothing: it is drawn as it is rendered. */
  protected override draw(): void {}

  /** Once round, slowly. */
  private spin(): void {
    const from = this.turn;
    let began: number | undefined;
    const step = (now: number): void => {
      if (!this.spinning) return;
      began ??= now;
      const about = (PACE * (now - began)) / 1000;
      this.spinning = about < 2 * Math.PI;
      this.turn = this.spinning ? turned(from, { about }) : from;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  /** Turns by so many steps, and says how it stands then. */
  private by(about: number, tilt: number): void {
    this.show(turned(this.turn, { about: about * STEP, tilt: tilt * STEP }));
  }

  private show(turn: Turn): void {
    Object.assign(this, { spinning: false, turn });
    this.said = this.stands();
  }

  private stands(): string {
    const degrees = (angle: number): number => Math.round((180 * angle) / Math.PI);
    return strings.stands((degrees(this.turn.about - FRONT.about) + 360) % 360, degrees(this.turn.tilt));
  }

  private readonly press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = WAYS.find(({ key }) => key === event.key);
    if (way) this.by(...way.by);
    else if (event.key === "Home") this.show(FRONT);
    else return;
    event.preventDefault();
    event.stopPropagation(); // the page has its own arrows
  };

  private readonly take = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    this.spinning = false;
    this.held = { x: event.clientX, y: event.clientY, turn: this.turn };
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  };

  private readonly drag = ({ clientX, clientY }: PointerEvent): void => {
    if (this.held) this.turn = turned(this.held.turn, { about: (this.held.x - clientX) * PER_PX, tilt: (clientY - this.held.y) * PER_PX });
  };

  /** How far the axes go. */
  private get size(): number {
    const { truth, paths } = this.scene;
    const all = [truth, ...MODELS.map((model) => paths[model].points.at(-1) ?? truth)];
    return ROOM * Math.max(0.25, ...all.flat().map(Math.abs));
  }

  /** The last iteration that there is a point of. */
  private get end(): number {
    return Math.max(0, ...MODELS.map((model) => this.scene.paths[model].points.length - 1));
  }

  private get drawn(): boolean {
    return MODELS.some((model) => this.scene.paths[model].points.length > 0);
  }

  protected override render(): TemplateResult {
    const { end, drawn } = this;
    const at = Math.min(this.at ?? end, end);
    const drop = (): void => void (this.held = null);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    return html`<figure class="chart reach">
      <figcaption>${strings.title}</figcaption>
      <ul class="key">${this.named.map((entry) => html`<li>${sample(entry)} ${entry.name}</li>`)}</ul>
      <div
        class="space"
        role="application"
        aria-roledescription=${strings.role}
        tabindex="0"
        aria-label=${this.described}
        data-about=${this.turn.about}
        data-tilt=${this.turn.tilt}
        @keydown=${this.press}
        @pointerdown=${this.take}
        @pointermove=${this.drag}
        @pointerup=${drop}
        @pointercancel=${drop}
      >
        ${this.picture(at)}
      </div>
      <div class="turns" role="group" aria-label=${strings.turns}>
        ${WAYS.map(({ way, by, arrow }) => html`<button data-turn=${way} aria-label=${strings.ways[way]} title=${strings.ways[way]} @click=${() => this.by(...by)}>${arrow}</button>`)}
        <button data-turn="home" @click=${() => this.show(FRONT)}>${strings.home}</button>
        ${still ? nothing : html`<button data-turn="spin" aria-pressed=${String(this.spinning)} @click=${() => (this.spinning = !this.spinning)}>${this.spinning ? strings.stop : strings.spin}</button>`}
        <span class="seen-not" role="status">${this.said}</span>
      </div>
      <label class="slide">
        <span>${strings.iteration} <b class="num">${at}</b></span>
        <input
          type="range"
          class="when"
          min="0"
          max=${end}
          step="1"
          .value=${String(at)}
          ?disabled=${!drawn}
          aria-valuetext=${drawn ? this.tells(at) : this.waiting}
          @input=${(e: Event) => (this.at = Number((e.target as HTMLInputElement).value))}
          @change=${(e: Event) => (this.at = Number((e.target as HTMLInputElement).value) === end ? null : this.at)}
        />
      </label>
      <p class="readout" aria-hidden="true">${drawn ? this.tells(at) : this.waiting}</p>
      ${this.saving(strings.title, strings.data, () => (drawn ? dataTable(strings.data, this.columns(), thin(this.end + 1, ROWS)) : nothing))}
    </figure>`;
  }

  /** What a model is at an iteration: its last point where it has stopped before. */
  private point(model: Model, at: number): Point | undefined {
    const { points } = this.scene.paths[model];
    return points[Math.min(at, points.length - 1)];
  }

  private tells(at: number): string {
    const parts = MODELS.flatMap((model) => {
      const point = this.point(model, at);
      const { sizes } = this.scene.paths[model];
      return point ? [strings.model(short[model], strings.point(point), number(product(point)), strings.sizes[model], number(sizes[Math.min(at, sizes.length - 1)] ?? Number.NaN))] : [];
    });
    return strings.at(at, parts);
  }

  private describe(): string {
    const { truth, paths, stale } = this.scene;
    const told = MODELS.flatMap((model) => {
      const [first, last] = [paths[model].points[0], paths[model].points.at(-1)];
      return first && last ? [strings.path(short[model], strings.point(first), strings.point(last))] : [];
    });
    return [strings.space, strings.truthAt(strings.point(truth), standing(truth)), ...(stale && told.length > 0 ? [strings.stale] : []), ...told].join(" ");
  }

  private legend(): Entry[] {
    return [
      ...MODELS.map((model): Entry => ({ ...looks[model], name: short[model] })),
      { name: strings.truth, colour: "ink", dash: null, symbol: "diamond" },
      ...(standing(this.scene.truth) === "outside" ? [{ name: strings.wall, colour: "ink", dash: "1 3", symbol: "ring" } as const] : []),
    ];
  }

  private picture(at: number): TemplateResult {
    const { turn, width, height, size, scene } = this;
    const scale = Math.min((width / 2 - LETTER) / (Math.SQRT2 * size), (height / 2 - LETTER) / (Math.sqrt(3) * size));
    const place = (p: Point): Seen & { readonly x: number; readonly y: number } => {
      const found = seen(p, turn);
      return { ...found, x: width / 2 + scale * found.right, y: height / 2 - scale * found.up };
    };
    const trace = (points: readonly Point[], close = ""): string => `M${points.map(place).map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}${close}`;
    const edges = (all: readonly (readonly [Point, Point])[]): string => all.map((edge) => trace(edge)).join("");
    const boxes = octants.map((signs) => box(signs, size, turn)).sort((a, b) => seen(a.signs, turn).near - seen(b.signs, turn).near);
    const nearer = (p: Point): number => 1 + (0.3 * seen(p, turn).near) / (Math.sqrt(3) * size); // what is near is larger
    const mark = (p: Point, symbol: Entry["symbol"], colour: string, r: number): SVGTemplateResult => {
      const { x, y } = place(p);
      return svg`<path class="mark ${symbol}" data-symbol=${symbol} d=${outline(symbol, x, y, r * nearer(p))} style="--of:var(--${colour})" />`;
    };
    const { truth } = scene;
    const [wall] = walls(truth);
    const outside = standing(truth) === "outside";
    const times = ([x, y, z]: Point, by: number): Point => [x * by, y * by, z * by];
    const axes: readonly Point[] = [[size, 0, 0], [0, size, 0], [0, 0, size]];
    const labels = apart([
      ...axes.map((end, i) => ({ ...place(times(end, 1.07)), text: strings.axes[i] ?? "", kind: "name" })),
      ...octants.map((signs) => ({ ...place(times(signs, 1.06 * size)), text: strings.signs(signs), kind: "signs" })),
    ]);
    return html`<svg viewBox="0 0 ${width} ${height}" aria-hidden="true">
      ${boxes.map(
        ({ signs, faces, shown, hidden }) => svg`<g class="octant" data-signs=${strings.signs(signs)}>
          <path class="hidden" d=${edges(hidden)} />
          ${faces.map(({ axis, corners }) => svg`<path class="face" d=${trace(corners, "Z")} fill-opacity=${SHADES[axis] ?? 0} />`)}
          <path class="shown" d=${edges(shown)} />
        </g>`,
      )}
      ${axes.map((end) => svg`<path class="axis" d=${trace([times(end, -1), end])} />`)}
      ${outside && wall ? svg`<path class="away" d=${trace([truth, wall])} />${mark(wall, "ring", "ink", 5.5)}` : nothing}
      ${mark(truth, "diamond", "ink", 9)}
      ${[...MODELS].reverse().map((model) => {
        const points = scene.paths[model].points.slice(0, at + 1);
        const last = points.at(-1);
        if (!last) return nothing;
        const { colour, dash, symbol } = looks[model];
        const stops = points.filter((_, i) => isMarked(i) && i < points.length - 1);
        return svg`<g class="path ${scene.stale ? "stale" : ""}" data-path=${model}>
          <path class="way" d=${trace(points)} style="--of:var(--${colour})" stroke-dasharray=${dash} />
          ${stops.map((p) => mark(p, symbol, colour, 2.5))}
          ${mark(last, symbol, colour, 5)}
        </g>`;
      })}
      ${labels.map(({ x, y, text, kind }) => svg`<text class=${kind} x=${x.toFixed(1)} y=${(y + 4).toFixed(1)} text-anchor="middle">${text}</text>`)}
    </svg>`;
  }

  override sheet(): Sheet | null {
    const drawing = this.querySelector<SVGSVGElement>(".space svg");
    if (!this.drawn || !drawing) return null;
    return {
      what: "reach",
      title: strings.title,
      described: this.describe(),
      notes: [strings.caption, this.stands()],
      legend: this.legend(),
      columns: savedColumns(this.columns()),
      picture: drawing,
    };
  }

  private columns(): Column[] {
    const of = (model: Model, what: string, values: readonly number[], write: (value: number, digits: number) => string): Column => {
      const name = strings.of(short[model], what);
      return { name, head: name, values, cell: (value) => write(value, 4) };
    };
    return [
      { name: strings.iteration, head: strings.iteration, values: Array.from({ length: this.end + 1 }, (_, i) => i), cell: String },
      ...MODELS.flatMap((model) => {
        const { points, sizes } = this.scene.paths[model];
        return [...strings.axes.map((axis, i) => of(model, axis, points.map((p) => p[i] ?? Number.NaN), signed)), of(model, strings.product, points.map(product), signed), of(model, strings.sizes[model], sizes, number)];
      }),
    ];
  }
}

/** Whether an iteration has a mark on its path: 1, 2, 5, 10, 20, 50, … */
function isMarked(iteration: number): boolean {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, iteration)));
  return iteration === 0 || SHARES.includes(iteration / power);
}

/** A marker's outline about a place. */
function outline(symbol: Entry["symbol"], x: number, y: number, r: number): string {
  const [left, right] = [(x - r).toFixed(1), (x + r).toFixed(1)];
  const size = r.toFixed(1);
  if (symbol === "square") return `M${left} ${(y - r).toFixed(1)}h${2 * r}v${2 * r}h${-2 * r}z`;
  if (symbol === "diamond") return `M${left} ${y.toFixed(1)}L${x.toFixed(1)} ${(y - r).toFixed(1)}L${right} ${y.toFixed(1)}L${x.toFixed(1)} ${(y + r).toFixed(1)}z`;
  return `M${left} ${y.toFixed(1)}a${size} ${size} 0 1 0 ${2 * r} 0a${size} ${size} 0 1 0 ${-2 * r} 0z`;
}

/** A piece of the picture beside its name. */
function sample({ colour, dash, symbol }: Entry): TemplateResult {
  return html`<svg viewBox="0 0 36 12" aria-hidden="true" style="--of:var(--${colour})">${dash === null ? nothing : svg`<line x1="1" y1="6" x2="35" y2="6" stroke-dasharray=${dash} />`}<path class="mark ${symbol}" d=${outline(symbol, 18, 6, 4.5)} /></svg>`;
}

customElements.define("ifm-space", Space);
