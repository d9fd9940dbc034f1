// @ts-check
/** <ifm-lab> on pages of other origins. */
import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { test } from "node:test";

import { elementPolicy, elements, frameIn, quiet } from "./hosts.mjs";
import { acceptance, openPage, origin, release, serveHTML, settled } from "./lab.mjs";
import { planned, train } from "./table.mjs";

/** Opens a page with elements. @param {TestContext} t @param {string[]} attributes @param {Parameters<typeof elements>[2] & { expected?: RegExp[], origins?: string[], held?: boolean }} [options] */
async function openHost(t, attributes, { expected = [], origins = [], held = false, ...options } = {}) {
  const home = await origin();
  const { html, headers } = elements(home, attributes, options);
  const outside = await serveHTML(html, headers);
  return openPage(t, outside, { origins: [outside, ...origins], expected, held });
}

/** @param {Page} page @param {number} [at] */
const frameOf = (page, at = 0) => frameIn(page.locator("ifm-lab").nth(at).locator("iframe"));

/** What an element has told. @param {Page} page @param {string} [type] @param {string} [id] @returns {Promise<any[]>} */
const heard = (page, type, id) => page.evaluate(([type, id]) => /** @type {any} */ (window).heard.filter((/** @type {any} */ e) => (type === undefined || e.type === type) && (id === undefined || e.of === id)), [type, id]);

/** Waits until something is true of what was heard. @param {Page} page @param {string} condition of heard and lab */
const until = (page, condition) => page.waitForFunction(`((heard, lab) => ${condition})(window.heard, document.querySelector("ifm-lab"))`);

/** Calls the element. @param {Page} page @param {string} call */
const act = (page, call) => page.evaluate(`void document.querySelector("ifm-lab").${call}`);

const brief = 'hide="matrices" d="8" n="100" iterations="20" speed="instant"';

const done = 'heard.some((e) => e.type === "ifm-state" && e.detail.phase === "done")';

test("the element shows its run, as high as it is, and tells of it what the curves show", async (t) => {
  const page = await openHost(t, ['id="a" hide="controls,matrices" d="8" n="100" iterations="40" speed="instant" theme="dark" label="FM and iFM" style="--ifm-lab-border: 5px solid; --ifm-lab-radius: 9px"']);
  const frame = await frameOf(page);
  await quiet(frame);
  assert.equal(await frame.locator("ifm-controls, ifm-matrix").count(), 0);
  assert.equal(await frame.locator("html").getAttribute("data-theme"), "dark");
  const iframe = page.locator("ifm-lab iframe");
  assert.equal(await iframe.getAttribute("title"), "FM and iFM");

  const all = await heard(page);
  assert.equal(all.filter((e) => e.type === "ifm-ready").length, 1);
  const records = all.filter((e) => e.type === "ifm-record").flatMap((e) => e.detail.records);
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (document.querySelector("ifm-lab")).records), records);
  for (const model of ["fm", "ifm"]) {
    const own = records.filter((r) => r.model === model);
    assert.deepEqual(own.map((r) => r.iteration), own.map((_, i) => i), `${model}'s records come once each, in order`);
    assert.ok(own.length > 20 && own.every((r) => r.testRMSE > 0 && r.trial === 0));
  }
  const { sentence, numbers } = all.find((e) => e.type === "ifm-verdict").detail;
  assert.equal(sentence, (await frame.locator("[data-verdict]").innerText()).trim());
  const last = records.findLast((r) => r.model === "ifm").testRMSE;
  assert.equal(numbers.find((/** @type {any} */ n) => n.of === "ifm").value, last, "the verdict's number is the last record's");
  const height = all.findLast((e) => e.type === "ifm-height").detail.height;
  assert.equal((await iframe.boundingBox())?.height, height + 10, "its border apart");
  assert.equal(height, Math.ceil(await frame.evaluate(() => document.querySelector("ifm-app")?.getBoundingClientRect().height ?? 0)));
});

