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

  async drawn(section: Section): Promise<void> {
    await this.load(section);
    await this.redrawn();
  }

  /** Loads a script together with its imports, which the page's element names, not one after another. */
  private preload(what: "lesson" | "vtec"): void {
    for (const href of this.page.getAttribute(what)?.split(" ") ?? []) document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  }

  /** Brings a place of the lesson, a chapter's title and question first. Moves view and focus there, unless in a frame. */
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

  goTo(selector: string, section: Section): void {
    void this.load(section).then(() => this.goDown(selector));
  }

  async goDown(selector: string): Promise<void> {
    await this.redrawn();
    const element = this.page.querySelector<HTMLElement>(selector);
    if (!element) return;
    if (!isGuest()) element.focus({ preventScroll: true });
    arriveAt(element, this.still.matches ? "auto" : "smooth");
  }

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
