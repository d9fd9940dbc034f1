import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../panel/icons.js";
import { questions, titles } from "../state/chapters.gen.js";
import { address, home } from "../state/site.js";
import type { Notice } from "../state/spec.js";
import { chapters, places, type Chapter, type Place, type View } from "../state/view.js";
import { product } from "../text/strings.js";
import { page, page as strings } from "./strings.js";

/** What the browser calls the page: the place, and the chapter of the lesson. */
export function pageTitle(place: Place, chapter: View["chapter"]): string {
  const title = place === "figure" ? strings.title.figure : place === "table" ? strings.nav.table : chapter === "none" ? strings.homework : titles[chapter];
  return `${product}: ${title}`;
}

interface Header {
  readonly place: Place;
  readonly isDark: boolean;
  readonly undo: (() => void) | null; // null: there is nothing to take back
  readonly undone: string;
  readonly addressOf: (place: Place) => string;
  readonly share: () => void;
  readonly warm: () => void; // fetches what sharing needs
  readonly paint: (theme: "light" | "dark") => void;
}

/** The header, which stays. Its links lead to the places as they are now. */
export function header({ place, isDark, undo, undone, addressOf, share, warm, paint }: Header): TemplateResult {
  const other = isDark ? "light" : "dark";
  return html`<header class="top">
    <a class="brand" href=${addressOf("figure")} aria-label=${product}>
      <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path class="plus" d="M12 5 5 18M12 5l7 13" /><path class="minus" d="M7 18.5h10" /><circle cx="12" cy="5" r="2.5" /><circle cx="5" cy="18.5" r="2.5" /><circle cx="19" cy="18.5" r="2.5" /></svg>
      <b>${product}</b>
    </a>
    <nav aria-label=${strings.nav.label}>${places.map((name) => html`<a href=${addressOf(name)} data-place=${name} aria-current=${name === place ? "page" : nothing}>${strings.nav[name]}</a>`)}</nav>
    <div class="end">
      <button class="bare icon-only undo" aria-label=${strings.undo} title=${strings.undo} ?disabled=${!undo} @click=${undo}>${icon("undo")}</button>
      <span class="seen-not" role="status">${undone}</span>
      <button class="bare sharer" aria-label=${strings.share} @click=${share} @pointerenter=${warm} @focus=${warm}>${icon("share")}<span>${strings.share}</span></button>
      <button class="bare icon-only theme" aria-label=${strings.theme[other]} title=${strings.theme[other]} @click=${() => paint(other)}>${icon("theme")}</button>
    </div>
  </header>`;
}

/** The lesson before its script is there: its contents, and the chapter's question, laid out as they will be. */
export function comingLesson(chapter: Chapter, inFrame: boolean): TemplateResult {
  return html`<ifm-coming class="lesson">
    ${inFrame
      ? nothing
      : html`<p class="drawer button"></p>
          <nav class="contents" aria-label=${strings.nav.lesson}>
            <ol>${chapters.map((name, i) => html`<li><a href="?chapter=${name}" aria-current=${name === chapter ? "page" : nothing}><span class="num">${i + 1}</span> ${titles[name]}</a></li>`)}</ol>
          </nav>`}
    <section class="chapter" aria-busy="true" aria-labelledby="coming-title">
      <div class="ask">
        <h1 class="seen-not">${titles[chapter]}</h1>
        <h2 class="question" id="coming-title">${questions[chapter]}</h2>
      </div>
    </section>
  </ifm-coming>`;
}

/** Links lead to target. save is called for the offline file, and saved says what came of it. */
export function footer(target: string | typeof nothing, save: (event: Event) => void, saved: string): TemplateResult {
  const strings = page.footer;
  return html`<footer>
    <span>${strings.live} ${strings.claim}</span>
    ${home() ? html`<a href=${new URL("embeds.html", home()).href} target=${target}>${strings.embeds}</a>` : nothing}
    <a href=${address("licenses.txt").href} target=${target}>${strings.licenses}</a>
    <a href="offline.html" download @click=${save}>${strings.offline}</a> <span role="status">${saved}</span>
  </footer>`;
}

const LISTED = 10; // a link can have thousands of parameters

export function noticeList(notices: readonly Notice[], dismiss: () => void): TemplateResult {
  const messages = new Map(notices.map(({ key, message }) => [message, key]));
  return html`<div class="told" role="status">
    ${messages.size === 0
      ? nothing
      : html`<b>${strings.notices}</b>
          <ul>
            ${[...messages].slice(0, LISTED).map(([message, key]) => html`<li data-key=${key}>${message}</li>`)}
            ${messages.size > LISTED ? html`<li>${strings.more(messages.size - LISTED)}</li>` : nothing}
          </ul>
          <button @click=${dismiss}>${strings.dismiss}</button>`}
  </div>`;
}
