// What is pasted elsewhere, in the language of where it is pasted. Each writer
// is a function of what is shown alone; texts from outside are escaped as that
// language asks.
import { titles } from "../state/chapters.gen.js";
import { chapterOf, isChapter, query, type Piece } from "../state/piece.js";
import type { Pair } from "../state/spec.js";
import { sharing as strings } from "./strings.js";

/** A piece of the lab in a page of somebody else's. */
export interface Shown {
  readonly page: string; // the lab's address, without a query
  readonly settings: readonly Pair[]; // with embed among them
  readonly link: readonly Pair[]; // those of the page that shows it among all else
  readonly title: string;
  readonly height: number; // px
}

export type Writer = (shown: Shown) => string;

/** The address of a page with settings. */
export function address(page: string, settings: readonly Pair[]): string {
  return settings.length > 0 ? `${page}?${query(settings)}` : page;
}

/** The address of what lies beside the page. */
export function beside(page: string, path: string): string {
  return new URL(path, page).href;
}

/** The page that chats and forums show as a card. */
export function card({ page, link }: Shown): string {
  return beside(page, `p/${query(link)}`);
}

/** The page that becomes a frame with the piece: the card's, which becomes the plain frame of what it shows, unless that is another. */
export function oembed(shown: Shown): string {
  const plain = query(shown.settings.filter(([key, value]) => key !== "embed" || value !== "1"));
  return plain === query(shown.link) ? card(shown) : beside(shown.page, `p/${query(shown.settings)}`);
}

/** Asks what a page that takes oEmbed would ask. */
export function question(shown: Shown): string {
  return beside(shown.page, `oembed?${query([["url", oembed(shown)], ["format", "json"]])}`);
}

export const html: Writer = (shown) => frame(shown, 'style="border: 0"');

/** A frame that is as high as what it shows. */
export const fitting: Writer = (shown) => `${html(shown)}
<script>
  addEventListener("message", ({ data, source }) => {
    if (data?.type !== "ifm-lab.height") return;
    for (const frame of document.querySelectorAll("iframe")) if (frame.contentWindow === source) frame.height = data.height;
  });
</script>`;

/** For pages that take no script: a frame of a fixed height, and a link for where frames are taken out too. */
export const course: Writer = (shown) => `${frame(shown, 'frameborder="0"')}
<p><a href="${attribute(address(shown.page, shown.link))}" target="_blank" rel="noopener">${attribute(shown.title)}</a></p>`;

/** What is inside the element is seen where its script is not allowed. */
export const element: Writer = ({ page, settings, link, title, height }) => {
  const own = settings.filter(([key, value]) => key !== "embed" || value !== "1");
  const attributes: readonly Pair[] = [...own, ["height", String(height)], ["label", title]];
  return `<script type="module" src="${attribute(beside(page, "ifm-lab.js"))}"></script>
<ifm-lab ${attributes.map(([key, value]) => `${name(key)}="${attribute(value)}"`).join(" ")}><a href="${attribute(address(page, link))}">${strings.open}</a></ifm-lab>`;
};

/** A slide; Reveal loads it when it comes near. */
export const reveal: Writer = ({ page, settings, title, height }) => `<section>
  <iframe data-src="${attribute(address(page, settings))}" title="${attribute(title)}" width="100%" height="${height}" style="border: 0"></iframe>
</section>`;

export const jupyter: Writer = ({ page, settings, title, height }) => `from IPython.display import IFrame

IFrame(${python(address(page, settings))}, width="100%", height=${height}, extras=[${python(`title="${attribute(title)}"`)}, ${python('loading="lazy"')}])`;

export const quarto: Writer = ({ page, settings, title, height }) => {
  const own = settings.filter(([key, value]) => key !== "embed" || value !== "1");
  const values = own.map((pair) => `${query([pair])}${pair[1] === "" ? '""' : ""} `).join("");
  return `{{< ifm-lab src="${page.replace(/["\\<>{}\s]/g, encodeURIComponent)}" ${values}height=${height} label="${plainly(title)}" >}}`;
};

export const myst: Writer = ({ page, settings, title }) => `\`\`\`{iframe} ${address(page, settings)}
:width: 100%
${plainly(title)}
\`\`\``;

function frame({ page, settings, title, height }: Shown, more: string): string {
  return `<iframe src="${attribute(address(page, settings))}" title="${attribute(title)}" width="100%" height="${height}" ${more} loading="lazy"></iframe>`;
}

/** For a value between quotes, or text between elements, of HTML. */
function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replace(/[\r\n]/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** A setting's name as an attribute's: what ends one in HTML is left out. */
function name(key: string): string {
  return key.replace(/[\s"'<>/=\u0000-\u001f]/g, "");
}

/** A string of Python, whose escapes JSON's are among. */
function python(text: string): string {
  return text.includes('"') && !/['\\\p{C}]/u.test(text) ? `'${text}'` : JSON.stringify(text);
}

/** For where no escape is sure: letters, digits and the punctuation of sentences, on one line. */
function plainly(text: string): string {
  return text.replace(/[^\p{L}\p{N} .,:;()+–-]+/gu, " ").replace(/ +/g, " ").replace(/^[^\p{L}\p{N}]+| $/gu, "");
}

/** What a frame with the piece is called. */
export function titleOf(piece: Piece): string {
  return isChapter(piece) ? strings.chapter(titles[chapterOf(piece)]) : strings.named(piece);
}
