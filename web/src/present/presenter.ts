import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { during } from "../engine/pending.js";
import { Panel, prop } from "../panel/panel.js";
import { STEERED, TYPED } from "../panel/player.js";
import { titles } from "../state/chapters.gen.js";
import type { Chapter, View } from "../state/view.js";
import { counted, moved, type Place } from "./deck.js";
import { present as strings } from "./strings.js";

/** What of a slide is enlarged by itself, the style's variable for it, and how far at most and at least in a window of 1280 × 720 px. */
const BOXES: readonly (readonly [selector: string, variable: string, most: number, least: number])[] = [
  ["ifm-figure", "--figure-zoom", 1, 0.5],
  [".chapter > .seen", "--picture-zoom", 1.25, 0.5],
  [".chapter > .ask", "--question-zoom", 1.4, 0.7],
];
const SHRINKS = 0.97;
const ROOM = { bar: 56, above: 24, below: 24 }; // px

/** Shows the page as slides for a projector, led by keys: the figure, then each chapter's question, pictures and answer. */
class Presenter extends Panel {
  @prop accessor chapter!: View["chapter"]; // that is shown; "none": the figure
  @prop accessor present!: View["present"];
  @prop accessor chapters!: readonly Chapter[]; // in their order

  @state() private accessor lists = false; // the keys, over the slide

  private seat = ""; // what is shown, as text
  private isAnswering = false; // the slide's run was asked for
  private readonly zooms = new Map<string, number>(); // by variable
  private readonly sizes = new ResizeObserver(() => requestAnimationFrame(this.fit));
  private readonly pieces = new MutationObserver(() => this.arrive());

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.key, true);
    addEventListener("resize", this.renew);
    document.addEventListener("click", this.clicked);
    this.pieces.observe(this.main, { childList: true, subtree: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.key, true);
    removeEventListener("resize", this.renew);
    document.removeEventListener("click", this.clicked);
    this.pieces.disconnect();
    this.sizes.disconnect();
    if (document.fullscreenElement) void document.exitFullscreen();
  }

  protected override render(): TemplateResult {
    const { place, chapters } = this;
    const [at, of] = counted(place, chapters);
    const title = place.chapter === "none" ? strings.figure : `${titles[place.chapter]}, ${strings.steps[place.present]}`;
    const keys = (all: readonly string[]): TemplateResult[] => all.map((key) => html`<kbd>${key}</kbd> `);
    return html`${this.lists ? html`<dl class="key-list" role="status">${strings.list.map(([all, does]) => html`<div><dt>${keys(all)}</dt><dd>${does}</dd></div>`)}</dl>` : nothing}
    <div class="presenter" role="group" aria-label=${strings.name}>
      <button class="bare back" aria-disabled=${at === 1} @click=${() => this.move(-1)}>${strings.back}</button>
      <button class="bare next" aria-disabled=${at === of} @click=${() => this.move(1)}>${strings.next}</button>
      <p class="keys">${strings.keys.map(([all, does]) => html`${keys(all)}<span>${does}</span>`)}</p>
      <p class="at" role="status"><span class="seen-not">${title}</span> ${strings.place(at, of)}</p>
      <button class="bare full" ?hidden=${!document.fullscreenEnabled} @click=${fill}>${strings.full}</button>
      <button class="bare leave" @click=${() => this.leave()}>${strings.leave}</button>
    </div>`;
  }

  protected override updated(): void {
    const { chapter, present } = this.place;
    const seat = `${chapter} ${present}`;
    if (this.seat === seat) return;
    Object.assign(this, { seat, isAnswering: false });
    this.renew();
  }

  private get main(): HTMLElement {
    return document.querySelector("main") ?? document.body;
  }

  private get place(): Place {
    const { chapter, present } = this;
    return { chapter, present: present === "0" ? "1" : present };
  }

  /** Runs what the slide shows, once it is there, and fits it into the window. */
  private arrive(): void {
    const { chapter, present } = this.place;
    const shown = chapter === "none" ? null : this.main.querySelector(`#${chapter} .chapter[data-phase]`);
    if (shown && present !== "1" && !this.isAnswering) {
      this.isAnswering = true;
      if (shown.matches('[data-revealed="false"]')) shown.querySelector<HTMLElement>(".go .run")?.click();
    }
    this.fit();
  }

  /** Enlarges the slide as far as its window allows, beginning anew. */
  private readonly renew = (): void => {
    this.zooms.clear();
    this.sizes.disconnect();
    this.arrive();
  };

  /** Shrinks each box of a slide until it fits its window; it never grows again, or it might do both in turn. */
  private readonly fit = (): void => {
    const share = Math.min(innerWidth / 1280, innerHeight / 720);
    const { style } = document.documentElement;
    for (const [selector, variable, most, least] of BOXES) {
      const box = this.main.querySelector<HTMLElement>(selector);
      if (!box) continue;
      let zoom = this.zooms.get(variable) ?? most * share;
      style.setProperty(variable, String(zoom));
      while (zoom > least * share && !fits(box)) {
        zoom *= SHRINKS;
        style.setProperty(variable, String(zoom));
      }
      this.zooms.set(variable, zoom);
      this.sizes.observe(box);
    }
  };

  private move(by: number): void {
    this.go(moved(this.place, by, this.chapters));
  }

  private go(place: Place): void {
    this.tell("ifm-view", place);
  }

  private leave(): void {
    this.tell("ifm-view", { present: "0" });
  }

  /** A guess leads on to what the runs show. */
  private readonly clicked = ({ target }: Event): void => {
    const { chapter, present } = this.place;
    if (target instanceof Element && target.closest("[data-guess]") && chapter !== "none" && present === "1") this.go({ chapter, present: "run" });
  };

  private readonly key = (event: KeyboardEvent): void => {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element) || target.closest(TYPED) || document.querySelector("dialog[open]")) return;
    if (!this.does(key, target)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  private does(key: string, target: Element): boolean {
    const isSteered = target.closest(STEERED) !== null;
    const { chapter, present } = this.place;
    if (key === "PageDown" || (key === "ArrowRight" && !isSteered)) this.move(1);
    else if (key === "PageUp" || (key === "ArrowLeft" && !isSteered)) this.move(-1);
    else if (key === " " && !target.closest("button, summary")) this.reveal();
    else if (key === "f" || key === "F") fill();
    else if (key === "?" || (key === "Escape" && this.lists)) this.lists = !this.lists;
    else if (key === "p" || key === "P" || (key === "Escape" && !document.fullscreenElement)) this.leave();
    else if (/^[1-9]$/.test(key) && !isSteered && present === "1") this.main.querySelectorAll<HTMLElement>(`#${chapter} [data-guess]`)[Number(key) - 1]?.click();
    else return false;
    return true;
  }

  /** Plays or pauses the figure; of a chapter shows what comes next. */
  private reveal(): void {
    const { chapter, present } = this.place;
    if (chapter === "none") this.main.querySelector<HTMLElement>("[data-plays]")?.click();
    else if (present !== "answer") this.move(1);
  }
}

function fits(box: HTMLElement): boolean {
  const { height, width } = box.getBoundingClientRect();
  const across = box.scrollWidth <= box.clientWidth + 1;
  return across && width <= innerWidth && height <= innerHeight - ROOM.bar - ROOM.above - ROOM.below;
}

/** Where the browser refuses, the page stays as it is. */
function fill(): void {
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  void during(done).catch(() => undefined);
}

customElements.define("ifm-presenter", Presenter);
