// The sections of the page that are scripts of their own, loaded when they come
// near or are wanted, and the way to what is in them.
import type { LitElement } from "lit";
import { during, turn } from "../engine/pending.js";
import { arriveAt, isGuest } from "../panel/arrival.js";
import { seen } from "../panel/panel.js";
import { script } from "../panel/script.js";
import { chapters, type Chapter } from "../state/view.js";
import { REDRAW } from "../training/runs.js";

export type Section = "table" | "lesson" | "present";

const scripts: Readonly<Record<Section, () => Promise<unknown>>> = {
  table: () => import("../table/table.js"),
  lesson: () => import("../lesson/section.js"),
  present: () => import("../present/presenter.js"),
};

export class Sections {
  readonly lost = new Set<Section>(); // what has not come, and is asked for again
  coming: Chapter | null = null; // a chapter whose script is on its way
  private readonly loads = new Map<Section, Promise<void>>();
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(private readonly page: LitElement) {}

  /** Loads one when the element comes near that it draws. */
  async watch(section: Section): Promise<void> {
    const element = this.page.querySelector(`#${section}`);
    if (!element) return;
    await seen(element, "60% 0px");
    await this.load(section);
  }

  /** Resolves when one is there, or has not come at the first try. */
  load(section: Section): Promise<void> {
    const asked = this.loads.get(section);
    if (asked) return asked;
    if (section === "lesson") {
      this.preload("lesson");
      during(document.fonts.load("1em Formulas")).catch(() => undefined); // beside the script, so that no formula changes its height
    }
    const loaded = new Promise<void>((resolve) => {
      const lost = (is: boolean): void => {
        if (is) this.lost.add(section);
        else this.lost.delete(section);
        this.page.requestUpdate();
        resolve();
      };
      void script(scripts[section], lost).then(() => resolve());
    });
    this.loads.set(section, loaded);
    return loaded;
  }

  /** Resolves when one is drawn, or has not come. */
  async drawn(section: Section): Promise<void> {
    await this.load(section);
    await this.redrawn();
  }

  /** Has a script come together with those that it imports, which the page's element names, and not one after the other. */
  private preload(what: "lesson" | "vtec"): void {
    for (const href of this.page.getAttribute(what)?.split(" ") ?? []) document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  }

  /** Brings a place of the lesson, and a chapter's title and question at once. Moves view and focus to it unless nothing else is to be seen. */
  lead(place: string, inFrame: boolean): Promise<void> {
    return during(this.bring(place, inFrame));
  }

  private async bring(place: string, inFrame: boolean): Promise<void> {
    const chapter = chapters.find((name) => place === `#${name}`) ?? null;
    const wanted: Promise<unknown>[] = [this.load("lesson")];
    if (chapter === "vtec") {
      this.preload("vtec");
      wanted.push(import("../lesson/vtec/chapter.js"));
    }
    if (chapter && !customElements.get("ifm-lesson")) await this.turnTo("ifm-coming", chapter, inFrame);
    await Promise.allSettled(wanted); // what could not be loaded says so in its place
    await this.turnTo(place, null, inFrame);
    if (!inFrame) await this.goDown(place);
  }

  /** Draws what stands for the lesson now, and puts it where the reader looks before anything is painted. */
  private async turnTo(selector: string, coming: Chapter | null, inFrame: boolean): Promise<void> {
    this.coming = coming;
    this.page.requestUpdate();
    await this.page.updateComplete;
    const element = this.page.querySelector<Element & Partial<LitElement>>(selector);
    await element?.updateComplete;
    if (!inFrame && element) arriveAt(element, "instant");
  }

  /** Moves focus and view to what is in one. */
  goTo(selector: string, section: Section): void {
    void this.load(section).then(() => this.goDown(selector));
  }

  /** Moves focus and view to what has just appeared. */
  async goDown(selector: string): Promise<void> {
    await this.redrawn();
    const element = this.page.querySelector<HTMLElement>(selector);
    if (!element) return;
    if (!isGuest()) element.focus({ preventScroll: true });
    arriveAt(element, this.still.matches ? "auto" : "smooth");
  }

  /** Goes back to how far the page was scrolled, px, once it is as high as it was. */
  async goBack(y: number): Promise<void> {
    await this.redrawn();
    scrollTo({ top: y, behavior: "instant" });
  }

  /** Resolves once the panels are drawn, which they are with the next redraw. */
  private async redrawn(): Promise<void> {
    await this.page.updateComplete;
    await turn(REDRAW + 20);
  }
}