test("an attribute that changes changes the run, and the page in the frame stays", async (t) => {
  const page = await openHost(t, ['iterations="20" n="100" speed="instant" d="10"'], { expected: [/<ifm-lab>: nonsense is not a setting/] });
  await until(page, done);
  const frame = await frameOf(page);
  await frame.evaluate(() => Object.assign(window, { same: true }));
  await frame.getByRole("radio", { name: "Both" }).check(); // the reader's own change stays
  await until(page, 'heard.some((e) => e.type === "ifm-state" && e.detail.run === 2 && e.detail.phase === "done")');
  await act(page, 'setAttribute("d", "12")');
  await until(page, 'heard.some((e) => e.type === "ifm-state" && e.detail.run === 3 && e.detail.phase === "done")');
  assert.equal(new URL(frame.url()).searchParams.get("d"), "12");
  assert.ok(await frame.getByRole("radio", { name: "Both" }).isChecked());
  await page.evaluate(() => /** @type {any} */ (document.querySelector("ifm-lab")).set({ hide: ["title", "switch", "curve", "controls", "verdict", "spectrum"], d: null, models: ["gfm", "ifm"], nonsense: 1 }));
  await frame.locator("ifm-matrix canvas").first().waitFor();
  await frame.locator('[data-matrix="gfm"]').waitFor();
  assert.equal(await frame.locator("[data-chart=curve], ifm-verdict, h1:not(.seen-not)").count(), 0);
  await until(page, 'heard.some((e) => e.type === "ifm-state" && e.detail.run === 4 && e.detail.phase === "done")');
  assert.equal(await page.evaluate(() => document.querySelector("ifm-lab")?.hasAttribute("d")), false);
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (document.querySelector("ifm-lab")).notices.map((/** @type {any} */ n) => n.key)), ["nonsense"]);
  await act(page, 'setAttribute("d", "many")');
  await until(page, 'heard.some((e) => e.type === "ifm-notices" && e.detail.notices.some((n) => n.key === "d" && n.found === "many"))');
  assert.ok(await frame.evaluate(() => "same" in window), "it was never loaded anew");
});

test("the element tells once what was not used of its settings", async (t) => {
  const page = await openHost(t, ['loading="eager" nonsense="1" tabindex="0" data-sed="1" psd.d="8" ng-version="1"'], { before: '<div style="height: 6000px">Before</div>', expected: [/^<ifm-lab>: /] });
  /** @type {string[]} */
  const said = [];
  page.on("console", (message) => said.push(message.text().replace(/ \S*JSHandle.*| <ifm-lab .*/, "")));
  await until(page, 'heard.some((e) => e.type === "ifm-ready")');
  await page.evaluate(() => {
    const lab = /** @type {any} */ (document.querySelector("ifm-lab"));
    Object.assign(lab, { lamdbas: "0.1", _spede: 1, mine: {} });
    for (let i = 0; i < 5; i++) lab.set({ nonsense: i, d: "many" });
    for (const [name, value] of [["sceanrio", "mixed"], ["hide-", ""], ["sed", "4"], ["sed", "5"], ["loading", "lazy"], ["height", "300"]]) lab.setAttribute(name, value);
  });
  await until(page, 'heard.some((e) => e.type === "ifm-notices")');
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (document.querySelector("ifm-lab")).notices.map((/** @type {any} */ n) => `${n.key} ${n.found}`)), ["nonsense 4", "sceanrio mixed", "hide- ", "sed 5", "lamdbas 0.1", "d many"]);
  assert.deepEqual(said.sort(), [
    "height was set too late and has no effect: the frame already exists. Set it before you add the element to the page.",
    "hide- is not a setting of the lab and was ignored. Did you mean hide?",
    "lamdbas is not a setting of the lab and was ignored. Did you mean lambdas?",
    "loading was set too late and has no effect: the frame already exists. Set it before you add the element to the page.",
    "sceanrio is not a setting of the lab and was ignored. Did you mean scenario?",
    "sed is not a setting of the lab and was ignored. Did you mean seed?",
  ].map((text) => `<ifm-lab>: ${text}`), "once each");
});

