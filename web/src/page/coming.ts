import { html, nothing, type TemplateResult } from "lit";
import { questions, titles } from "../state/chapters.gen.js";
import { chapters, type Chapter } from "../state/view.js";

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
