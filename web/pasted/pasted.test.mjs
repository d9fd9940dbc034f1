// @ts-check
/**
 * The snippets of the Share dialog in the real software of their hosts: MDX with
 * React (which Docusaurus is made of), VitePress, MyST's parser, Hugo, MkDocs.
 * What is not installed is skipped, and said. `make pasted` installs what npm has.
 */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { listen, openPage, origin } from "../test/lab.mjs";

const run = promisify(execFile);
const here = path.dirname(fileURLToPath(import.meta.url));

/** @param {string} name */
const built = (name) => import(new URL(`../emitted/${name}`, import.meta.url).href); // by make units
const [snippet, { heightIn }] = await Promise.all([built("share/snippet.js"), built("state/heights.js")]);

/** The software, or why it is not tried. @param {string} name */
const software = (name) => import(name).catch(() => null);
/** @param {string} command */
const has = (command) => {
  try {
    execFileSync(command, ["version"], { stdio: "ignore" });
    return true;
  } catch (reason) {
    return /** @type {NodeJS.ErrnoException} */ (reason).code !== "ENOENT";
  }
};
const [mdx, server, myst, vitepress] = await Promise.all(["@mdx-js/mdx", "react-dom/server", "myst-parser", "vitepress"].map(software));
/** @param {unknown} found @param {string} what */
const unless = (found, what) => ({ skip: found ? false : `${what} is not installed`, timeout: 300_000 });

const title = "FM, iFM: \"both\" & {braces} <b>";
const settings = /** @type {const} */ ([["scenario", "mixed"], ["models", "fm,gfm,ifm"], ["target", "a \"b\" {{c}} 100 %"], ["d", "10"], ["n", "200"], ["iterations", "30"], ["embed", "1"], ["hide", "matrices"], ["speed", "instant"]]);

async function shown() {
  return { page: `${await origin()}/`, settings, link: settings.filter(([key]) => key !== "embed" && key !== "hide"), title, height: heightIn(settings, 720) };
}

