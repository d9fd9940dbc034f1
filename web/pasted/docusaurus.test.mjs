// @ts-check
/** A site of Docusaurus, built by itself, with the page that Share writes for it and the default snippet. Its packages are many, so they have a folder of their own. */
import assert from "node:assert/strict";
import { access, readFile } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { test } from "node:test";

import { listen, openPage } from "../test/lab.mjs";
import { divided, here, run, shown, site, snippet } from "./shown.mjs";

const folder = path.join(here, "docusaurus");
const program = path.join(folder, "node_modules/.bin/docusaurus");
const installed = await access(program).then(() => true, () => false);

test("Docusaurus builds a page with the element and one with the frame, and both run there", { skip: installed ? false : "not run: npm could not install Docusaurus in web/pasted/docusaurus", timeout: 600_000 }, async (t) => {
  const what = await shown();
  const [configuration = "", page = ""] = divided(snippet.docusaurus(what));
  const config = `export default {
  title: "Course", url: "https://course.example", baseUrl: "/",
  themes: ["@docusaurus/theme-classic"],
  plugins: [["@docusaurus/plugin-content-docs", { routeBasePath: "/", sidebarPath: false }]],
  ${configuration.replace(/^\/\/.*\n/, "")}
};\n`;
  const root = await site(t, { "docusaurus.config.js": config, "package.json": '{ "private": true }', "docs/element.mdx": `---\nslug: /\n---\n\n# Element\n\n${page}\n`, "docs/frame.mdx": `# Frame\n\n${snippet.course(what)}\n` }, folder);
  await run(program, ["build", root], { cwd: root, maxBuffer: 1 << 26, env: { ...process.env, CI: "1", NODE_ENV: "production", DOCUSAURUS_NO_PERSISTENT_CACHE: "1" } });
  const types = /** @type {Record<string, string>} */ ({ ".js": "text/javascript", ".css": "text/css", ".html": "text/html" });
  const home = await listen(http.createServer(async (request, response) => {
    const name = (request.url ?? "/").replace(/\?.*/, "").replace(/\/$/, "/index.html");
    const bytes = await readFile(path.join(root, "build", name)).catch(() => null);
    response.writeHead(bytes ? 200 : 404, { "content-type": types[path.extname(name)] ?? "application/octet-stream" }).end(bytes ?? "");
  }));
  for (const [name, holder] of /** @type {const} */ ([["/", "ifm-lab iframe"], ["/frame/", "iframe"]])) {
    const host = await openPage(t, `${home}${name}`, { origins: [home], expected: [/./] });
    await host.locator(holder).scrollIntoViewIfNeeded();
    await host.locator(holder).contentFrame().locator(".verdict[data-phase=done]").waitFor();
  }
});
