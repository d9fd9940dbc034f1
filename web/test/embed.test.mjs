// @ts-check
/** The lab in frames of other sites: plain, sandboxed, isolated, far below, under policies of all kinds. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { below, following, framed, frameIn, isolated, policyOf, quiet, sandboxed, serveDist, strict } from "./hosts.mjs";
import { acceptance, assertAccessible, follow, laidOut, openPage, origin, serveHTML, settled } from "./lab.mjs";

/**
 * Opens a page around the lab at an address of it.
 *
 * @param {TestContext} t
 * @param {import("./hosts.mjs").Host} host
 * @param {Parameters<typeof openPage>[2]} [options]
 */
async function openHost(t, { html, headers }, { origins = [], ...options } = {}) {
  const outside = await serveHTML(html, headers);
  const page = await openPage(t, outside, { origins: [outside, "null", ...origins], ...options });
  return { page, frame: await frameIn(page.locator("iframe").first()) };
}

/** What the page around was told. @param {Page} page @returns {Promise<any[]>} */
const heard = (page) => page.evaluate(() => /** @type {any} */ (window).heard);

/** @param {Page} page */
const told = async (page) => (await heard(page)).filter((m) => m?.type === "ifm-lab.height").map((m) => m.height);

/** How high what the frame shows is. @param {Frame} frame */
const contentHeight = (frame) => frame.evaluate(() => Math.ceil(document.querySelector("ifm-app")?.getBoundingClientRect().height ?? 0));

/** Waits until a frame has settled, and the page around it has heard of it; then its run is over. @param {Frame} frame */
async function done(frame) {
  await quiet(frame);
  assert.equal(await frame.locator(".verdict").getAttribute("data-phase"), "done");
}

const tiny = "speed=instant&d=8&n=100&iterations=20"; // where the numbers do not matter
const quick = `embed=1&${tiny}`;

for (const [where, host] of Object.entries({
  "another origin": framed,
  "a sandbox without an origin": sandboxed,
  "a page that is isolated by require-corp": isolated,
  "a page whose policy allows this frame alone": (/** @type {string} */ src) => strict(src, new URL(src).origin),
})) {
  test(`the embedded figure runs in a frame of ${where} and tells its height`, async (t) => {
    const { page, frame } = await openHost(t, host(`${await origin()}/?${quick}`));
    await done(frame);
    assert.match(await frame.locator("[data-verdict]").innerText(), /FM/);
    assert.equal(await frame.locator("header, footer, ifm-data").count(), 0, "the figure is alone");
    const all = await heard(page);
    assert.equal((await told(page)).at(-1), await contentHeight(frame));
    assert.deepEqual([...new Set(all.map((m) => m.type ?? m.subject))].sort(), ["ifm-lab.height", "ifm-lab.hello", "lti.frameResize", "org.imsglobal.lti.frameResize"]);
    assert.ok(all.every((m) => JSON.stringify(Object.keys(m).sort()) === (m.type === "ifm-lab.hello" ? '["type","version"]' : m.type ? '["height","type"]' : '["height","subject"]')), "and nothing else");
    await frame.getByRole("radio", { name: "Both" }).check();
    await done(frame);
    assert.match(await frame.evaluate(() => /** @type {any} */ (document.querySelector("ifm-app")).lab.runs.now.figure.query), /mixed/);
  });
}

/** Finds what makes a frame higher, and lower again. The result presses it, also where it is folded away. @param {Frame} frame */
async function fold(frame) {
  const summary = frame.locator("details:visible > summary").first();
  const found = await ((await summary.count()) > 0 ? summary : frame.locator("ifm-figure input[name=maps]")).elementHandle();
  assert.ok(found);
  return () => found.evaluate((e) => /** @type {HTMLElement} */ (e).click());
}

test("every kind of frame tells its height, and tells when it shrinks", async (t) => {
  const home = await origin();
  const table = "embed=1&source=table&sample=penguins&models=ifm&ranks=2&lambdas=0.03&encode=linear&iterations=20&trials=2&speed=instant";
  for (const query of [quick, table]) {
    await t.test(query, async (t) => {
      const { page, frame } = await openHost(t, following(`${home}/?${query}`, "`${h}px`"));
      await quiet(frame);
      const heights = [await contentHeight(frame)];
      const press = await fold(frame);
      for (let i = 0; i < 2; i++) {
        await press();
        await quiet(frame);
        heights.push(await contentHeight(frame));
        assert.equal((await told(page)).at(-1), heights.at(-1));
      }
      assert.ok((heights[1] ?? 0) > (heights[0] ?? 0) && heights[2] === heights[0], `it opens and closes: ${heights}`);
      assert.equal(await frame.evaluate(() => document.documentElement.scrollHeight - innerHeight), 0, "nothing is left to scroll");
      if (query !== quick) return;
      for (const width of [320, 1100]) {
        await page.evaluate((width) => document.querySelector("iframe")?.setAttribute("width", `${width}`), width);
        await quiet(frame);
        assert.equal(await frame.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, `${width} px`);
        const drawn = await frame.evaluate(() => [document.querySelector(".plot > svg")?.getBoundingClientRect().width ?? 0, document.querySelector(".frame")?.getBoundingClientRect().width ?? 0]);
        assert.ok(Math.abs((drawn[0] ?? 0) - (drawn[1] ?? 0)) < 2, `the chart is ${drawn[0]} wide in ${drawn[1]}`);
        assert.equal((await told(page)).at(-1), await contentHeight(frame));
      }
    });
  }
});

