// Of what kind a file is that a reader brings, by its name and how it begins.
import { during } from "../engine/pending.js";

export type Kind = "hand-in" | "sweep" | "sky" | "model" | "table";

const HEAD = 4096; // bytes that tell the kind of a file
const MOST_LOOKED_AT = 200; // files of a zip
const PAGE = 1 << 16; // bytes within which a page of a learning platform has its link

const HANDED = /^\s*\{\s*"format":\s*"ifm-lab\.hand-in"|#handin=[\w-]/;
const SWEPT = /^\{"sweep":"[0-9a-f]+"/; // a digest of all that was swept
const MODEL = /^\s*(\{\s*"(format|b)"\s*:|#(global bias W0|unary interactions Wj|pairwise interactions Vj,f)[^\S\n]*(\n|$))/; // one of ours, as written or with its members sorted, or libFM's
const IONEX_NAME = /\.(\d\di|i|inx|ionex)(\.gz)?$/i;
const IONEX = /^[^\r\n]*IONEX VERSION \/ TYPE|^(\s*#[^\r\n]*[\r\n]+)*\s*# pierce points of /;

/** What a table of pierce points has, under the names that the engine knows. */
const PIERCED: readonly RegExp[] = [/^(time|epoch|datetime|timestamp|utc|seconds|sod)$/, /^(sat|satellite|prn|sv|svid)$/, /^(station|site|receiver|marker)$/, /^(ipp)?(lat|latitude)(ipp)?$/, /^(ipp)?(lon|lng|long|longitude)(ipp)?$/];

/** The columns by which a table is Madrigal's line-of-sight TEC: four of them, as the engine asks for. */
const LINE_OF_SIGHT = new Set(["ut1unix", "gpssite", "satid", "lostec", "azm", "elm", "gdlat", "glon", "gdlatr", "gdlonr"]);

/** Anything else, or what cannot be read, is opened as a table, and told there if it is none. */
export async function kindOf(file: File): Promise<Kind> {
  const { name } = file;
  if (/\.zip$/i.test(name) && (await hasHandIn(file).catch(() => false))) return "hand-in";
  const head = await beginning(file);
  if (/\.json$/i.test(name) && HANDED.test(head)) return "hand-in";
  if (SWEPT.test(head)) return "sweep";
  if (IONEX_NAME.test(name) || isSky(head.startsWith("\x1f") ? await beginning(file, true) : head)) return "sky";
  return MODEL.test(head) ? "model" : "table";
}

/** Whether a zip is a learning platform's, by its folders' names, or has a hand-in or a link to one in it. */
async function hasHandIn(file: File): Promise<boolean> {
  const { members, unzipped } = await during(import("../packed/zip.js"));
  const all = await members(file);
  if (all.some(({ name }) => /_\d+_assignsubmission_/.test(name))) return true;
  const texts = all.filter(({ name }) => /(\.(json|txt|csv|tsv|html?|md|url|webloc|rtf)|(^|\/)[^.]*)$/i.test(name));
  for (const member of texts.slice(0, MOST_LOOKED_AT)) {
    let text = "";
    try {
      for await (const { bytes } of unzipped(file, member)) {
        text += new TextDecoder().decode(bytes);
        if (text.length >= PAGE) break;
      }
    } catch {
      continue; // damaged: the others tell
    }
    if (HANDED.test(text.slice(0, PAGE).replaceAll("\0", ""))) return true;
  }
  return false;
}

/** Whether a text is maps in IONEX, or a table of pierce points or of line-of-sight TEC. */
function isSky(text: string): boolean {
  const header = text.split(/[\r\n]+/).find((line) => line.trim() !== "" && !/^["\s]*#/.test(line)) ?? "";
  const names = (separator: RegExp): string[] => header.split(separator).map((name) => name.toLowerCase().replace(/[^a-z0-9]/g, ""));
  return IONEX.test(text) || names(/[,;\t| ]+/).filter((name) => LINE_OF_SIGHT.has(name)).length >= 4 || PIERCED.every((column) => names(/[,;\t]/).some((name) => column.test(name)));
}

/** How a file begins. */
export async function beginning(file: File, unpacked = false): Promise<string> {
  const stream = file.stream();
  const reader = (unpacked ? stream.pipeThrough(new DecompressionStream("gzip")) : stream).getReader();
  const found = new Uint8Array(HEAD);
  let n = 0;
  try {
    for (let part = await reader.read(); !part.done && n < HEAD; part = await reader.read()) {
      const some = part.value.subarray(0, HEAD - n);
      found.set(some, n);
      n += some.length;
    }
  } catch {
    return "";
  }
  reader.cancel().catch(() => undefined); // what follows is not needed
  return new TextDecoder().decode(found.subarray(0, n));
}
