// @ts-check
/** The page of examples: every form of the lab in other pages, running. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, assertFits, openPage } from "./lab.mjs";

/** The frame of an example, once it is seen. @param {Page} page @param {string} id */
async function frameOf(page, id) {
  const frame = page.locator(`#${id} .live iframe`).first();
  await frame.evaluate((e) => e.scrollIntoView({ block: "start" }));
  const found = await (await frame.elementHandle())?.contentFrame();
  assert.ok(found, id);
  return found;
}

test("each example on the page of examples runs when it is seen, and is made of the text beside it", async (t) => {
  const page = await openPage(t, "/embeds", { viewport: { width: 1440, height: 900 }, colorScheme: "dark", origins: ["null"], permissions: ["clipboard-read", "clipboard-write"], expected: [/Failed to load resource/] });
  assert.deepEqual(await page.locator(".examples nav a").allInnerTexts(), await page.locator(".examples h2").allInnerTexts());
  const wrong = await page.locator(".examples section:has(.live)").evaluateAll((sections) => sections.flatMap((section) => {
    const made = document.createElement("template");
    made.innerHTML = section.querySelector("pre")?.textContent ?? "";
    const wanted = [...made.content.querySelectorAll("iframe, ifm-lab")].map((e) => [...e.attributes].map((a) => `${a.name}=${a.value}`).sort().join(" "));
    const shown = [...section.querySelectorAll(".live > :is(iframe, ifm-lab)")].map((e) => [...e.attributes].map((a) => `${a.name}=${a.value}`).sort().join(" "));
    return wanted.length > 0 && JSON.stringify(wanted) === JSON.stringify(shown) ? [] : [[section.id, wanted, shown]];
  }));
  assert.deepEqual(wrong, []);
  assert.equal(await page.locator(".live iframe:not([title])").count(), 0);

  await (await frameOf(page, "frame")).locator(".verdict[data-phase=done]").waitFor();
  const chart = await frameOf(page, "chart");
  await chart.locator("ifm-matrix .cells").first().waitFor();
  assert.equal(await chart.locator(".switch, .controls, [data-chart=curve] svg, ifm-spectrum svg").count(), 0, "a single chart");
  const lab = await frameOf(page, "lab");
  await lab.locator("header nav").waitFor();

  await t.test("it keeps axe's rules and its width, in the dark", async () => {
    await assertAccessible(page, { exclude: ["iframe", "ifm-lab"] });
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await assertFits(page);
    }
    await page.locator("#jupyter .snippet button").click();
    await page.locator("#jupyter .snippet").getByText("Copied.").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.locator("#jupyter pre").innerText());
  });

  await t.test("without the lab's own server it says that nobody answers", async () => {
    await page.route("**/oembed?*", (route) => route.fulfill({ status: 404, body: "" }));
    await page.locator("[data-ask]").click();
    await page.locator(".answer").getByText("does not answer").waitFor();
  });
});
