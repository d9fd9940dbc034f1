// The settings of the page itself: how a run is shown, not what it is. They
// stand in the link beside the Spec's.
import { encode, parse, read, write, type Field, type Notice, type Settings, type Spec } from "./spec.js";
import { pairs } from "./spec.js";

export const samples = ["penguins", "cars", "diabetes"] as const;
export type Sample = (typeof samples)[number];

export interface View {
  readonly embed: "0" | "1"; // the figure alone
  readonly hide: readonly ("title" | "switch" | "controls" | "verdict" | "matrices")[]; // parts of the figure left out
  readonly scale: "auto" | "log" | "linear"; // of the chart; auto: log for the figure, linear for a table
  readonly theme: "auto" | "light" | "dark";
  readonly sample: "none" | Sample;
  readonly speed: "slow" | "normal" | "instant";
}

function field(key: keyof View, kind: "choice" | "set", initial: string, options: readonly string[], doc: string): Field {
  return { key, kind, default: initial, min: 0, max: 0, options, doc };
}

export const viewFields: readonly Field[] = [
  field("embed", "choice", "0", ["0", "1"], "the figure alone"),
  field("hide", "set", "", ["title", "switch", "controls", "verdict", "matrices"], "parts of the figure left out"),
  field("scale", "choice", "auto", ["auto", "log", "linear"], "axis of the test RMSE"),
  field("theme", "choice", "auto", ["auto", "light", "dark"], "colours"),
  field("sample", "choice", "none", ["none", ...samples], "a built-in table"),
  field("speed", "choice", "normal", ["slow", "normal", "instant"], "pace of the curves"),
];

export interface Link {
  readonly spec: Spec;
  readonly view: View;
  readonly notices: readonly Notice[];
}

/** Reads all settings from the address's query. Never fails. */
export function readLink(query: string): Link {
  const view = read(viewFields, pairs(query));
  const keys = new Set(viewFields.map((f) => f.key));
  const others = query.replace(/^\?/, "").split("&").filter((pair) => !keys.has(pairs(pair)[0]?.[0] ?? ""));
  const { spec, notices } = parse(others.join("&"));
  return { spec, view: view.settings as unknown as View, notices: [...view.notices, ...notices] };
}

/** The address's query, with its "?" unless it is empty. */
export function writeLink(spec: Spec, view: View): string {
  const parts = [encode(spec), write(viewFields, view as unknown as Settings)].filter((part) => part !== "");
  return parts.length > 0 ? `?${parts.join("&")}` : "";
}

/** Iterations a second. On a table ten candidates or so are tried, so they pass faster. */
export function rate(speed: View["speed"], source: Spec["source"]): number {
  if (speed === "instant") return Number.POSITIVE_INFINITY;
  return { slow: 15, normal: 75 }[speed] * (source === "table" ? 3 : 1);
}
