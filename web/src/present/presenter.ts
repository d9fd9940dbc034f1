import { html, type LitElement, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { during } from "../engine/pending.js";
import { Panel, prop } from "../panel/panel.js";
import { STEERED, TYPED } from "../panel/player.js";
import { titles } from "../state/chapters.gen.js";
import type { Chapter, View } from "../state/view.js";
import { counted, moved, type Place } from "./deck.js";
import { present as strings } from "./strings.js";

const DESIGN = { width: 1040, height: 585 }; // px: a chart's letters of 13 px are 24 px high at 1920 × 1080

interface Slide extends LitElement {
  frozen?: boolean;
}

/** Shows a chapter a screen, for a projector, led by keys. */
class Presenter extends Panel {
  @prop accessor view!: View;
  @prop accessor chapters!: readonly Chapter[]; // in their order
  @prop accessor ready!: () => Promise<void>; // resolves when the lesson is drawn
  @property() override accessor title!: string; // of the figure
  @state() private accessor frozen = false;

  private shown: Slide | null = null;
  private seat = ""; // what is shown, as text

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.key, true);
    addEventListener("resize", this.fit);
    document.addEventListener("click", this.clicked);
    this.fit();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.key, true);
    removeEventListener("resize", this.fit);
    document.removeEventListener("click", this.clicked);
    this.show(null);
    if (document.fullscreenElement) void document.exitFullscreen();
  }

  protected override render(): TemplateResult {
    const { place, chapters } = this;
    const [at, of] = counted(place, chapters);
    const [title, step] = place.chapter === "none" ? [this.title, ""] : [titles[place.chapter], strings.steps[place.present]];
    return html`<div class="presenter" role="group" aria-label=${strings.name}>
      <button class="back" aria-disabled=${at === 1} @click=${() => this.move(-1)}>${strings.back}</button>
      <button class="next main" aria-disabled=${at === of} @click=${() => this.move(1)}>${strings.next}</button>
      <p role="status">${strings.place(at, of, title, step)}${this.frozen ? html` <b>${strings.frozen}</b>` : ""}</p>
      <p class="keys">${strings.keys}</p>
      <button class="freeze" aria-pressed=${this.frozen} @click=${() => this.freeze(!this.frozen)}>${this.frozen ? strings.thaw : strings.freeze}</button>
      <button class="full" ?hidden=${!document.fullscreenEnabled} @click=${fill}>${strings.full}</button>
      <button class="leave" @click=${() => this.leave()}>${strings.leave}</button>
    </div>`;
  }

  protected override updated(changed: PropertyValues): void {
    const { chapter, present } = this.place;
    if (!changed.has("view") || this.seat === `${chapter} ${present}`) return;
    this.seat = `${chapter} ${present}`;
    this.freeze(false);
    void during(this.arrive(chapter, present));
  }

  private get place(): Place {
    const { chapter, present } = this.view;
    return { chapter, present: present === "0" ? "1" : present };
  }

  private async arrive(chapter: View["chapter"], present: Place["present"]): Promise<void> {
    if (chapter !== "none") await this.ready();
    if (!this.isConnected || this.seat !== `${chapter} ${present}`) return;
    const slide = document.querySelector<Slide>(chapter === "none" ? "ifm-figure" : `#${chapter}`);
    this.show(slide);
    if (!slide) return;
    slide.focus({ preventScroll: true });
    slide.scrollTo({ top: 0 });
    if (chapter !== "none") await upgraded(slide);
    if (this.shown !== slide || this.seat !== `${chapter} ${present}`) return;
    if (present !== "1" && slide.querySelector(".chapter")?.matches('[data-phase="idle"], [data-phase="stopped"]')) slide.querySelector<HTMLElement>(".go .run")?.click();
  }

  private show(slide: Slide | null): void {
    this.shown?.removeAttribute("data-slide");
    slide?.setAttribute("data-slide", "");
    this.shown = slide;
  }

  private move(by: number): void {
    this.go(moved(this.place, by, this.chapters));
  }

  private go(place: Place): void {
    this.tell("ifm-view", place);
  }

  private leave(): void {
    this.freeze(false);
    this.tell("ifm-view", { present: "0" });
  }

  /** Holds what is shown: a chapter's run goes on behind it, the figure's waits. */
  private freeze(frozen: boolean): void {
    if (frozen === this.frozen) return;
    this.frozen = frozen;
    if (this.place.chapter === "none") this.tell("ifm-run", { run: "figure", command: frozen ? "pause" : "play" });
    else if (this.shown) this.shown.frozen = frozen;
  }

  private readonly clicked = ({ target }: Event): void => {
    const guess = target instanceof Element ? target.closest("[data-guess]") : null;
    const { chapter, present } = this.place;
    if (guess && chapter !== "none" && present === "1" && this.shown?.contains(guess)) this.go({ chapter, present: "run" });
  };

  private readonly key = (event: KeyboardEvent): void => {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element) || target.closest(`${TYPED}, dialog`)) return;
    if (!this.does(key, target)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  private does(key: string, target: Element): boolean {
    const steered = target.closest(STEERED) !== null;
    if (key === "PageDown" || (key === "ArrowRight" && !steered)) this.move(1);
    else if (key === "PageUp" || (key === "ArrowLeft" && !steered)) this.move(-1);
    else if (key === " " && !this.contains(target)) this.freeze(!this.frozen);
    else if (key === "f" || key === "F") fill();
    else if (key === "p" || key === "P" || (key === "Escape" && !document.fullscreenElement)) this.leave();
    else if (/^[1-9]$/.test(key) && !steered && this.place.present === "1") this.shown?.querySelectorAll<HTMLElement>("[data-guess]")[Number(key) - 1]?.click();
    else return false;
    return true;
  }

  private readonly fit = (): void => {
    document.documentElement.style.setProperty("--enlarged", String(Math.max(1, Math.min(innerWidth / DESIGN.width, innerHeight / DESIGN.height))));
  };
}

/** A chapter's script may come with the first sight of it. */
async function upgraded(slide: Slide): Promise<void> {
  await customElements.whenDefined(slide.localName);
  await slide.updateComplete;
}

/** Where the browser refuses, the page stays as it is. */
function fill(): void {
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  done.catch(() => undefined);
}

customElements.define("ifm-presenter", Presenter);
