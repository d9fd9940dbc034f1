// Of what kind a file is that a reader brings, by its name and how it begins.
import { during } from "../engine/pending.js";

export type Kind = "hand-in" | "sweep" | "sky" | "model" | "table";

/** What is none of the others is opened as a table, and told there if it is none. */
export async function kindOf(file: File): Promise<Kind> {
  if (await isHandIn(file)) return "hand-in";
  if (await isSweep(file)) return "sweep";
  if (await isSky(file)) return "sky";
  return (await isModel(file)) ? "model" : "table";
}

const HEAD = 4096; // bytes that tell the kind of a file

/** What a table of pierce points has, under the names that the engine knows. */
const PIERCED: readonly RegExp[] = [/^(time|epoch|datetime|timestamp|utc|seconds|sod)$/, /^(sat|satellite|prn|sv|svid)$/, /^(station|site|receiver|marker)$/, /^(ipp)?(lat|latitude)(ipp)?$/, /^(ipp)?(lon|lng|long|longitude)(ipp)?$/];

/** The columns by which a table is Madrigal's line-of-sight TEC: four of them, as the engine asks for. */
const LINE_OF_SIGHT = new Set(["ut1unix", "gpssite", "satid", "lostec", "azm", "elm", "gdlat", "glon", "gdlatr", "gdlonr"]);

const HANDED = /^\s*\{\s*"format":\s*"ifm-lab\.hand-in"|#handin=[\w-]/;

/** Whether a file is a hand-in, or a zip with one in it. What cannot be read is told where it is opened. */
async function isHandIn(file: File): Promise<boolean> {
  if (/\.zip$/i.test(file.name)) return hasHandIn(file).catch(() => false);
  return /\.json$/i.test(file.name) && HANDED.test(new TextDecoder().decode(await beginning(file.stream()).catch(() => new Uint8Array())));
}

const MOST_LOOKED_AT = 200; // files of a zip
const PAGE = 1 << 16; // bytes within which a page of a learning platform has its link

/** Whether a zip is one that a learning platform made, by its folders' names, or has a hand-in or a link to one in it. */
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

/** Whether a file is of a sweep: its title has a digest of all that was swept. */
async function isSweep(file: File): Promise<boolean> {
  return /^\{"sweep":"[0-9a-f]+"/.test(new TextDecoder().decode(await beginning(file.stream()).catch(() => new Uint8Array())));
}

/** Whether a file is a model, whatever its name: one of ours by its first member, as written or with its members sorted, or one of libFM's by the title that it begins with. */
async function isModel(file: File): Promise<boolean> {
  const text = new TextDecoder().decode(await beginning(file.stream()).catch(() => new Uint8Array())).trimStart();
  return /^\{\s*"(format|b)"\s*:/.test(text) || /^#(global bias W0|unary interactions Wj|pairwise interactions Vj,f)\s*$/.test(text.split("\n", 1)[0] ?? "");
}

/** Whether a file is for the experiment on the ionosphere: maps in IONEX by its name or its first line, a table of pierce points or of line-of-sight TEC by its comments or its header. */
async function isSky(file: File): Promise<boolean> {
  if (/\.(\d\di|i|inx|ionex)(\.gz)?$/i.test(file.name)) return true;
  const text = await head(file).catch(() => ""); // what cannot be read is told where it is opened
  if (/^[^\r\n]*IONEX VERSION \/ TYPE/.test(text) || /^(\s*#[^\r\n]*[\r\n]+)*\s*# pierce points of /.test(text)) return true;
  const header = text.split(/[\r\n]+/).find((line) => line.trim() !== "" && !/^["\s]*#/.test(line)) ?? "";
  const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");
  const names = header.split(/[,;\t]/).map(plain);
  if (header.split(/[,;\t| ]+/).filter((name) => LINE_OF_SIGHT.has(plain(name))).length >= 4) return true;
  return PIERCED.every((column) => names.some((name) => column.test(name)));
}

/** The beginning of a file, which may be packed by gzip. */
async function head(file: File): Promise<string> {
  const bytes = await beginning(file.stream());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return new TextDecoder().decode(bytes);
  return new TextDecoder().decode(await beginning(file.stream().pipeThrough(new DecompressionStream("gzip"))));
}

async function beginning(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = stream.getReader();
  const found = new Uint8Array(HEAD);
  let n = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const some = part.value.subarray(0, HEAD - n);
    found.set(some, n);
    n += some.length;
    if (n === HEAD) break;
  }
  reader.cancel().catch(() => undefined); // what follows is not needed
  return found.subarray(0, n);
}
