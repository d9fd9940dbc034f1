// @ts-check
/** The Share dialog, from the page to a page of somebody else's; and each snippet, run in the language that it is written in. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { LuaFactory } from "wasmoon";

import { frameIn } from "./hosts.mjs";
import { assertAccessible, assertFits, openPage, origin, serveHTML, settled, tabTo } from "./lab.mjs";
import { details } from "./lesson.mjs";
import { outside } from "./measure.mjs";
import { drop, rows } from "./table.mjs";

/** @typedef {readonly [string, string]} Pair */
/** @typedef {{ page: string, settings: Pair[], link: Pair[], title: string, height: number }} Shown */

const here = path.dirname(fileURLToPath(import.meta.url));
const web = path.dirname(here);
const quick = "/?speed=instant&iterations=20&d=8&n=100"; // where the numbers do not matter

/** The writers themselves, compiled for Node. @type {Promise<any> | undefined} */
let compiled;
function writers() {
  compiled ??= (async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), "ifmlab-share-"));
    try {
      await writeFile(path.join(folder, "package.json"), '{"type":"module"}');
      execFileSync(path.join(here, "node_modules", ".bin", "tsc"), ["-p", web, "--noEmit", "false", "--noCheck", "--rootDir", path.join(web, "src"), "--outDir", folder]);
      return await import(pathToFileURL(path.join(folder, "share/snippet.js")).href);
    } finally {
      await rm(folder, { recursive: true });
    }
  })();
  return compiled;
}

/** What nobody should be able to break out of a snippet with. */
const evil = `"'\`><script>document.title="broken"</script>\n\r\t\\ $\{7*7} {{< meta x >}} }}> --> ]]> \`\`\` &quot; %22 %0A é 漢 \u2028 \ud83d\ude00`;
/** @returns {Promise<Shown>} */
async function hostile() {
  const settings = /** @type {Pair[]} */ ([["d", "12"], ["target", evil], ["embed", "1"], ["chapter", "psd"], ["psd.d", evil]]);
  return { page: `${await origin()}/`, settings, link: settings.filter(([key]) => key !== "embed"), title: evil, height: 321 };
}

/** The settings that an address carries. @param {string} address */
const carried = (address) => [...new URL(address).searchParams];

/** Opens the dialog on a page. @param {Page | Frame} page */
async function share(page) {
  await page.locator("header .sharer").click();
  await page.locator("dialog.sharing").waitFor();
  return page.locator("dialog.sharing");
}

/** The form of what is pasted, by what is chosen first. */
const groupOf = /** @type {Record<string, string>} */ ({ course: "frame", element: "component", vitepress: "component", docusaurus: "component", reveal: "slides", jupyter: "documents", quarto: "documents", myst: "documents", hugo: "documents", oembed: "link", card: "link", bare: "link", offline: "file" });

/** Chooses it. @param {Locator} dialog @param {string} form */
async function pick(dialog, form) {
  const group = groupOf[form] ?? "";
  await dialog.locator(`[value=${group}]`).check();
  if (["component", "documents", "link"].includes(group)) await dialog.locator("[name=host]").selectOption(form);
}

/** All numbers of a finished figure, to the last bit. @param {Page | Frame} page */
async function numbers(page) {
  await page.locator("ifm-figure .verdict[data-phase=done]").waitFor();
  return page.locator("ifm-figure .verdict [data-value]").evaluateAll((all) => all.map((e) => `${e.getAttribute("data-of") ?? e.className} ${e.getAttribute("data-value")}`));
}