test("the package's module reflects its properties, takes those that came before it, and says what it lacks", async (t) => {
  const home = await origin();
  const source = await readFile(new URL("../../bin/npm/ifm-lab.js", import.meta.url), "utf8");
  const outside = await serveHTML(`<!doctype html><title>Host</title><ifm-lab id="a"></ifm-lab><ifm-lab id="b"></ifm-lab>
    <script>Object.assign(document.querySelector("#a"), { src: "${home}", d: 12, models: ["fm", "gfm"], ignore: ["a,b", "c\\\\d"] })</script>
    <script type="module">${source}</script>`);
  const page = await openPage(t, outside, { origins: [outside] });
  await page.locator("#b [part=message]").getByText("its address is missing").waitFor();
  const reflected = await page.evaluate(async () => {
    const lab = /** @type {any} */ (document.querySelector("#a"));
    const early = lab.getAttributeNames().map((/** @type {string} */ name) => `${name}=${lab.getAttribute(name)}`);
    Object.assign(lab, { d: null, ranks: [2, 4], seed: 7 });
    const own = Object.getOwnPropertyNames(Object.getPrototypeOf(lab)).filter((name) => name !== "constructor");
    return { early, now: [lab.hasAttribute("d"), lab.getAttribute("ranks"), lab.seed], taken: own.filter((name) => name in HTMLElement.prototype) };
  });
  assert.deepEqual(reflected.early, ["id=a", `src=${home}`, "d=12", "ignore=a\\,b,c\\\\d", "models=fm,gfm"]);
  assert.deepEqual(reflected.now, [false, "2,4", 7]);
  assert.deepEqual(reflected.taken, [], "no property of every element has another meaning here");
  const frame = await frameOf(page);
  await settled(frame);
  assert.ok(new URL(frame.url()).searchParams.has("seed"));
  await page.evaluate((home) => {
    /** @type {any} */ (customElements.get("ifm-lab")).home = `${home}/`;
    document.body.append(document.createElement("ifm-lab"));
  }, home);
  await frameOf(page, 2);
});

test("the element has the colours of the page around it, live, unless it is told others", async (t) => {
  const page = await openHost(t, [`id="a" ${brief}`, `id="b" theme="light" ${brief}`], { before: "<style>html.night { color-scheme: dark; background: #111 } #a.day { color-scheme: light }</style>" });
  const [a, b] = [await frameOf(page), await frameOf(page, 1)];
  await quiet(a);
  const ground = async (/** @type {Frame} */ frame) => frame.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await a.evaluate(() => Object.assign(window, { same: true }));
  const light = await ground(a);
  for (const [selector, name, on, theme] of /** @type {const} */ ([["html", "night", true, "dark"], ["#a", "day", true, "light"], ["#a", "day", false, "dark"], ["html", "night", false, "auto"], ["html", "night", true, "dark"]])) {
    await page.locator(selector).evaluate((element, [name, on]) => element.classList.toggle(name, on), /** @type {const} */ ([name, on]));
    await a.locator(`html[data-theme=${theme}]`).waitFor({ state: "attached" });
    assert.equal((await ground(a)) === light, theme !== "dark");
  }
  assert.equal(await a.evaluate(() => new URLSearchParams(location.search).has("theme")), false, "what is shared has no colours");
  assert.ok(await a.evaluate(() => "same" in window), "it was never loaded anew");
  await quiet(b);
  assert.equal(await ground(b), light, "its own setting counts for more");
  await page.evaluate(() => (/** @type {any} */ (document.querySelector("#a")).seed = 5)); // and what it is told later changes nothing of that
  await a.waitForURL(/seed=5/);
  assert.equal(await a.locator("html[data-theme=dark]").count(), 1);
});

