// The first script of the offline file. In the page it starts two workers of
// itself, in which it unpacks what else is in the file; then the page begins,
// while the engine is still being unpacked.
import { base91 } from "./base91.js";
import { undelta } from "./delta.js";
import { lzma } from "./lzma.js";
import type { Parts } from "./parts.js";
import { offline as strings } from "./strings.js";

/** A file's name, its type and its size, in the order of the files' bytes. */
type Entry = readonly [name: string, type: string, size: number];

function unpack(): void {
  const scope = self as unknown as { onmessage: ((event: MessageEvent<string>) => void) | null; postMessage(message: Uint8Array, transfer: Transferable[]): void };
  scope.onmessage = ({ data }) => {
    const bytes = undelta(lzma(base91(data)));
    scope.postMessage(bytes, [bytes.buffer]);
  };
}

async function start(source: string): Promise<void> {
  const script = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const parts = (name: string): Promise<Map<string, Blob>> =>
    new Promise((resolve, reject) => {
      const packed = document.querySelector<HTMLScriptElement>(`script[data-part=${name}]`);
      const worker = new Worker(script);
      worker.onmessage = ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
        worker.terminate();
        let at = 0;
        const entries = JSON.parse(packed?.dataset["files"] ?? "[]") as Entry[];
        resolve(new Map(entries.map(([name, type, size]) => [name, new Blob([data.subarray(at, (at += size))], { type })])));
      };
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message.replace(/^Uncaught /, "")));
      };
      worker.postMessage(packed?.textContent ?? "");
    });

  const engine = parts("engine").then((files) => files.get("engine.wasm") as Blob);
  engine.catch(() => undefined); // who asks for it is told
  try {
    const page = await parts("page");
    globalThis.ifmLabParts = { page, engine } satisfies Parts;
    for (const [name, element] of [["style.css", "style"], ["app.js", "script"]] as const) {
      const added = document.createElement(element);
      added.textContent = (await page.get(name)?.text()) ?? "";
      document.head.append(added);
    }
    if (!customElements.get("ifm-app")) throw new Error(strings.changed); // the policy knows another script
  } catch (reason) {
    const said = document.createElement("p");
    said.role = "alert";
    said.textContent = strings.damaged(reason instanceof Error ? reason.message : String(reason));
    document.body.prepend(said);
  }
}

if (typeof document === "undefined") {
  unpack();
} else {
  const source = document.currentScript?.textContent ?? "";
  addEventListener("DOMContentLoaded", () => void start(source));
}