test("a lecturer is three clicks from the page to a running embed that shows the same, bit for bit", async (t) => {
  const editor = await serveHTML(`<!doctype html><title>Course</title><h1>Week 3</h1><textarea aria-label="HTML"></textarea><main></main>
    <script>document.querySelector("textarea").oninput = (e) => (document.querySelector("main").innerHTML = e.target.value)</script>`);
  const page = await openPage(t, `${quick}&scenario=mixed&seed=42`, { permissions: ["clipboard-read", "clipboard-write"], origins: [editor] });
  const wanted = await numbers(page);
  assert.ok(wanted.length > 1 && wanted.every((number) => /\d/.test(number)), wanted.join("; "));
  const course = await page.context().newPage();
  await course.goto(editor);

  await page.bringToFront();
  await page.locator("header .sharer").click();
  await page.locator(".sharing .code .copy").click();
  await page.getByText("Copied.").waitFor();
  await course.bringToFront();
  await course.locator("textarea").click();
  await course.keyboard.press("Control+V");
  assert.deepEqual(await numbers(await frameIn(course.locator("iframe"))), wanted);
  assert.ok(await course.locator("iframe").getAttribute("title"), "it has a name");
});

/** Goes through the dialog of a page as a reader without a mouse does, back to where it was opened. @param {Page} page */
async function byKeyboard(page) {
  await assertFits(page);
  await tabTo(page, "header .sharer");
  await page.keyboard.press("Enter");
  const dialog = page.locator("dialog.sharing");
  await dialog.waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.id), "sharing-title", "a reader hears what has opened");
  for (const form of await dialog.locator("[name=sharing-form]").evaluateAll((inputs) => inputs.map((input) => /** @type {HTMLInputElement} */ (input).value))) {
    await dialog.locator(`[value=${form}]`).focus();
    await page.keyboard.press("Space");
    assert.ok((await dialog.locator(form === "file" ? ".code .file" : "#sharing-code").count()) === 1, form);
    assert.ok((await dialog.evaluate((d) => d.scrollWidth - d.clientWidth)) <= 0, `${form} fits`);
    if (form === "frame") await assertAccessible(page, { exclude: ["iframe"] });
    if (form === "link") await assertAccessible(page, { include: ["dialog.sharing"], exclude: ["iframe"] }); // no other has more in it
  }
  const targets = await dialog.locator("button:visible, select:visible, .forms label:visible, summary:visible").evaluateAll((all) => all.map((e) => [e.textContent, e.getBoundingClientRect().height, e.getBoundingClientRect().width]));
  assert.deepEqual(targets.filter(([, h, w]) => Number(h) < 43.9 || Number(w) < 43.9), [], "a finger hits them all");
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => document.activeElement === document.body || !!document.activeElement?.closest("dialog")), "the focus stays in the dialog");
  }
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.ok(await page.evaluate(() => document.activeElement?.matches("header .sharer")), "the focus is back");
}