test("a page can play, pause, step and restart the run", async (t) => {
  const page = await openHost(t, ['speed="slow" iterations="2000" d="8" n="100"'], { held: true });
  const frame = await frameOf(page);
  const state = async () => (await heard(page, "ifm-state")).at(-1)?.detail ?? {};
  const records = () => page.evaluate(() => /** @type {any} */ (document.querySelector("ifm-lab")).records);
  /** Lets time pass until something is true of the state and the records. @param {(state: any, records: any[]) => boolean} condition */
  const passes = async (condition) => {
    for (let i = 0; !condition(await state(), await records()); i++) {
      assert.ok(i < 2000, `${condition} comes true`);
      await page.clock.runFor(20);
    }
  };
  await passes(({ phase, iteration }) => phase === "running" && iteration > 2);
  await act(page, "pause()");
  await passes(({ phase }) => phase === "paused");
  await quiet(frame);
  const { iteration } = await state();
  await page.clock.runFor(10_000);
  await quiet(frame);
  assert.equal((await state()).iteration, iteration, "paused is paused");
  await act(page, "step()");
  await passes((state) => state.iteration > iteration);
  await quiet(frame);
  assert.equal((await state()).iteration, iteration + 1);
  await act(page, "play()");
  await passes((state) => state.iteration > iteration + 5);
  const first = (await records()).slice(0, 4);
  await act(page, "restart(7)");
  await passes(({ run }, records) => run === 2 && records.length > 2);
  assert.ok(!(await records()).some((/** @type {any} */ r) => first.some((/** @type {any} */ one) => one.testRMSE === r.testRMSE)), "another seed, other records");
  const calls = (await heard(page, "ifm-record")).length;
  for (let i = 0; i < 100; i++) await page.clock.runFor(20);
  const more = (await heard(page, "ifm-record")).length - calls;
  assert.ok(more > 2 && more <= 22, `at most ten events a second, not ${more} in two`);
});

test("two elements show a chapter, with its own settings, and a built-in table, and share nothing", async (t) => {
  const page = await openHost(t, ['id="a" d="8" n="100" hide="matrices" chapter="psd" psd.d="12" psd.test="100" psd.iterations="8" spectrum.d="12" spectrum.n="400" samples.d="12" samples.trials="2"', 'id="b" source="table" sample="penguins" ranks="1,2" lambdas="0.03" encode="linear" iterations="20" trials="2" speed="instant"']);
  await page.setViewportSize({ width: 1280, height: 4000 });
  const chapter = await frameOf(page, 0);
  await chapter.locator("#psd .ask").waitFor();
  await until(page, 'heard.some((e) => e.of === "b" && e.type === "ifm-verdict")');
  const records = (await heard(page, "ifm-record", "b")).flatMap((e) => e.detail.records);
  assert.ok(records.some((r) => r.candidate > 0 && r.validationRMSE > 0), "a table's records name their candidate");
  await quiet(await frameOf(page, 1));
  const before = (await heard(page, undefined, "b")).length;
  await act(page, 'removeAttribute("chapter")');
  await until(page, 'heard.some((e) => e.of === "a" && e.type === "ifm-record")');
  await act(page, 'setAttribute("iterations", "3000")');
  await chapter.locator(".controls[data-phase=running]").waitFor();
  await act(page, 'setAttribute("chapter", "samples")');
  await chapter.locator("#samples .ask").waitFor();
  await quiet(chapter);
  assert.ok((await heard(page, "ifm-state", "a")).at(-1).detail.iteration < 3000, "what is not shown does not run");
  assert.equal((await heard(page, undefined, "b")).length, before, "the other did not stir");
});

test("the element says so where a strict policy forbids its frame", async (t) => {
  const home = await origin();
  const page = await openHost(t, ['d="20"'], { policy: elementPolicy(home, "'none'"), expected: [/frame-src/, /Framing/] });
  const said = page.locator("ifm-lab [part=message]");
  await said.locator("a").waitFor();
  assert.match(await said.innerText(), new RegExp(`Content-Security-Policy.*frame-src ${home}`));
  assert.equal(await said.locator("a").getAttribute("href"), `${home}/?d=20`);
  assert.equal(await page.locator("ifm-lab iframe").count(), 0);
  assert.equal((await heard(page, "ifm-error")).length, 1);
});

