// @ts-check
/** What a hostile file or link can try, and that it comes to nothing. */
import assert from "node:assert/strict";
import http from "node:http";
import { test } from "node:test";

import { listen, openPage, origin, serveHTML, settled } from "./lab.mjs";
import { ifm } from "./native.mjs";
import { bring, figureDone, role, rows as lines, saved, savedChart, tab, train as trained } from "./table.mjs";

const brief = "d=8&n=100&models=fm,ifm&ranks=2&lambdaf=10&encode=linear&iterations=20&trials=2&speed=instant";

/** What runs if a text is taken for HTML, for an attribute or for an address. */
const attacks = {
  image: "<img src=x onerror=hit('image')>",
  attribute: "\" onmouseover=hit('attribute') onfocus=hit('attribute') autofocus x=\"",
  apostrophe: "' onpointerenter=hit('apostrophe') y='",
  script: "</title></style><script>hit('script')</script>",
  drawing: "]]></desc><svg onload=hit('drawing')>",
  address: "javascript:hit('address')",
  template: "${hit('template')}{{constructor.constructor('hit()')()}}",
  word: "Quokka7319",
};
const names = Object.values(attacks);
const prototypes = ["__proto__", "constructor", "hasOwnProperty", "toString"]; // which every object has
const fileName = "<img src=x onerror=hit('file')>.csv";

/** Starts that a spreadsheet takes for a formula's, and what a spreadsheet of another country takes for the next cell. */
const formulas = ["=1+1", "+a", "-1+A1", "@SUM(1)", "\t=1", "a;=1+1", "b\t@SUM(1)", " =2", "c|-3+A1", "＝1+1"];

/** @param {string} cell */
const quoted = (cell) => `"${cell.replaceAll('"', '""')}"`;

/** A table whose names and levels are attacks; two of its rows cannot be read. The last column is the target. @param {readonly string[]} columns @param {readonly string[]} levels */
function table(columns, levels) {
  const rows = lines(80, (i) => columns.map((_, j) => (j === 0 ? quoted(levels[i % levels.length] ?? "") : ((i * (j + 3)) % 17) + 0.25 * (i % (j + 2)) - 8)));
  const bad = columns.map((_, j) => (j === 2 ? quoted(`1${attacks.image}`) : "1"));
  return `${columns.map(quoted)}\n${rows}${bad}\n${quoted(attacks.script)}\n`;
}

/** Opens the page without its policy, so that only its own care stops an attack, and counts what runs. @param {TestContext} t @param {string} address @param {string[]} origins */
async function undefended(t, address, ...origins) {
  /** @type {string[]} */
  const hits = [];
  const page = await openPage(t, address, { bypassCSP: true, origins, before: (page) => page.exposeFunction("hit", (/** @type {string} */ what) => hits.push(what)) });
  return { page, hits };
}

/** Fails if anything ran, or has become an element or an attribute that could. @param {Page} page @param {string[]} hits */
async function assertInert(page, hits) {
  const grown = await page.evaluate(() => {
    const elements = [...document.querySelectorAll("body :is(script, img, iframe, object, embed, base, meta, style:not(svg style), [style*=expression])")];
    const attributes = [...document.querySelectorAll("*")].flatMap((element) => [...element.attributes].filter(({ name, value }) => /^on/i.test(name) || (/^(xlink:)?href$|src|action/i.test(name) && /^\s*(javascript|data:text)/i.test(value))));
    return [...elements.map((element) => element.outerHTML), ...attributes.map(({ name, value }) => `${name}=${value}`)];
  });
  assert.deepEqual(grown, [], "no text has become a part of the page");
  assert.deepEqual(hits, [], "nothing ran");
}

/** @param {Page} page @param {string} [target] */
async function train(page, target) {
  if (await page.locator("#tab-columns").isVisible()) await tab(page, "columns");
  if (target !== undefined) await role(page, target).selectOption("target");
  await trained(page);
}

