// What a frame tells the page around it, and does for it. Any page hears how high
// the frame has to be. A page that holds it in an <ifm-lab> gets a port to steer
// the run that is shown, and hears its records, but nothing of a reader's table.
import { after } from "../engine/pending.js";
import type { EngineError } from "../engine/protocol.js";
import { problem } from "../panel/problem.js";
import { namesColumns } from "../state/groups.js";
import { encode, pairs, type Notice } from "../state/spec.js";
import { isFrame, readLink } from "../state/view.js";
import { plain, type Phrase } from "../text/phrase.js";
import type { Series } from "../training/series.js";
import type { Training } from "../training/training.js";
import type { Command, FromFrame, Iteration, Scheme } from "./messages.js";
import { embed as strings } from "./strings.js";

/** The run that a frame tells of. */
export interface Shown {
  readonly training: Training;
  readonly says: Phrase; // once it is over
  readonly error: EngineError | null;
}

/** The page as its frame sees it. */
export interface Inside {
  readonly shown: Shown | null; // never a run on a reader's own table
  readonly given: string; // the query that the page was opened with
  readonly query: string; // of what is shown, as the address has it
  readonly notices: readonly Notice[]; // what was not used of it as it stood
  readonly guarded: boolean; // the reader has opened a file, and nobody else changes what is shown
  go(query: string): void;
  steer(command: Command): void;
  /** Takes the colours of the page around, where its own settings name none. */
  wear(scheme: Scheme): void;
}

const SETTINGS = 100; // in one message at most
const LENGTH = 8192; // characters of a value at most
const RECORDS = 200_000; // told of one run at most
const RUSH = 30; // heights within RUSHING that are a rush
const RUSHING = 5000; // ms
const CALM = 2000; // ms from the first rush until a lower height is told, doubled after each

export class Frame {
  private port: MessagePort | null = null;
  private run = 0;
  private told = new Map<Series, number>(); // records, of this run
  private total = 0;
  private readonly secret = /^#\?secret=([a-zA-Z0-9]+)$/.exec(location.hash)?.[1]; // by which WordPress knows its frames
  private readonly last = new Map<FromFrame["type"], string>(); // what is not told twice
  private height = 0;
  private heights: number[] = []; // when the last of them were told
  private wanted: string; // the settings that the page around has given last
  private calm = CALM;
  private calming: (() => void) | undefined;

  constructor(
    private readonly element: HTMLElement,
    private readonly inside: Inside,
  ) {
    this.wanted = inside.given;
    addEventListener("message", this.hear);
    new ResizeObserver(this.tellHeight).observe(element);
    this.tellHeight(); // a frame that is not seen yet observes nothing
    parent.postMessage({ type: "ifm-lab.hello", version: 1 }, "*");
  }

  /** Tells what has changed since it was last called. */
  update(): void {
    const { shown } = this.inside;
    if (!this.port || !shown) return;
    const { training: t, says, error } = shown;
    if (t.series.length > 0 && !t.series.some((series) => this.told.has(series))) {
      Object.assign(this, { told: new Map(), total: 0 });
      this.run++;
      this.last.delete("verdict");
    }
    const { run } = this;
    const records = t.series.flatMap((series) => this.fresh(series));
    if (records.length > 0) this.post({ type: "record", run, records });
    const { mean = Number.NaN, ridge = Number.NaN, measure = "rmse" } = t.started ?? {};
    this.once({ type: "state", run, phase: t.phase, iteration: Math.max(0, ...t.lines.map((line) => line.iteration.at(-1) ?? 0)), measure, mean: finite(mean), ridge: finite(ridge) });
    if (says.length > 0) this.once({ type: "verdict", run, sentence: plain(says), numbers: says.flatMap((piece) => (typeof piece === "string" ? [] : [{ of: piece.whose, value: piece.value }])) });
    if (error) this.once({ type: "error", message: problem(error) });
    else this.last.delete("error");
  }

  /** The records of a series that have not been told. */
  private fresh(series: Series): Iteration[] {
    const { model, trial } = series.started;
    const from = this.told.get(series) ?? 0;
    const to = Math.min(series.iteration.length, from + RECORDS - this.total);
    this.told.set(series, to);
    this.total += to - from;
    let candidate = series.starts.findLastIndex((start) => start <= from);
    return series.iteration.slice(from, to).map((iteration, offset) => {
      const i = from + offset;
      while ((series.starts[candidate + 1] ?? Number.POSITIVE_INFINITY) <= i) candidate++;
      const [rank = 0, lambda = 0, weights = 0] = [series.rank[candidate], series.lambda[candidate], series.weights[candidate]];
      return { model, trial, candidate, rank, lambda, weights, hats: series.hats[candidate] ?? false, iteration, testRMSE: finite(series.test[i] ?? Number.NaN), validationRMSE: finite(series.valid[i] ?? Number.NaN) };
    });
  }

