import { serve, launch } from "./browser.mjs";
const server = await serve();
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
page.on("pageerror", (e) => console.log("error", e.message));
const chapters = process.argv.slice(2);
for (const c of chapters) {
  for (const step of ["1", "answer"]) {
    await page.goto(server.origin + `/?chapter=${c}&present=${step}`);
    await page.waitForSelector("[data-slide]", { timeout: 60000 });
    if (step === "answer") await page.waitForSelector('[data-slide] .chapter[data-phase="done"]', { timeout: 240000 }).catch(() => console.log("slow", c));
    await page.waitForTimeout(500);
    const m = await page.evaluate(() => { const s = document.querySelector("[data-slide]"); return [s.scrollHeight, s.clientHeight, getComputedStyle(document.documentElement).getPropertyValue("--enlarged")]; });
    console.log(c, step, ...m);
    await page.screenshot({ path: `/tmp/present-${c}-${step}.png` });
  }
}
await browser.close(); await server.stop();