/** Goes to a chapter of the lesson. @param {Page} page @param {string} name */
async function toChapter(page, name) {
  await page.locator("header [data-place=lesson]").click();
  await page.locator(`.contents a[href="?chapter=${name}"]`).click();
  await page.locator(`#${name} .chapter`).waitFor();
  await settled(page);
}

/** Opens whatever is folded, and points at and focuses whatever answers to that. @param {Page} page */
async function lookEverywhere(page) {
  await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
  await page.evaluate(() => {
    for (const element of document.querySelectorAll("main *")) {
      for (const type of ["pointerenter", "pointermove", "pointerdown", "pointerup", "mouseover"]) element.dispatchEvent(new PointerEvent(type, { bubbles: true, clientX: 300, clientY: 300, pointerType: "mouse" }));
    }
    for (const element of document.querySelectorAll("main :is(input, summary, a, [tabindex])")) /** @type {HTMLElement} */ (element).focus();
  });
  await settled(page);
}

/** A server that keeps every request it gets, whole. @param {(request: http.IncomingMessage, response: http.ServerResponse) => void} answer */
async function listener(answer) {
  /** @type {string[]} */
  const heard = [];
  const server = http.createServer((request, response) => {
    const at = heard.push([request.method, request.url, ...request.rawHeaders].join("\n")) - 1;
    request.on("data", (/** @type {Buffer} */ chunk) => (heard[at] += chunk.toString("latin1")));
    answer(request, response);
  });
  server.on("upgrade", (request, socket) => {
    heard.push(["upgrade", request.url, ...request.rawHeaders].join("\n"));
    socket.destroy();
  });
  return { heard, origin: await listen(server) };
}

