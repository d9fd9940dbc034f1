// The hand-ins in what a lecturer drops: files, a learning platform's export, lists
// of links. Whatever it is, it has a line in the grades.
import { members, remains, unzipped, type Member } from "../packed/zip.js";
import type { Turns } from "../save/turns.js";
import { clean, linksIn, MOST_BYTES, readHandIn, unpack, type Fault, type HandIn } from "./handin.js";
import { faults } from "./strings.js";

export interface Submission {
  readonly file: string; // its name, with the path in a zip and the line of a link
  readonly who: string; // whose it is by the platform's name for it; "" where that does not say
  readonly found: { readonly handIn: HandIn; readonly notes: readonly string[] } | Fault;
}

const MOST_TEXT = 8 << 20; // bytes of a list of links
const MOST_ZIP = 256 << 20; // bytes
const MOST = 3000; // hand-ins
const MOST_FILES = 5000; // of a zip, each with a line or more: what is left out goes beyond MOST too
const TEXTS = /(\.(json|txt|csv|tsv|html?|md|url|webloc|rtf)|(^|\/)[^.]*)$/i;

export async function readSubmissions(files: readonly File[], turns: Turns): Promise<Submission[]> {
  const all: Submission[] = [];
  for (const file of files) {
    if (turns.due) await turns.pass();
    const name = clean(file.name, 200).text;
    try {
      all.push(...(await dropped(file, name, turns)));
    } catch (reason) {
      if (turns.over) throw reason;
      all.push(refused(name, faults.unreadable));
    }
  }
  return all.length > MOST ? [...all.slice(0, MOST), refused("", faults.many(MOST, all.length - MOST))] : all;
}

function refused(file: string, fault: string, who = ""): Submission {
  return { file, who, found: { fault } };
}

async function dropped(file: File, name: string, turns: Turns): Promise<Submission[]> {
  const isZip = /^PK[\x03\x05]/.test(await file.slice(0, 3).text());
  if (file.size > (isZip ? MOST_ZIP : MOST_TEXT)) return [refused(name, faults.large)];
  return isZip ? zipped(file, name, turns) : written(name, new Uint8Array(await file.arrayBuffer()));
}

/** Reads a zip. If it is cut short, reads what is before the cut. */
async function zipped(file: File, name: string, turns: Turns): Promise<Submission[]> {
  let whole = true;
  const found = await members(file).catch(() => {
    whole = false;
    return remains(file);
  });
  const all: Submission[] = [];
  for (const member of found.slice(0, MOST_FILES)) {
    if (turns.due) await turns.pass();
    all.push(...(await inZip(file, name, member)));
  }
  if (!whole) all.push(refused(name, faults.cut));
  return all.length > 0 ? all : [refused(name, faults.empty)];
}

async function inZip(file: File, zip: string, member: Member): Promise<Submission[]> {
  const path = `${zip}/${clean(member.name, 300).text}`;
  const who = whose(member.name);
  if (!TEXTS.test(member.name)) return [refused(path, /\.zip$/i.test(member.name) ? faults.nested : faults.other, who)];
  if (member.size > MOST_TEXT) return [refused(path, faults.large, who)];
  const parts: Uint8Array<ArrayBuffer>[] = [];
  try {
    for await (const { bytes } of unzipped(file, member, MOST_TEXT)) parts.push(bytes);
  } catch {
    return [refused(path, faults.damaged, who)];
  }
  return written(path, new Uint8Array(await new Blob(parts).arrayBuffer()), who);
}

async function written(file: string, bytes: Uint8Array<ArrayBuffer>, who = ""): Promise<Submission[]> {
  const text = decoded(bytes);
  const links = linksIn(text);
  const one = (found: Submission["found"], at = file): Submission => ({ file: at, who, found });
  if (links.length === 0 || /^\s*\{/.test(text)) return [one(bytes.length > MOST_BYTES ? { fault: faults.large } : !/^\s*\{/.test(text) && !/\.json$/i.test(file) ? { fault: faults.noLink } : readHandIn(text))];
  return Promise.all(
    links.map(async ({ line, packed }) => {
      const unpacked = await unpack(packed);
      return one(unpacked === null ? { fault: faults.link } : readHandIn(unpacked), faults.line(file, line));
    }),
  );
}

function decoded(bytes: Uint8Array<ArrayBuffer>): string {
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(wide).decode(bytes);
}

/** Whose a file of an export is: Moodle's folders are “Ada Lovelace_4711_assignsubmission_file_”, Canvas's files “lovelaceada_LATE_12_34_name”. */
export function whose(path: string): string {
  const [, moodle] = path.match(/(?:^|\/)([^/]+?)_\d+_assignsubmission_/) ?? [];
  const [, canvas] = path.match(/(?:^|\/)([^/_]+)_(?:LATE_)?\d+_\d+_[^/]*$/) ?? [];
  return clean(moodle ?? canvas ?? "", 120).text;
}
