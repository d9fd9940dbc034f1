// @ts-check
/**
 * The snippets of the Share dialog in the real software of their hosts: MDX with
 * React, VitePress, MyST's parser, Hugo, MkDocs. What is not installed is skipped,
 * and said. `make hosts` installs what npm has.
 */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";

import { listen, openPage } from "../test/lab.mjs";
import { divided, found, has, here, run, settings, shown, site, snippet, software, title, unless } from "./shown.mjs";

const [mdx, server, myst, vitepress] = await Promise.all(["@mdx-js/mdx", "react-dom/server", "myst-parser", "vitepress"].map(software));

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
