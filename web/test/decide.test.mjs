// @ts-check
/** What the page decides of a table by itself, what it asks, and how each is overruled. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { holdCall } from "./calls.mjs";
import { acceptance, assertAccessible, assertFits, dropFile, follow, gate, openPage, origin, settled, tabTo } from "./lab.mjs";

/** @typedef {import("playwright-core").Page} Page */

const small = "d=8&k=2&n=100&speed=instant&ranks=2&lambdaf=10&lambdaw=10&encode=linear&iterations=20&models=ifm"; // runs that take no time
const rows = (/** @type {number} */ n, /** @type {(i: number) => unknown[]} */ row, separator = ",") => Array.from({ length: n }, (_, i) => `${row(i).join(separator)}\n`).join("");

const sure = `bill,kind,size,tip\n${rows(80, (i) => [`${(i * 7) % 11}.5`, "abc".charAt(i % 3), (i * 5) % 13, `${(i * 3) % 17}.25`])}`;
const twoNumbers = `a,b,town\n${rows(80, (i) => [`${(i * 7) % 11}.5`, `${(i * 5) % 13}.25`, "xyz".charAt(i % 3)])}`;
const marks = `weight;kind;tip\n${rows(90, (i) => [`${1 + (i % 9)}.${100 + ((i * 37) % 900)}`, "abc".charAt(i % 3), (i * 7) % 11], ";")}`;
const daily = `date,x,z,sales\n${rows(120, (i) => [new Date(Date.UTC(2020, 0, 1 + i)).toISOString().slice(0, 10), `${(i * 7) % 11}.5`, `${(i * 5) % 13}.25`, `${i / 10 + ((i * 7) % 11)}`])}`;

/** @param {Page} page @param {string} name @param {string} bytes */
async function drop(page, name, bytes) {
  await dropFile(page, "ifm-data h2", { name, bytes });
  await settled(page);
  assert.match(await page.locator("#file").innerText(), new RegExp(`^${name}`));
}

/** @param {Page} page */
const trained = async (page) => (await page.locator("ifm-result .verdict[data-phase=done]").count()) === 1;

/** @param {Page} page */
const line = (page) => page.locator(".decided .line").innerText();

/** @param {Page} page */
const waits = (page) => page.locator("#asked").getAttribute("data-waits");

/** @param {Page} page */
const focus = (page) => page.evaluate(() => document.activeElement?.id);

