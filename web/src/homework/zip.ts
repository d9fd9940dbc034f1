// The files of a zip, as a learning platform exports it: loaded when one comes.
import { members, remains, unzipped, type Member } from "../packed/zip.js";
import type { Turns } from "../save/turns.js";

/** A file of a zip, or why it cannot be had: larger than is read, or damaged. */
export interface Entry {
  readonly name: string; // its path there
  readonly bytes: Uint8Array<ArrayBuffer> | "large" | "damaged";
}

export const MOST_FILES = 5000;

/** Reads all files of a zip, each of so many bytes at most; of one that is cut short, those before the cut. wanted says which are read at all: of others the name is enough. */
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
