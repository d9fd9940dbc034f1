// @ts-check
/** The real server and a real Chromium, for tests and for what times them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, constants } from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

const program = fileURLToPath(new URL("../../bin/ifmlab", import.meta.url));

/**
 * Starts the server on a port of its own. `origin` has no slash at its end;
 * `stop` ends the server and returns its exit code.
 */
export async function serve() {
  const found = await access(program, constants.X_OK).then(() => true, () => false);
  if (!found) throw new Error(`${program} is not there; run make build`);
  const server = spawn(program, ["-addr", "127.0.0.1:0", "-log=false"], { stdio: ["ignore", "pipe", "inherit"] });
  const stop = async () => {
    const ended = once(server, "exit");
    if (server.exitCode === null && server.kill("SIGTERM")) await ended;
    return server.exitCode;
  };
  for await (const line of createInterface(server.stdout)) {
    const [address] = line.match(/http:\/\/\S+/) ?? [];
    if (address !== undefined) return { origin: new URL(address).origin, stop };
  }
  throw new Error("the server ended before it printed its address");
}

/** How long a page that tells that it is at work may be, and a browser at its start, ms. */
export const WORK = 300_000;

/**
 * How long a test waits for what it wants to see, ms: a minute, and longer where
 * more is to be done at once than these tests do by themselves. A test that has
 * waited so long has found that nothing comes. None measures time.
 */
export function patience() {
  return (Number(process.env["IFMLAB_PATIENCE"]) || 60_000) * Math.max(1, (os.loadavg()[0] ?? 0) / (2 * os.availableParallelism()));
}

/** What every Chromium here is started with: no window system, no request of its own, the same pixels everywhere. */
export const flags = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--font-render-hinting=none", "--force-color-profile=srgb",
  "--disable-smooth-scrolling", // what is scrolled to is there at once
];

/** Has pages of one profile share a process. */
export const together = "--process-per-site";

/** Where Chromium finds its fonts: the same on all machines, which npm brings. Firefox, of which no pictures are taken, has the machine's: with these it does not start in time. */
const env = { ...process.env, FONTCONFIG_FILE: fileURLToPath(new URL("fonts.conf", import.meta.url)) };

/** @param {string[]} more flags */
export async function launch(...more) {
  return chromium.launch({ executablePath: await findChromium(), env, timeout: WORK, args: [...flags, ...more] });
}

/** The first of some programs that is on PATH. @param {string[]} names @returns {Promise<string | undefined>} */
export async function onPath(...names) {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  for (const candidate of names.flatMap((name) => folders.map((folder) => path.join(folder, name)))) {
    if (await access(candidate, constants.X_OK).then(() => true, () => false)) return candidate;
  }
  return undefined;
}

/**
 * $CHROME_PATH, else the first of these on PATH: Chromium's headless shell, the
 * same engine without a browser's windows, takes half the processor time.
 */
export async function findChromium(names = ["chromium-headless-shell", "chromium"]) {
  const found = process.env["CHROME_PATH"] || (await onPath(...names));
  if (!found) throw new Error(`found no ${names.join(" and no ")} on PATH; run web/test/install-browsers.sh or set CHROME_PATH`);
  return found;
}

/** A port that nobody listens at. @returns {Promise<number>} */
export async function port() {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {net.AddressInfo} */ (server.address());
  server.close();
  return port;
}