test("a file that is sure trains, one in doubt asks first, and each answer starts it", async (t) => {
  const page = await openPage(t, `/?${small}#table`);

  await t.test("a target of text waits until another is chosen, and says what it wants", async () => {
    await drop(page, "texts.csv", `name,town\n${rows(40, (i) => [`n${i % 9}`, "xyz".charAt(i % 3)])}`);
    assert.match(await page.locator(".plan .sentence").innerText(), /town has 3 classes; numbers and two classes can be learned; choose another table/);
    assert.equal(await page.locator("ifm-result").count(), 0);
    assert.equal(await page.locator("ifm-data [data-column=town]").count(), 1);
    await drop(page, "tips.csv", sure);
    await page.getByLabel("Role of kind").selectOption("target");
    await settled(page);
    assert.match(await page.locator("#asked").innerText(), /Predict another column\?[\s\S]*kind has 3 classes; numbers and two classes can be learned/);
    await page.locator("#asked").getByRole("button", { name: "Predict tip instead" }).click();
    await settled(page);
    assert.ok(await trained(page));
    assert.match(await line(page), /^Predicts tip/);
  });

  await t.test("a file whose target is sure trains by itself, says what it has taken, and another target is a choice away", async () => {
    await drop(page, "tips.csv", sure);
    assert.ok(await trained(page));
    assert.equal(await line(page), "Predicts tip from 3 columns; 1 is a category; random split.");
    assert.equal(await focus(page), "decided");
    assert.equal(await page.locator("#asked").count(), 0, "nothing is asked");
    await page.getByLabel("Predict … instead").focus();
    await page.keyboard.press("ArrowDown");
    await settled(page);
    assert.match(await line(page), /^Predicts tip /, "a choice that is passed over trains nothing");
    await page.getByLabel("Predict … instead").selectOption("size");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Predict … instead", "the focus stays where the choice was made");
    await page.waitForURL(/target=size/);
    await settled(page);
    assert.ok(await trained(page));
    assert.match(await line(page), /^Predicts size from 3 columns/);
    assert.match(await page.locator("#result-title").innerText(), /Predicting size/);
    assert.equal(await page.getByText("The settings have changed since this run.").count(), 0);
  });

  await t.test("a file with two likely targets waits for a word, by keyboard too, and the other can be taken with one press", async () => {
    await drop(page, "two.csv", twoNumbers);
    assert.equal(await page.locator("ifm-result").count(), 0);
    assert.equal(await waits(page), "target");
    assert.match(await page.locator("[data-asks=target]").innerText(), /^Predict b\?\s+It was taken because it is the last column of numbers/);
    assert.match(await page.locator("#waits").innerText(), /^Waits for your word on the target/);
    assert.equal(await page.locator("ifm-data [data-column=a] select.role").inputValue(), "feature", "what it can show is there");
    await assertAccessible(page, { include: ["ifm-asks", "ifm-roles", "ifm-plan"] });
    await page.locator("#file").focus();
    await tabTo(page, "#asked .answers button:not(.primary)");
    assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ""), /Predict a instead/);
    await page.keyboard.press("Enter");
    await settled(page);
    assert.ok(await trained(page));
    assert.match(await line(page), /^Predicts a from 2 columns/);
    assert.equal(await page.locator("#asked").count(), 0);
    assert.equal(await focus(page), "decided");
  });

  await t.test("a mark that may be decimal or thousands is asked about, and the answer reads the file again and starts it", async () => {
    await drop(page, "marks.csv", marks);
    assert.equal(await page.locator("ifm-result").count(), 0);
    assert.equal(await waits(page), "answers");
    assert.match(await page.locator("#asked").innerText(), /Training waits for an answer[\s\S]*How is weight to be read\?[\s\S]*1\.100[\s\S]*may be 1\.1 or 1100/);
    assert.ok(await page.locator("button.start").isDisabled(), "it is never trained on numbers that may be a thousand times too large");
    assert.match(await page.locator("#waits").innerText(), /^Waits for an answer/);
    assert.equal(await page.locator("ifm-data [data-column=kind]").count(), 1, "the columns are shown all the same");
    await page.locator("[data-asks=weight] button").filter({ hasText: "1100" }).click();
    await settled(page);
    await page.waitForURL(/decimal=weight/);
    assert.equal(await page.locator("#asked").count(), 0);
    assert.ok(await trained(page));
    assert.match(await page.locator('ifm-data [data-column=weight] [data-label="Max"]').innerText(), /^\d{4}$/);
    const decision = page.locator("ifm-data [data-column=weight] [data-decision=marks]");
    assert.equal(await decision.locator("button[aria-pressed=true]").count(), 1, "the answer stays beside its column");
    await decision.locator("button[aria-pressed=false]").first().click();
    await settled(page);
    assert.match(await page.locator('ifm-data [data-column=weight] [data-label="Max"]').innerText(), /^\d\.\d+$/);
    assert.equal(await page.locator("ifm-decided").getByText("The settings have changed since this run.").count(), 1, "a run that was is not begun again unasked");
  });

  await t.test("where all columns are doubtful each is asked about, and nothing starts before the last answer", acceptance, async () => {
    await drop(page, "all.csv", `one;two;tip\n${rows(90, (i) => [`${1 + (i % 9)}.${100 + ((i * 37) % 900)}`, `${1 + (i % 7)}.${100 + ((i * 53) % 900)}`, `${1 + (i % 5)}.${100 + ((i * 71) % 900)}`], ";")}`);
    assert.match(await page.locator("#asked > .note").innerText(), /^Training waits for 3 answers/);
    for (const [column, left] of /** @type {const} */ ([["one", 2], ["tip", 1], ["two", 0]])) {
      assert.equal(await page.locator("ifm-result").count(), 0);
      await page.locator(`[data-asks=${column}] button`).last().click();
      await settled(page);
      assert.equal(await page.locator(".question:not([data-asks=target])").count(), left);
    }
    assert.ok(await trained(page));
  });

  await t.test("where an answer is taken back training waits for it again, whatever is pressed, and the answer starts it", acceptance, async () => {
    await drop(page, "marks.csv", marks);
    const answer = page.locator("[data-asks=weight] button").filter({ hasText: "1100" });
    await answer.click();
    await settled(page);
    assert.ok(await trained(page));
    const runs = () => page.evaluate(() => /** @type {any} */ (document.querySelector("ifm-app")).lab.runs.now.table.series[0].started.run);
    const run = await runs();
    await page.goBack();
    await settled(page);
    assert.equal(await waits(page), "answers");
    for (const press of [page.getByRole("button", { name: "Train again" }), page.locator("ifm-result .controls").getByRole("button", { name: "Again" })]) {
      await press.click();
      await settled(page);
      assert.equal(await focus(page), "asked", "it leads to the question");
      assert.equal(await runs(), run, "and trains on nothing that may be a thousand times too large");
    }
    await answer.click();
    await page.waitForURL(/decimal=weight/);
    await settled(page);
    assert.ok(await trained(page));
    assert.notEqual(await runs(), run);
    assert.equal(await page.getByText("The settings have changed since this run.").count(), 0);
  });

  await t.test("who answers by keyboard comes to the next question, and a key that repeats does not answer it", async () => {
    await drop(page, "two.csv", `one;two;tip\n${rows(90, (i) => [`${1 + (i % 9)}.${100 + ((i * 37) % 900)}`, `${1 + (i % 7)}.${100 + ((i * 53) % 900)}`, (i * 7) % 11], ";")}`);
    await page.locator("[data-asks=one] button").last().focus();
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-asks")), "two");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(await page.locator("[data-asks=two]").count(), 1);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.ok(await trained(page));
    assert.equal(await focus(page), "decided");
  });

  await t.test("what was open, and its run, stay until the new table is read", async () => {
    await drop(page, "tips.csv", sure);
    const cars = await gate(page, "**/samples/cars.csv");
    await page.locator("[data-sample=cars]").click();
    await cars.asked;
    assert.match(await page.locator("#file").innerText(), /^tips/);
    assert.ok(await trained(page));
    cars.open();
    await settled(page);
    assert.match(await line(page), /^Predicts Miles_per_Gallon/);
  });
});

