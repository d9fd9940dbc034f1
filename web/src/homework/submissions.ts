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
const TEXTS = /(\.(json|txt|csv|tsv|html?|md|url|webloc|rtf)|(^|\/)[^.]*)$/i;

export async function readSubmissions(files: readonly File[], turns: Turns): Promise<Submission[]> {
  const all: Submission[] = [];
  for (const file of files) {
    if (turns.due) await turns.pass();
    const name = clean(file.name, 200).text;
    const put = (fault: string): void => void all.push({ file: name, who: "", found: { fault } });
    try {
      const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
      if (isZip(head)) {
        if (file.size > MOST_ZIP) put(faults.large);
        else all.push(...(await zipped(file, name, turns)));
      } else if (file.size > MOST_TEXT) put(faults.large);
      else all.push(...(await written(name, new Uint8Array(await file.arrayBuffer()))));
    } catch (reason) {
      if (turns.over) throw reason;
      put(faults.unreadable);
    }
  }
  return all.length > MOST ? [...all.slice(0, MOST), { file: "", who: "", found: { fault: faults.many(MOST, all.length - MOST) } }] : all;
}

async function zipped(file: File, name: string, turns: Turns): Promise<Submission[]> {
  const { entries, whole } = await readZip(file, MOST_TEXT, (entry) => TEXTS.test(entry), turns);
  const all: Submission[] = [];
  for (const { name: entry, bytes } of entries) {
    if (turns.due) await turns.pass();
    const path = `${name}/${clean(entry, 300).text}`;
    const put = (fault: string): void => void all.push({ file: path, who: whose(entry), found: { fault } });
    if (!TEXTS.test(entry)) put(/\.zip$/i.test(entry) ? faults.nested : faults.other);
    else if (bytes === "large" || bytes === "damaged") put(faults[bytes]);
    else all.push(...(await written(path, bytes, whose(entry))));
  }
  if (!whole || all.length === 0) all.push({ file: name, who: "", found: { fault: whole ? faults.empty : faults.cut } });
  return all;
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

function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5);
}

/** Whose a file of an export is: Moodle's folders are “Ada Lovelace_4711_assignsubmission_file_”, Canvas's files “lovelaceada_LATE_12_34_name”. */
export function whose(path: string): string {
  const [, moodle] = path.match(/(?:^|\/)([^/]+?)_\d+_assignsubmission_/) ?? [];
  const [, canvas] = path.match(/(?:^|\/)([^/_]+)_(?:LATE_)?\d+_\d+_[^/]*$/) ?? [];
  return clean(moodle ?? canvas ?? "", 120).text;
}

interface Entry {
  readonly name: string; // its path there
  readonly bytes: Uint8Array<ArrayBuffer> | "large" | "damaged";
}

const MOST_FILES = 5000;

/** Reads the wanted files of a zip, of others the names alone. If the zip is cut short, reads those before the cut. */
export async function readZip(file: Blob, most: number, wanted: (name: string) => boolean, turns: Turns): Promise<{ readonly entries: Entry[]; readonly whole: boolean }> {
  let whole = true;
  const all = await members(file).catch(() => {
    whole = false;
    return remains(file);
  });
  const entries: Entry[] = [];
  for (const member of all.slice(0, MOST_FILES)) {
    if (turns.due) await turns.pass(member.at / file.size);
    entries.push({ name: member.name, bytes: wanted(member.name) ? await read(file, member, most) : new Uint8Array() });
  }
  return { entries, whole: whole && all.length <= MOST_FILES };
}

async function read(file: Blob, member: Member, most: number): Promise<Entry["bytes"]> {
  if (member.size > most) return "large";
  const parts: Uint8Array<ArrayBuffer>[] = [];
  try {
    for await (const { bytes } of unzipped(file, member, most)) parts.push(bytes);
  } catch {
    return "damaged";
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
