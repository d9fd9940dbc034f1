// @ts-check
/** The pictures of shared links, web/cards: a finished run's chart under what its page says or asks, 1200×630 pixels, drawn to be read at half of that. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { PNG } from "pngjs";

import { acceptance, matchPicture, openPage, settled } from "./lab.mjs";
import { ifm } from "./native.mjs";
import { paletted } from "./palette.mjs";

/** What a picture shows: an address, the parts of its page, styles that enlarge them, and a headline of its own. @typedef {{ query: string, parts: string[], style?: string, title?: string }} Card */

const folder = fileURLToPath(new URL("../cards", import.meta.url));
const [wide, high] = [600, 315]; // css px, each two pixels of the picture
const most = 60_000; // bytes

const curve = { parts: ["[data-chart=curve] figure"], style: ".frame { height: 168px !important }" };
const lines = { parts: ["ul.key:has(~ [data-chart=curve]):not(:has(~ ul.key))", "[data-chart=curve] figure"], style: ".frame { height: 150px !important } .key { font-size: 13px }" };
const figure = "hide=switch,controls,matrices&ghost=0&speed=instant";

/** The chapter on vTEC tries no positions, a third of its work: its picture has none. @type {Readonly<Record<string, Card>>} */
const all = {
  flipped: { query: figure, ...curve, title: "Flip one sign and FM breaks." },
  psd: { query: `${figure}&scenario=psd`, ...curve, title: "A PSD truth suits FM." },
  mixed: { query: `${figure}&scenario=mixed`, ...curve, title: "Mixed signs break FM too." },
  table: { query: "source=table&sample=cars&speed=instant&ghost=0", parts: [".board"], style: ".board > .note, .board tr:has(td .note) { display: none } .board .errors :is(td, th) { height: 30px !important }", title: "Now your own table." },
  interaction: { query: "chapter=interaction", parts: [".terms"], style: ".terms { width: 510px } .terms .formula { display: none } .terms .title.title { min-height: 1.6em !important }" },
  reach: { query: "chapter=reach", parts: [".triangles"], style: ".triangles { width: 540px; grid-template: \"truth fm ifm\" auto / 1fr 1fr 1fr !important; --wide: 7rem } .triangle.truth .corners { --wide: 7rem !important; --high: 6rem !important } .worked { display: none } .model figcaption { font-size: 13px }" },
  spectrum: { query: "chapter=spectrum", parts: [".spectrum .row"], style: ".stems { height: 128px !important } .spectrum .says { min-height: 0 !important; padding: 0 !important; border: 0 !important } [data-cursor] { display: none }" },
  loophole: { query: "chapter=loophole", parts: ["ifm-matrix:has([data-matrix=fm] .framed) .row"], style: ".spot { display: none }" },
  break: { query: `chapter=break&break.draws=10&break.m=0,0,1,1,1,0,1,1,1,1,1,1,0,0,0`, parts: [".easels"], style: ".easels { width: 560px } .easels :is(.brushes, .row, .scored, .note, .bar, #break-keys), ifm-stems { display: none !important } table.painted-pairs :is(td, th) { height: 21px !important; font-size: 9px } .easels .title { flex-direction: column; min-height: 0 !important }" },
  matter: { query: "chapter=matter", parts: ["ifm-matrix:has([data-matrix=fm]) .row"], style: ".spot { display: none }" },
  diagonal: { query: "chapter=diagonal", ...lines },
  samples: { query: "chapter=samples", parts: ["table.phase"], style: "table.phase :is(td, td a) { height: 44px !important }" },
  algorithm: { query: "chapter=algorithm", ...lines, title: "Algorithm 1 and its misprint" },
  vtec: { query: "chapter=vtec&vtec.fixes=0", parts: [".sky .frame"], style: ".sky .frame { height: 188px !important }", title: "A net under the ionosphere" },
  data: { query: "chapter=data", parts: ["[data-chart=splits] figure"], style: ".splits figcaption { display: none }" },
};

/** As many whole sentences as fit two lines, from the start, or up to the end. @param {string} text @param {boolean} last */
function short(text, last) {
  const sentences = text.match(/[^.?!]+(?:[.?!](?! )[^.?!]*)*[.?!]*\s*/g) ?? [text];
  while (sentences.length > 1 && sentences.join("").trim().length > 135) last ? sentences.shift() : sentences.pop();
  return sentences.join("").trim().replaceAll(" × ", "\u00a0×\u00a0");
}

