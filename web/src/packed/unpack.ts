// What a file holds packed, by its first bytes: a table of text in the end.
import { gunzipped } from "./gzip.js";
import { TABLE } from "./kinds.js";
import { bytesOf, Fault, MOST, slices, startsWith, type Choice, type Heed, type Most, type Pieces, type Unpacked, type Wanted } from "./piece.js";
import { MemorySource, type Source } from "./source.js";
import { packed as strings } from "./strings.js";
import { isWorkbook, readWorkbook } from "./workbook.js";
import { members, unzipped, type Member } from "./zip.js";

const DEEP = 2; // archives in each other

export type ReadParquet = (file: Source, name: string, most: Most) => Promise<Unpacked>;

export interface Going {
  readonly wanted: Wanted;
  readonly keep?: readonly string[]; // "visible": leave hidden rows of a workbook out; "hidden": read them, unasked
  readonly parquet: () => ReadParquet;
  readonly heed: Heed;
  readonly most?: Most;
}

/** What a file holds that is packed in one of the ways known here, and any other as it is. */
export async function unpack(file: Source, name: string, going: Going, depth = 0): Promise<Unpacked> {
  const { wanted, keep = [], parquet, heed, most = MOST } = going;
  const head = await bytesOf(file, 0, 8);
  if (startsWith(head, "\x1f\x8b")) return text(name.replace(/\.(gz|gzip|bgz)$/i, ""), gunzipped(file, most.text));
  if (startsWith(head, "PAR1")) return parquet()(file, name, most);
  if (startsWith(head, "PARE")) throw new Fault(strings.lockedParquet);
  if (startsWith(head, "\xd0\xcf\x11\xe0")) throw new Fault((await isLocked(file)) ? strings.lockedWorkbook : strings.oldWorkbook);
  if (!startsWith(head, "PK\x03\x04") && !startsWith(head, "PK\x05\x06")) return text(name, slices(file));
  const all = await members(file);
  if (isWorkbook(all)) return readWorkbook(file, name, all, wanted.sheet, keep, heed, most);
  const { member, choice } = chosen(all, wanted.member);
  const inner = await within(file, member, going, depth);
  return choice ? { ...inner, choices: [choice, ...inner.choices] } : inner;
}

function text(name: string, pieces: Pieces): Unpacked {
  return { name, settings: "", choices: [], notices: [], pieces };
}

/** A file of an archive: text, or packed itself, when it is held as a whole. */
async function within(file: Source, member: Member, going: Going, depth: number): Promise<Unpacked> {
  const { heed, most = MOST } = going;
  const name = member.name.replace(/^.*\//, "");
  const first = await unzipped(file, member, most.text).next();
  if (first.done || !/^(\x1f\x8b|PAR[1E]|PK|\xd0\xcf\x11\xe0)/.test(String.fromCharCode(...first.value.bytes.subarray(0, 4)))) return text(name, unzipped(file, member, most.text));
  if (depth >= DEEP) throw new Fault(strings.deep);
  const parts: Uint8Array[] = [];
  for await (const { bytes, loaded } of unzipped(file, member, most.held)) {
    parts.push(new Uint8Array(bytes));
    await heed(loaded);
  }
  const { member: wanted } = going.wanted;
  return unpack(new MemorySource(joined(parts)), name, { ...going, wanted: { ...going.wanted, member: wanted === member.name ? "" : wanted } }, depth + 1);
}

function joined(parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts.splice(0)) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Whether what is wanted may be in it. */
function isArchive({ name }: Member): boolean {
  return /\.zip$/i.test(name);
}

const ABOUT = /(^|\/)(read[-_ ]?me|licen[cs]e|copying|change(s|log)|notice|index)(\.[^/]*)?$/i;

/** The file of an archive that is asked for, or the only one that may be the table. */
function chosen(all: readonly Member[], wanted: string): { readonly member: Member; readonly choice?: Choice } {
  if (all.length === 0) throw new Fault(strings.empty);
  let likely = all;
  for (const isLikely of [({ name }: Member) => TABLE.test(name), ({ name }: Member) => !ABOUT.test(name)]) {
    const rest = likely.filter(isLikely);
    if (rest.length > 0) likely = rest;
  }
  const [only] = likely;
  if (only && likely.length === 1 && (wanted === "" || wanted === only.name || (isArchive(only) && !all.some(({ name }) => name === wanted)))) return { member: only };
  const names = likely.map(({ name }) => name);
  const member = all.find(({ name }) => name === wanted);
  if (member) return { member, choice: { key: "member", names: names.includes(wanted) ? names : [...names, wanted], chosen: wanted } };
  throw new Fault(wanted === "" ? strings.members(names) : strings.noMember(wanted, names), { key: "member", names, chosen: "" });
}

/** Whether a compound file is an Excel workbook behind a password: a directory's name, in UTF-16. */
async function isLocked(file: Source): Promise<boolean> {
  const sign = [..."EncryptedPackage"].map((c) => `${c}\0`).join("");
  for await (const { bytes } of slices(file)) {
    if (new TextDecoder("latin1").decode(bytes).includes(sign)) return true;
  }
  return false;
}
