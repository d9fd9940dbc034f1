// The parts of the page that are scripts of their own, loaded when they come
// near or are wanted, and the way to what is in them.
import type { LitElement } from "lit";
import { during, turn } from "../engine/pending.js";
import { seen } from "../panel/panel.js";
import { REDRAW } from "../training/runs.js";

export type Part = "table" | "lesson";

export class Later {
  readonly lost = new Set<Part>(); // what could not be loaded
  private readonly loads = new Map<Part, Promise<void>>();
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(private readonly page: LitElement) {}

  /** Loads a part when the element comes near that it draws. */
  async watch(part: Part): Promise<void> {
    const element = this.page.querySelector(`#${part}`);
    if (!element) return;
    await seen(element, "60% 0px");
    await this.load(part);
  }

  /** Resolves when a part is there, or cannot be. */
  load(part: Part): Promise<void> {
    const asked = this.loads.get(part);
    if (asked) return asked;
    const loaded = during(part === "lesson" ? import("../lesson/section.js") : import("../table/table.js")).then(
      () => undefined,
      () => {
        this.lost.add(part);
        this.page.requestUpdate();
      },
    );
    this.loads.set(part, loaded);
    return loaded;
  }

  /** Moves focus and view to what is in a part. */
  goTo(selector: string, part: Part): void {
    void this.load(part).then(() => this.goDown(selector));
  }

  /** Moves focus and view to what has just appeared. */
  async goDown(selector: string): Promise<void> {
    await this.drawn();
    const element = this.page.querySelector<HTMLElement>(selector);
    if (parent !== window && !navigator.userActivation?.hasBeenActive) return scrollTo(0, scrollY + (element?.getBoundingClientRect().top ?? 0)); // the page around stays where its reader is
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "start", behavior: this.still.matches ? "auto" : "smooth" });
  }

  /** Goes back to how far the page was scrolled, px, once it is as high as it was. */
  async goBack(y: number): Promise<void> {
    await this.drawn();
    scrollTo({ top: y, behavior: "instant" });
  }

  /** Resolves once the panels are drawn, which they are with the next redraw. */
  private async drawn(): Promise<void> {
    await this.page.updateComplete;
    await turn(REDRAW + 20);
  }
}
