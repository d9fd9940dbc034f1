// @ts-check
/**
 * The pages around an embed, for tests in any browser: each is the HTML and the
 * headers of one page, to be served on an origin of its own. Whatever is told to
 * the page is in its `heard`, messages and events alike, in their order.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { laidOut, listen, settled } from "./lab.mjs";

/** What is asked here of a frame: Playwright's and Puppeteer's have it. @typedef {{ evaluate: (f: any) => Promise<any>, parentFrame: () => { evaluate: (f: any) => Promise<any> } | null }} Framed */
/** @typedef {{ html: string, headers?: Record<string, string> }} Host */

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const nonce = "rAnd0m";

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** A page that keeps what it hears. @param {string} body @param {string} [script] */
function page(body, script = "") {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><script nonce="${nonce}">
    window.heard = [];
    addEventListener("message", ({ data, ports }) => (data === "echo" ? ports[0].postMessage(null) : heard.push(data)));
    for (const name of ["ready", "record", "state", "verdict", "height", "error", "notices"]) {
      addEventListener("ifm-" + name, ({ type, detail, target }) => heard.push({ type, detail, of: target.id }));
    }
    ${script}
  </script><body>${body}`;
}

/** @param {string} src @param {string} attributes */
const iframe = (src, attributes) => `<iframe title="iFM Lab" width="700" height="900" ${attributes} src="${escaped(src)}"></iframe>`;

/** A page with a plain frame. @param {string} src @param {{ attributes?: string, before?: string, script?: string, headers?: Record<string, string> }} [options] @returns {Host} */
export function framed(src, { attributes = "", before = "", script = "", headers = {} } = {}) {
  return { html: page(before + iframe(src, attributes), script), headers };
}

/** A frame that may run scripts and nothing else: it has no origin. @param {string} src @returns {Host} */
export const sandboxed = (src) => framed(src, { attributes: 'sandbox="allow-scripts"' });

/** A page that is isolated from other origins. @param {string} src @returns {Host} */
export const isolated = (src) => framed(src, { headers: { "cross-origin-embedder-policy": "require-corp", "cross-origin-opener-policy": "same-origin" } });

/** A page whose policy allows its own script and frames of some origins alone. @param {string} src @param {string} frames @returns {Host} */
export const strict = (src, frames) => framed(src, { headers: { "content-security-policy": `default-src 'none'; script-src 'nonce-${nonce}'; frame-src ${frames}` } });

/** A page whose reader has to scroll to the frame. @param {string} src @returns {Host} */
export const below = (src) => framed(src, { before: '<div style="height: 6000px">The text before</div>' });

/** A page that makes the frame as high as it asks, and then some. @param {string} src @param {string} height the style's, of the height h @returns {Host} */
export const following = (src, height) =>
  framed(src, { script: `addEventListener("message", ({ data, source }) => { if (data?.type === "ifm-lab.height") for (const frame of document.querySelectorAll("iframe")) if (frame.contentWindow === source) { const h = data.height; frame.style.height = ${height}; } });` });

/** A page with the element, once for each list of attributes. @param {string} origin of the lab @param {string[]} attributes @param {{ before?: string, policy?: string }} [options] @returns {Host} */
export function elements(origin, attributes, { before = "", policy } = {}) {
  const all = attributes.map((own) => `<ifm-lab ${own}><a href="${origin}/">Open iFM Lab</a></ifm-lab>`).join("\n");
  const html = page(`${before}${all}<script type="module" nonce="${nonce}" src="${origin}/ifm-lab.js"></script>`);
  return { html, ...(policy === undefined ? {} : { headers: { "content-security-policy": policy } }) };
}

/** The policy of a strict page that allows the element all it needs, or no frame. @param {string} origin @param {string} frames */
export const elementPolicy = (origin, frames) => `default-src 'none'; script-src 'nonce-${nonce}' ${origin}; frame-src ${frames}`;

/** What the page of another server may be served under: ours, with changes; "" takes a directive away. @param {Record<string, string>} [changes] */
export function policyOf(changes = {}) {
  const ours = {
    "default-src": "'none'",
    "connect-src": "'self'",
    "font-src": "'self'",
    "frame-src": "'self'",
    "img-src": "'self' blob: data:",
    "script-src": "'self' 'wasm-unsafe-eval'",
    "style-src": "'self' 'unsafe-inline'",
    "worker-src": "'self' blob:",
  };
  return Object.entries({ ...ours, ...changes }).filter(([, sources]) => sources !== "").map(([name, sources]) => `${name} ${sources}`).join("; ");
}

/** The frame of the lab that an element holds, once its page is there. @param {Locator} holder @returns {Promise<Frame>} */
export async function frameIn(holder) {
  const frame = await (await holder.elementHandle())?.contentFrame();
  assert.ok(frame);
  await frame.locator("ifm-app").waitFor({ state: "attached" });
  return frame;
}

/**
 * Resolves when a frame and the page around it have no more to say to each other: a round
 * trip has brought nothing. Between two rounds the frame settles, or does `rest`.
 *
 * @template {Framed} F
 * @param {F} frame
 * @param {(frame: F) => Promise<void>} [rest]
 */
export async function quiet(frame, rest = /** @type {any} */ (settled)) {
  const around = frame.parentFrame();
  assert.ok(around);
  for (let round = 0, before = -1, now = -2; before !== now; round++) {
    assert.ok(round < 100, "they come to an end");
    await rest(frame);
    await frame.evaluate(() => new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(null);
      parent.postMessage("echo", "*", [port2]); // comes after all that was sent before
    }));
    await laidOut(around);
    [before, now] = [now, await around.evaluate(() => /** @type {any} */ (window).heard.length)];
  }
}

const types = /** @type {Record<string, string>} */ ({ ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".csv": "text/csv", ".wasm": "application/wasm", ".txt": "text/plain" });

/**
 * Serves the built page as another file server might: under a policy, without some files, with some
 * cut off, or closed to other origins.
 *
 * @param {{ policy?: string, without?: RegExp, cut?: (name: string) => boolean, closed?: boolean }} [options]
 * @returns {Promise<string>} the origin
 */
export async function serveDist({ policy, without, cut = () => false, closed = false } = {}) {
  const server = http.createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://host");
    const name = pathname === "/" ? "index.html" : path.posix.normalize(pathname).slice(1);
    const extension = path.extname(name);
    const bytes = without?.test(name) ? null : await readFile(path.join(dist, name)).catch(() => null);
    const type = types[extension] ?? "application/octet-stream";
    const half = bytes !== null && cut(name);
    response.writeHead(bytes ? 200 : 404, { ...(half ? { "cache-control": "max-age=31536000, immutable" } : {}), ...(closed ? {} : { "access-control-allow-origin": "*" }), "content-type": bytes ? type : "text/plain", ...(policy === undefined ? {} : { "content-security-policy": policy }) });
    response.end(half ? bytes.subarray(0, bytes.length / 2) : (bytes ?? "not found"));
  });
  return listen(server);
}
