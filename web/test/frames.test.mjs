// @ts-check
/** Frames that pages pasted from earlier versions still show all that is in them. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { frameIn } from "./hosts.mjs";
import { acceptance, assertFits, openPage, origin, serveHTML, settled } from "./lab.mjs";

const quick = "speed=instant"; // heights were written for a run that is over

/** The page of a version's snippets, on a lab that is here, and its sections' ids. @param {string} version */
async function pasted(version) {
  const text = await readFile(new URL(`./frames/${version}.html`, import.meta.url), "utf8");
  const html = text.replaceAll("https://lab.example/?", `${await origin()}/?${quick}&amp;`).replaceAll("https://lab.example", await origin()).replaceAll("<ifm-lab ", '<ifm-lab speed="instant" ');
  const widths = /data-widths="([\d,]+)"/.exec(text)?.[1]?.split(",").map(Number) ?? [];
  const sections = [...html.matchAll(/<section id="(.*?)"(?: data-heights="([\d,]+)")?.*?>\n(.*?)\n<\/section>/gs)].map(([, id = "", heights = "", snippet = ""]) => ({ id, snippet, heights: heights.split(",").filter(Boolean).map(Number) }));
  assert.equal(sections.length, [...text.matchAll(/<section /g)].length);
  return { widths, sections };
}

/** What a frame shows beyond its edges, px to the right and below. @param {Frame} frame */
const beyond = (frame) => frame.evaluate(() => {
  const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
  return [scrollWidth - clientWidth, scrollHeight - clientHeight];
});

/** Those of each kind that `make test` looks at, at two widths; all at all widths are for acceptance. */
const few = ["figure", "chapter-psd", "element-figure"];

for (const version of ["0.6.0"]) {
  for (const long of [false, true]) {
    test(`the frames of ${version} show all that they showed, ${long ? "each at ten widths" : "one of each kind on a phone and in a column"}`, { ...(long ? acceptance : {}), timeout: 900_000 }, async (t) => {
      const { widths, sections } = await pasted(version);
      for (const { id, snippet, heights } of sections.filter(({ id }) => long || few.includes(id))) {
        await t.test(id, async (t) => {
          const outside = await serveHTML(`<!doctype html><title>Pasted</title><style>body { margin: 0 }</style>${snippet}`);
          const page = await openPage(t, outside, { origins: [outside], viewport: { width: 720, height: 900 } });
          const frame = await frameIn(page.locator("iframe").first());
          for (const [i, width] of widths.entries()) {
            if (!long && width !== 340 && width !== 720) continue;
            await page.setViewportSize({ width, height: 900 });
            const height = snippet.startsWith("<iframe") ? heights[i] : undefined; // <ifm-lab> follows its frame
            if (height) await page.locator("iframe").evaluate((e, height) => e.setAttribute("height", String(height)), height);
            await settled(frame);
            const [right = 0, below = 0] = await beyond(frame);
            assert.ok(right <= 0, `${right} px to the right at ${width} px`);
            if (!["lab", "slide-chapter", "slide-table"].includes(id)) assert.ok(below <= 0, `${below} px below ${height ?? "its edge"} at ${width} px`);
          }
          await assertFits(page);
        });
      }
    });
  }
}