test("the dialog of one page, from a phone to a screen", async (t) => {
  const page = await openPage(t, `${quick}&seed=5`, { viewport: { width: 320, height: 640 }, colorScheme: "dark" });
  await numbers(page);
  const dialog = page.locator("dialog.sharing");

  await t.test("the dialog works by keyboard and keeps axe's rules and its width at 320×640, dark", () => byKeyboard(page));

  await t.test("the preview is the very frame of the snippet, starts when it is shown, follows the choices and goes with the dialog", async () => {
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 800, height: 900 });
    const steps = await page.evaluate(() => history.length);
    await share(page);
    await pick(dialog, "course");
    assert.equal(await dialog.locator("iframe").count(), 0, "nothing starts on a narrow screen");
    await dialog.getByText("Preview", { exact: true }).click();
    await dialog.locator("iframe").waitFor();
    const html = () => dialog.locator("#sharing-code").inputValue();
    /** What is previewed, as the browser reads the snippet. */
    const same = () => page.waitForFunction(() => {
      const made = document.createElement("template");
      made.innerHTML = /** @type {HTMLTextAreaElement | null} */ (document.querySelector("#sharing-code"))?.value ?? "";
      const shown = document.querySelector(".window iframe");
      return shown && made.content.querySelector("iframe")?.isEqualNode(shown);
    });
    await same();
    await numbers(await frameIn(page.locator("iframe")));

    await dialog.getByLabel("Verdict").uncheck();
    await dialog.locator("[name=theme]").selectOption("dark");
    assert.match(await html(), /hide=verdict,matrices&amp;theme=dark/);
    await same();
    await dialog.locator(".window").evaluate((e) => e.scrollIntoView()); // nothing starts unseen
    const frame = await frameIn(page.locator("iframe"));
    await frame.locator("[data-chart=curve] svg").first().waitFor();
    assert.equal(await frame.locator(".verdict").count(), 0);
    assert.equal(await frame.locator("html").getAttribute("data-theme"), "dark");

    await dialog.locator("[name=height]").fill("200");
    await dialog.locator("[name=height]").blur();
    await dialog.locator("button.fit").click();
    assert.doesNotMatch(await html(), /height="200"/);
    await same();

    assert.equal(await page.evaluate(() => history.length), steps, "previews are no steps back");
    await dialog.getByLabel("Close").click();
    await dialog.waitFor({ state: "detached" });
    assert.equal(page.frames().length, 1, "nothing runs on behind");
    await share(page);
    await page.locator("dialog iframe").waitFor(); // it was open, and is again

    const { origin: here } = new URL(page.url());
    for (const [form, needs] of [["course", `frame-src ${here}.`], ["vitepress", `script-src ${here}; frame-src ${here}.`]]) {
      await pick(dialog, form ?? "");
      assert.ok((await dialog.locator("#sharing-note").innerText()).includes(needs ?? ""), "what a strict page has to allow");
    }
    assert.match(await dialog.locator(".local").innerText(), /only on this computer \(127\.0\.0\.1:\d+\)/);
  });
});

test("what opens the dialog chooses what it shows, and the form that was used last comes first", async (t) => {
  const page = await openPage(t, `${quick}&chapter=samples&samples.d=12`);
  await details(page, "samples");
  const dialog = page.locator("dialog.sharing");
  const piece = dialog.locator("[name=piece]");
  await page.locator("#samples .sharer").click();
  assert.equal(await piece.inputValue(), "chapter:samples");
  await pick(dialog, "myst");
  await page.keyboard.press("Escape");
  await page.locator("header .sharer").focus();
  await page.keyboard.press("Enter");
  await dialog.waitFor();
  assert.equal(await piece.inputValue(), "chapter:samples", "what is in sight");
  assert.deepEqual([await dialog.locator("[name=sharing-form]:checked").inputValue(), await dialog.locator("[name=host]").inputValue()], ["documents", "myst"]);
  await page.keyboard.press("Escape");
  await page.locator("header [data-place=figure]").click();
  await numbers(page);
  for (const what of ["maps", "files"]) await page.locator(`ifm-figure input[name=${what}]`).evaluate((/** @type {HTMLElement} */ e) => e.click());
  for (const [chart, own] of [[".on [data-chart=curve]", "curve"], ["ifm-matrix", "maps"], [".on ifm-spectrum", "spectrum"]]) {
    await page.locator(`ifm-figure ${chart} .save`).click();
    await page.locator(`ifm-figure ${chart} .files`).getByText("Link and embed").click();
    assert.equal(await piece.inputValue(), own);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  }
});

test("a reader's own table is in no link but the page's own, and the dialog says so", async (t) => {
  const page = await openPage(t, `${quick}&models=ifm&ranks=2&lambdaf=10&trials=2`);
  await numbers(page);
  await drop(page, "secret.csv", `salary,"bonus ""x"", €",y\n${rows(40, (i) => [i, (i * 7) % 11, i + ((i * 5) % 7)])}`);
  await page.locator("header [data-place=figure]").click();
  await numbers(page);
  const dialog = await share(page);
  assert.match(await dialog.locator(".own").innerText(), /stays with you/);
  await dialog.locator(".preview summary").click(); // each piece would load a page
  assert.equal(await dialog.locator("option[value=table]").count(), 0);
  for (const piece of ["figure", "lab"]) {
    await dialog.locator("[name=piece]").selectOption(piece);
    for (const text of ["link", "code"]) assert.doesNotMatch(await dialog.locator(`#sharing-${text}`).inputValue(), piece === "lab" ? /secret/ : /salary|bonus|secret|source=/);
  }
});

