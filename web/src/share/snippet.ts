// What is pasted elsewhere. Each writer is a function of what is shown; texts are escaped
// as the language of the place asks.
import { titles } from "../state/chapters.gen.js";
import { chapterOf, isChapter, query, type Piece } from "../state/piece.js";
import type { Pair } from "../state/spec.js";
import { sharing as strings } from "./strings.js";

export interface Shown {
  readonly page: string; // the lab's address, without a query
  readonly settings: readonly Pair[]; // with embed among them
  readonly link: readonly Pair[]; // those of the page that shows it among all else
  readonly title: string;
  readonly height: number; // px
}

export type Writer = (shown: Shown) => string;

export function address(page: string, settings: readonly Pair[]): string {
  return settings.length > 0 ? `${page}?${query(settings)}` : page;
}

export function beside(page: string, path: string): string {
  return new URL(path, page).href;
}

/** The page that chats and forums show as a card. */
export function card({ page, link }: Shown): string {
  return beside(page, `p/${query(link)}`);
}

/** The page that becomes a frame by oEmbed: the card's, unless the frame shows something else. */
export function oembed(shown: Shown): string {
  const plain = query(within(shown.settings));
  return plain === query(shown.link) ? card(shown) : beside(shown.page, `p/${query(shown.settings)}`);
}

/** Asks what a page that takes oEmbed would ask. */
export function question(shown: Shown): string {
  return beside(shown.page, `oembed?${query([["url", oembed(shown)], ["format", "json"]])}`);
}

/** The frame alone, with attributes that course pages and MDX take: none is a style. */
export const html: Writer = ({ page, settings, title, height }) =>
  `<iframe src="${attribute(address(page, settings))}" title="${attribute(title)}" width="100%" height="${height}" frameborder="0" loading="lazy"></iframe>`;

/** A frame, and a link where frames are taken out or stay empty. */
export const course: Writer = (shown) => `${html(shown)}
<p><a href="${attribute(address(shown.page, shown.link))}" target="_blank" rel="noopener">${attribute(shown.title)}</a></p>`;

/** Makes the frame above it as high as what it shows. */
export const following = `<script>
  addEventListener("message", ({ data, source }) => {
    if (data?.type !== "ifm-lab.height") return;
    for (const frame of document.querySelectorAll("iframe")) if (frame.contentWindow === source) frame.height = data.height;
  });
</script>`;

/** The link inside is seen where the script is not allowed. */
export const element: Writer = ({ page, settings, link, title, height }) => {
  const attributes: readonly Pair[] = [...within(settings), ["height", String(height)], ["label", title]];
  return `<script type="module" src="${attribute(beside(page, "ifm-lab.js"))}"></script>
<ifm-lab ${attributes.map(([key, value]) => `${name(key)}="${attribute(value)}"`).join(" ")}><a href="${attribute(address(page, link))}">${strings.open}</a></ifm-lab>`;
};

/** For where attributes are a programming language's: the settings stand in one address. */
function component({ page, link, settings, title, height }: Shown): string {
  return `<ifm-lab src="${attribute(address(page, within(settings)))}" label="${attribute(title)}" height="${height}"><a href="${attribute(address(page, link))}">${strings.open}</a></ifm-lab>`;
}

/** VitePress runs no script in a page, and Vue has to be told that the element is none of its own. */
export const vitepress: Writer = (shown) => `// .vitepress/config.mjs
export default {
  head: [["script", { type: "module", src: ${JSON.stringify(beside(shown.page, "ifm-lab.js"))} }]],
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === "ifm-lab" } } },
};

<!-- page.md -->
${component(shown)}`;

export const docusaurus: Writer = (shown) => `// docusaurus.config.js, in what it exports
scripts: [{ src: ${JSON.stringify(beside(shown.page, "ifm-lab.js"))}, type: "module" }],

{/* page.mdx */}
${component(shown)}`;

/** Hugo takes no HTML in a page, but a shortcode of the site. */
export const hugo: Writer = ({ page, settings, link, title, height }) => `{{/* layouts/shortcodes/ifm-lab.html */}}
<iframe src="{{ .Get "src" }}" title="{{ .Get "title" }}" width="100%" height="{{ .Get "height" }}" frameborder="0" loading="lazy"></iframe>
<p><a href="{{ .Get "link" }}" target="_blank" rel="noopener">{{ .Get "title" }}</a></p>

<!-- page.md -->
{{< ifm-lab src="${harmless(address(page, settings))}" link="${harmless(address(page, link))}" title="${plainly(title)}" height="${height}" >}}`;

/** Reveal loads it when the slide is shown. */
export const reveal: Writer = ({ page, settings, title, height }) => `<section>
  <iframe data-src="${attribute(address(page, onSlide(settings)))}" title="${attribute(title)}" width="100%" height="${height}" frameborder="0"></iframe>
</section>`;

export const jupyter: Writer = ({ page, settings, title, height }) => `from IPython.display import IFrame

IFrame(${python(address(page, settings))}, width="100%", height=${height}, extras=[${python(`title="${attribute(title)}"`)}, ${python('loading="lazy"')}])`;

export const quarto: Writer = ({ page, settings, title, height }) => {
  const values = within(settings).map((pair) => `${query([pair])}${pair[1] === "" ? '""' : ""} `).join("");
  return `{{< ifm-lab src="${harmless(page)}" ${values}height=${height} label="${plainly(title)}" >}}`;
};

/** MyST's frame is three fifths as high as wide: what is shown fits itself into it. */
export const myst: Writer = ({ page, settings, title }) => `\`\`\`{iframe} ${address(page, onSlide(settings))}
:width: 100%
:title: ${plainly(title)}
\`\`\``;

export const bare: Writer = ({ page, settings }) => address(page, settings);

/** The settings of a frame for what makes the frame. */
function within(settings: readonly Pair[]): readonly Pair[] {
  return settings.filter(([key, value]) => key !== "embed" || value !== "1");
}

/** Fitted into whatever it gets. */
function onSlide(settings: readonly Pair[]): readonly Pair[] {
  return settings.map(([key, value]) => [key, key === "embed" && value === "1" ? "slide" : value]);
}

function harmless(text: string): string {
  return text.replace(/["\\<>{}`\s]/g, encodeURIComponent);
}

/** For a value between quotes, or a text, of HTML and of what compiles it, where braces begin a program. */
function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replace(/[\r\n{}]/g, (c) => `&#${c.charCodeAt(0)};`);
}

function name(key: string): string {
  return key.replace(/[\s"'<>/=\u0000-\u001f]/g, "");
}

/** A string of Python, whose escapes JSON's are among. */
function python(text: string): string {
  return text.includes('"') && !/['\\\p{C}]/u.test(text) ? `'${text}'` : JSON.stringify(text);
}

/** Letters, digits and the punctuation of sentences, on one line: for where no escape is sure. */
function plainly(text: string): string {
  return text.replace(/[^\p{L}\p{N} .,:;()+–-]+/gu, " ").replace(/ +/g, " ").replace(/^[^\p{L}\p{N}]+| $/gu, "");
}

export function titleOf(piece: Piece): string {
  return isChapter(piece) ? strings.chapter(titles[chapterOf(piece)]) : strings.named(piece);
}