test("the element says so when nothing answers, and takes it back when something does", async (t) => {
  const nowhere = "http://127.0.0.1:9";
  const page = await openHost(t, [`src="${nowhere}/"`], { expected: [/ERR_/], origins: [nowhere], held: true });
  const said = page.locator("ifm-lab [part=message]");
  for (let i = 0; i < 30 && (await said.locator("a").count()) === 0; i++) await page.clock.runFor(1000);
  assert.match(await said.innerText(), /127\.0\.0\.1:9 has not answered/);
  assert.ok(((await page.locator("ifm-lab").boundingBox())?.height ?? 0) < 200, "and leaves no gap below");
  await release(page);
  await page.evaluate((home) => document.querySelector("ifm-lab")?.setAttribute("src", home), `${await origin()}/`);
  await until(page, 'heard.some((e) => e.type === "ifm-record")');
  assert.equal(await said.innerText(), "");
  for (const src of ["javascript:alert(1)", "https://", "data:text/html,x"]) {
    await page.evaluate((src) => document.querySelector("ifm-lab")?.setAttribute("src", src), src);
    await page.waitForFunction((src) => document.querySelector("ifm-lab")?.shadowRoot?.textContent?.includes(`“${src}” is not an address`), src);
    assert.equal(await said.locator("a").count(), 0, "and nothing leads there");
    assert.equal(await page.locator("ifm-lab iframe").count(), 0);
  }
});

test("src may be a link of the lab, whose settings the attributes overrule, and what is no setting of the figure is told, under a strict policy that names the lab too", async (t) => {
  const home = await origin();
  const page = await openHost(t, [`src="${home}/?d=12&amp;scenario=mixed&amp;embed=0&amp;hide=matrices&amp;n=100&amp;iterations=20&amp;speed=instant" d="11" ignore="a b,c&amp;d=9"`], { policy: elementPolicy(home, home) });
  const frame = await frameOf(page);
  await frame.locator(".verdict[data-phase=done]").waitFor();
  const { d, scenario, ignore } = Object.fromEntries(new URL(frame.url()).searchParams);
  assert.deepEqual([d, scenario, ignore], ["11", "mixed", undefined]);
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (document.querySelector("ifm-lab")).notices.map((/** @type {any} */ n) => n.key)), ["ignore"]);
  assert.equal(await frame.locator("header, ifm-matrix").count(), 0);
  const [own, around] = [await page.locator("ifm-lab iframe").boundingBox(), await page.locator("body").boundingBox()];
  assert.equal(own?.width, around?.width, "its own style is not forbidden with the page's");
});

test("the element's script is small", async () => {
  const { size } = await stat(new URL("../dist/ifm-lab.js.br", import.meta.url));
  assert.ok(size <= 5000, `${size} bytes, brotli`);
});

