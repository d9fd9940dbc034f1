// How a run is shown: settings of the page, which stand in the link beside the Spec's.
import { encode, escape, fields, pairs, parse, read, repeated, write, type Notice, type Settings, type Spec } from "./spec.js";
import { links as strings } from "./strings.js";
import { chapters, drawnSamples, samples, viewFields, type View } from "./view.gen.js";

export { chapters, drawnSamples, samples, viewFields, type View };
export type Sample = (typeof samples)[number];
/** Drawn by the engine, with a known truth. */
export type DrawnSample = (typeof drawnSamples)[number];
/** A chapter of the lesson, whose order is that of chapters. */
export type Chapter = (typeof chapters)[number];

const owners = [...chapters, "homework"] as const;

/** The settings of each chapter and of the homework, a query like the page's. In the address every key begins with its name: psd.d=50. */
export type Parts = Readonly<Partial<Record<(typeof owners)[number], string>>>;

export interface Link {
  readonly spec: Spec;
  readonly view: View;
  readonly parts: Parts;
  readonly notices: readonly Notice[];
}

/** The three places of the page, of which one is shown at a time. */
export const places = ["figure", "table", "lesson"] as const;
export type Place = (typeof places)[number];

/** The place that a link leads to. Its hash names it in links of earlier versions. */
export function placeOf({ source }: Spec, { chapter }: View, { homework }: Parts, hash: string): Place {
  if (hash === "#lesson" || lessonPlace(hash) !== undefined) return "lesson";
  if (hash === "#table") return "table";
  if (hash === "#figure") return "figure";
  return chapter !== "none" || homework ? "lesson" : source === "table" ? "table" : "figure";
}

/** Whether a fragment leads to a place, and not to something in the one that is shown. */
export function leads(hash: string): boolean {
  return ["#figure", "#table", "#lesson"].includes(hash) || lessonPlace(hash) !== undefined;
}

/** Whether the page is a frame with one thing: the figure, on a slide or not, a chapter or a table. */
export function isFrame({ embed }: View): boolean {
  return embed === "1" || embed === "slide";
}

export function isSlide(place: Place, { embed }: View): boolean {
  return embed === "slide" && place === "figure";
}

/** Reads all settings but what the chapters' own mean. Never fails. */
export function readLink(query: string): Link {
  const view = read(viewFields, pairs(query));
  const keys = new Set(viewFields.map((f) => f.key));
  const parts: { -readonly [Owner in keyof Parts]: string } = {};
  const others: string[] = [];
  for (const pair of query.replace(/^\?/, "").split("&")) {
    const [key] = pairs(`&${pair}`)[0] ?? ["", ""]; // a ? in the middle is a letter
    const owner = owners.find((name) => key.startsWith(`${name}.`));
    if (owner) parts[owner] = [parts[owner], escape(key.slice(owner.length + 1)) + pair.slice((pair + "=").indexOf("="))].filter(Boolean).join("&");
    else if (!keys.has(key)) others.push(pair);
  }
  const { spec, notices } = parse(others.join("&"));
  const grid = spec.sweep === "none" ? [] : [{ key: "sweep", found: spec.sweep, message: strings.sweep }];
  return { spec: { ...spec, sweep: "none" }, view: view.settings as unknown as View, parts, notices: [...view.notices, ...notices, ...repeated([...viewFields, ...fields], pairs(query)), ...grid] };
}

/** The address's query, with its "?" unless it is empty. */
export function writeLink(spec: Spec, view: View, parts: Parts = {}): string {
  const own = owners.flatMap((owner) => (parts[owner] ? [...parts[owner].split("&").map((pair) => `${owner}.${pair}`)] : []));
  const query = [encode(spec), write(viewFields, view as unknown as Settings), ...own].filter((part) => part !== "");
  return query.length > 0 ? `?${query.join("&")}` : "";
}

/** The place of the lesson that a fragment names, as a selector. */
export function lessonPlace(hash: string): string | undefined {
  return hash.startsWith("#handin=") ? "#homework" : owners.map((owner) => `#${owner}`).find((place) => place === hash);
}

/** A chapter's settings without the reader's guess, which changes no run. */
export function unguessed(part: string): string {
  return part.split("&").filter((pair) => !/^(guess|then)(=|$)/.test(pair)).join("&");
}

/** Iterations a second. On a table ten candidates or so are tried, so they pass faster. */
export function rate(speed: View["speed"], source: Spec["source"]): number {
  if (speed === "instant") return Number.POSITIVE_INFINITY;
  return { slow: 15, normal: 75 }[speed] * (source === "table" ? 3 : 1);
}
