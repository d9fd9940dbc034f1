// The files of a zip, as a learning platform exports it: loaded when one comes.
import { Unzip, UnzipInflate, type UnzipFile } from "fflate";
import type { Turns } from "../save/turns.js";

/** A file of a zip, or why it cannot be had: larger than is read, or damaged. */
export interface Entry {
  readonly name: string; // its path there
  readonly bytes: Uint8Array<ArrayBuffer> | "large" | "damaged";
}

export const MOST_FILES = 5000;
const SLICE = 1 << 14; // bytes at a time: what is packed best is a thousand times as large

/** Reads all files of a zip, each of so many bytes at most; folders are passed over. wanted says which are read at all: of others the name is enough. */
export async function readZip(file: Blob, most: number, wanted: (name: string) => boolean, turns: Turns): Promise<{ readonly entries: Entry[]; readonly whole: boolean }> {
  const entries: Entry[] = [];
  let whole = true;
  const unzip = new Unzip((found) => take(found));
  unzip.register(UnzipInflate);
  const take = (found: UnzipFile): void => {
    if (found.name.endsWith("/") || entries.length >= MOST_FILES) {
      whole &&= found.name.endsWith("/");
      return;
    }
    const at = entries.push({ name: found.name, bytes: new Uint8Array() }) - 1;
    if (!wanted(found.name)) return;
    const parts: Uint8Array[] = [];
    let size = 0;
    const put = (bytes: Entry["bytes"]): void => void (entries[at] = { name: found.name, bytes });
    put("damaged"); // until its end has come
    found.ondata = (error, data, final) => {
      if (entries[at]?.bytes === "large") return;
      size += data?.length ?? 0;
      if (error) return put("damaged");
      if (size > most) {
        put("large");
        found.terminate();
        return;
      }
      parts.push(data);
      if (final) put(joined(parts, size));
    };
    try {
      found.start();
    } catch {
      put("damaged"); // packed in a way that is not known here
    }
  };
  for (let at = 0; at < file.size; at += SLICE) {
    const bytes = new Uint8Array(await file.slice(at, at + SLICE).arrayBuffer());
    try {
      unzip.push(bytes, at + SLICE >= file.size);
    } catch {
      return { entries, whole: false };
    }
    if (turns.due) await turns.pass(at / file.size);
  }
  return { entries, whole };
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
