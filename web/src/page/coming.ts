import { html, nothing, type TemplateResult } from "lit";
import { questions, titles } from "../state/chapters.gen.js";
import { chapters, type Chapter } from "../state/view.js";

/** What is known of a chapter before its script is there, in the place that it will have: in an element that is laid out as the chapter's is. */
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