test("names and cells of a file do nothing on the page, in any panel, even without its policy, nothing of them leaves it, and nothing of the visit stays", async (t) => {
  const home = await origin();
  const spy = await listener((request, response) => {
    const { headers, method, url } = request;
    const asked = http.request(`${home}${url}`, { method, headers }, (answer) => {
      const { "referrer-policy": _, ...others } = answer.headers; // any file server can host the page
      response.writeHead(answer.statusCode ?? 500, others);
      answer.pipe(response);
    });
    request.pipe(asked);
  });
  const { page, hits } = await undefended(t, "about:blank", spy.origin);
  /** @type {string[]} */
  const others = [];
  page.on("websocket", (socket) => others.push(socket.url()));
  await page.addInitScript(() => {
    const made = /** @type {any} */ (window).made = /** @type {string[]} */ ([]);
    for (const name of ["RTCPeerConnection", "WebTransport", "BroadcastChannel", "SharedWorker", "Notification"]) {
      Object.defineProperty(window, name, { get: () => (made.push(name), undefined) });
    }
  });
  await page.goto(`${spy.origin}/?${brief}&diagonal.d=10&diagonal.trials=1&diagonal.taus=2,0.1&diagonal.iterations=20`);
  await figureDone(page);
  await page.locator("header [data-place=table]").click();
  const target = attacks.drawing;
  const every = [...prototypes, ...formulas, ...names];
  await bring(page, fileName, table(every, every));
  await page.locator("#file", { hasText: fileName }).waitFor();
  await train(page, target);
  const tabs = page.locator("ifm-result [role=tab]");
  for (let i = await tabs.count(); i-- > 0; ) {
    await settled(page, tabs.nth(i).click());
  }
  assert.equal(await page.locator("ifm-data details.places li").filter({ hasText: attacks.image }).count(), 1, "a cell that cannot be read is told as it is");
  await lookEverywhere(page);
  const shown = await page.locator("main").evaluate((main) => main.textContent ?? "");
  for (const name of [...prototypes, ...names]) assert.ok(shown.includes(name), `${name} is told as it is`);
  await assertInert(page, hits);

  await t.test("what is saved of a chart does nothing where it is opened", async (t) => {
    let numbers = "";
    for (const chart of /** @type {const} */ (["curve", "predictions"])) {
      await tab(page, chart === "curve" ? "training" : chart);
      const part = page.locator(`ifm-result [data-chart=${chart}]`).first();
      const svg = await savedChart(page, part, "svg");
      assert.match(svg.name, /^ifm-lab-[a-z0-9-]+\.svg$/, "a file's name has nothing of it");
      const alone = await serveHTML(svg.text, { "content-type": "image/svg+xml" }); // no policy of anybody's
      const other = await openPage(t, alone, { origins: [alone], before: (page) => page.exposeFunction("hit", (/** @type {string} */ what) => hits.push(what)) });
      assert.equal(await other.evaluate(() => document.documentElement.localName), "svg", "it is XML that stands by itself");
      const odd = await other.evaluate(() => [...document.querySelectorAll("*")].filter((element) => /^(script|foreignObject|a|use|animate|set|style|iframe)$/i.test(element.localName) || [...element.attributes].some(({ name, value }) => /^on/i.test(name) || /javascript:/i.test(value))).map((element) => element.outerHTML));
      assert.deepEqual(odd, [], `${chart} has nothing that could run`);
      if (chart === "curve") assert.match(await other.locator("svg > title").textContent() ?? "", /<svg onload/, "the name stands in it as it is");
      numbers = (await savedChart(page, part, "csv")).text;
      assertGuarded(numbers);
    }
    const difference = numbers.split("\r\n").slice(1, -1).map((line) => line.split(",").at(-1) ?? "");
    assert.ok(difference.some((cell) => /^-[\d.]+(e-?\d+)?$/.test(cell)), "a number below zero stays one");
    await tab(page, "training");
    const { text: json } = await savedChart(page, page.locator("ifm-result [data-chart=curve]"), "json");
    assert.equal(JSON.parse(json).target, target);
    assert.doesNotMatch(json, /<(script|svg|img|\/)/, "harmless within a page too");
    await savedChart(page, page.locator("ifm-result [data-chart=curve]"), "png");
  });

  const keep = page.locator("ifm-keep");
  await tab(page, "take");
  await bring(page, fileName, table(names.slice(0, 3), names), "input[data-file=predict]");
  await keep.locator("[data-error=predict]").waitFor();
  await lookEverywhere(page);
  await assertInert(page, hits);
  await bring(page, "=cmd.csv", table(every, every), "input[data-file=predict]");
  await keep.locator(".predicted").waitFor();
  const predictions = await saved(page, keep.locator(".all"));
  assert.equal(predictions.name, "=cmd.predictions.csv");
  assertGuarded(predictions.text);
  await saved(page, keep.locator(".python"));
  const { bytes } = await saved(page, keep.locator(".download"));
  await bring(page, `${fileName}.json`, bytes, "input[data-file=model]");
  await page.locator("ifm-model #saved-title", { hasText: target }).waitFor();
  await bring(page, `${fileName}.json`, JSON.stringify({ format: attacks.script, [attacks.image]: 1 }), "input[data-file=model]");
  await page.locator("[data-error=file]").waitFor();
  await page.locator("header .sharer").click();
  const dialog = page.locator("dialog.sharing");
  await dialog.locator("[name=piece]").selectOption("lab");
  assert.match(await dialog.locator("#sharing-code").inputValue(), /target=/, "a link to the whole lab carries what the reader has set");
  await dialog.locator(".window iframe[src*='embed=lab']").waitFor();
  await dialog.locator(".window iframe").contentFrame().locator("ifm-data").waitFor();
  await dialog.locator(".close").click();
  await toChapter(page, "diagonal");
  await settled(page, page.locator("#diagonal [data-guess]").first().click());
  await lookEverywhere(page);
  await page.locator("#diagonal ifm-columns [data-column]").first().waitFor({ state: "attached" });
  await lookEverywhere(page);
  await assertInert(page, hits);

  await saved(page, page.locator("footer a[download]"));
  await page.goto("about:blank"); // what a page sends as it is left
  assert.ok(spy.heard.length > 8, `${spy.heard.length} requests went by`);
  assert.deepEqual(spy.heard.filter((request) => /quokka7319|onerror|onload|onmouseover/i.test(request)), [], "no request, its headers and its body have a word of the file");
  assert.deepEqual(spy.heard.filter((request) => /^(?!GET |HEAD \/\n)|\n(referer\n(?!\S+\/a\/style-\w+\.css\n)|cookie\n)/i.test(request.replace("\n", " "))), [], "all are GET, and where Share asks what the server says HEAD of the page without its settings, without a cookie and a referrer but the style sheet that names a font");
  assert.deepEqual(others, []);

  await page.goto(`${spy.origin}/?${brief}`);
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (window).made), []);
  const kept = await page.evaluate(async () => ({
    local: localStorage.length,
    session: sessionStorage.length,
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    files: await (async () => {
      const names = [];
      for await (const name of /** @type {any} */ (await navigator.storage.getDirectory()).keys()) names.push(name);
      return names.length;
    })(),
    cookie: document.cookie,
  }));
  assert.deepEqual(kept, { local: 0, session: 0, databases: 0, caches: 0, workers: 0, files: 0, cookie: "" });
  assert.deepEqual(await page.context().cookies(), []);
});

