// @ts-check
/**
 * The default snippet in the filters through which course systems and blogs pass
 * what is pasted: those of npm, and with PHP and Python the ones that Moodle,
 * WordPress and Django's world run. What is not installed is skipped, and said.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";

import { openPage, origin, serveHTML } from "../test/lab.mjs";
import { found, shown, snippet, software, title } from "./shown.mjs";

/** @typedef {import("node:test").TestContext} TestContext */
/** A filter: of what it leaves out of each frame, and whether it takes frames at all unless it is told to. @typedef {{ name: string, skip: string | false, drops: readonly string[], filter: (t: TestContext, html: string, frames: boolean) => Promise<string> | string }} Filter */

const [{ default: sanitize } = { default: null }, { default: purify } = { default: null }, { JSDOM } = { JSDOM: null }] = await Promise.all(["sanitize-html", "dompurify", "jsdom"].map(async (name) => (await software(name)) ?? undefined));

/** Whether a program says yes. @param {string} program @param {...string} args */
function works(program, ...args) {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
const php = works("php", "--version");
const python = "/usr/bin/python3"; // Debian's own, which has Debian's packages
/** @param {boolean} is @param {string} what */
const unless = (is, what) => (is ? false : `not run: ${what} is not installed`);

/** What a program writes of what it gets. @param {string} program @param {string[]} args @param {string} input */
const written = (program, args, input) => execFileSync(program, args, { input, encoding: "utf8", stdio: ["pipe", "pipe", "inherit"] });

/** Runs PHP. @param {string} code @param {string} input */
const inPHP = (code, input) => written("php", ["-d", "error_reporting=1", "-d", "display_errors=stderr", "-r", code], input);

const wordpress = "/usr/share/wordpress/wp-includes";
/** WordPress's own functions, without a blog around them. @param {...string} files */
const ofWordPress = (...files) => `define("ABSPATH", "/usr/share/wordpress/"); define("WPINC", "wp-includes");
  foreach (${JSON.stringify(["compat", "plugin", "functions", "formatting", "kses", ...files])} as $f) require_once ABSPATH . WPINC . "/$f.php";
  $html = stream_get_contents(STDIN);`;

const purifier = "/usr/share/php/HTMLPurifier";

/** HTML Purifier; Debian's 4.11 writes $text{0}, which PHP 8 has given up for $text[0]: its copy here has that. @param {TestContext} t */
async function library(t) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "ifmlab-purifier-"));
  t.after(() => rm(folder, { recursive: true }));
  await cp(path.dirname(purifier), folder, { recursive: true, filter: (from) => from === path.dirname(purifier) || from.startsWith(purifier) });
  for (const name of ["Encoder.php", "ChildDef/Custom.php", "TagTransform/Font.php"]) {
    const file = path.join(folder, "HTMLPurifier", name);
    await writeFile(file, (await readFile(file, "utf8")).replace(/(\$\w+(?:\['\w+'\])?)\{([^{}]*)\}/g, "$1[$2]"));
  }
  return path.join(folder, "HTMLPurifier.auto.php");
}

/** @type {readonly Filter[]} */
const filters = [
  {
    name: "sanitize-html",
    skip: unless(sanitize, "sanitize-html"),
    drops: ["frameborder", "loading"], // whatever it is not told of
    filter: async (_, html, frames) => sanitize(html, frames ? { allowedTags: [...sanitize.defaults.allowedTags, "iframe"], allowedAttributes: { ...sanitize.defaults.allowedAttributes, iframe: ["src", "width", "height", "title", "allow"] }, allowedIframeHostnames: [new URL(await origin()).hostname] } : {}),
  },
  {
    name: "DOMPurify",
    skip: unless(purify && JSDOM, "DOMPurify with jsdom"),
    drops: ["frameborder"],
    filter: (_, html, frames) => purify(new JSDOM("").window).sanitize(html, frames ? { ADD_TAGS: ["iframe"] } : {}),
  },
  {
    name: "HTML Purifier, which Moodle passes texts of students through",
    skip: unless(php && works("test", "-d", purifier), "PHP with php-htmlpurifier"),
    drops: ["loading"],
    filter: async (t, html, frames) =>
      inPHP(
        `require ${JSON.stringify(await library(t))};
        $c = HTMLPurifier_Config::createDefault(); $c->set("Cache.DefinitionImpl", null);
        if (${frames}) { $c->set("HTML.SafeIframe", true); $c->set("URI.SafeIframeRegexp", "%^" . preg_quote(${JSON.stringify(`${await origin()}/`)}) . "%"); $c->set("Attr.AllowedFrameTargets", ["_blank"]); }
        echo (new HTMLPurifier($c))->purify(stream_get_contents(STDIN));`,
        html,
      ),
  },
  {
    name: "WordPress's kses, for authors who may not paste what they like",
    skip: unless(php && works("test", "-f", `${wordpress}/kses.php`), "PHP with wordpress"),
    drops: [], // of what it is told of
    filter: (_, html, frames) => inPHP(`${ofWordPress()} echo wp_kses($html, array_merge(wp_kses_allowed_html("post"), ${frames} ? ["iframe" => array_fill_keys(["src", "width", "height", "title", "frameborder", "loading", "allow"], true)] : []));`, html),
  },
  {
    name: "Bleach, of Django's world",
    skip: unless(works(python, "-c", "import bleach"), "python3-bleach"),
    drops: ["frameborder", "loading"],
    filter: (_, html, frames) => written(python, ["-c", `import sys, bleach\nsys.stdout.write(bleach.clean(sys.stdin.read(), tags=["p", "a"] + (["iframe"] if ${frames ? "True" : "False"} else []), attributes={"iframe": ["src", "width", "height", "title", "allow"], "a": ["href", "title"]}, strip=True))`], html),
  },
];