test("a page that changes the frame's width with its height is told ever more rarely", acceptance, async (t) => {
  const { page, frame } = await openHost(t, following(`${await origin()}/?${quick}`, "(window.turns && (frame.width = frame.width === '500' ? '900' : '500'), `${h}px`)"), { held: true });
  await done(frame);
  const before = (await told(page)).length;
  await page.evaluate(() => Object.assign(window, { turns: true }));
  await page.locator("iframe").evaluate((frame) => frame.setAttribute("width", "500"));
  for (let passed = 0; passed < 14_000; passed += 500) {
    await quiet(frame, laidOut);
    await page.clock.runFor(500);
  }
  const times = (await told(page)).length - before;
  assert.ok(times > 30 && times <= 160, `a few rushes of some thirty, and not one a moment: ${times}`);
});

test("a frame far below starts nothing until its reader comes, and waits when it has left", async (t) => {
  const { page, frame } = await openHost(t, below(`${await origin()}/?embed=1&hide=matrices&d=8&n=100&speed=slow&iterations=3000`));
  await quiet(frame);
  assert.equal(await frame.locator("ifm-controls [data-phase]").getAttribute("data-phase"), "idle");
  assert.equal(await frame.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".wasm")).length), 0, "the engine was not asked for");
  const phase = (/** @type {string} */ is) => frame.locator(`.controls[data-phase=${is}]`).waitFor();
  await page.evaluate(() => scrollTo(0, 6000));
  await phase("running");
  await page.evaluate(() => scrollTo(0, 0));
  await phase("paused");
  await page.evaluate(() => scrollTo(0, 6000));
  await phase("running");
});

test("a frame in a part of the page that is not shown starts when it is", async (t) => {
  const { page, frame } = await openHost(t, framed(`${await origin()}/?${quick}`, { attributes: "hidden" }));
  await frame.locator("html:not([data-pending])").waitFor({ state: "attached" }); // it is not laid out, so that nothing is observed in it
  await laidOut(page);
  assert.equal(await frame.locator(".verdict").getAttribute("data-phase"), "idle");
  await page.evaluate(() => document.querySelector("iframe")?.removeAttribute("hidden"));
  await frame.locator("[data-chart=curve] .plot > svg").first().waitFor();
  await done(frame);
  assert.equal((await told(page)).at(-1), await contentHeight(frame));
});

/** What a server may forbid or lack, and what the frame then says. @type {Record<string, { policy?: string, without?: RegExp, sandbox?: boolean, where?: string[], says: RegExp, console?: RegExp }>} */
const broken = {
  "a policy without 'wasm-unsafe-eval'": { policy: policyOf({ "script-src": "'self'" }), where: ["embed=1", "embed=1&source=table&sample=cars", "embed=1&chapter=interaction"], says: /forbids its WebAssembly.*script-src needs 'wasm-unsafe-eval'/ },
  "a policy without workers": { policy: policyOf({ "worker-src": "'none'" }), says: /forbids its web worker.*worker-src needs 'self' blob:/, console: /worker/ },
  "a policy that does not speak of workers, in a sandbox": { policy: policyOf({ "worker-src": "" }), sandbox: true, says: /forbids its web worker.*worker-src needs 'self' blob:/, console: /worker/ },
  "a server without the worker": { without: /worker/, says: /has no a\/worker-.*\.js \(404\)/, console: /404/ },
};
for (const [what, { policy, without, sandbox = false, where, says, console = /^$/ }] of Object.entries(broken)) {
  test(`under ${what} the frame says what is missing`, async (t) => {
    const home = await serveDist({ ...(policy === undefined ? {} : { policy }), ...(without ? { without } : {}) });
    for (const query of where ?? ["embed=1"]) {
      const src = `${home}/?${query}`;
      const { frame } = await openHost(t, sandbox ? sandboxed(src) : framed(src), { origins: [home], expected: [console] });
      if (query.includes("chapter")) await frame.locator("[data-guess]").first().click();
      await frame.locator("[role=alert]").first().waitFor();
      assert.match(await frame.locator("[role=alert]").first().innerText(), says, query);
    }
  });
}