test("no parameter of a link runs, known or not, nor does what stands behind its #", async (t) => {
  const listed = await ifm("help", "settings");
  const keys = Array.from(listed.matchAll(/^  (\w+) /gm), ([, key]) => key ?? "").filter((key) => !["embed", "hide", "chapter"].includes(key));
  assert.ok(keys.length > 30, `${keys.length} settings`);
  const chapters = Array.from(listed.matchAll(/^  (\w+)\.KEY /gm), ([, name]) => name);
  const attack = attacks.attribute + attacks.image;
  const odd = [...keys, "unknown", attack, "__proto__", "constructor", ...chapters.flatMap((chapter) => [`${chapter}.seed`, `${chapter}.${attack}`])];
  const query = odd.map((key) => `${encodeURIComponent(key)}=${encodeURIComponent(attack)}`).join("&");
  const { page, hits } = await undefended(t, `/?${query}&iterations=20&speed=instant#${encodeURIComponent(attack)}`);
  await page.locator(".told li").first().waitFor();
  const told = await page.locator(".told").innerText();
  assert.ok(told.includes(attack.replaceAll('"', '\\"').slice(0, 30)), `what was not used is told as it stands: ${told.slice(0, 500)}`);
  await page.evaluate((attack) => (location.hash = attack), attack);
  await toChapter(page, "psd");
  await page.locator(".told li", { hasText: "in the chapter" }).first().waitFor();
  await lookEverywhere(page);
  await assertInert(page, hits);
  assert.deepEqual(await page.evaluate(() => Object.keys(Object.prototype)), [], "no object has got anything from it");
});

