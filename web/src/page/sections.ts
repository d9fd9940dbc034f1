// The sections of the page that are scripts of their own, loaded when they come
// near or are wanted, and the way to what is in them.
import type { LitElement } from "lit";
import { during, turn } from "../engine/pending.js";
import { seen } from "../panel/panel.js";
import { REDRAW } from "../training/runs.js";

export type Section = "table" | "lesson" | "present";

const scripts: Readonly<Record<Section, () => Promise<unknown>>> = {
  table: () => import("../table/table.js"),
  lesson: () => import("../lesson/section.js"),
  present: () => import("../present/presenter.js"),
};

export class Sections {
  readonly lost = new Set<Section>(); // what could not be loaded
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

  /** Resolves when one is there, or cannot be. */
  load(section: Section): Promise<void> {
    const asked = this.loads.get(section);
    if (asked) return asked;
    if (section === "lesson") during(document.fonts.load("1em Formulas")).catch(() => undefined); // beside the script, so that no formula changes its height
    const loaded = during(scripts[section]()).then(
      () => undefined,
      () => {
        this.lost.add(section);
        this.page.requestUpdate();
      },
    );
    this.loads.set(section, loaded);
    return loaded;
  }

  /** Resolves when one is drawn, or cannot be. */
  async drawn(section: Section): Promise<void> {
    await this.load(section);
    await this.redrawn();
  }

  /** Moves focus and view to what is in one. */
  goTo(selector: string, section: Section): void {
    void this.load(section).then(() => this.goDown(selector));
  }

  /** Moves focus and view to what has just appeared. */
  async goDown(selector: string): Promise<void> {
    await this.redrawn();
    const element = this.page.querySelector<HTMLElement>(selector);
    if (parent !== window && !navigator.userActivation?.hasBeenActive) return scrollTo(0, scrollY + (element?.getBoundingClientRect().top ?? 0)); // the page around stays where its reader is
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "start", behavior: this.still.matches ? "auto" : "smooth" });
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