test("in a sandboxed frame a chapter runs alone, and the dialog says what the page around it forbids", async (t) => {
  const home = await origin();
  const outside = await serveHTML(`<!doctype html><title>Host</title><iframe title="Lab" width="800" height="1000" sandbox="allow-scripts" src="${home}/?embed=1&chapter=interaction"></iframe>`);
  const page = await openPage(t, outside, { origins: [outside, "null"], permissions: ["clipboard-read"], expected: [/[Cc]lipboard/, /[Dd]ownload/] });
  const frame = await frameIn(page.locator("iframe"));
  await frame.locator("[data-guess=nothing]").click();
  await frame.locator(".chapter[data-phase=done] .answer[data-answer]").waitFor();
  assert.equal(await frame.locator("header, footer, ifm-figure, .contents").count(), 0, "the chapter is alone");
  await details(frame, "interaction");
  assert.equal(await frame.evaluate(() => document.fonts.ready.then((all) => [...all].find(({ family }) => family.includes("Formulas"))?.status)), "loaded", "its formulas have their font");
  await frame.locator("#interaction .sharer").click();
  const dialog = frame.locator("dialog.sharing");

  await t.test("where a page may not copy, the text is copied the old way or left selected", async () => {
    await dialog.locator("#sharing-code").waitFor();
    const text = await dialog.locator("#sharing-code").inputValue();
    await dialog.locator(".code .copy").click();
    await dialog.getByText("Copied.").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);

    await frame.evaluate(() => (document.execCommand = () => false));
    await dialog.locator(".link .copy").click();
    assert.match(await dialog.locator(".said").innerText(), /text is selected/);
    const link = dialog.locator("#sharing-link");
    assert.deepEqual(await link.evaluate((e) => e instanceof HTMLInputElement && [document.activeElement === e, e.selectionStart, e.selectionEnd === e.value.length]), [true, 0, true]);
  });

  await t.test("where a frame may forbid downloads, none is said to have come", async () => {
    await pick(dialog, "offline");
    await dialog.locator(".code .file").click();
    const link = dialog.locator(".said a");
    await link.waitFor();
    assert.doesNotMatch(await dialog.locator(".said").innerText(), /Saved/);
    assert.match(await dialog.locator(".said").innerText(), /may forbid downloads/);
    assert.deepEqual([await link.getAttribute("href"), await link.getAttribute("target")], [`${home}/?chapter=interaction`, "_blank"]);
  });
});