test("under the policy that the page asks for, all of it works, what it previews in a frame too", async (t) => {
  const index = await readFile(new URL("../dist/index.html", import.meta.url), "utf8");
  const policy = /<code>(script-src[^<]*)<\/code>/.exec(index)?.[1] ?? "";
  const home = await serveDist({ policy: `default-src 'none'; ${policy}` });
  const page = await openPage(t, `${home}/?${tiny}`, { origins: [home] });
  await page.locator("ifm-figure .verdict[data-phase=done]").waitFor();
  await page.locator("header .sharer").click();
  await page.locator(".window iframe").contentFrame().locator("[data-chart=curve]").first().waitFor();
});

test("where no script runs the frame says so: at once if none can, after a while if it may be on its way", async (t) => {
  const home = await serveDist({ policy: policyOf({ "script-src": "'none'" }) });
  const forbidden = await openHost(t, framed(`${home}/?embed=1`), { origins: [home], expected: [/script-src/] });
  const soon = (/** @type {Frame} */ frame) => frame.locator("div.unstarted").evaluate((said) => { // a script may still come: its clock is put forward
    const [coming] = said.getAnimations();
    coming?.finish();
    return Number(coming?.effect?.getTiming().delay);
  });
  assert.equal(await soon(forbidden.frame), 8000, "ms");
  await forbidden.frame.getByText("script-src 'self' 'wasm-unsafe-eval'").waitFor();
  const lacking = await serveDist({ without: /app-/ });
  const missing = await openHost(t, framed(`${lacking}/?embed=1`), { origins: [lacking], expected: [/404/] });
  await soon(missing.frame);
  await missing.frame.getByText("This page has not started yet.").waitFor();
  const off = await openHost(t, framed(`${await origin()}/?embed=1`, { attributes: 'sandbox=""' }), { expected: [/sandboxed/] });
  const none = await openPage(t, "/", { javaScriptEnabled: false });
  for (const frame of [off.frame, none]) {
    await frame.locator("noscript > p").waitFor();
    assert.match((await frame.locator("noscript > p").textContent()) ?? "", /needs JavaScript.*needs allow-scripts/);
    assert.equal(await frame.locator("div.unstarted").isVisible(), false, "no policy is to blame");
  }
});

test("WordPress, which knows its frames by a secret in their address, hears how high they are", async (t) => {
  const { page, frame } = await openHost(t, framed(`${await origin()}/?${quick}#?secret=aB3dE6gH9k`, { attributes: 'sandbox="allow-scripts" security="restricted" data-secret="aB3dE6gH9k"' }));
  await done(frame);
  const heights = (await heard(page)).filter((m) => m?.message === "height");
  assert.deepEqual(heights.at(-1), { message: "height", value: await contentHeight(frame), secret: "aB3dE6gH9k" });
});

test("a frame leads to the page with the same settings, in a tab of its own", async (t) => {
  const home = await origin();
  for (const [query, leads] of [["embed=1&scenario=mixed&hide=title,controls&d=10&n=100", "scenario=mixed&d=10&n=100"], ["embed=1&chapter=psd&psd.d=20", "chapter=psd&psd.d=20"]]) {
    const { frame } = await openHost(t, framed(`${home}/?${query}`));
    const way = frame.getByRole("link", { name: "iFM Lab", exact: true });
    await way.waitFor();
    assert.equal(await way.getAttribute("href"), `${home}/?${leads}`);
    assert.equal(await way.getAttribute("target"), "_blank");
  }
});

test("a link that a sandboxed frame cannot open in a tab is offered to copy", async (t) => {
  const home = await origin();
  const { frame } = await openHost(t, sandboxed(`${home}/?embed=1&chapter=psd&psd.d=20`), { expected: [/^Blocked opening/] });
  await frame.getByRole("link", { name: "iFM Lab", exact: true }).click();
  assert.equal(await frame.getByLabel("Address").inputValue(), `${home}/?chapter=psd&psd.d=20`);
});

test("a sandboxed lab, which cannot write its address, keeps its settings when a link within it is followed", async (t) => {
  const { frame } = await openHost(t, sandboxed(`${await origin()}/?embed=lab&${tiny}`));
  await quiet(frame);
  await frame.getByRole("radio", { name: "Both" }).check();
  await quiet(frame);
  await frame.locator("header [data-place=table]").click();
  await frame.locator("[data-sample=cars]").waitFor();
  await frame.locator("header [data-place=figure]").click();
  await quiet(frame);
  assert.ok(await frame.getByRole("radio", { name: "Both" }).isChecked());
});