test("of a reader's own table the page around hears nothing but how high it is, and a whole lab keeps its height", async (t) => {
  const page = await openHost(t, ['embed="lab" speed="instant" d="8" n="100" iterations="20" ranks="2" lambdas="0.03" encode="linear" trials="2"']);
  const frame = await frameOf(page);
  await quiet(frame);
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (document.querySelector("ifm-lab")).notices), [], "a whole lab has a use for the settings of all its places");
  await frame.locator("header [data-place=table]").click();
  assert.equal((await page.locator("ifm-lab").boundingBox())?.height, 900);
  await frame.locator("[data-sample=cars]").waitFor();
  const names = ["zebra", "quokka", "okapi"];
  const rows = Array.from({ length: 90 }, (_, i) => `${i % 7},${(i * 5) % 11},${(i % 7) * ((i * 5) % 11) + 8100}`);
  const before = (await heard(page)).length;
  await frame.locator("[data-file=table]").setInputFiles({ name: "wombat.csv", mimeType: "text/csv", buffer: Buffer.from([names.join(","), ...rows].join("\n")) });
  await planned(frame);
  await act(page, 'set({ target: "zebra", seed: 9, source: "table", sample: "cars", rare: 7 })'); // a page that is curious
  await act(page, 'setAttribute("d", "abc")');
  await train(frame);
  for (const call of ["pause()", "step()"]) await act(page, call);
  await quiet(frame);
  assert.match(await frame.locator("#file").innerText(), /wombat\.csv/, "the page around did not replace it");
  assert.ok(await frame.evaluate(() => !/[?&](rare|sample)=/.test(location.search)));
  const after = (await heard(page)).slice(before);
  const text = JSON.stringify(after) + (await page.evaluate(() => JSON.stringify([/** @type {any} */ (document.querySelector("ifm-lab")).records, /** @type {any} */ (document.querySelector("ifm-lab")).notices])));
  for (const word of [...names, "wombat"]) assert.ok(!text.includes(word), word);
  assert.ok(after.some((e) => e.type === "ifm-height"));
  assert.ok(after.some((e) => e.type === "ifm-notices" && /reader has opened a file/.test(e.detail.notices[0].message)), "the page around is told why nothing changed");
  assert.deepEqual(after.filter((e) => !["ifm-height", "ifm-notices", "ifm-lab.height", undefined].includes(e.type)).map((e) => e.type), [], "no record, no state, no verdict, no error");
  await frame.locator("header [data-place=figure]").click();
  await quiet(frame); // a figure that is not seen yet keeps its run
  await act(page, "restart()");
  await until(page, 'heard.some((e) => e.type === "ifm-state" && e.detail.run === 2)'); // the figure, whose rows are drawn
});

test("of the columns that a frame's address names the page around hears nothing after a reload either", acceptance, async (t) => {
  const page = await openHost(t, ['embed="lab" speed="instant" d="8" n="100" iterations="20"']);
  const frame = await frameOf(page);
  await frame.locator("header [data-place=table]").click();
  await frame.locator("[data-sample=cars]").waitFor();
  const name = `wombat${"x".repeat(2000)}`; // longer than a link may name, so that it is told as not used
  const rows = Array.from({ length: 60 }, (_, i) => `${i % 7},${(i * 5) % 11},${(i % 7) * ((i * 5) % 11)}`);
  await frame.locator("[data-file=table]").setInputFiles({ name: "mine.csv", mimeType: "text/csv", buffer: Buffer.from([`a,b,${name}`, ...rows].join("\n")) });
  await frame.waitForURL(/target=wombat/);
  await Promise.all([frame.waitForNavigation(), frame.evaluate(() => void setTimeout(() => location.reload()))]);
  await frame.locator(".told li[data-key=target]").waitFor();
  await until(page, 'heard.filter((e) => e.type === "ifm-ready").length === 2');
  await act(page, 'setAttribute("d", "many")');
  await until(page, 'lab.notices.some((n) => n.key === "d")');
  assert.doesNotMatch(JSON.stringify(await heard(page)) + (await page.evaluate(() => JSON.stringify(/** @type {any} */ (document.querySelector("ifm-lab")).notices))), /wombat/);
});

