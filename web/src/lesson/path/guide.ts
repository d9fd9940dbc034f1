// What leads along a path: the choice at the lesson's start, how far one has
// come, and next and back at each chapter's end.
import { html, nothing, type TemplateResult } from "lit";
import { questions, stops, titles } from "../../state/chapters.gen.js";
import { chapters, type Chapter, type View } from "../../state/view.js";
import { along, minutes, neighbour, paths } from "./path.js";
import { guide as strings } from "./strings.js";

/** Where a reader is, and how to get on. */
export interface Way {
  readonly path: View["path"];
  readonly state: (name: Chapter) => "answered" | "guessed" | "none";
  readonly choose: (path: View["path"]) => void;
  readonly go: (event: MouseEvent, to: Chapter | null) => void; // null: to the lesson's start
}

/** The paths to choose from, and the way into the one that is chosen. */
export function choice(way: Way): TemplateResult {
  const { path } = way;
  const own = along(path);
  const done = own.filter((name) => way.state(name) === "answered");
  const first = own.find((name) => way.state(name) !== "answered");
  return html`<section class="paths" aria-labelledby="paths-title">
    <h3 id="paths-title" tabindex="-1">${strings.title}</h3>
    <p class="note">${strings.lead}</p>
    <div class="guesses">
      ${paths.map(
        (name) => html`<button data-path=${name} aria-pressed=${path === name} @click=${() => way.choose(path === name ? "none" : name)}>
          <b>${strings.names[name](minutes(name))}</b>
          <span>${strings.holds(along(name).length, minutes(name))}</span>
        </button>`,
      )}
    </div>
    <div class="far" role="status">
      ${path === "none"
        ? nothing
        : html`<label><progress max=${own.length} .value=${done.length}></progress> <span class="num">${strings.answered(done.length, own.length)}</span></label>
            ${first ? html`<a class="button begin" href="#${first}" @click=${(event: MouseEvent) => way.go(event, first)}>${done.length > 0 ? strings.goOn(titles[first]) : strings.begin(titles[first])}</a>` : strings.through}`}
    </div>
  </section>`;
}

/** All chapters, with what each takes and what has become of it. */
export function contents(way: Way, label: string): TemplateResult {
  const own = along(way.path);
  return html`<nav class="contents" aria-label=${label}>
    <ol>
      ${chapters.map((name) => {
        const state = strings.state[way.state(name)];
        const notes = [strings.takes(stops[name].minutes), ...(own.includes(name) ? [] : [strings.off]), ...(state === "" ? [] : [state])];
        return html`<li class=${own.includes(name) ? "" : "off"} data-state=${way.state(name)}>
          <a href="#${name}"><b>${titles[name]}</b> <span>${questions[name]}</span> <small>${notes.join(" · ")}</small></a>
        </li>`;
      })}
    </ol>
  </nav>`;
}

/** At a chapter's end: how far that is, back and on. */
export function onward(way: Way, name: Chapter): TemplateResult {
  const own = along(way.path);
  const at = own.indexOf(name);
  const done = own.filter((other) => way.state(other) === "answered").length;
  const [back, next] = [neighbour(way.path, name, "back"), neighbour(way.path, name, "next")];
  const link = (which: "back" | "next", to: Chapter | null, text: string) => html`<a class="button ${which}" href="#${to ?? "lesson"}" @click=${(event: MouseEvent) => way.go(event, to)}>${text}</a>`;
  return html`<div class="onward" role="group" aria-label=${strings.along(titles[name])}>
    <p><span class="steps" aria-hidden="true">${own.map((other) => html`<i class=${other === name ? "here" : ""} data-state=${way.state(other)}></i>`)}</span> ${at < 0 ? strings.beside : strings.at(at + 1, own.length, way.path !== "none")}; ${strings.answered(done, own.length)}.${next || at < 0 ? "" : ` ${strings.end}.`}</p>
    ${link("back", back, back ? strings.back(titles[back]) : strings.start)} ${next ? link("next", next, strings.next(titles[next])) : back ? link("next", null, strings.start) : nothing}
  </div>`;
}
