// @ts-check
/** Homework: a lecturer sets it, students hand in, every run is computed anew. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, downloaded, dropFile, openPage, origin } from "./lab.mjs";
import { openData } from "./table.mjs";

/** Small runs, so that a class of them takes seconds. */
const SMALL = "psd.d=8&psd.k=1&psd.rows=6&psd.test=60&psd.trials=1&psd.iterations=6&loophole.d=4&loophole.n=60&loophole.test=40&loophole.iterations=5";
const CLASS = ["Ada Lovelace", "Émilie du Châtelet", "Ἀριστοτέλης"];

/** Opens a part of homework. @param {Page} page @param {"give" | "set" | "mark"} part */
async function part(page, part) {
  await page.locator(`.doors [data-part=${part}]`).click();
  const opened = page.locator(`#homework-${part} > *`);
  await opened.waitFor();
  return opened;
}

/** Sets psd and loophole as the page has them. @param {Page} page @param {string[]} names */
async function setting(page, names) {
  const set = await part(page, "set");
  await set.locator(".title").fill("Week 3");
  for (const chapter of ["psd", "loophole"]) await set.locator(`input[value=${chapter}]`).check();
  await set.locator("input.seed").fill("7");
  await set.locator("input.seed").blur();
  await set.locator(".list textarea").fill(names.join("\n"));
  const rows = set.locator(".seeds tbody tr");
  await rows.nth(names.length - 1).waitFor();
  const seeds = await rows.locator("td").evaluateAll((cells) => cells.map((cell) => Number(cell.getAttribute("data-value"))));
  return { link: new URL(await set.locator("#assignment-link").inputValue()), seeds };
}

/** Follows the link that has the focus, until the place it leads to has it. @param {Page} page */
async function follow(page) {
  await page.keyboard.press("Enter");
  await page.locator("#main:focus").waitFor();
}

