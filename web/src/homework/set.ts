import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { shortest } from "../lesson/chapter/definition.js";
import { heads, Panel } from "../panel/panel.js";
import { titles } from "../state/chapters.gen.js";
import { parse } from "../state/spec.js";
import { chapters, readLink, writeLink, type Chapter, type Parts } from "../state/view.js";
import { MOST_SEED, MOST_TITLE, readAssignment, writeAssignment, type Assignment } from "./assignment.js";
import type { Chapters } from "./chapters.js";
import { clean } from "./clean.js";
import { copier, here } from "./copy.js";
import { clashes, namesIn, seedOf } from "./seeds.js";
import { setting as strings } from "./strings.js";

/** What a lecturer does first: choose chapters as they are set on the page, and get one link. */
class Setting extends Panel {
  @property({ attribute: false }) accessor chapters!: Chapters;
  @property({ attribute: false }) accessor parts!: Parts;
  @state() private accessor heading = "";
  @state() private accessor chosen: readonly Chapter[] = [];
  @state() private accessor each = true; // a seed for each student
  @state() private accessor seed: number = 1 + Math.floor(Math.random() * 9998);
  @state() private accessor words = true;
  @state() private accessor names = "";

  /** A page with an assignment begins with that one. */
  protected override willUpdate(): void {
    if (this.hasUpdated) return;
    const now = readAssignment(this.parts.homework ?? "");
    if (now) Object.assign(this, { heading: now.title, chosen: now.chapters, each: now.seed !== 0, seed: now.seed || this.seed, words: now.words });
  }

  private own(chapter: Chapter): string {
    const { own } = shortest(this.chapters[chapter], this.parts[chapter] ?? "");
    return this.each ? own.split("&").filter((pair) => !pair.startsWith("seed=")).join("&") : own;
  }

  private get assignment(): Assignment {
    const { heading: title, chosen, each, seed, words } = this;
    return { title, chapters: chosen, settings: Object.fromEntries(chosen.map((chapter) => [chapter, this.own(chapter)])), seed: each ? seed : 0, words };
  }

  protected override render(): TemplateResult {
    const { assignment } = this;
    const parts: Parts = { ...assignment.settings, homework: writeAssignment(assignment) };
    return html`<div class="set">
      <p class="about">${strings.lead}</p>
      <label class="entry"><span>${strings.title}</span> <input type="text" class="title" maxlength=${MOST_TITLE} .value=${this.heading} @input=${(e: Event) => (this.heading = clean((e.target as HTMLInputElement).value, MOST_TITLE).text)} /></label>
      <fieldset class="chosen">
        <legend>${strings.chapters}</legend>
        ${chapters.map((chapter) => html`<label class="check"><input type="checkbox" value=${chapter} .checked=${this.chosen.includes(chapter)} @change=${() => this.choose(chapter)} /> <span>${titles[chapter]} <small>${strings.own(this.own(chapter))}</small></span></label>`)}
      </fieldset>
      <fieldset>
        <legend>${strings.seeds}</legend>
        <label class="check"><input type="checkbox" class="each" .checked=${this.each} @change=${(e: Event) => (this.each = (e.target as HTMLInputElement).checked)} /> <span>${strings.each}</span></label>
        <label class="entry"><span>${strings.seed}</span> <input class="seed" type="number" min="1" max=${MOST_SEED} step="1" ?disabled=${!this.each} .value=${String(this.seed)} @change=${this.number} /></label>
      </fieldset>
      <label class="check"><input type="checkbox" class="words" .checked=${this.words} @change=${(e: Event) => (this.words = (e.target as HTMLInputElement).checked)} /> <span>${strings.words}</span></label>
      <p role="status" class="told">${this.chosen.length === 0 ? strings.empty : nothing}</p>
      ${this.chosen.length === 0 ? nothing : html`${copier("assignment-link", strings.link, `${here()}${writeLink(parse("").spec, readLink("").view, parts)}`)} <p class="note">${strings.about}</p>`}
      ${this.each ? this.class() : nothing}
    </div>`;
  }

  private choose(chapter: Chapter): void {
    this.chosen = chapters.filter((one) => (one === chapter) !== this.chosen.includes(one));
  }

  private readonly number = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const found = Math.trunc(Number(input.value));
    if (found >= 1 && found <= MOST_SEED) this.seed = found;
    input.value = String(this.seed);
  };

  /** The seeds of a list, for who wants to look them up. */
  private class(): TemplateResult {
    const names = namesIn(this.names);
    const same = clashes(this.seed, names);
    return html`<label class="entry list"><span>${strings.list}</span> <textarea rows="4" .value=${this.names} @input=${(e: Event) => (this.names = (e.target as HTMLTextAreaElement).value)}></textarea></label>
      <p class="note">${strings.how}</p>
      <p class="note clash" role="status">${same.length > 0 ? strings.clash(same) : nothing}</p>
      ${names.length === 0
        ? nothing
        : html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.table}>
            <table class="numbers seeds">
              <caption>${strings.table}</caption>
              ${heads(strings.heads)}
              <tbody>${names.map((name) => html`<tr><th scope="row">${clean(name, 120).text}</th><td data-value=${seedOf(this.seed, name)}>${seedOf(this.seed, name)}</td></tr>`)}</tbody>
            </table>
          </div>`}`;
  }
}

customElements.define("ifm-set", Setting);
