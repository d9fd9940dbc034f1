// @ts-check
/**
 * Runs the Worker that make worker built in workerd, Cloudflare's runtime, as
 * ../wrangler.jsonc says, without the network and without an account:
 *
 *     node server/workerd/start.mjs [HOST:PORT]
 *
 * It prints the address once it answers, and ends with a signal, or when what
 * started it through a pipe ends.
 */
import { once } from "node:events";
import { fstatSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const asked = process.argv[2] ?? "127.0.0.1:0";
const [, named, port] = /^([\w.-]*|\[[\da-f:]+\]):(\d{1,5})$/i.exec(asked) ?? [];
if (named === undefined || Number(port) > 65535) {
  console.error(`the address is ${asked}, expected a host and a port, such as 127.0.0.1:8080`);
  process.exit(1);
}
const hostname = named || "0.0.0.0"; // every one, as the native server has it
// Wrangler would wait for ever, and not say for what.
const probe = createServer().listen(Number(port), hostname.replace(/[[\]]/g, ""));
await once(probe, "listening").catch((error) => {
  console.error(`${hostname}:${port} cannot be listened on (${error.code}); stop the program that does, or choose another address, such as ADDR=127.0.0.1:8081`);
  process.exit(1);
});
await once(probe.close(), "close");

const temporary = mkdtempSync(join(tmpdir(), "ifmlab-workerd-"));
process.on("exit", () => rmSync(temporary, { recursive: true, force: true }));

// Wrangler reads these when it is loaded: nothing is asked for, told or kept.
Object.assign(process.env, {
  CI: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_LOG_PATH: temporary,
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_SEND_METRICS: "false",
  XDG_CONFIG_HOME: temporary,
});

/** @type {Awaited<ReturnType<typeof import("wrangler").unstable_startWorker>> | undefined} */
let worker;
let ended = false;
async function end() {
  if (ended) return;
  ended = true;
  await worker?.dispose();
  process.exit(0);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
const input = fstatSync(0);
if (input.isFIFO() || input.isSocket()) process.stdin.on("end", end).resume();

const { unstable_startWorker } = await import("wrangler");
worker = await unstable_startWorker({
  config: fileURLToPath(new URL("../wrangler.jsonc", import.meta.url)),
  dev: { server: { hostname, port: Number(port) }, inspector: false, persist: false, remote: false, watch: false, logLevel: "warn", registry: temporary },
});

await worker.ready;
const { origin } = await worker.url;
console.log(`iFM Lab is at ${origin}/ in workerd (Ctrl-C stops it)`);
