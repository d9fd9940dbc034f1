// @ts-check
/** On a plain file server, which sends no headers of its own, makes no cards and answers no oEmbed, the page works and says what is missing. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { frameIn, sandboxed, serveDist } from "./hosts.mjs";
import { openPage, origin, serveHTML, settled } from "./lab.mjs";

const quick = "speed=instant&d=10&n=200&iterations=30";

test("a plain file server's page works, and Share says what that server cannot do", async (t) => {
  const home = await serveDist({ closed: true });
  const page = await openPage(t, `${home}/?${quick}`, { origins: [home] });
  await settled(page);
  await page.locator("header .sharer").click();
  const dialog = page.locator("dialog.sharing");
  await dialog.locator(".lacks").getByText("does not send Access-Control-Allow-Origin").waitFor();
  assert.equal(await dialog.locator(".lacks").getByText("forbids frames").count(), 0, "it sends nothing against frames");
  assert.equal(await page.locator("head > meta[property='og:image']").getAttribute("content"), "cards/flipped.png", "its links have the general card");
});

test("the lab's own server lacks nothing, and says in the page's head what the address shows", async (t) => {
  const page = await openPage(t, `/?${quick}`);
  await settled(page);
  const asked = page.waitForResponse((response) => response.request().method() === "HEAD");
  await page.locator("header .sharer").click();
  assert.equal(new URL((await asked).url()).search, "", "no settings are told");
  await page.locator("dialog.sharing[open]").waitFor();
  await settled(page);
  assert.equal(await page.locator(".lacks").count(), 0);
  assert.equal(await page.locator("head > link[rel=canonical]").getAttribute("href"), `${await origin()}/?d=10&n=200&iterations=30&speed=instant`);
  assert.equal(await page.locator("head > meta[property='og:image']").count(), 0, "the picture would show other numbers");
});

test("in a sandboxed frame of a plain file server a sentence says at once what is missing, with a link out", async (t) => {
  const home = await serveDist({ closed: true });
  const outside = await serveHTML(sandboxed(`${home}/?embed=1`).html);
  const page = await openPage(t, outside, { origins: [outside, home, "null"], expected: [/CORS|ERR_FAILED|preloaded/] });
  const frame = await frameIn(page.locator("iframe").first());
  const said = frame.locator("div.unstarted");
  await said.getByText("In a sandboxed frame its files need the header").waitFor();
  assert.equal(await said.evaluate((/** @type {Element} */ element) => element.getAnimations().length), 0, "it waits for no clock: the style that hides it did not come");
  assert.equal(await said.getByRole("link", { name: "open it in its own tab" }).evaluate((/** @type {HTMLAnchorElement} */ link) => link.href), `${home}/?embed=1`);
});