for (const { name, skip, drops, filter } of filters) {
  test(`${name}: the frame keeps its address, name and size, or leaves a link`, { skip, timeout: 120_000 }, async (t) => {
    const what = await shown();
    const link = [snippet.address(what.page, what.link), title];
    const given = (await found(t, snippet.course(what))).frame ?? {};
    const taken = await found(t, await filter(t, snippet.course(what), true));
    assert.deepEqual(taken.frame, Object.fromEntries(Object.entries(given).filter(([key]) => !drops.includes(key))), "of the frame");
    assert.deepEqual(taken.links, [link]);
    const bare = await found(t, await filter(t, snippet.course(what), false));
    assert.equal(bare.frame, null, "unless frames are allowed");
    assert.deepEqual(bare.links, [link], "the link below it stays");
  });
}

test("what the strictest of them leaves runs", { skip: unless(sanitize, "sanitize-html"), timeout: 120_000 }, async (t) => {
  const what = await shown();
  const left = await /** @type {Filter} */ (filters[0]).filter(t, snippet.course(what), true);
  const outside = await serveHTML(`<!doctype html><title>Course</title>${left}`);
  const page = await openPage(t, outside, { origins: [outside] });
  await page.locator("iframe").contentFrame().locator(".verdict[data-phase=done]").waitFor();
});

test("WordPress makes a sandboxed frame of what oEmbed answers, and hears its height by the secret", { skip: unless(php && works("test", "-f", `${wordpress}/embed.php`), "PHP with wordpress"), timeout: 120_000 }, async (t) => {
  const what = await shown();
  const answer = /** @type {{ html: string }} */ (await (await fetch(snippet.question(what))).json());
  const html = inPHP(
    `function wp_cache_get() { return "https://blog.example"; } function wp_cache_set() {} function wp_cache_add() {} function is_multisite() { return false; } function wp_installing() { return false; } function is_admin() { return false; } function is_ssl() { return true; } function wp_generate_password() { return "abcdef1234"; } function __($t) { return $t; }
    ${ofWordPress("embed", "class-wp-oembed", "option", "link-template", "http", "shortcodes")}
    echo wp_filter_oembed_result($html, (object) ["type" => "rich", "title" => ""], ${JSON.stringify(snippet.oembed(what)).replaceAll("$", "\\$")});`,
    answer.html,
  );
  const { frame } = await found(t, html);
  assert.equal(frame?.["sandbox"], "allow-scripts", html);
  assert.match(frame?.["src"] ?? "", /embed=1.*#\?secret=abcdef1234$/);
  assert.deepEqual([frame?.["width"], frame?.["height"] !== undefined, frame?.["frameborder"]], ["100%", true, "0"]);
  const outside = await serveHTML(`<!doctype html><title>Blog</title><script>heard = []; addEventListener("message", ({ data }) => heard.push(data));</script>${html}`);
  const page = await openPage(t, outside, { origins: [outside] });
  await page.locator("iframe").contentFrame().locator(".verdict[data-phase=done]").waitFor();
  await page.waitForFunction(() => /** @type {any} */ (globalThis).heard.some((/** @type {any} */ data) => data?.message === "height" && data.secret === "abcdef1234" && data.value > 300));
});