test("hostile settings and titles stay texts in every kind of HTML", async (t) => {
  const { html, course, element, reveal } = await writers();
  const shown = await hostile();
  const written = Object.entries({ html, course, element, reveal }).map(async ([name, write]) => ({ name, outside: await serveHTML(`<!doctype html><title>Host</title><body>${write(shown)}<p id="after"></p>`) }));
  const hosts = await Promise.all(written);
  const page = await openPage(t, "about:blank", { origins: hosts.map(({ outside }) => outside), expected: [/./] });
  await page.route(`${shown.page}**`, (route) => route.fulfill({ contentType: "text/html", body: "" }));
  for (const { name, outside } of hosts) {
    await page.goto(outside);
    assert.equal(await page.title(), "Host", name);
    const found = await page.evaluate(() => {
      const made = document.querySelector("iframe, ifm-lab");
      return { tags: [...document.body.querySelectorAll("*")].map((e) => e.localName), src: made?.getAttribute("src") ?? made?.getAttribute("data-src") ?? "", title: made?.getAttribute("title") ?? made?.getAttribute("label"), attributes: Object.fromEntries([...(made?.attributes ?? [])].map((a) => [a.name, a.value])), link: document.querySelector("a")?.href };
    });
    const wanted = { html: ["iframe", "p"], course: ["iframe", "p", "a", "p"], element: ["script", "ifm-lab", "a", "p"], reveal: ["section", "iframe", "p"] };
    assert.deepEqual(found.tags, wanted[/** @type {keyof typeof wanted} */ (name)], name);
    assert.equal(found.title, evil, name);
    assert.equal(found.attributes["height"], "321", name);
    if (name === "element") {
      assert.equal(found.attributes["target"], evil);
      assert.equal(found.attributes["psd.d"], evil);
      assert.equal(found.attributes["embed"], undefined, "an element is a frame by itself");
    } else {
      assert.deepEqual(carried(found.src), shown.settings.map(([key, value]) => [key, key === "embed" && name === "reveal" ? "slide" : value]), name);
      assert.doesNotMatch(found.src, /["'<>`\\\s{}]/, name);
    }
    if (["course", "element"].includes(name)) assert.deepEqual(carried(found.link ?? ""), shown.link);
  }
});

test("where a page takes the frame out, forbids it, or a proxy denies it, the snippet's link is seen and leads to the lab", async (t) => {
  const { course } = await writers();
  const denied = await serveHTML("<title>Denied</title>", { "x-frame-options": "DENY", "content-security-policy": "frame-ancestors 'none'" });
  const settings = /** @type {Pair[]} */ ([["chapter", "psd"], ["embed", "1"]]);
  const snippet = course({ page: `${denied}/`, settings, link: [["chapter", "psd"]], title: "One flipped sign", height: 300 });
  const ways = /** @type {const} */ ([[snippet, "frame-src *"], [snippet, "frame-src 'none'"], [snippet.replace(/<iframe.*<\/iframe>/, ""), "frame-src *"]]);
  const hosts = await Promise.all(ways.map(([html, policy]) => serveHTML(`<!doctype html><title>Host</title>${html}`, { "content-security-policy": policy })));
  const page = await openPage(t, "about:blank", { origins: [...hosts, denied], expected: [/./] });
  for (const outside of hosts) {
    await page.goto(outside);
    const link = page.getByRole("link", { name: "One flipped sign" });
    await link.waitFor();
    assert.equal(await link.getAttribute("href"), `${denied}/?chapter=psd`);
  }
});

test("the cell for Jupyter is Python that makes the frame, whatever the settings are", async () => {
  const { jupyter } = await writers();
  const shown = await hostile();
  const python = `
import sys, json, types
made = []
class IFrame:
    def __init__(self, src, width, height, extras=None, **more):
        made.append([src, width, height, extras or [], more])
module = types.ModuleType("IPython.display")
module.IFrame = IFrame
sys.modules["IPython"] = types.ModuleType("IPython")
sys.modules["IPython.display"] = module
exec(compile(sys.stdin.read(), "cell", "exec"), {})
print(json.dumps(made))`;
  const run = (/** @type {string} */ cell) => JSON.parse(execFileSync("python3", ["-c", python], { input: cell, encoding: "utf8", stdio: ["pipe", "pipe", "ignore"] }));
  const [[src, width, height, extras, more], ...others] = run(jupyter(shown));
  assert.deepEqual([others, more, width, height], [[], {}, "100%", 321]);
  assert.deepEqual(carried(src), shown.settings);
  assert.equal(extras.length, 2);
  assert.equal(extras[0], `title="${evil.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\n", "&#10;").replaceAll("\r", "&#13;").replaceAll("{", "&#123;").replaceAll("}", "&#125;")}"`);
  assert.throws(() => run(`${jupyter(shown)})`), "what is no Python fails here");
});

/** The words of a shortcode as Quarto divides it: at spaces, but for what stands between quotes, which has no escapes. @param {string} text */
function shortcode(text) {
  const inside = text.match(/^\{\{< (\S+) (.*) >\}\}$/s);
  assert.ok(inside?.[2] !== undefined, text);
  /** @type {Record<string, string>} */
  const named = {};
  let rest = inside[2];
  while (rest !== "") {
    const found = rest.match(/^([^\s"':/?=<>{}]+)=(?:"([^"]*)"|([^\s"'}>][^\s]*))(\s+|$)/);
    assert.ok(found, rest);
    named[found[1] ?? ""] = found[2] ?? found[3] ?? "";
    rest = rest.slice(found[0].length);
  }
  return { name: inside[1] ?? "", named };
}

/** A table of Lua. @param {Record<string, string>} texts */
function literal(texts) {
  const quoted = (/** @type {string} */ text) => `"${[...Buffer.from(text)].map((byte) => `\\${String(byte).padStart(3, "0")}`).join("")}"`;
  return `{ ${Object.entries(texts).map(([key, text]) => `[${quoted(key)}] = ${quoted(text)}`).join(", ")} }`;
}

/** Runs the extension as Quarto does, in a Lua of its own. @param {Record<string, string>} kwargs */
async function quarto(kwargs, format = "html") {
  const lua = await new LuaFactory().createEngine();
  try {
    /** @type {string[]} */
    const warned = [];
    lua.global.set("warned", (/** @type {string} */ text) => warned.push(text));
    lua.global.set("format", format);
    lua.global.set("source", await readFile(path.join(web, "quarto/_extensions/ifm-lab/ifm-lab.lua"), "utf8"));
    const made = await lua.doString(`
      local function node(t) return function(a, b, c) return { t = t, a = a, b = b, c = c } end end
      pandoc = { RawBlock = node("RawBlock"), Para = node("Para"), Str = node("Str"), Strong = node("Strong"), Link = node("Link"),
        utils = { stringify = function() return "" end } }
      quarto = { doc = { is_format = function(wanted) return wanted == format or wanted == "html:js" and (format == "html" or format == "revealjs") end }, log = { warning = warned } }
      local kwargs = setmetatable(${literal(kwargs)}, { __index = function() return {} end })
      local handlers = assert(load(source, "ifm-lab.lua"))()
      local made = handlers["ifm-lab"]({}, kwargs, {}, {}, "block")
      if made.t == "RawBlock" then return { kind = made.a, html = made.b } end
      local first = made.a[1]
      return { kind = first.t, text = first.a[1].a, target = first.b, after = made.a[2] and made.a[2].a }
    `);
    return { ...made, warned };
  } finally {
    lua.global.close();
  }
}

test("the Quarto shortcode of the dialog becomes the frame in HTML and slides, a link elsewhere, whatever the settings are", async () => {
  const { quarto: write } = await writers();
  const shown = await hostile();
  const { name, named } = shortcode(write(shown));
  assert.equal(name, "ifm-lab");
  for (const format of ["html", "revealjs"]) {
    const made = await quarto(named, format);
    assert.match(made.html, /^<iframe src="[^"<>\s]*" title="[^"<>]*" width="100%" height="(321|600)" frameborder="0" loading="lazy"><\/iframe>$/);
    const [, src = ""] = made.html.match(/src="([^"]*)"/) ?? [];
    assert.deepEqual(carried(src.replaceAll("&amp;", "&")).sort(), shown.settings.map(([...pair]) => pair).sort());
  }
  const slide = await quarto({ src: "https://lab.example/", d: "12" }, "revealjs");
  assert.match(slide.html, /embed=slide/, "a chapter scrolls on a slide, the figure fits it");
  const link = await quarto(named, "latex");
  assert.equal(link.kind, "Link");
  assert.deepEqual(carried(link.target).sort(), shown.settings.filter(([key]) => key !== "embed").map(([...pair]) => pair).sort());
  const nothing = await quarto({ chapter: "psd" });
  assert.equal(nothing.kind, "Strong");
  assert.match(nothing.warned[0], /no address of the lab; write src=/);
  assert.equal((await quarto({ src: "javascript:alert(1)" })).kind, "Strong");
});

test("hostile values stay in their place in MyST's own words", async () => {
  const { myst } = await writers();
  const shown = await hostile();
  const lines = myst(shown).split("\n");
  assert.match(lines[0], /^```\{iframe\} \S+$/);
  assert.deepEqual(carried(lines[0].split(" ")[1] ?? ""), shown.settings.map(([key, value]) => [key, key === "embed" ? "slide" : value]));
  assert.match(lines[2], /^:title: [\p{L}\p{N}][\p{L}\p{N} .,:;()+–-]*$/u);
  assert.deepEqual([lines.length, lines[1], lines[3]], [4, ":width: 100%", "```"]);
});

test("a slide of Reveal starts when it is shown, fits, and hands the keys of the slides on", async (t) => {
  const home = await origin();
  const { reveal } = await writers();
  const settings = /** @type {Pair[]} */ ([["d", "10"], ["iterations", "30"], ["models", "fm,gfm,ifm"], ["trials", "3"], ["noise", "0.1"], ["embed", "1"], ["speed", "instant"]]);
  const slide = reveal({ page: `${home}/`, settings, link: [], title: "Lab", height: 600 });
  const files = { "reveal.mjs": "text/javascript", "reveal.css": "text/css" };
  const host = await serveHTML(`<!doctype html><title>Slides</title><link rel="stylesheet" href="/reveal.css"><div class="reveal"><div class="slides"><section>One</section><section>Two</section>${slide}<section>Four</section></div></div>
    <script type="module">import Reveal from "/reveal.mjs"; const deck = new Reveal({ viewDistance: 3, transition: "none" }); await deck.initialize(); window.deck = deck;</script>`);
  const page = await openPage(t, "about:blank", { origins: [host], viewport: { width: 960, height: 700 } });
  for (const [name, contentType] of Object.entries(files)) await page.route(`${host}/${name}`, async (route) => route.fulfill({ contentType, body: await readFile(path.join(here, "node_modules/reveal.js/dist", name), "utf8") }));
  await page.goto(host);
  await page.waitForFunction(() => "deck" in window);
  /** @param {number} index */
  const at = (index) => page.waitForFunction((wanted) => /** @type {any} */ (window).deck.getIndices().h === wanted, index);
  await page.keyboard.press("ArrowRight");
  await at(1);
  assert.equal(await page.locator("iframe[src]").count(), 0, "nothing is loaded before its slide is shown");
  await page.keyboard.press("PageDown");
  await page.locator("iframe[src]").waitFor();
  const frame = await frameIn(page.locator("iframe"));
  await numbers(frame);
  await settled(frame);
  for (const [width, height] of /** @type {const} */ ([[960, 540], [640, 360]])) {
    await page.locator("iframe").evaluate((e, [w, h]) => Object.assign(e, { width: w, height: h }), /** @type {const} */ ([String(width), String(height)]));
    await frame.waitForFunction((wanted) => innerWidth === wanted, width);
    await settled(frame);
    assert.deepEqual(await outside(frame, [":is(h1, p, button, b, svg, .face):not(.seen-not, .seen-not *)"]), [], `all of it is seen in ${width}×${height}`);
    assert.deepEqual(await frame.evaluate(() => [document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]), [0, 0], "and nothing scrolls");
  }
  for (const shown of [".on [data-chart=curve] .plot > svg", ".says", ".controls .play", ".segments.switch"]) assert.ok(await frame.locator(shown).isVisible(), shown);

  await frame.locator("input[value=flipped]").focus();
  await page.keyboard.press("ArrowRight");
  await frame.locator("input[value=mixed]:checked").waitFor({ state: "attached" });
  await at(2);
  await frame.locator(".controls .play").focus();
  await page.keyboard.press("ArrowRight");
  await at(3);
  await page.waitForFunction(() => document.querySelectorAll("iframe[src]").length === 0, undefined);
});
