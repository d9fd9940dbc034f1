import { html, nothing, type TemplateResult } from "lit";
import { options } from "../panel/inputs.js";
import { questions, titles } from "../state/chapters.gen.js";
import { address, home } from "../state/site.js";
import type { Notice } from "../state/spec.js";
import { chapters, type Chapter, type View } from "../state/view.js";
import { product } from "../text/strings.js";
import { page, page as strings } from "./strings.js";

interface Doings {
  readonly undo: (() => void) | null; // null: there is nothing to take back
  readonly undone: string;
  readonly share: () => void;
  readonly warm: () => void;
  readonly paint: (theme: View["theme"]) => void;
}

export function header(theme: View["theme"], target: unknown, { undo, undone, share, warm, paint }: Doings): TemplateResult {
  return html`<header>
    <a class="name" href=${location.pathname} target=${target}>${product}</a>
    <nav aria-label=${strings.nav.label}>
      <a href="#figure">${strings.nav.figure}</a>
      <a href="#table">${strings.nav.table}</a>
      <a href="#lesson">${strings.nav.lesson}</a>
    </nav>
    <button class="undo" title=${strings.undo} ?disabled=${!undo} @click=${undo}>
      <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M6.5 3 2 7l4.5 4V8.4c3.3 0 5.6 1 7.2 3.6-.5-3.9-2.9-6.4-7.2-6.6z" /></svg><span class="seen-not">${strings.undo}</span>
    </button>
    <p class="seen-not" role="status">${undone}</p>
    <button class="sharer" @click=${share} @pointerenter=${warm} @focus=${warm}>${strings.share}</button>
    <label class="pick theme">
      <span class="seen-not">${strings.theme.label}</span>
      <select @change=${(e: Event) => paint((e.target as HTMLSelectElement).value as View["theme"])}>
        ${options<View["theme"]>(["auto", "light", "dark"], theme, (option) => strings.theme.options[option])}
      </select>
    </label>
  </header>`;
}

/** A chapter's title and question before its script is there, laid out as the chapter will be. */
export function comingChapter(name: Chapter, inFrame: boolean): TemplateResult {
  return html`<ifm-coming>
    <section class="chapter" aria-busy="true" aria-labelledby="coming-title">
      <p class="count" aria-hidden="true">${chapters.indexOf(name) + 1}</p>
      <h3 id="coming-title" aria-level=${inFrame ? 1 : nothing}>${titles[name]}</h3>
      <p class="about"></p>
      <div class="guess"><p><b>${questions[name]}</b></p></div>
    </section>
  </ifm-coming>`;
}

/** Links lead to target. save is called for the offline file, and saved says what came of it. */
export function footer(target: string | typeof nothing, save: (event: Event) => void, saved: string): TemplateResult {
  const strings = page.footer;
  return html`<footer>
    <p>${strings.live}</p>
    <p>${strings.paper}</p>
    ${home() ? html`<p><a href=${new URL("embeds.html", home()).href} target=${target}>${strings.embeds}</a></p>` : nothing}
    <p><a href=${address("licenses.txt").href} target=${target}>${strings.licenses}</a></p>
    <p><a href="offline.html" download @click=${save}>${strings.offline}</a> <span role="status">${saved}</span></p>
  </footer>`;
}

const LISTED = 10; // a link can have thousands of parameters

export function noticeList(notices: readonly Notice[], dismiss: () => void): TemplateResult {
  return html`<div class="told" role="status">
    ${notices.length === 0
      ? nothing
      : html`<b>${strings.notices}</b>
          <ul>
            ${notices.slice(0, LISTED).map((notice) => html`<li data-key=${notice.key}>${notice.message}</li>`)}
            ${notices.length > LISTED ? html`<li>${strings.more(notices.length - LISTED)}</li>` : nothing}
          </ul>
          <button @click=${dismiss}>${strings.dismiss}</button>`}
  </div>`;
}
