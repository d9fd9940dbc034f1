// @ts-check
/**
 * Pages of React, Vue and Svelte with the element's package, installed from the lab
 * as their authors would, checked under strict types, rendered on a server, built by
 * Vite, and driven in Chromium.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { svelte, vitePreprocess } from "@sveltejs/vite-plugin-svelte";
import vue from "@vitejs/plugin-vue";
import Ajv from "ajv";
import { build, createServer, preview } from "vite";

import { frameIn } from "../test/hosts.mjs";
import { openPage, origin } from "../test/lab.mjs";

process.env["NODE_ENV"] = "production"; // what Vite builds; under test React has more to say in the console

const here = fileURLToPath(new URL(".", import.meta.url));
const installed = path.join(here, "node_modules", "ifm-lab");
const scratch = await mkdtemp(path.join(os.tmpdir(), "ifmlab-frameworks-"));
after(() => rm(scratch, { recursive: true }));

/** Runs a program of npm's, or npm; resolves with how it ended and all that it said. @param {string} program @param {string[]} args @param {string} cwd @returns {Promise<{ code: number, said: string }>} */
function run(program, args, cwd) {
  return new Promise((resolve) => execFile(program, args, { cwd }, (error, out, err) => resolve({ code: error ? Number(error.code) || 1 : 0, said: out + err })));
}

const bin = (/** @type {string} */ name) => path.join(here, "node_modules", ".bin", name);

before(async () => {
  await writeFile(path.join(scratch, "package.json"), '{ "private": true }');
  const { code, said } = await run("npm", ["install", "--no-progress", "--no-audit", "--no-fund", "--noproxy=127.0.0.1", `${await origin()}/ifm-lab.tgz`], scratch);
  assert.equal(code, 0, said);
  await rm(installed, { recursive: true, force: true });
  await cp(path.join(scratch, "node_modules", "ifm-lab"), installed, { recursive: true });
});

test("the package's manifest is one", async () => {
  const read = async (/** @type {string} */ name) => JSON.parse(await readFile(path.join(here, "node_modules", name), "utf8"));
  const valid = new Ajv.Ajv({ strict: false }).compile(await read("custom-elements-manifest/schema.json"));
  assert.ok(valid(await read("ifm-lab/custom-elements.json")), JSON.stringify(valid.errors));
});

/** What an author of a page has for types, by framework; it says a line of each mistake. @type {Record<string, () => Promise<{ code: number, said: string }>>} */
const check = {
  react: () => run(bin("tsc"), ["-p", "react", "--pretty", "false"], here),
  vue: () => run(bin("vue-tsc"), ["-p", "vue", "--pretty", "false"], here),
  svelte: () => run(bin("svelte-check"), ["--tsconfig", "./tsconfig.json", "--output", "machine"], path.join(here, "svelte")),
};

/** @param {string} name */
const config = (name) => ({ configFile: /** @type {const} */ (false), root: path.join(here, name), logLevel: /** @type {const} */ ("warn"), plugins: [vue({ template: { compilerOptions: { isCustomElement: (/** @type {string} */ tag) => tag === "ifm-lab" } } }), svelte({ configFile: false, preprocess: vitePreprocess() })] });

/** What each makes of its page without a browser. @type {Record<string, (load: (file: string) => Promise<any>, props: { lab: string }) => Promise<string>>} */
const rendered = {
  react: async (load, props) => (await import("react-dom/server")).renderToString((await import("react")).createElement((await load("/page.tsx")).Page, props)),
  vue: async (load, props) => (await import("vue/server-renderer")).renderToString((await import("vue")).createSSRApp((await load("/page.vue")).default, props)),
  svelte: async (load, props) => (await load("svelte/server")).render((await load("/page.svelte")).default, { props }).body,
};

for (const name of ["react", "vue", "svelte"]) {
  test(`${name}: its types take what is right, and name what is wrong`, async () => {
    const told = await check[name]?.();
    assert.notEqual(told?.code, 0);
    const mistakes = String(told?.said).split("\n").filter((line) => /error/i.test(line) && !/ (START|COMPLETED) /.test(line));
    assert.deepEqual(mistakes.filter((line) => !/\bwrong\.(tsx|vue|svelte)\b/.test(line)), []);
    assert.equal(mistakes.length, 4, told?.said);
    for (const [i, pattern] of [/sceanrio/, /"blue.*"mixed.* \| .*"psd/, /"many.*number \|/, /Property 'sentence' does not exist on type 'RecordDetail'/].entries()) assert.match(mistakes[i] ?? "", pattern);
  });

  test(`${name}: a server renders the page`, async (t) => {
    const server = await createServer({ ...config(name), appType: "custom", server: { middlewareMode: true, ws: false } });
    t.after(() => server.close());
    const html = await rendered[name]?.((file) => server.ssrLoadModule(file), { lab: "https://lab.test/" });
    assert.match(String(html), /<ifm-lab[^>]* src="https:\/\/lab\.test\/"[^>]* d="12"/);
  });

  test(`${name}: a built page sets a property, changes it, calls a method and hears an event`, async (t) => {
    const outDir = path.join(scratch, name);
    await build({ ...config(name), base: "./", build: { outDir, emptyOutDir: true, reportCompressedSize: false } });
    const server = await preview({ ...config(name), build: { outDir }, preview: { host: "127.0.0.1", port: 0 } });
    t.after(() => server.close());
    const outside = String(server.resolvedUrls?.local[0]).replace(/\/$/, "");
    const page = await openPage(t, `${outside}/?lab=${encodeURIComponent(await origin())}`, { origins: [outside] });
    const frame = await frameIn(page.locator("ifm-lab iframe"));
    const verdict = frame.locator("[data-verdict]");
    const heard = page.locator("output");
    await heard.getByText(/^1: /).waitFor();
    assert.equal(await heard.innerText(), `1: ${(await verdict.innerText()).trim()}`);
    const says = (/** @type {string} */ text) => frame.locator(".live", { hasText: text }).waitFor({ state: "attached" }); // it stands in Details, which is closed
    await says("d = 12,");
    const query = new URL((await page.locator("ifm-lab iframe").getAttribute("src")) ?? "").searchParams; // the figure itself drops what only a chapter has
    assert.deepEqual(["models", "hide", "iterations", "n", "psd.d"].map((name) => query.get(name)), ["fm,gfm", "matrices", "20", "100", "8"]);
    assert.equal(await page.locator("ifm-lab.lab").count(), 1);

    await page.getByRole("button", { name: "More" }).click();
    await says("d = 16,");
    await heard.getByText(/^2: /).waitFor();
    assert.equal(await page.locator("ifm-lab").getAttribute("d"), "16");
    await page.getByRole("button", { name: "Again" }).click();
    await says("seed 7");
    await heard.getByText(/^3: /).waitFor();
  });
}