  /** With what is no setting of what is shown. A frame that is loaded anew has the address that its reader left it with, and may not know any more whose columns it names. */
  private get notices(): readonly Notice[] {
    const { notices, query } = this.inside;
    const used = new Set(pairs(query).map(([key]) => key));
    const { spec, view } = readLink(this.wanted);
    const unused = isFrame(view) ? pairs(encode(spec)).filter(([key]) => !used.has(key)) : []; // the whole page has all its places
    return [...notices.filter(({ key }) => !namesColumns(key)), ...unused.map(([key]) => ({ key, found: "", message: strings.unused(key) }))];
  }

  private post(message: FromFrame): void {
    this.port?.postMessage(message);
  }

  private once(message: FromFrame): void {
    const text = JSON.stringify(message);
    if (this.last.get(message.type) === text) return;
    this.last.set(message.type, text);
    this.post(message);
  }

  /** Takes colours and, once, a port, from the page around alone. */
  private readonly hear = ({ source, data, ports: [port, ...others] }: MessageEvent<unknown>): void => {
    if (source !== parent) return;
    const [type, scheme] = [own(data, "type"), own(data, "scheme")];
    if (type === "ifm-lab.scheme" && (scheme === "light" || scheme === "dark" || scheme === "auto")) this.inside.wear(scheme);
    if (this.port || !port || others.length > 0 || type !== "ifm-lab.connect" || own(data, "version") !== 1) return;
    this.port = port;
    port.onmessage = ({ data }: MessageEvent<unknown>) => this.obey(data);
    this.post({ type: "ready", notices: this.notices });
    if (this.height > 0) this.post({ type: "height", height: this.height });
    this.update();
  };

  /** Does what a message asks for; one that is none of ours is passed over. */
  private obey(message: unknown): void {
    const type = own(message, "type");
    if (type === "play" || type === "pause" || type === "step" || type === "again") {
      const seed = own(message, "seed");
      const before = this.inside.query;
      if (typeof seed === "number") this.set(new Map([["seed", String(seed)]]));
      if (this.inside.query === before) this.inside.steer(type); // a change of settings begins anew by itself
    } else if (type === "set") {
      const settings = own(message, "settings");
      if (typeof settings !== "object" || settings === null) return;
      const wanted = Object.entries(settings).filter((pair): pair is [string, string | null] => pair[1] === null || (typeof pair[1] === "string" && pair[1].length <= LENGTH));
      this.set(new Map(wanted.slice(0, SETTINGS)));
    }
    this.update();
  }

  private set(settings: ReadonlyMap<string, string | null>): void {
    const { inside } = this;
    if (inside.guarded) return this.once({ type: "notices", notices: [{ key: "", found: "", message: strings.guarded }] });
    const kept = inside.query.slice(1).split("&").filter((pair) => !settings.has(pair.split("=", 1)[0] ?? ""));
    this.wanted = [...kept, ...[...settings].flatMap(([key, value]) => (value === null ? [] : [`${encodeURIComponent(key)}=${encodeURIComponent(value)}`]))].join("&");
    inside.go(this.wanted);
    this.once({ type: "notices", notices: this.notices });
  }

  /**
   * Tells how high the page is. A host may answer each height with another width:
   * in such a rush only growth is told at once, the rest a while later.
   */
  private readonly tellHeight = (): void => {
    if (this.element.querySelector("[data-soon], .embed > ifm-lesson:not(:defined)")) return; // not yet what it will be
    const height = Math.ceil(this.element.getBoundingClientRect().height);
    const now = performance.now();
    this.heights = this.heights.filter((when) => now - when < RUSHING);
    if (height === this.height || height === 0) return;
    if (this.heights.length >= RUSH && height < this.height) return this.wait();
    this.height = height;
    this.heights.push(now);
    parent.postMessage({ type: "ifm-lab.height", height }, "*");
    if (this.secret !== undefined) parent.postMessage({ message: "height", value: height, secret: this.secret }, "*");
    for (const subject of ["lti.frameResize", "org.imsglobal.lti.frameResize"]) parent.postMessage({ subject, height }, "*");
    this.post({ type: "height", height });
  };

  private wait(): void {
    if (this.calming !== undefined) return;
    this.calming = after(this.calm, () => {
      Object.assign(this, { calming: undefined, heights: [] });
      this.tellHeight();
    });
    this.calm *= 2;
  }
}

function own(message: unknown, field: string): unknown {
  return typeof message === "object" && message !== null && Object.hasOwn(message, field) ? (message as Readonly<Record<string, unknown>>)[field] : undefined;
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
