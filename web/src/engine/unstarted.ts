// Why the engine did not start, in words that whoever serves the page can act
// on. Loaded when it is needed, which it hardly ever is.
import { unstarted as strings } from "./strings.js";

/**
 * forbidden are violations of the page's policy, directive and address; files
 * are what the engine is made of. reason is the browser's own word for it.
 */
export async function explain(reason: string, forbidden: readonly string[], files: readonly URL[]): Promise<string> {
  const broken = (pattern: RegExp): boolean => forbidden.some((violation) => pattern.test(violation));
  if (broken(/^(worker|child)-src /)) return strings.forbidden(strings.worker, "worker-src", "'self' blob:");
  if (broken(/^script-src\S* wasm-eval/) || /unsafe-eval|Content.Security.Policy|\bCSP\b/i.test(reason)) return strings.forbidden(strings.wasm, "script-src", "'wasm-unsafe-eval'");
  if (broken(/^connect-src /)) return strings.forbidden(strings.fetch, "connect-src", "'self'");
  for (const file of files) {
    try {
      const { ok, status, headers } = await fetch(file, { method: "HEAD" });
      if (!ok) return status < 500 ? strings.missing(named(file), status) : strings.unreachable(named(file));
      if (/^text\/html/i.test(headers.get("content-type") ?? "")) return strings.replaced(named(file));
    } catch {
      return strings.unreachable(named(file));
    }
  }
  const damaged = await firstDamaged(files, reason);
  if (damaged) return strings.damaged(named(damaged));
  return /RangeError|memory/i.test(reason) ? strings.memory : strings.reason(reason);
}

/** The first of the files that is not what it should be: no WebAssembly, or a script that cannot be read. */
async function firstDamaged(files: readonly URL[], reason: string): Promise<URL | undefined> {
  for (const file of files) {
    const script = file.pathname.endsWith(".js");
    const sound = script ? !/SyntaxError|Unexpected/.test(reason) : await fetch(file).then(async (answer) => WebAssembly.validate(await answer.arrayBuffer())).catch(() => false);
    if (!sound) return file;
  }
  return undefined;
}

function named(file: URL): string {
  return file.pathname.replace(/^.*\/(?=[^/]*\/)/, "");
}