/** Fails if a spreadsheet could take a cell for a formula, whatever it separates cells by. @param {string} csv */
function assertGuarded(csv) {
  for (const separator of [",", ";", "\t", "|"]) {
    const cells = csv.split(/\r?\n|\r/).flatMap((line) => line.split(separator)).map((cell) => cell.replace(/^[\s"]+/, ""));
    const numbers = separator === "," ? /^[+-]([\d.]+(e[+-]?\d+)?|Infinity)$/ : /^[+-]([\d.]+(e[+-]?\d+)?|Infinity)($|,)/; // else a row begins with one
    assert.deepEqual(cells.filter((cell) => /^[=@＝＋－＠+-]/.test(cell) && !numbers.test(cell)), [], `cells between ${JSON.stringify(separator)}`);
  }
}

test("the page's policy runs no script that is not the page's, and lets nothing be sent elsewhere", async (t) => {
  const away = await listener((_, response) => response.end("hit('away')"));
  const page = await openPage(t, "/?d=8&n=100&iterations=20&speed=instant", { origins: [away.origin], expected: [/Content Security Policy|Refused to|violates the following|ERR_BLOCKED_BY_CSP|Failed to fetch|Connecting to/] });
  await page.locator(".verdict[data-phase=done]").waitFor();
  const outcome = await page.evaluate(async (away) => {
    const seen = { hits: /** @type {string[]} */ ([]), forbidden: /** @type {string[]} */ ([]), refused: /** @type {string[]} */ ([]) };
    Object.assign(window, { hit: (/** @type {string} */ what) => seen.hits.push(what) });
    let last = false;
    const all = new Promise((resolve) => document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
      seen.forbidden.push(effectiveDirective);
      last ||= blockedURI.endsWith("/last.png");
      if (last && seen.forbidden.includes("form-action")) resolve(null);
    }));
    /** @param {string} name @param {Record<string, string>} attributes @param {string} [text] */
    const add = (name, attributes, text = "") => {
      const element = Object.assign(document.createElement(name), { textContent: text });
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      document.body.append(element);
      return element;
    };
    add("script", {}, "hit('inline')");
    add("script", { src: `${away}/script.js` });
    add("script", { src: "data:text/javascript,hit('data')" });
    add("button", { onclick: "hit('handler')" }).click();
    add("img", { src: `${away}/image.png` });
    add("a", { href: "javascript:hit('address')" }).click();
    add("link", { rel: "stylesheet", href: `${away}/style.css` });
    add("iframe", { src: `${away}/frame.html` });
    add("iframe", { srcdoc: "<script>parent.hit('srcdoc')<\/script>" });
    add("object", { data: `${away}/object` });
    add("video", { src: `${away}/video` });
    add("base", { href: away });
    const form = /** @type {HTMLFormElement} */ (add("form", { action: `${away}/form`, method: "post" }));
    form.submit();
    /** @type {Record<string, () => unknown>} */
    const ways = {
      eval: () => (0, eval)("hit('eval')"),
      fetch: () => fetch(`${away}/fetch`),
      socket: () => new Promise((resolve, reject) => Object.assign(new WebSocket(`${away.replace("http", "ws")}/socket`), { onopen: resolve, onerror: () => reject(new Error("refused")) })),
      beacon: () => navigator.sendBeacon(`${away}/beacon`, "x") && undefined,
      worker: () => new Promise((resolve, reject) => Object.assign(new Worker(`data:text/javascript,postMessage(1)`), { onmessage: resolve, onerror: () => reject(new Error("refused")) })),
      import: () => import(`${away}/module.js`),
    };
    await new Promise((resolve) => setTimeout(resolve)); // what a debugger evaluates may eval, until here
    for (const [name, way] of Object.entries(ways)) {
      try {
        await way();
      } catch {
        seen.refused.push(name);
      }
    }
    add("img", { src: `${away}/last.png` }); // what was forbidden is told in its order, but a form, which another process forbids, at any time
    await all;
    return { ...seen, forbidden: [...new Set(seen.forbidden)].sort() };
  }, away.origin);
  assert.deepEqual(outcome.hits, [], "nothing ran");
  assert.deepEqual(outcome.forbidden, ["base-uri", "connect-src", "form-action", "frame-src", "img-src", "media-src", "object-src", "script-src", "script-src-attr", "script-src-elem", "style-src-elem", "worker-src"]);
  for (const way of ["eval", "fetch", "socket", "worker", "import"]) assert.ok(outcome.refused.includes(way), `${way} is refused`);
  await page.request.get(`${away.origin}/ours`);
  assert.deepEqual(away.heard.map((request) => request.split("\n")[1]), ["/ours"], "nothing arrived");
});
