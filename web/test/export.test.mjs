// @ts-check
/** What is saved of a chart or a run: real downloads, which hold what the page shows and nothing that could run. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { PNG } from "pngjs";

import { openPage, settled } from "./lab.mjs";
import { figureDone as finished, savedChart as save } from "./table.mjs";

const figure = "ifm-figure";

/** Reads an SVG as any program does: it must be XML that stands by itself. @param {Page} page @param {string} svg */
async function read(page, svg) {
  const found = await page.evaluate((text) => {
    const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    const all = [root, ...root.querySelectorAll("*")];
    const { width = "", height = "" } = { width: root.getAttribute("width") ?? "", height: root.getAttribute("height") ?? "" };
    return {
      names: [...new Set(all.map((element) => element.localName))],
      attributes: all.flatMap((element) => [...element.attributes].map(({ name, value }) => [name, value])),
      title: root.querySelector("title")?.textContent ?? "",
      described: root.querySelector("desc")?.textContent ?? "",
      texts: [...root.querySelectorAll("text")].map((element) => element.textContent ?? ""),
      ground: root.querySelector("rect")?.getAttribute("fill") ?? "",
      width: Number(width),
      height: Number(height),
    };
  }, svg);
  const known = ["clipPath", "svg", "title", "desc", "rect", "text", "tspan", "g", "line", "path", "circle", "image"];
  assert.deepEqual(found.names.filter((name) => !known.includes(name)), [], "nothing but shapes and texts");
  for (const [name = "", value = ""] of found.attributes) {
    assert.doesNotMatch(name, /^on|class|style/i);
    assert.doesNotMatch(value, /var\(|url\((?!#)|javascript:/i);
    if (name === "href") assert.match(value, /^data:image\/png;base64,/);
  }
  assert.ok(found.width >= 320 && found.height > 100);
  return found;
}

/** The foot of a picture, its lines put together. @param {{ texts: string[] }} drawn */
const foot = ({ texts }) => texts.slice(-10).join(" ");

/** A table as RFC 4180 has it, each row by its column's name. @param {string} csv @returns {Record<string, string>[]} */
function rows(csv) {
  assert.ok(csv.endsWith("\r\n"), "a line ends in CR LF");
  const lines = csv.match(/(?:"(?:[^"]|"")*"|[^\r"])*\r\n/g) ?? [];
  assert.equal(lines.join(""), csv, "nothing else stands in the file");
  const [header = [], ...all] = lines.map((line) => [...line.slice(0, -2).matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? ""));
  return all.map((cells) => {
    assert.equal(cells.length, header.length, "every row has as many cells as the header");
    return Object.fromEntries(cells.map((cell, i) => [header[i] ?? "", cell]));
  });
}

/** A cell as the number it is. @param {string | undefined} cell */
const number = (cell) => (cell ? Number(cell) : NaN);

/** @param {Buffer} bytes @param {{ width: number, height: number, ground: string }} drawn */
function samePicture(bytes, { width, height, ground }) {
  const png = PNG.sync.read(bytes);
  assert.deepEqual([png.width, png.height], [2 * width, 2 * height], "twice as many pixels");
  const colours = new Set();
  for (let at = 0; at < png.data.length; at += 4) {
    assert.equal(png.data[at + 3], 255, "nothing shines through");
    colours.add(png.data.readUIntBE(at, 3));
  }
  assert.equal(`#${png.data.readUIntBE(0, 3).toString(16).padStart(6, "0")}`, ground, "the corner is ground");
  assert.ok(colours.size > 50, `something is drawn, in ${colours.size} colours`);
}

test("the figure's curves are saved as a picture, as pixels and as the page's own numbers", async (t) => {
  const page = await openPage(t, "/?speed=instant&seed=7#\"><script>alert(1)</script>");
  await finished(page);
  await settled(page, page.locator(`${figure} input[name=files]`).evaluate((/** @type {HTMLInputElement} */ box) => box.click()));
  const chart = page.locator(`${figure} .on [data-chart=curve]`);
  const svg = await save(page, chart, "svg");
  assert.equal(svg.name, "ifm-lab-flipped-curve-seed-7.svg");
  const drawn = await read(page, svg.text);
  assert.equal(drawn.title, "Test error by iteration: Signs clash");
  assert.equal(drawn.described, await chart.locator(".plot").getAttribute("aria-label"));
  for (const name of ["Test error by iteration: Signs clash", "FM", "iFM", "100 %"]) assert.ok(drawn.texts.join(" ").includes(name), `the picture says ${name}`);
  assert.match(foot(drawn), /Flipped true matrix, −UUᵀ\. Computed live: 1,800 training rows, 1,000 test rows, d.=.30, k.=.3, seed 7\./);
  assert.ok(drawn.texts.join("").includes(page.url()), "the address is at the foot");
  const png = await save(page, chart, "png");
  assert.equal(png.name, "ifm-lab-flipped-curve-seed-7.png");
  samePicture(png.bytes, drawn);

  const lines = await page.locator(figure).evaluate((/** @type {any} */ panel) => panel.training.lines.map((/** @type {any} */ line) => ({ iteration: [...line.iteration], error: [...line.error], kept: line.kept })));
  const data = rows((await save(page, chart, "csv")).text);
  const [fm, ifm] = lines;
  assert.ok(fm && ifm);
  assert.deepEqual(Object.keys(data[0] ?? {}), ["iteration", "FM test RMSE", "iFM test RMSE", "baseline mean test RMSE", "baseline linear test RMSE"]);
  assert.equal(data.length, 151, "a row an iteration, the start among them");
  assert.deepEqual(data.map((row) => number(row["iteration"])), fm.iteration);
  assert.deepEqual(data.map((row) => number(row["FM test RMSE"])), fm.error, "to the last bit");
  assert.deepEqual(data.map((row) => number(row["iFM test RMSE"])), ifm.error);
  assert.equal(number(data[0]?.["baseline linear test RMSE"]).toPrecision(3), (drawn.described.match(/linear regression, ([\d.]+)\./) ?? [])[1]);

  const run = await save(page, chart, "json");
  assert.equal(run.name, "ifm-lab-flipped-run-seed-7.json");
  const file = JSON.parse(run.text);
  assert.equal(file.link, page.url());
  assert.deepEqual([file.spec.seed, file.spec.d, file.spec.scenario, file.spec.solver], [7, 30, "flipped", "default"]);
  assert.deepEqual(file.standings.map((/** @type {any} */ s) => s.whose), ["ifm", "fm", "ridge", "mean"]);
  assert.equal(file.standings[0].rmse, ifm.kept);
});