/** A folder for a site, where the packages of this one are found. @param {import("node:test").TestContext} t @param {Record<string, string>} files */
async function site(t, files) {
  await mkdir(path.join(here, "node_modules"), { recursive: true });
  const folder = await mkdtemp(path.join(here, "node_modules", ".site-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return folder;
}

/** What a snippet says belongs into each of two files. @param {string} text */
function divided(text) {
  const [first = "", second = "", ...more] = text.split(/\n\n(?:<!--|\{\/\*) page\.mdx? (?:-->|\*\/\})\n/);
  assert.deepEqual(more, []);
  return [first, second];
}

/** The frame or the element in a page of HTML, as a browser reads it. @param {import("node:test").TestContext} t @param {string} html */
async function found(t, html) {
  const page = await openPage(t, "about:blank", { expected: [/./] });
  return page.evaluate((text) => {
    const made = new DOMParser().parseFromString(text, "text/html"); // which runs and loads nothing
    const attributes = (/** @type {Element | null} */ e) => e && Object.fromEntries([...e.attributes].map((a) => [a.name.toLowerCase(), a.value]));
    return { frame: attributes(made.querySelector("iframe")), lab: attributes(made.querySelector("ifm-lab")), links: [...made.querySelectorAll("a")].map((a) => [a.getAttribute("href"), a.textContent]) };
  }, html);
}

/** @param {string} text of MDX */
async function rendered(text) {
  const React = await import("react");
  const runtime = await import("react/jsx-runtime");
  const { default: Content } = await mdx.evaluate(text, { ...runtime });
  return server.renderToStaticMarkup(React.createElement(Content));
}

test("MDX compiles the plain snippet, and React renders the frame and the link that were meant", unless(mdx && server, "@mdx-js/mdx"), async (t) => {
  const what = await shown();
  const { frame, links } = await found(t, await rendered(`# Week 3\n\n${snippet.course(what)}\n\nMore.`));
  assert.deepEqual([frame?.["src"], frame?.["title"], frame?.["width"], frame?.["height"], frame?.["loading"]], [snippet.address(what.page, what.settings), title, "100%", String(what.height), "lazy"]);
  assert.deepEqual(links, [[snippet.address(what.page, what.link), title]]);
  await assert.rejects(rendered(snippet.html(what).replace("<iframe ", '<iframe style="border: 0" ')), "a style as text is what it does not take");
});

test("MDX compiles what goes into a page of Docusaurus, and its configuration is JavaScript", unless(mdx && server, "@mdx-js/mdx"), async (t) => {
  const what = await shown();
  const [configuration = "", page = ""] = divided(snippet.docusaurus(what));
  const { lab, links } = await found(t, await rendered(page));
  assert.deepEqual([lab?.["label"], lab?.["height"]], [title, String(what.height)]);
  assert.equal(lab?.["src"], snippet.address(what.page, what.settings.filter(([key]) => key !== "embed")));
  assert.equal(links.length, 1);
  assert.deepEqual(new Function(`return { ${configuration.replace(/^\/\/.*\n/, "")} }`)(), { scripts: [{ src: `${what.page}ifm-lab.js`, type: "module" }] });
});

test("VitePress builds a page with the element and one with the frame, and both run there", unless(vitepress, "vitepress"), async (t) => {
  const what = await shown();
  const [configuration = "", page = ""] = divided(snippet.vitepress(what));
  const folder = await site(t, { ".vitepress/config.mjs": configuration, "index.md": `# Element\n\n${page}\n`, "frame.md": `# Frame\n\n${snippet.course(what)}\n`, "package.json": '{"type":"module"}' });
  await run(path.join(here, "node_modules/.bin/vitepress"), ["build", folder]);
  const types = /** @type {Record<string, string>} */ ({ ".js": "text/javascript", ".css": "text/css", ".html": "text/html" });
  const home = await listen(http.createServer(async (request, response) => {
    const name = (request.url ?? "/").replace(/\?.*/, "").replace(/\/$/, "/index.html");
    const bytes = await readFile(path.join(folder, ".vitepress/dist", name)).catch(() => null);
    response.writeHead(bytes ? 200 : 404, { "content-type": types[path.extname(name)] ?? "application/octet-stream" }).end(bytes ?? "");
  }));
  for (const [name, holder] of /** @type {const} */ ([["/", "ifm-lab iframe"], ["/frame.html", "iframe"]])) {
    const host = await openPage(t, `${home}${name}`, { origins: [home], expected: [/./] });
    await host.locator(holder).scrollIntoViewIfNeeded();
    await host.locator(holder).contentFrame().locator(".verdict[data-phase=done]").waitFor();
  }
});

test("MyST's parser reads the directive without a word, and knows its address, width and title", unless(myst, "myst-parser"), async () => {
  const what = await shown();
  /** @type {string[]} */
  const told = [];
  const tree = myst.mystParse(snippet.myst(what), { vfile: { message: (/** @type {string} */ text) => (told.push(String(text)), {}), messages: [] } });
  const text = JSON.stringify(tree);
  assert.doesNotMatch(text, /mystDirectiveError|unknown/i);
  assert.deepEqual(told, []);
  const { src, width, title: name } = JSON.parse(/\{"type":"iframe"[^{}]*\}/.exec(text)?.[0] ?? "{}");
  assert.deepEqual([src, width], [snippet.address(what.page, what.settings.map(([key, value]) => [key, key === "embed" ? "slide" : value])), "100%"]);
  assert.match(name, /^FM, iFM: both braces b$/);
});

test("Hugo makes the frame of its shortcode", unless(has("hugo"), "hugo"), async (t) => {
  const what = await shown();
  const [shortcode = "", page = ""] = divided(snippet.hugo(what));
  const folder = await mkdtemp(path.join(os.tmpdir(), "ifmlab-hugo-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries({ "config.toml": 'baseURL = "https://course.example/"\ndisableKinds = ["taxonomy", "term", "RSS", "sitemap", "home", "section"]\n', "layouts/_default/single.html": "<!doctype html><main>{{ .Content }}</main>", "layouts/shortcodes/ifm-lab.html": shortcode, "content/week.md": `---\ntitle: Week\n---\n\n${page}\n` })) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  await run("hugo", ["--source", folder]);
  const { frame, links } = await found(t, await readFile(path.join(folder, "public/week/index.html"), "utf8"));
  assert.deepEqual([...new URL(frame?.["src"] ?? "").searchParams], what.settings.map(([...pair]) => pair));
  assert.deepEqual([frame?.["title"], frame?.["height"]], ["FM, iFM: both braces b", String(what.height)]);
  assert.equal(links.length, 1);
});

test("MkDocs leaves the plain snippet in a page as it is", unless(has("mkdocs"), "mkdocs"), async (t) => {
  const what = await shown();
  const folder = await mkdtemp(path.join(os.tmpdir(), "ifmlab-mkdocs-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(path.join(folder, "docs"));
  await writeFile(path.join(folder, "mkdocs.yml"), "site_name: Course\n");
  await writeFile(path.join(folder, "docs/index.md"), `# Week 3\n\n${snippet.course(what)}\n`);
  await run("mkdocs", ["build", "--quiet"], { cwd: folder });
  const { frame, links } = await found(t, await readFile(path.join(folder, "site/index.html"), "utf8"));
  assert.deepEqual([frame?.["src"], frame?.["title"], frame?.["height"]], [snippet.address(what.page, what.settings), title, String(what.height)]);
  assert.ok(links.some(([href, text]) => href === snippet.address(what.page, what.link) && text === title));
});