test("a frame listens to the page around it alone, once, and passes over what is none of its messages", async (t) => {
  const home = await origin();
  const html = `<!doctype html><title>Host</title><iframe title="lab" name="lab" width="700" height="900" src="${home}/?embed=1&hide=matrices&d=8&n=100&iterations=20&speed=instant"></iframe>
    <iframe title="other" name="other" srcdoc="<script>onmessage = ({ data, ports }) => parent.frames.lab.postMessage(data, '*', [...ports])</script>"></iframe>
    <script>
      window.heard = { };
      window.offer = (name, message, to = frames.lab, ports = 1) => {
        heard[name] = [];
        const channels = Array.from({ length: ports }, () => new MessageChannel());
        for (const { port1 } of channels) port1.onmessage = ({ data }) => heard[name].push(data);
        to.postMessage(message, "*", channels.map(({ port2 }) => port2));
        return (window.port = channels[0]?.port1);
      };
    </script>`;
  const outside = await serveHTML(html);
  const page = await openPage(t, outside, { origins: [outside, "null"] });
  const frame = page.frame({ name: "lab" });
  assert.ok(frame);
  await settled(frame);
  const address = frame.url();
  const heard = () => page.evaluate(() => /** @type {any} */ (window).heard);
  /** Resolves when the frame has got all that was sent to its window. */
  const got = async () => {
    await frame.evaluate(() => void (/** @type {any} */ (window).last = new Promise((resolve) => addEventListener("message", ({ data }) => data === "last" && resolve(null)))));
    await page.evaluate(() => /** @type {any} */ (window).frames.other.postMessage("last", "*")); // by the frame beside it: it comes after what came by it, and was sent after what did not
    await frame.evaluate(() => /** @type {any} */ (window).last);
    await settled(frame);
  };
  await page.evaluate(() => {
    const { offer, frames } = /** @type {any} */ (window);
    const good = { type: "ifm-lab.connect", version: 1 };
    offer("of a frame beside it", good, frames.other);
    offer("of a later version", { ...good, version: 2 });
    offer("of two ports", good, frames.lab, 2);
    offer("of no port", good, frames.lab, 0);
    for (const [i, message] of [null, 5, "ifm-lab.connect", [], ["ifm-lab.connect"], { type: {} }, { __proto__: null, version: 1 }, JSON.parse('{"__proto__": {"type": "ifm-lab.connect", "version": 1}}'), new Uint8Array(9)].entries()) offer(`malformed ${i}`, message);
  });
  await got();
  for (const [name, messages] of Object.entries(await heard())) assert.deepEqual(messages, [], name);

  const scheme = (/** @type {string} */ to, /** @type {string} */ scheme) => page.evaluate(({ to, scheme }) => /** @type {any} */ (window).frames[to].postMessage({ type: "ifm-lab.scheme", scheme }, "*"), { to, scheme });
  await scheme("lab", "dark");
  await scheme("other", "light"); // which hands it on
  await scheme("lab", "blue");
  await got();
  assert.equal(await frame.locator("html").getAttribute("data-theme"), "dark", "colours are the page around's to tell");
  await scheme("lab", "auto");
  await frame.locator("html[data-theme=auto]").waitFor({ state: "attached" });

  await page.evaluate(() => /** @type {any} */ (window).offer("first", { type: "ifm-lab.connect", version: 1 }));
  await page.waitForFunction(() => /** @type {any} */ (window).heard.first.some((/** @type {any} */ m) => m.type === "ready"));
  await page.evaluate(() => {
    const { port } = /** @type {any} */ (window);
    const settings = (/** @type {string} */ text) => ({ type: "set", settings: JSON.parse(text) });
    for (const message of [
      null, 7, [], {}, { type: "set" }, { type: "set", settings: 3 }, { type: "set", settings: { d: 20 } }, { type: "set", settings: { d: {} } }, { type: "constructor" }, { type: "toString" }, { type: ["play"] }, { type: "again", seed: "x" },
      settings('{"__proto__": "x", "constructor": "y", "prototype": null, "hasOwnProperty": "z", "embed": "0"}'),
      settings(JSON.stringify({ target: "x".repeat(1e6) })),
      { type: "set", settings: Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => [`k${i}`, "v"])) },
      { type: "set", settings: { "d&embed": "0", "k=9&x": "1", scenario: "mixed&d=77#hash" } },
    ]) port.postMessage(message);
    port.postMessage({ type: "set", settings: { seed: "11" } });
  });
  await frame.waitForURL(/seed=11/);
  assert.equal(new URL(frame.url()).searchParams.get("embed"), "1");
  assert.equal(await frame.evaluate(() => [...Object.keys(Object.prototype), /** @type {any} */ ({}).x].filter(Boolean).length), 0, "nothing is in the prototype of all objects");
  assert.ok(frame.url().length < 3000, frame.url());
  assert.ok(await frame.getByRole("radio", { name: "Signs clash" }).isChecked());
  assert.doesNotMatch(frame.url(), /d=77|k=9/);

  await page.evaluate(() => /** @type {any} */ (window).port.postMessage({ type: "set", settings: { d: "11" } }));
  await frame.waitForURL(/d=11/);
  await page.evaluate(() => /** @type {any} */ (window).offer("second", { type: "ifm-lab.connect", version: 1 }));
  await got();
  assert.deepEqual((await heard()).second, [], "there is one port in the life of a page");
  assert.equal(frame.url().split("?")[0], address.split("?")[0]);
});

