// What leads from chapter to chapter: the list at the side, and previous and next
// at a chapter's end.
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../panel/icons.js";
import { titles } from "../../state/chapters.gen.js";
import { chapters, type Chapter, type View } from "../../state/view.js";
import { along, forPaper, neighbour } from "./path.js";
import { contents as strings } from "./strings.js";

/** Where a reader is, and how to get on. */
export interface Way {
  readonly path: View["path"];
  readonly here: View["chapter"]; // "none": homework
  readonly state: (name: Chapter) => "answered" | "guessed" | "none";
  readonly present: () => void;
  readonly leavePath: () => void;
}

/** All chapters, homework, and the way to present them. On a narrow window it opens from a bar. */
export function contents(way: Way, open: boolean, toggle: () => void): TemplateResult {
  const { here } = way;
  const own = along(way.path);
  const at = here === "none" ? strings.homework : strings.at(chapters.indexOf(here) + 1, chapters.length, titles[here]);
  return html`<button class="drawer" aria-expanded=${open} aria-controls="contents" @click=${toggle}>${icon("menu")} ${at}</button>
    <nav class="contents" id="contents" aria-label=${strings.name} ?data-open=${open}>
      <ol>
        ${chapters.map((name, i) => {
          const state = way.state(name);
          return html`${name === forPaper ? html`<li class="group">${strings.forPaper}</li>` : nothing}<li class=${own.includes(name) ? "" : "off"} data-state=${state}>
            <a href="?chapter=${name}" aria-current=${here === name ? "page" : nothing}>
              <span class="num">${i + 1}</span> <span>${titles[name]}</span> ${state === "none" ? nothing : html`${icon(state === "answered" ? "right" : "guessed")}<span class="seen-not">${strings.state[state]}</span>`}
            </a>
          </li>`;
        })}
      </ol>
      <p class="also">
        <a href="#homework" aria-current=${here === "none" ? "page" : nothing}>${strings.homework}</a>
        <button class="presenting bare" @click=${way.present}>${strings.present}</button>
        ${way.path === "none" ? nothing : html`<button class="path bare" @click=${way.leavePath}>${strings.path(own.length)}</button>`}
      </p>
    </nav>`;
}

/** At a chapter's end: back and on. */
export function onward(way: Way, name: Chapter): TemplateResult {
  const done = way.state(name) === "answered";
  const link = (which: "back" | "next", to: Chapter): TemplateResult => {
    const text = which === "next" && !done ? strings.skip : titles[to];
    return html`<a class="button ${which} ${which === "back" ? "bare" : done ? "primary" : ""}" href="?chapter=${to}" aria-label=${strings[which](titles[to])}>${which === "back" ? icon("back") : nothing} ${text} ${which === "next" ? icon("next") : nothing}</a>`;
  };
  const [back, next] = [neighbour(way.path, name, "back"), neighbour(way.path, name, "next")];
  return html`<p class="onward">${back ? link("back", back) : nothing} ${next ? link("next", next) : nothing}</p>`;
}