test("a built-in table that is chosen trains by itself, one that a link names waits for Start", async (t) => {
  const page = await openPage(t, `/?${small}&source=table&sample=penguins`);
  await settled(page);
  assert.equal(await page.locator("ifm-result").count(), 0);
  assert.equal(await page.locator("#asked").count(), 0, "it is known what penguins are about");
  await page.locator("[data-sample=cars]").click();
  await settled(page);
  assert.ok(await trained(page));
  assert.match(await line(page), /^Predicts Miles_per_Gallon from 7 columns; 2 are categories; 1 is ignored; random split\.$/);
  await page.goBack();
  await settled(page);
  assert.match(await page.locator("#file").innerText(), /^penguins/);
  assert.equal(await page.locator("ifm-result").count(), 0, "what comes back by the history does not start");
});

test("what is found in a table is told beside its columns, and one press overrules it", async (t) => {
  const page = await openPage(t, `/?${small}#table`);

  await t.test("each role says why, and one press overrules it and takes it back", async () => {
    await drop(page, "codes.csv", `id,season,x,tip\n${rows(90, (i) => [i + 1, 1 + (i % 4), `${(i * 7) % 11}.5`, `${(i * 3) % 17}.25`])}`);
    const [id, season] = [page.locator("ifm-data [data-column=id]"), page.locator("ifm-data [data-column=season]")];
    assert.match(await id.locator(".because").innerText(), /^It counts the rows/);
    assert.match(await season.locator(".because").innerText(), /^It is named as a code and holds 4 different whole numbers\./);
    assert.equal(await page.locator(".plan .notices li").filter({ hasText: "season is read as levels" }).count(), 0, "what stands beside a column is not told twice");
    await id.getByRole("button", { name: "Use id" }).click();
    await page.waitForURL((url) => !url.searchParams.has("ignore"));
    await settled(page);
    assert.equal(await id.locator("select.role").inputValue(), "feature");
    assert.match(await id.locator(".because").innerText(), /^Your choice\. The page’s was to ignore it, because it counts the rows/);
    await season.getByRole("button", { name: "Read season as numbers" }).click();
    await page.waitForURL(/numeric=[^&]*season/);
    await settled(page);
    assert.equal(await season.locator("select.kind").inputValue(), "numeric");
    assert.equal(await page.locator("ifm-decided").getByText("The settings have changed since this run.").count(), 1);
    for (const column of [id, season]) await column.getByRole("button", { name: "Back to the page’s choice" }).click();
    await page.waitForURL((url) => !url.searchParams.has("numeric") && url.searchParams.get("ignore") === "id");
    await settled(page);
    assert.equal(await page.getByText("The settings have changed since this run.").count(), 0, "these are the settings of the run again");
  });

  await t.test("ids of ratings are levels by what validation rows say, in the address too, until a press makes them numbers", async () => {
    await follow(page, `/?${small}&encode=linear#table`);
    let state = 1;
    const draw = (/** @type {number} */ n) => (state = (state * 48271) % 2147483647) % n;
    const tastes = Array.from({ length: 50 }, () => draw(1000) / 500 - 1);
    await drop(page, "ratings.csv", `a,b,y\n${rows(3000, () => {
      const [a, b] = [draw(40), draw(50)];
      return [3 + 5 * a, b, (3 + 3 * (tastes[a] ?? 0) * (tastes[b] ?? 0) + draw(100) / 200).toFixed(1)];
    })}`);
    assert.ok(await trained(page));
    const a = page.locator("ifm-data [data-column=a]");
    assert.match(await a.locator(".because").innerText(), /^Levels predict validation rows better than numbers: error [\d.]+, as numbers [\d.]+\./);
    assert.equal(new URL(page.url()).searchParams.get("categorical"), "a,b");
    assert.equal(await page.getByText("The settings have changed since this run.").count(), 0, "what was written down is what was trained");
    await a.getByRole("button", { name: "Read a as numbers" }).click();
    await page.waitForURL(/numeric=a/);
    await settled(page);
    assert.match(await a.locator(".because").innerText(), /^Your choice\. The page’s was a category, because levels predict validation rows better/);
    await a.getByRole("button", { name: "Back to the page’s choice" }).click();
    await page.waitForURL((url) => !url.searchParams.has("numeric"));
    await settled(page);
    assert.equal(await a.locator("select.kind").inputValue(), "categorical");
    await page.getByLabel("Role of b").selectOption("target");
    await page.waitForURL((url) => !url.searchParams.has("categorical"));
    await settled(page);
    assert.match(await a.locator(".because").innerText(), /^It holds numbers; on validation rows reading it as levels is no clear gain/, "what was chosen for one target is asked again for another");
  });

  await t.test("a column that gives the target away is named beside it, and a press leaves it out", async () => {
    await follow(page, `/?${small}#table`);
    await drop(page, "leak.csv", `tip_cents,x,tip\n${rows(90, (i) => [((i * 3) % 17) * 100 + (i % 3), `${(i * 7) % 11}.5`, (i * 3) % 17])}`);
    assert.match(await page.locator(".decided").innerText(), /1 finding to look at/);
    const leak = page.locator("ifm-data [data-column=tip_cents]");
    assert.match(await leak.locator("[data-finding=leak]").innerText(), /tip/);
    await leak.getByRole("button", { name: "Ignore tip_cents" }).click();
    await page.waitForURL(/ignore=tip_cents/);
    await settled(page);
    assert.equal(await page.locator("[data-finding]").count(), 0);
  });

  await t.test("a table in time is offered the split by time, which one press takes, and the random one stays beside it", async () => {
    await follow(page, `/?${small}#table`);
    await drop(page, "daily.csv", daily);
    assert.match(await line(page), /; random split\.$/);
    const offer = page.locator("[data-suggested=time]");
    assert.match(await offer.innerText(), /^date: it is a time: at random, test rows lie between training rows/i);
    await offer.getByRole("button", { name: "Test on the last fifth by date" }).click();
    await page.waitForURL(/split=time&by=date/);
    await settled(page);
    assert.ok(await trained(page));
    assert.match(await line(page), /; the last fifth by date tests\.$/);
    assert.equal(await page.locator("select[name=split]").inputValue(), "time");
    assert.equal(await page.locator("select[name=by]").inputValue(), "date");
    const numbers = await page.locator("[data-note=split] [data-value]").evaluateAll((all) => all.map((number) => Number(number.getAttribute("data-value"))));
    assert.equal(numbers.length, 2, "what the random split said and what this one does");
    assert.match(await page.locator("[data-note=split]").innerText(), /^Test RMSE: .* before \(random split\), .* now \(the last fifth by date tests\)\.$/, "and no more: they are errors of other rows");
    if (!process.env["LONG"]) return;
    await follow(page, page.url().replace(/(?=#|$)/, "&seed=3"));
    await page.getByRole("button", { name: "Train again" }).click();
    await settled(page);
    await page.getByRole("button", { name: "Compare with a random split" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => !url.searchParams.has("split"));
    await settled(page);
    assert.match(await line(page), /; random split\.$/);
    assert.equal(await focus(page), "decided", "the focus stays beside what was pressed");
    await page.getByRole("button", { name: "Back to the split by time, date" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/split=time&by=date/);
    await settled(page);
    assert.equal(await focus(page), "decided");
    await drop(page, "tips.csv", sure);
    assert.equal(new URL(page.url()).searchParams.get("by"), null, "a split is of its own table");
  });

  await t.test("a split whose column is left open is called by the column that was taken, also when it is compared", acceptance, async () => {
    await follow(page, `/?${small}#table`);
    await drop(page, "daily.csv", daily);
    await page.locator("select[name=split]").selectOption("time");
    await page.waitForURL(/split=time/);
    await settled(page);
    await page.getByRole("button", { name: "Train again" }).click();
    await settled(page);
    assert.match(await line(page), /; the last fifth by date tests\.$/);
    await follow(page, page.url().replace(/(?=#|$)/, "&seed=3"));
    await page.getByRole("button", { name: "Train again" }).click();
    await settled(page);
    await page.getByRole("button", { name: "Compare with a random split" }).click();
    await page.waitForURL((url) => !url.searchParams.has("split"));
    await settled(page);
    assert.match(await page.locator("[data-note=split]").innerText(), /before \(the last fifth by date tests\), .* now \(random split\)\.\s+Back to the split by time, date$/);
  });

  await t.test("a column that rows are split by says why it is left out, and can be used and left out again", acceptance, async () => {
    await follow(page, `/?${small}#table`);
    await drop(page, "ratings.csv", `user_id,x,z,rating\n${rows(240, (i) => [1 + ((i * 7) % 30), `${(i * 7) % 11}.5`, `${(i * 5) % 13}.25`, `${(i * 3) % 17}.25`])}`);
    await page.getByRole("button", { name: "Test on new values of user_id" }).click();
    await page.waitForURL(/split=group&by=user_id/);
    await settled(page);
    const user = page.locator("ifm-data [data-column=user_id]");
    const because = user.locator(".because span").first();
    const role = user.locator("select.role");
    const left = /^The rows are split by it, and its values in test rows are new\.$/;
    assert.equal(await role.inputValue(), "ignore");
    assert.match(await because.innerText(), left);
    for (const use of [() => user.getByRole("button", { name: "Use user_id" }).click(), () => role.selectOption("feature")]) {
      await use();
      await page.waitForURL(/categorical=user_id/);
      await settled(page);
      assert.equal(await role.inputValue(), "feature");
      assert.match(await because.innerText(), /^Your choice\. The page’s was to ignore it, because the rows are split by it\.$/);
      await user.getByRole("button", { name: "Back to the page’s choice" }).click();
      await page.waitForURL((url) => !url.searchParams.has("categorical"));
      await settled(page);
      assert.equal(await role.inputValue(), "ignore");
      assert.match(await because.innerText(), left);
    }
  });

  await t.test("parts of dates that are ignored say so, and each can be used all the same", acceptance, async () => {
    await follow(page, `/?${small}#table`);
    await drop(page, "daily.csv", daily);
    await follow(page, page.url().replace(/(?=#|$)/, "&ignore=date"));
    const part = page.locator("ifm-data [data-column^='date (']").first();
    assert.match(await part.locator(".because").innerText(), /^Date is ignored, and it is a part of that\.\s+Use it$/);
    await part.getByRole("button", { name: /^Use date \(/ }).click();
    await page.waitForURL(/numeric=date|categorical=date/);
    await settled(page);
    assert.equal(await part.locator("select.role").inputValue(), "feature");
    assert.match(await part.locator(".because").innerText(), /^Your choice\. The page’s was to ignore it, because date is ignored/);
  });

  await t.test("where what acts on the target multiplies, its logarithm is offered, which one press learns and one takes back", async () => {
    await follow(page, `/?${small}#table`);
    const wave = (/** @type {number} */ i, /** @type {number} */ step) => Math.sin(i * step);
    const sales = (/** @type {(f: number) => number} */ of) => `size,age,sales\n${rows(200, (i) => [wave(i, 1.7), wave(i, 2.9), of(wave(i, 1.7) - wave(i, 2.9) + 0.3 * wave(i, 5.3))])}`;
    const standing = page.locator("ifm-standing");
    await drop(page, "added.csv", sales((f) => 10 + f));
    assert.equal(await standing.locator(".logarithm").count(), 0);
    await drop(page, "sales.csv", sales((f) => 100 * Math.exp(1.5 * f)));
    assert.match(await standing.locator(".logarithm").innerText(), /^On validation rows ridge’s RMSE is [\d.]+ where it learns log\(sales\), [\d.]+ where it does not: [\d.]+ % lower\./);
    const of = async (/** @type {string} */ whose) => Number(await standing.locator(`[data-standing=${whose}]`).getAttribute("data-value"));
    const [before, mean] = [await of("ridge"), await of("mean")];
    await assertAccessible(page, { include: ["ifm-standing"] });
    await assertFits(page);
    await standing.getByRole("button", { name: "Train log(sales)" }).click();
    await page.waitForURL(/log=yes/);
    await settled(page);
    assert.ok(await trained(page));
    assert.match(await line(page), /^Predicts sales, learnt as log\(sales\), from 2 columns/);
    assert.ok((await of("ridge")) < before, "in units of sales");
    assert.ok(Math.abs((await of("mean")) - mean) < 1e-12 * mean, "the mean is the same, but for dividing by a scale and back");
    assert.match(await standing.locator("[data-learnt]").innerText(), /^All but the mean learn log\(sales\)[\s\S]*Every RMSE is of sales itself\.$/);
    assert.match(await standing.locator(".logarithm").innerText(), /% lower\./);
    assert.match(await page.locator("ifm-result ifm-matrix").innerText(), /in log\(sales\) per standard deviation/);
    await standing.getByRole("button", { name: "Train sales" }).click();
    await page.waitForURL((url) => !url.searchParams.has("log"));
    await settled(page);
    assert.equal(await of("ridge"), before);
    await follow(page, page.url().replace(/(?=#|$)/, "&log=yes"));
    await drop(page, "tips.csv", sure);
    assert.equal(new URL(page.url()).searchParams.get("log"), null, "a logarithm is of its own table");
  });
});

test("what is done while a file is read again, or after that was cancelled, is what the settings say", async (t) => {
  const page = await openPage(t, "about:blank");
  await holdCall(page, "open");
  await page.goto(new URL(`/?${small}#table`, await origin()).href);

  await t.test("while a file is read again nothing starts on what it was, and what is changed meanwhile stays", async () => {
    await page.evaluate(() => /** @type {any} */ (window).pass(Number.POSITIVE_INFINITY));
    await drop(page, "tips.csv", sure);
    assert.ok(await trained(page));
    await page.evaluate(() => /** @type {any} */ (window).pass(0));
    await page.getByLabel("First row").selectOption("yes");
    await page.locator("#reading").waitFor();
    await page.locator(".plan").getByText("Models and tuning").click();
    await page.locator(".plan").getByLabel("Patience, iterations").fill("7");
    await page.keyboard.press("Tab");
    await page.waitForURL(/patience=7/);
    await page.locator(".plan[data-state=ready]").waitFor();
    const query = () => page.evaluate(() => /** @type {any} */ (document.querySelector("ifm-app")).lab.runs.table.snapshot().query);
    const before = await query();
    for (const name of ["Start", "Train again"]) await page.getByRole("button", { name, exact: true }).click();
    await page.getByText("It is trained once it has been read.").waitFor();
    assert.equal(await query(), before, "nothing has begun");
    await page.evaluate(() => /** @type {any} */ (window).pass(Number.POSITIVE_INFINITY));
    await settled(page);
    assert.ok(await trained(page));
    assert.match(await query(), /patience=7/);
    assert.match(await query(), /header=yes/);
    assert.match(page.url(), /patience=7/, "what was changed meanwhile is not taken back");
    assert.equal(await page.getByText("The settings have changed since this run.").count(), 0);
  });

  await t.test("where reading a file again was cancelled, training reads it as the settings say", acceptance, async () => {
    await page.evaluate(() => /** @type {any} */ (window).pass(Number.POSITIVE_INFINITY));
    await drop(page, "tips.csv", sure);
    await page.evaluate(() => /** @type {any} */ (window).pass(0));
    await page.getByLabel("First row").selectOption("no");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Reading tips.csv was cancelled.").waitFor();
    await page.evaluate(() => /** @type {any} */ (window).pass(Number.POSITIVE_INFINITY));
    await settled(page);
    assert.match(await page.locator("#file").innerText(), /80 rows/);
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await settled(page);
    assert.match(await page.locator("#file").innerText(), /81 rows/, "its names are data now");
  });
});

test("on a phone each column is a card with what is missing and distinct in it, and nothing sticks out", async (t) => {
  const page = await openPage(t, `/?${small}#table`, { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
  await page.locator("input[data-file=table]").setInputFiles({ name: "daily.csv", mimeType: "text/csv", buffer: Buffer.from(daily) });
  await settled(page);
  await assertFits(page);
  const card = page.locator("ifm-data [data-column=sales]");
  await card.scrollIntoViewIfNeeded();
  for (const part of ["select.role", "select.kind", '[data-label="Missing"]', '[data-label="Distinct"]', '[data-label="Max"]']) {
    const box = await card.locator(part).boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 390, `${part} is seen without a move sideways`);
  }
  const sideways = await page.locator(".roles .scroll").evaluate((scroll) => scroll.scrollWidth - scroll.clientWidth);
  assert.ok(sideways <= 0, `${sideways} px`);
  await assertAccessible(page, { include: ["ifm-data"] });
});
