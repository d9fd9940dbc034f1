// @ts-check
/** The snippets in Jupyter's own Notebook, run there by its kernel, and in the page that nbconvert makes of it; what is missing is skipped, and said. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";

import { port } from "../test/browser.mjs";
import { openPage } from "../test/lab.mjs";
import { found, run, shown, snippet, title } from "./shown.mjs";

/** @typedef {import("node:test").TestContext} TestContext */

/** Why it is not tried, or false. @param {string} program @param {string} from */
const unless = (program, from) => {
  try {
    execFileSync("python3", ["-c", "import ipykernel"], { stdio: "ignore", env });
    execFileSync(program, ["--version"], { stdio: "ignore", env });
    return false;
  } catch {
    return `not run: ${program} with a kernel is not installed; apt-get install ${from} python3-ipykernel`;
  }
};
const env = { ...process.env, /* Debian's own programs first, which go together */ PATH: `/usr/bin:${process.env["PATH"]}`, no_proxy: "*" };

/** A notebook whose cells are the snippet for Jupyter, and the default one as its HTML. @param {TestContext} t */
async function notebook(t) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "ifmlab-notebook-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const what = await shown();
  const cells = [snippet.jupyter(what), `from IPython.display import HTML\n\nHTML(${JSON.stringify(snippet.course(what))})`];
  const cell = (/** @type {string} */ source) => ({ cell_type: "code", execution_count: null, metadata: {}, outputs: [], source });
  await writeFile(path.join(folder, "week.ipynb"), JSON.stringify({ nbformat: 4, nbformat_minor: 4, metadata: { kernelspec: { name: "python3", display_name: "Python 3", language: "python" } }, cells: cells.map(cell) }));
  return { folder, what, env: { ...env, HOME: folder, IPYTHONDIR: path.join(folder, ".ipython") } };
}

test("in Jupyter's Notebook both cells show the figure, and it runs", { skip: unless("jupyter-notebook", "jupyter-notebook"), timeout: 300_000 }, async (t) => {
  const { folder, env } = await notebook(t);
  const home = `http://127.0.0.1:${await port()}`;
  const server = spawn("jupyter-notebook", ["--no-browser", "--allow-root", "--ip=127.0.0.1", `--port=${new URL(home).port}`, "--port-retries=0", "--NotebookApp.token=", "--NotebookApp.password=", `--notebook-dir=${folder}`], { env, stdio: ["ignore", "ignore", "pipe"] });
  t.after(async () => {
    const ended = once(server, "exit");
    if (server.exitCode === null && server.kill("SIGTERM")) await ended;
  });
  let said = false;
  for await (const line of createInterface(server.stderr)) if ((said = line.includes(home))) break;
  assert.ok(said, "the server says that it is there");
  server.stderr.resume(); // what it says more is read by nobody
  const page = await openPage(t, "about:blank", { origins: [home], expected: [/./] });
  await page.goto(`${home}/notebooks/week.ipynb`);
  await page.waitForFunction(() => /** @type {any} */ (globalThis).Jupyter?.notebook?.kernel?.is_connected());
  await page.evaluate(() => /** @type {any} */ (globalThis).Jupyter.notebook.execute_all_cells());
  for (const cell of [0, 1]) {
    const frame = page.locator(".cell").nth(cell).locator("iframe");
    await frame.scrollIntoViewIfNeeded();
    await frame.contentFrame().locator(".verdict[data-phase=done]").waitFor();
    assert.equal(await frame.getAttribute("title"), title);
  }
  if (process.env["SHOT"]) await page.screenshot({ path: process.env["SHOT"] });
});

test("nbconvert runs the notebook and writes a page with both frames", { skip: unless("jupyter-nbconvert", "jupyter-nbconvert"), timeout: 300_000 }, async (t) => {
  const { folder, what, env } = await notebook(t);
  await run("jupyter-nbconvert", ["--execute", "--to", "html", "--template", "basic", path.join(folder, "week.ipynb")], { env });
  const page = await readFile(path.join(folder, "week.html"), "utf8");
  const frames = [...page.matchAll(/<iframe[\s\S]*?<\/iframe>/g)].map(([frame]) => frame);
  assert.equal(frames.length, 2);
  for (const html of frames) {
    const { frame } = await found(t, html);
    assert.deepEqual([frame?.["src"], frame?.["title"], frame?.["width"], frame?.["height"], frame?.["loading"]], [snippet.address(what.page, what.settings), title, "100%", String(what.height), "lazy"]);
  }
});
