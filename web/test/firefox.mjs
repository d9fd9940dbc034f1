// @ts-check
/**
 * A real Firefox beside the Chromium of lab.mjs, driven by puppeteer over
 * WebDriver BiDi: pages that fail their test when they complain or ask another
 * host for something.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after } from "node:test";

import puppeteer from "puppeteer-core";

import { onPath, patience, WORK } from "./browser.mjs";
import { laidOut, origin } from "./lab.mjs";

/** @typedef {import("puppeteer-core").Browser} Browser */
/** @typedef {import("puppeteer-core").Page} Page */
/** @typedef {import("puppeteer-core").Frame} Frame */

/** The oldest Firefox that the tests pass in, as install-browsers.sh has it too: puppeteer asks for what 140 does not know, and fails strangely. */
const OLDEST = 153;

const program = process.env["FIREFOX_PATH"] || (await onPath("firefox-esr", "firefox"));

/** Why no test here can run, or false. */
export const skip = program === undefined ? "no Firefox was found; install firefox-esr, or set FIREFOX_PATH to a Firefox" : tooOld(program);

/** @param {string} program @returns {string | false} */
function tooOld(program) {
  const said = execFileSync(program, ["--version"], { encoding: "utf8" });
  const version = Number(/Firefox (\d+)/.exec(said)?.[1] ?? NaN);
  return !(version >= OLDEST) && `${program} is ${said.trim()}, want Firefox ${OLDEST} or later; update it, or set FIREFOX_PATH to a newer one`;
}

/** @type {Promise<Browser> | undefined} */
let launched;
after(async () => (await launched)?.close());

/** @returns {Promise<Browser>} */
function firefox() {
  assert.ok(program, String(skip));
  launched ??= puppeteer.launch({
    browser: "firefox",
    timeout: WORK,
    protocolTimeout: WORK,
    executablePath: program,
    headless: true,
    extraPrefsFirefox: {
      "network.proxy.type": 0, // loopback is asked itself, whatever the machine's proxy
      "ui.prefersReducedMotion": 0,
      "browser.download.alwaysOpenPanel": false,
    },
  });
  return launched;
}

/**
 * Opens a page of the server, or a whole address, in a profile of its own. The test fails if it
 * writes to the console, throws, or asks another origin than the server's and those of `origins`.
 *
 * @param {TestContext} t
 * @param {string} [address]
 * @param {{ origins?: string[] }} [options]
 * @returns {Promise<Page>}
 */
export async function openFirefox(t, address = "/", { origins = [] } = {}) {
  const home = await origin();
  const context = await (await firefox()).createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(patience());
  await page.setViewport({ width: 1280, height: 900 });
  /** @type {string[]} */
  const troubles = [];
  const complain = (/** @type {string} */ text) => {
    if (!/\/favicon\.ico\b/.test(text)) troubles.push(text); // Firefox asks for an icon that no page has named
  };
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (["http:", "https:", "ws:", "wss:"].includes(url.protocol) && ![home, ...origins].includes(url.origin)) troubles.push(`asked ${url.origin} for ${url.pathname}`);
  });
  page.on("console", (message) => complain(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complain(`uncaught ${error instanceof Error ? error.message : String(error)}`));
  t.after(async () => {
    await context.close();
    assert.deepEqual(troubles, [], "the page ran without a complaint and stayed at home");
  });
  await page.goto(new URL(address, home).href);
  return page;
}

/** What lab.mjs calls settled, of a page or a frame here. @param {Page | Frame} where */
export async function settled(where) {
  await laidOut(where);
  await where.waitForSelector("html:not([data-pending])");
}

/** The frame that an element of the page holds. @param {Page} page @param {string} [selector] @returns {Promise<Frame>} */
export async function frameIn(page, selector = "iframe") {
  const element = await page.waitForSelector(selector);
  const frame = await element?.contentFrame();
  assert.ok(frame, `${selector} holds a page`);
  return /** @type {Frame} */ (frame);
}
