// @ts-check
/**
 * WebKitGTK, the engine of GNOME's browser and a sister of Safari's, driven over
 * WebDriver: as much of a page as offline.mjs walks through. Debian has it in
 * webkit2gtk-driver, with a browser to drive; Xvfb is its screen.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

import { onPath, patience, port } from "./browser.mjs";

/** MiniBrowser, which lies among WebKit's libraries. */
async function browser() {
  for (const library of await readdir("/usr/lib").catch(() => [])) {
    for (const version of ["4.1", "4.0"]) {
      const found = `/usr/lib/${library}/webkit2gtk-${version}/MiniBrowser`;
      if (await access(found).then(() => true, () => false)) return found;
    }
  }
  return undefined;
}

const binary = await browser();

/** Why it cannot be tried, or false. */
export const skip = !(await onPath("WebKitWebDriver")) || !binary ? "WebKitGTK is not installed; apt-get install webkit2gtk-driver" : process.env["DISPLAY"] || (await onPath("Xvfb")) ? false : "WebKitGTK has no screen; apt-get install xvfb";

/** A screen, if there is none. @param {TestContext} t */
async function screen(t) {
  if (process.env["DISPLAY"]) return process.env["DISPLAY"];
  const server = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], { stdio: ["ignore", "pipe", "ignore"] });
  t.after(() => server.kill());
  const [number] = await once(server.stdout, "data");
  return `:${String(number).trim()}`;
}

/** Opens an address in it, and returns what is asked of a page. @param {TestContext} t @param {string} address */
export async function openWebKit(t, address) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "ifmlab-webkit-"));
  const at = await port();
  const driver = spawn("WebKitWebDriver", [`--port=${at}`, "--host=127.0.0.1"], { stdio: "ignore", env: { ...process.env, DISPLAY: await screen(t), HOME: folder, XDG_DATA_HOME: folder, XDG_CACHE_HOME: folder, XDG_CONFIG_HOME: folder, no_proxy: "*" } });
  t.after(async () => {
    const ended = once(driver, "exit");
    if (driver.exitCode === null && driver.kill()) await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 9 }); // its processes write for a while
  });
  /** @param {string} method @param {string} route @param {object} [body] @returns {Promise<any>} */
  const ask = async (method, route, body) => {
    const response = await fetch(`http://127.0.0.1:${at}${route}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  while ((await ask("GET", "/status").catch(() => null)) === null) if (driver.exitCode !== null) throw new Error("WebKitWebDriver has ended");
  const { sessionId, capabilities } = await ask("POST", "/session", { capabilities: { alwaysMatch: { timeouts: { script: patience(), pageLoad: patience() }, "webkitgtk:browserOptions": { binary, args: ["--automation"] } } } });
  t.after(() => ask("DELETE", `/session/${sessionId}`).catch(() => undefined));
  await ask("POST", `/session/${sessionId}/url`, { url: address });

  /** Runs a function in the page, given as the others' drivers are. @param {Function} f @param {unknown} [arg] */
  const evaluate = (f, arg) => ask("POST", `/session/${sessionId}/execute/sync`, { script: `return (${f})(arguments[0])`, args: [arg ?? null] });
  return {
    version: /** @type {string} */ (capabilities.browserVersion),
    evaluate,
    /** Waits in the page until a function of it says yes. @param {Function} f @param {object} _ @param {unknown} [arg] */
    waitForFunction: (f, _, arg) => ask("POST", `/session/${sessionId}/execute/async`, { script: `const [arg, done] = arguments; const look = () => ((${f})(arg) ? done(true) : setTimeout(look, 20)); look();`, args: [arg ?? null] }),
    /** A picture of what is seen, PNG. */
    screenshot: async () => Buffer.from(await ask("GET", `/session/${sessionId}/screenshot`), "base64"),
  };
}