test("the element listens to its own frame alone", async (t) => {
  const home = await origin();
  const page = await openHost(t, [brief], { before: `<iframe title="other" name="other" srcdoc="<script>onmessage = () => parent.postMessage({ type: 'ifm-lab.hello', version: 1 }, '*')</script>"></iframe>`, origins: ["null"] });
  await quiet(await frameOf(page));
  const before = (await heard(page, "ifm-lab.hello")).length;
  await page.evaluate((home) => {
    const count = /** @type {any} */ (window).connects = /** @type {string[]} */ ([]);
    const { contentWindow } = /** @type {HTMLIFrameElement} */ (document.querySelector("ifm-lab")?.shadowRoot?.querySelector("iframe"));
    const original = MessageChannel;
    /** @type {any} */ (window).MessageChannel = class extends original {
      constructor() {
        super();
        count.push("made");
      }
    };
    const hello = { type: "ifm-lab.hello", version: 1 };
    window.postMessage(hello, "*"); // the page itself
    for (const frame of document.querySelectorAll("iframe")) frame.contentWindow?.postMessage("go", "*"); // a frame of nobody's
    dispatchEvent(new MessageEvent("message", { data: hello, origin: "https://evil.example", source: contentWindow })); // another origin in the same frame
    for (const data of [null, 1, "x", {}, { ...hello, version: 2 }, { ...hello, type: "ifm-lab.connect" }]) dispatchEvent(new MessageEvent("message", { data, origin: home, source: contentWindow }));
    dispatchEvent(new MessageEvent("message", { data: hello, origin: home, source: null }));
  }, home);
  await until(page, `heard.filter((e) => e?.type === "ifm-lab.hello").length === ${before} + 5`);
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (window).connects), [], "no port was given away");
  await page.evaluate(() => /** @type {any} */ (document.querySelector("ifm-lab")).restart(3));
  await until(page, 'heard.some((e) => e?.type === "ifm-state" && e.detail.run === 2)');
});

test("an element with no settings opens as the page does, and tells of the run of its settings alone", async (t) => {
  const page = await openHost(t, ['id="a"', 'id="b" scenario="flipped" speed="instant"']);
  await page.locator("#a").evaluate((lab) => lab.scrollIntoView());
  await quiet(await frameOf(page));
  const beside = (/** @type {Frame} */ frame) => frame.locator("ifm-figure").evaluate((/** @type {any} */ panel) => [panel.training.query, panel.other.query]);
  assert.deepEqual(await beside(await frameOf(page)), ["", "scenario=psd"], "its sign has flipped");
  await page.locator("#b").evaluate((lab) => lab.scrollIntoView());
  await quiet(await frameOf(page, 1));
  /** @param {string} id */
  const told = async (id) => (await heard(page, "ifm-record", id)).flatMap((e) => e.detail.records.map((/** @type {any} */ r) => [e.detail.run, r.model, r.iteration, r.testRMSE]));
  /** @param {any[]} all */
  const sorted = (all) => all.map(String).sort();
  assert.deepEqual(sorted(await told("a")), sorted(await told("b")), "the opening is no part of what is told");
  assert.match((await heard(page, "ifm-verdict", "a"))[0]?.detail.sentence, /^When signs clash, FM removes 17 %/);
});