test("a frame does not move the page around it", async (t) => {
  for (const query of [`embed=lab&source=table&sample=penguins&models=ifm&ranks=2&lambdas=0.03&encode=linear&trials=2&${tiny}`, `embed=lab&chapter=interaction&${tiny}`]) {
    const { page, frame } = await openHost(t, framed(`${await origin()}/?${query}`, { before: '<input id="typing" style="display: block; margin: 300px 0">' }));
    await page.locator("#typing").focus();
    await quiet(frame);
    assert.equal(await page.evaluate(() => scrollY), 0, query);
    assert.equal(await page.evaluate(() => document.activeElement?.id), "typing", query);
  }
});

test("a frame that hides all but one part shows that alone, from edge to edge", async (t) => {
  const all = ["title", "switch", "curve", "controls", "verdict", "maps", "spectrum"];
  const but = (/** @type {string} */ part) => `/?${quick}&hide=${all.filter((other) => other !== part).join(",")}`;
  const page = await openPage(t, but("maps"), { viewport: { width: 640, height: 480 } });
  await settled(page);
  for (const [part, selector] of Object.entries({ maps: "ifm-matrix", curve: "[data-chart=curve]", verdict: "ifm-verdict", spectrum: "ifm-spectrum", controls: "ifm-controls", switch: ".switch" })) {
    if (part !== "maps") await follow(page, but(part));
    const shown = page.locator(selector);
    const parts = page.locator("ifm-figure").locator("[data-chart=curve], ifm-verdict, ifm-matrix, ifm-spectrum, ifm-controls, .switch, h1:not(.seen-not)");
    assert.equal(await parts.count(), 1, part);
    if (part === "maps") assert.ok((await page.locator("ifm-matrix canvas").count()) > 0);
    const { x, y, below, height } = await shown.evaluate((part) => {
      const { x, y, bottom } = part.getBoundingClientRect();
      const { height } = document.querySelector("ifm-app")?.getBoundingClientRect() ?? { height: 0 };
      return { x, y, below: height - bottom, height };
    });
    assert.ok(x <= 16 && y <= 24, `${part} begins at ${x}, ${y}`);
    assert.ok(below <= 32, `nothing stands below ${part}: ${below} px`);
    assert.ok(height < 900, `${part} is ${height} px high`);
    if (part === "maps") await assertAccessible(page);
  }

  await t.test("an embed leaves out what its address hides, the maps and the spectrum with the matrices, and says so where that is everything", async () => {
    await follow(page, `/?${quick}&hide=title,switch,matrices`);
    assert.equal(await page.locator("h1:not(.seen-not), .switch, ifm-matrix, ifm-spectrum").count(), 0);
    assert.equal(await page.locator("[data-chart=curve]").count(), 1);
    await follow(page, "/?embed=1&hide=title,switch,curve,controls,verdict,matrices");
    assert.match(await page.locator("ifm-figure").innerText(), /hides every part/);
  });
});

test("a run whose controls are hidden comes to its end for a reader who wants nothing to move", async (t) => {
  const page = await openPage(t, "/?embed=1&hide=controls,matrices&d=8&n=100&iterations=20", { reducedMotion: "reduce" });
  await settled(page);
  assert.equal(await page.locator(".verdict").getAttribute("data-phase"), "done");
});

test("a plain file server's page says in Share what that server cannot do, and in a sandboxed frame at once, with a link out", async (t) => {
  const home = await serveDist({ closed: true });
  const outside = await serveHTML(sandboxed(`${home}/?embed=1`).html);
  const page = await openPage(t, outside, { origins: [outside, home, "null"], expected: [/CORS|ERR_FAILED|preloaded/] });
  const frame = await frameIn(page.locator("iframe").first());
  const said = frame.locator("div.unstarted");
  await said.getByText("In a sandboxed frame its files need the header").waitFor();
  assert.equal(await said.evaluate((/** @type {Element} */ element) => element.getAnimations().length), 0, "it waits for no clock: the style that hides it did not come");
  assert.equal(await said.getByRole("link", { name: "open it in its own tab" }).evaluate((/** @type {HTMLAnchorElement} */ link) => link.href), `${home}/?embed=1`);
  const plain = await openPage(t, `${home}/?${tiny}`, { origins: [home] });
  await plain.locator("header .sharer").click();
  await plain.locator(".lacks").getByText("does not send Access-Control-Allow-Origin").waitFor();
});