/** Lays out a picture on a page of its own. @param {Page} from @param {{ title: string, says: string, parts: Buffer[] }} content */
async function compose(from, { title, says, parts }) {
  const page = await from.context().newPage();
  await page.setViewportSize({ width: wide, height: high });
  await page.setContent(`<!doctype html><style>
    * { margin: 0; box-sizing: border-box }
    body { display: flex; flex-direction: column; width: ${wide}px; height: ${high}px; padding: 18px 24px 14px; background: #fff; color: #17181a; font-family: system-ui, sans-serif }
    header { display: flex; justify-content: space-between; align-items: baseline }
    h1 { font-size: 27px; line-height: 34px; letter-spacing: -0.02em; white-space: nowrap }
    b { font-size: 14px; white-space: nowrap }
    svg { width: 14px; height: 14px; margin-right: 5px; vertical-align: -2px }
    p { margin-top: 3px; font-size: 14px; line-height: 18px; color: #5c5e62; text-wrap: pretty }
    main { flex: 1; min-height: 0; display: flex; flex-direction: column; justify-content: center; margin-top: 8px }
    img { min-height: 0; max-width: 100%; object-fit: contain; object-position: left }
  </style><header><h1></h1><b><svg viewBox="2 1 20 22"><g fill="none" stroke-width="2.4"><path stroke="#2360bf" d="M12 5 5 18.5M12 5l7 13.5"/><path stroke="#bd5200" stroke-dasharray="3 2" d="M7 18.5h10"/></g><g fill="#777"><circle cx="12" cy="5" r="3"/><circle cx="5" cy="18.5" r="3"/><circle cx="19" cy="18.5" r="3"/></g></svg>iFM Lab</b></header><p></p><main></main>`);
  await page.evaluate(async ({ title, says, parts }) => {
    /** @param {string} name */
    const element = (name) => /** @type {HTMLElement} */ (document.querySelector(name));
    element("h1").textContent = title;
    element("p").textContent = says;
    for (const part of parts) {
      const image = new Image();
      image.src = `data:image/png;base64,${part}`;
      await image.decode();
      image.width = image.naturalWidth / devicePixelRatio;
      element("main").append(image);
    }
  }, { title, says, parts: parts.map((part) => part.toString("base64")) });
  return page;
}

for (const [name, { query, parts, style = "", title }] of Object.entries(all)) {
  test(`the picture of a link to ${name} is what its page shows`, acceptance, async (t) => {
    const page = await openPage(t, `/?embed=1&theme=light&${query}`, { viewport: { width: wide - 16, height: 900 }, deviceScaleFactor: 2, reducedMotion: "reduce" }); // a map that plays would be drawn at any of its times
    await page.addStyleTag({ content: `.readout, ifm-save, details:not([data-part=days]), .hair { display: none !important } ${style}` });
    const asks = query.startsWith("chapter=");
    if (asks) await page.locator("[data-guess]").first().click();
    await settled(page);
    await page.locator("[data-phase=done]").first().waitFor();
    for (const part of await page.locator("[data-part=days]").all()) await part.locator(":scope > summary").click();
    await settled(page);
    const shots = [];
    for (const part of parts) shots.push(await page.locator(part).first().screenshot({ animations: "disabled" }));
    const headline = title ?? (await page.locator("h1, h3").first().innerText());
    const says = short(await page.locator(asks ? ".question" : "[data-verdict]").first().innerText(), asks);
    const card = await compose(page, { title: headline, says, parts: shots });
    const { scale, lines } = await card.evaluate(() => ({
      scale: Math.min(...Array.from(document.images, (image) => image.clientHeight / (image.naturalHeight / devicePixelRatio))),
      lines: Math.round((document.querySelector("p")?.clientHeight ?? 0) / 18),
    }));
    assert.ok(lines <= 2 && scale > 0.8, `all of it has room: ${lines} lines of text, the chart at ${scale} of its size`);
    await matchPicture(card, name, { folder, scale: "device", write: paletted });
    const file = await readFile(path.join(folder, `${name}.png`));
    const { width, height } = PNG.sync.read(file);
    assert.deepEqual([width, height], [2 * wide, 2 * high]);
    assert.ok(file.length <= most, `the file has ${file.length} bytes, at most ${most}`);
  });
}

test("every truth of the figure and every chapter has a picture", async () => {
  const chapters = Array.from((await ifm("help", "settings")).matchAll(/^  (\w+)\.KEY /gm), ([, name]) => name);
  assert.ok(chapters.length > 5);
  assert.deepEqual(Object.keys(all).sort(), [...new Set(["psd", "flipped", "mixed", "table", ...chapters])].sort());
});