test("a student goes from the assignment's link to a hand-in by keys alone, and opens it again", async (t) => {
  const lecturer = await openPage(t, `/?${SMALL}#homework`);
  const { link, seeds } = await setting(lecturer, CLASS);
  assert.equal(new Set(seeds).size, CLASS.length, "everybody has another seed");
  const page = await openPage(t, link.pathname + link.search);
  const give = page.locator("#homework-give");
  await give.getByText("Your assignment: Week 3").waitFor();
  const rows = give.locator(".handing tbody tr");
  assert.deepEqual(await rows.evaluateAll((all) => all.map((row) => [row.getAttribute("data-chapter"), row.getAttribute("data-state")])), [["psd", "idle"], ["loophole", "idle"]]);

  await give.locator(".student").focus();
  await page.keyboard.type("Ada  LOVELACE");
  await page.keyboard.press("Tab");
  await give.getByText(`Your seed is ${seeds[0]}.`).waitFor();
  await page.waitForURL(new RegExp(`psd\\.seed=${seeds[0]}.*loophole\\.seed=${seeds[0]}`));

  const psd = page.locator("#psd");
  await rows.first().locator("a").focus();
  await follow(page);
  const strip = page.locator(".strip [role=status]");
  assert.equal(await strip.innerText(), "0 of 2 chapters done. In this chapter: choose an answer. Then: “FM’s loophole”.");
  await psd.locator("[data-guess=same]").focus();
  await page.keyboard.press("Enter");
  await psd.locator(".run").focus();
  await page.keyboard.press("Enter");
  await psd.locator("[data-early=false]").waitFor();
  await psd.locator("[data-guess=stuck]").focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/psd\.guess=same&psd\.then=stuck/);

  await strip.getByText("1 of 2 chapters done. Then: “FM’s loophole”.", { exact: true }).waitFor();
  await page.locator(".strip a").focus();
  await follow(page);
  await rows.first().locator("textarea").focus();
  await page.keyboard.type("FM cannot turn the sign: UUᵀ has no negative eigenvalues.");
  await give.locator(".make").focus();
  await page.keyboard.press("Enter");
  await give.locator(".made").waitFor();
  await assertAccessible(page, { include: ["#homework"] });
  assert.equal(await rows.first().getAttribute("data-state"), "ran");
  const handed = await give.locator("#hand-in-link").inputValue();
  assert.match(handed, /^http:\/\/[^?#]+#handin=[\w-]+$/, "nothing of it stands where a server would see it");
  await give.locator(".save-file").focus();
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  assert.equal(download.suggestedFilename(), "hand-in-ada-lovelace.json");
  const file = JSON.parse((await downloaded(download)).toString("utf8"));
  assert.equal(file.student, "Ada LOVELACE");
  assert.deepEqual(file.parts.map((/** @type {any} */ { chapter, guess, then, ran, runs }) => [chapter, guess, then, ran, runs.length]), [["psd", "same", "stuck", true, 6], ["loophole", "", "", false, 0]]);

  const again = await openPage(t, new URL(handed).pathname + new URL(handed).hash);
  const opened = again.locator("#homework-give");
  await opened.getByText("This is what Ada LOVELACE handed in.").waitFor();
  assert.match(await opened.locator("[data-chapter=psd]").innerText(), /then/);
  assert.equal(await opened.locator("[data-chapter=psd] textarea").inputValue(), "FM cannot turn the sign: UUᵀ has no negative eigenvalues.");
  await again.waitForURL(new RegExp(`psd\\.seed=${seeds[0]}.*homework\\.chapters=psd,loophole`));
});

/**
 * What somebody hands in: each chapter runs under these settings, in a copy of its element.
 *
 * @param {Page} page that shows the assignment @param {Record<string, string>} parts
 * @returns {Promise<any[]>}
 */
async function ran(page, parts) {
  await page.locator("ifm-give").waitFor({ state: "attached" }); // comes with the lesson's script
  return page.evaluate(async (parts) => {
    const { pool, skies, view } = /** @type {any} */ (document.querySelector("ifm-lesson"));
    const { chapters } = /** @type {any} */ (document.querySelector("ifm-give"));
    return Promise.all(
      Object.entries(parts).map(async ([name, own]) => {
        const copy = /** @type {any} */ (document.createElement("ifm-chapter"));
        Object.assign(copy, { chapter: chapters[name], pool: name === "vtec" ? skies : pool, view, own });
        document.querySelector("main")?.append(copy);
        await copy.updateComplete;
        const answered = new Promise((resolve) => copy.addEventListener("ifm-answered", resolve));
        for (const event of ["ifm-view", "ifm-part", "ifm-answered"]) copy.addEventListener(event, (/** @type {Event} */ told) => told.stopPropagation()); // the page's own chapter stays as it is
        copy.querySelector(".run").click();
        await answered;
        const { own: settings, answer, numbers, runs } = copy.account;
        copy.remove();
        return { chapter: name, own: settings, guess: "stuck", then: "", ran: true, answer, numbers: numbers.map((/** @type {any} */ { whose, value }) => [whose, Number.isFinite(value) ? value : null]), runs: runs.map((/** @type {any} */ { query, cell, digest }) => [query, cell, digest]), words: `words on ${name}` };
      }),
    );
  }, parts);
}

/** A hand-in to the assignment of a link. @param {Page} page @param {URL} link @param {string} student @param {any[]} parts */
async function handIn(page, link, student, parts) {
  const { version } = await page.evaluate(() => /** @type {any} */ (document.querySelector("ifm-lesson")).pool.call("info", { query: "" }));
  const assignment = link.search.slice(1).split("&").filter((pair) => pair.startsWith("homework.")).map((pair) => pair.slice("homework.".length)).join("&");
  return { format: "ifm-lab.hand-in", formatVersion: 1, version, assignment, student, parts };
}

/** The lines of the marking, each with what it says. @param {Locator} mark */
async function lines(mark) {
  await mark.locator(".grades").waitFor();
  return mark.locator(".lines tbody tr").evaluateAll((rows) => rows.map((row) => ({ file: row.getAttribute("data-file") ?? "", look: row.getAttribute("data-look") === "true", outcomes: [...row.querySelectorAll("[data-outcome]")].map((cell) => cell.getAttribute("data-outcome")).join(), text: row.textContent ?? "" })));
}

test("an assignment's link without a chapter of the page is told", async (t) => {
  const page = await openPage(t, "/?homework.title=T&homework.chapters=PSD");
  await page.locator("#homework-give").getByText(/names no chapter of this page.*No assignment is open/).waitFor();
});

test("every chapter is run anew from a fresh tab, and what was altered is found", async (t) => {
  const small = { loophole: "d=4&n=60&test=40&iterations=10", break: "m=0.5,0,0,0,0,-1,0,0,0,0,0,0,0,0,0.3&draws=10", reach: "n=60&test=40&iterations=10", algorithm: "d=6&k=1&rows=20&iterations=3&ranks=1", vtec: "days=1&stride=720&fixes=0&methods=ridge,ifm" };
  const link = new URL(`/?homework.title=T&homework.chapters=${Object.keys(small)}${Object.entries(small).map(([chapter, own]) => `&homework.${chapter}=${encodeURIComponent(own)}`).join("")}`, await origin());
  const student = await openPage(t, link.pathname + link.search);
  await student.locator("#homework-give .student").waitFor();
  const handed = await handIn(student, link, "=cmd|'/C calc'!A0", await ran(student, small));
  const altered = { ...structuredClone(handed), student: "Ada" };
  for (const one of altered.parts) if (one.chapter === "break" || one.chapter === "vtec") one.numbers[0] = [one.numbers[0][0], 17.5];
  const fresh = await openPage(t, link.pathname + link.search);
  const mark = await part(fresh, "mark");
  await mark.locator("input[type=file]").setInputFiles([handed, altered].map((one, i) => ({ name: `${i}.json`, mimeType: "application/json", buffer: Buffer.from(JSON.stringify(one)) })));
  const found = await lines(mark);
  const columns = await mark.locator(".lines thead th").allInnerTexts();
  assert.equal(found[0]?.outcomes, "equal,equal,equal,equal,equal", columns.join());
  assert.equal(found[1]?.outcomes.split(",").filter((outcome) => outcome === "differs").length, 2, "the altered numbers are found");
  assert.deepEqual(found.map(({ look }) => look), [false, true]);
  assert.match(found[1]?.text ?? "", /first number: 17\.5.* handed in, .* when repeated/);
  const overlay = mark.locator(".overlay ifm-chart").first();
  await openData(overlay);
  assert.ok((await overlay.locator("thead th").count()) > 2, "a line for each student");
  await assertAccessible(fresh, { include: ["#homework"] });
  const [download] = await Promise.all([fresh.waitForEvent("download"), mark.locator("button.grades").click()]);
  const csv = (await downloaded(download)).toString("utf8").split("\r\n");
  assert.equal(csv.length, 1 + 2 + 1, "a line each, and none more");
  assert.ok(csv[1]?.startsWith("\"'=cmd|'/C calc'!A0\","), csv[1]);

  await dropFile(fresh, "body", { name: "mine.json", bytes: JSON.stringify(handed) });
  await mark.getByText("1 hand-in: 1 confirmed, 0 to check.").waitFor();
});
