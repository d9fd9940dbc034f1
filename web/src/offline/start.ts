// The first script of the offline file: unpacks the rest, and begins the page while the
// engine is still being unpacked.
import type { Parts } from "./site.js";
import { offline as strings } from "./strings.js";
import { unpack } from "./unpack.js";

/** A file's name, its type and its size, in the order of the files' bytes. */
type Entry = readonly [name: string, type: string, size: number];

async function part(name: string): Promise<Map<string, Blob>> {
  const packed = document.querySelector<HTMLScriptElement>(`script[data-part=${name}]`);
  const all = await unpack(packed?.textContent ?? "");
  let at = 0;
  const entries = JSON.parse(packed?.dataset["files"] ?? "[]") as Entry[];
  return new Map(entries.map(([name, type, size]) => [name, all.slice(at, (at += size), type)]));
}

function say(words: string): void {
  const said = document.createElement("p");
  said.setAttribute("role", "alert");
  said.textContent = words;
  document.body.prepend(said);
}

async function start(): Promise<void> {
  document.querySelector("#unstarted")?.toggleAttribute("hidden", true);
  if (!("DecompressionStream" in globalThis)) return say(strings.old);
  try {
    const page = await part("page");
    const engine = part("engine").then((files) => files.get("engine.wasm") as Blob);
    engine.catch(() => undefined); // who asks for it is told
    globalThis.ifmLabParts = { page, engine } satisfies Parts;
    for (const [name, element] of [["style.css", "style"], ["app.js", "script"]] as const) {
      const added = document.createElement(element);
      added.textContent = (await page.get(name)?.text()) ?? "";
      document.head.append(added);
    }
    if (!customElements.get("ifm-app")) throw new Error(strings.changed); // the policy knows another script
  } catch (reason) {
    say(strings.damaged(reason instanceof Error ? reason.message : String(reason)));
  }
}

addEventListener("DOMContentLoaded", () => void start());
