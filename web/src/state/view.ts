// The settings of the page itself: how a run is shown, not what it is. They
// stand in the link beside the Spec's.
import { encode, pairs, parse, read, write, type Field, type Notice, type Settings, type Spec } from "./spec.js";
import { links as strings } from "./strings.js";

export const samples = ["penguins", "cars", "diabetes", "signs", "binary"] as const;
/** Those that are drawn by the engine, with a truth that is known. */
export const drawnSamples = ["signs", "binary"] as const satisfies readonly (typeof samples)[number][];
export type DrawnSample = (typeof drawnSamples)[number];
export type Sample = (typeof samples)[number];

/** The chapters of the lesson, in their order. */
export const chapters = ["interaction", "psd", "spectrum", "diagonal", "samples", "algorithm", "vtec", "data"] as const;
export type Chapter = (typeof chapters)[number];

/** Each chapter's own settings, a query like the page's; "" or nothing where it has its defaults. In the address every key begins with the chapter's name: psd.d=50. */
export type Parts = Readonly<Partial<Record<Chapter, string>>>;

export interface View {
  readonly embed: "0" | "1" | "lab"; // in a frame: the figure alone, or a chapter or a table; or the whole page
  readonly chapter: "none" | Chapter; // of the lesson, to begin with
  readonly hide: readonly ("title" | "switch" | "curve" | "controls" | "verdict" | "maps" | "spectrum" | "matrices")[]; // parts of the figure left out; matrices: maps and spectrum
  readonly scale: "auto" | "log" | "linear"; // of the chart; auto: log for the figure, linear for a table
  readonly theme: "auto" | "light" | "dark";
  readonly sample: "none" | Sample;
  readonly speed: "slow" | "normal" | "instant";
  readonly ghost: "0" | "1"; // the run before stays as a faint line
}

function field(key: keyof View, kind: "choice" | "set", initial: string, options: readonly string[], doc: string): Field {
  return { key, kind, default: initial, min: 0, max: 0, options, doc };
}

export const viewFields: readonly Field[] = [
  field("embed", "choice", "0", ["0", "1", "lab"], "in a frame: 1 the figure alone, lab the whole page"),
  field("chapter", "choice", "none", ["none", ...chapters], "the chapter to begin with; in a frame, the only one"),
  field("hide", "set", "", ["title", "switch", "curve", "controls", "verdict", "maps", "spectrum", "matrices"], "parts of the figure left out"),
  field("scale", "choice", "auto", ["auto", "log", "linear"], "axis of the test RMSE"),
  field("theme", "choice", "auto", ["auto", "light", "dark"], "colours"),
  field("sample", "choice", "none", ["none", ...samples], "a built-in table"),
  field("speed", "choice", "normal", ["slow", "normal", "instant"], "pace of the curves"),
  field("ghost", "choice", "1", ["0", "1"], "the run before as a faint line"),
];

export interface Link {
  readonly spec: Spec;
  readonly view: View;
  readonly parts: Parts;
  readonly notices: readonly Notice[];
}

/** Reads all settings from the address's query, but for what each chapter's own mean. Never fails. */
export function readLink(query: string): Link {
  const view = read(viewFields, pairs(query));
  const keys = new Set(viewFields.map((f) => f.key));
  const parts: Partial<Record<Chapter, string>> = {};
  const others: string[] = [];
  for (const pair of query.replace(/^\?/, "").split("&")) {
    const key = pairs(pair)[0]?.[0] ?? "";
    const chapter = chapters.find((name) => key.startsWith(`${name}.`));
    if (chapter) parts[chapter] = [parts[chapter], pair.slice(chapter.length + 1)].filter(Boolean).join("&");
    else if (!keys.has(key)) others.push(pair);
  }
  const { spec, notices } = parse(others.join("&"));
  const grid = spec.sweep === "none" ? [] : [{ key: "sweep", found: spec.sweep, message: strings.sweep }];
  return { spec: { ...spec, sweep: "none" }, view: view.settings as unknown as View, parts, notices: [...view.notices, ...notices, ...grid] };
}

/** The address's query, with its "?" unless it is empty. */
export function writeLink(spec: Spec, view: View, parts: Parts = {}): string {
  const own = chapters.flatMap((chapter) => (parts[chapter] ? [...parts[chapter].split("&").map((pair) => `${chapter}.${pair}`)] : []));
  const query = [encode(spec), write(viewFields, view as unknown as Settings), ...own].filter((part) => part !== "");
  return query.length > 0 ? `?${query.join("&")}` : "";
}

/** Iterations a second. On a table ten candidates or so are tried, so they pass faster. */
export function rate(speed: View["speed"], source: Spec["source"]): number {
  if (speed === "instant") return Number.POSITIVE_INFINITY;
  return { slow: 15, normal: 75 }[speed] * (source === "table" ? 3 : 1);
}
