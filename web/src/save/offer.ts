import { during } from "../engine/pending.js";
import type { About } from "../panel/about.js";
import { tableQuery } from "../state/groups.js";
import { home, start } from "../state/site.js";
import { encode, parse } from "../state/spec.js";
import { readLink, writeLink } from "../state/view.js";
import { mayForbid } from "./sandbox.js";

export const FILE = "ifm-lab.html";

const NAME = 40; // characters of a part of a name at most

function safe(text: string): string {
  const plain = text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+/, "").slice(0, NAME).replace(/-+$/, "");
}

/** ifm-lab-flipped-curve-seed-1.svg, for instance. */
export function fileName(about: About | undefined, what: string, extension: string): string {
  const parts = ["ifm-lab", safe(about?.name ?? ""), safe(what), ...(about && about.seed !== null ? ["seed", String(about.seed)] : [])];
  return `${parts.filter((part) => part !== "").join("-")}.${extension}`;
}

export function address(about: About | undefined): string {
  return `${home() || FILE}${settings(about)}${location.hash}`;
}

function settings(about: About | undefined): string {
  const now = start();
  const { spec, view, parts } = readLink(now);
  if (!about || about.query === null) return now;
  const { query, chapter } = about;
  if (chapter) return view.chapter === chapter && sorted(parts[chapter] ?? "") === sorted(query) ? now : writeLink(spec, { ...view, chapter }, { ...parts, [chapter]: query });
  return [encode({ ...spec, source: "synthetic" }), tableQuery(spec)].includes(query) ? now : writeLink(parse(query).spec, view);
}

/** A query whose order does not count. */
function sorted(query: string): string {
  return query.split("&").sort().join("&");
}

/** Saves a file. Where a frame may forbid that, a dialog offers its text to copy. */
export function offer(name: string, content: Blob): void {
  const href = URL.createObjectURL(content);
  const link = document.createElement("a");
  Object.assign(link, { href, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000); // long after the browser has taken it
  if (mayForbid() && name !== FILE) void during(import("./forbidden.js")).then(({ offerText }) => offerText(name, content));
}
