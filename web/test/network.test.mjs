// @ts-check
/** What loads later than the page comes by itself where the network was gone when it was asked for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { dropFile, openPage, settled } from "./lab.mjs";
import { everyReader } from "./packing.mjs";
import { finished, twice } from "./table.mjs";

const little = `speed=instant&d=8&k=2&n=100&models=ifm&${twice}`; // where the numbers do not matter
const table = `/?source=table&sample=cars&${little}`;
const psd = "/?chapter=psd&psd.d=12&psd.k=2&psd.rows=10&psd.test=100&psd.trials=1&psd.iterations=8";
const csv = ["a,b,y", ...Array.from({ length: 60 }, (_, i) => `${i % 7},${(i * 5) % 11},${i % 5}`)].join("\n");
const bring = (/** @type {string} */ name, /** @type {Uint8Array} */ bytes) => (/** @type {Page} */ page) => dropFile(page, "#main", { name, bytes });

/** What loads later than the page: its file, an address where it is needed, what is seen once it is there, and what the reader does for it. @type {Record<string, { file: string, at?: string, seen?: string, act?: (page: Page) => unknown }>} */
const later = {
  "the worker": { file: "worker-*.js" },
  "the figure's engine": { file: "engine-*.wasm" },
  "all but the page": { file: "{worker,engine,unstarted}-*" },
  "the engine of tables": { file: "table-*.wasm", at: table, seen: "ifm-result" },
  "the place of tables": { file: "table-*.js", at: table, seen: "ifm-result" },
  "a built-in table": { file: "samples/cars.csv", at: table, seen: "ifm-result" },
  "what is studied after a training": { file: "study-*.js", at: table, seen: ".table-answer[data-phase=done]" },
  "the lesson": { file: "section-*.js", at: psd, seen: "#psd .chapter[data-phase=done]:not(:has([role=alert]))" },
  "a chapter": { file: "chapter-*.js", at: "/?chapter=reach&reach.n=100&reach.iterations=20", seen: "#reach .chapter[data-phase=done]:not(:has([role=alert]))" },
  "the engine of a chapter": { file: "engine-*.wasm", at: psd, seen: "#psd .chapter[data-phase=done]:not(:has([role=alert]))" },
  "the engine of the ionosphere": { file: "ionosphere-*.wasm", at: "/?chapter=vtec&vtec.stations=8&vtec.days=1&vtec.stride=360&vtec.fixes=0", seen: "#vtec .chapter[data-phase=done]:not(:has([role=alert]))" },
  "the reader of archives": { file: "unpack.entry-*.js", seen: "#file", act: bring("t.csv.gz", gzipSync(csv)) },
  "the reader of Parquet files": { file: "parquet.entry-*.js", seen: "#file", act: bring("t.parquet", everyReader["houses.parquet"] ?? new Uint8Array()) },
  "the kinds of files": { file: "kind-*.js", seen: "#file", act: bring("t.csv", Buffer.from(csv)) },
  "the dialog of links": { file: "dialog-*.js", seen: "dialog[open]", act: (page) => page.locator("header .sharer").click() },
};

for (const [what, { file, at = `/?${little}`, seen = "ifm-figure .verdict[data-phase=done]", act }] of Object.entries(later)) {
  test(`${what} is asked for again once the network is back, and the error goes`, async (t) => {
    let lost = 0;
    const abort = (/** @type {import("playwright-core").Route} */ route) => {
      lost++;
      return route.abort();
    };
    const pattern = `**/${file.includes("/") ? file : `a/${file}`}`;
    const expected = [/Failed to load resource/, /Failed to fetch dynamically imported module/];
    const page = await openPage(t, at, { expected, before: (page) => page.route(pattern, abort) });
    await settled(page);
    await act?.(page);
    const told = page.getByText(/could not be loaded/);
    await told.first().waitFor();
    assert.ok(lost > 0);
    assert.equal(await page.locator(seen).count(), 0);
    await page.unroute(pattern, abort);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await page.locator(seen).first().waitFor();
    await settled(page);
    assert.equal(await told.count(), 0);
  });
}

for (const [file, answer, said] of /** @type {const} */ ([
  ["a/worker-*.js", { contentType: "text/html", body: "<!doctype html>Log in" }, /a web page came instead of a\/worker-\S+\. Log in to the network/],
  ["a/table-*.wasm", { status: 503, body: "" }, /a\/table-\S+ could not be loaded\. Check the connection/],
  ["samples/cars.csv", { contentType: "text/html", body: "<!doctype html>Log in" }, /table cars\.csv could not be loaded/],
])) {
  test(`where a server or a network answers ${file} by something else, that is told, and the file is asked for again`, async (t) => {
    const pattern = `**/${file}`;
    const page = await openPage(t, table, { expected: [/Failed to load resource/], before: (page) => page.route(pattern, (route) => route.fulfill(answer)) });
    const told = page.getByText(said);
    await told.first().waitFor();
    await page.unroute(pattern);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await page.locator("ifm-result").first().waitFor();
    await settled(page);
    assert.equal(await told.count(), 0);
  });
}

test("where the engine of tables does not come the section says so, and the next try finds it", async (t) => {
  const page = await openPage(t, `/?source=table&${little}`, { expected: [/ERR_FAILED/] });
  await settled(page);
  await page.route("**/a/table-*.wasm", (route) => route.abort());
  const sample = page.locator("[data-sample=penguins]");
  await sample.click();
  await page.locator("#file-error").waitFor();
  await settled(page); // no worker that began before is on its way: it would fail the next try, too
  assert.match(await page.locator("#file-error").innerText(), /engine could not start: a\/table-.*\.wasm could not be loaded/);
  await page.unroute("**/a/table-*.wasm");
  await sample.click();
  await finished(page);
});
