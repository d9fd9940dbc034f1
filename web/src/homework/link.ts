// A hand-in as a link: deflate and base64url behind the #, which no browser sends
// to a server.
import { MOST_BYTES } from "./handin.js";

export const MARK = "handin="; // behind the # of a link
const LINKS = /#handin=([A-Za-z0-9_-]+)/g;

/** What stands behind handin= for a text. */
export async function pack(text: string): Promise<string> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The text again; null where it is damaged, cut short, or larger than a hand-in is. */
export async function unpack(packed: string): Promise<string | null> {
  try {
    const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let text = "";
    let size = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.length;
      if (size > MOST_BYTES) {
        void reader.cancel();
        return null;
      }
      text += decoder.decode(part.value, { stream: true });
    }
    return text + decoder.decode();
  } catch {
    return null;
  }
}

/** The hand-ins of all links in a text, each with the line that it stands on, from 1. */
export function linksIn(text: string): { readonly line: number; readonly packed: string }[] {
  return text.split(/\r\n|\r|\n/).flatMap((written, i) => [...written.matchAll(LINKS)].map(([, packed = ""]) => ({ line: i + 1, packed })));
}
