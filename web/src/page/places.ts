// The places of the page whose scripts come when they are shown, and the presenter's.
import type { LitElement } from "lit";
import { during, turn } from "../engine/pending.js";
import { script } from "../panel/script.js";
import type { Chapter } from "../state/view.js";
import { REDRAW } from "../training/runs.js";

export type Part = "figure" | "table" | "lesson" | "present";

const scripts: Readonly<Record<Part, () => Promise<unknown>>> = {
  figure: () => Promise.resolve(),
  table: () => import("../table/table.js"),
  lesson: () => import("../lesson/section.js"),
  present: () => import("../present/presenter.js"),
};

export class Places {
  readonly lost = new Set<Part>(); // what has not come, and is asked for again
  private readonly loads = new Map<Part, Promise<void>>();

  constructor(private readonly page: LitElement) {}

  /** Resolves when one is there, or has not come at the first try. */
  load(part: Part): Promise<void> {
    const asked = this.loads.get(part);
    if (asked) return asked;
    if (part === "lesson") {
      this.preload("lesson");
      during(document.fonts.load("1em Formulas")).catch(() => undefined); // beside the script, so that no formula changes its height
    }
    const loaded = new Promise<void>((resolve) => {
      const lost = (is: boolean): void => {
        if (is) this.lost.add(part);
        else this.lost.delete(part);
        this.page.requestUpdate();
        resolve();
      };
      void script(scripts[part], lost).then(() => lost(false)); // what stands for it until then goes
    });
    this.loads.set(part, loaded);
    return loaded;
  }

  /** The script of a chapter that has one of its own, beside the lesson's. */
  loadChapter(chapter: Chapter): void {
    if (chapter !== "vtec") return;
    this.preload("vtec");
    during(import("../lesson/vtec/chapter.js")).catch(() => undefined); // the lesson asks for it again
  }

  /** Resolves when one is there and drawn. */
  async drawn(part: Part): Promise<void> {
    await this.load(part);
    await this.page.updateComplete;
    await turn(REDRAW + 20);
  }

  /** Loads a script together with its imports, which the page's element names, not one after another; once. */
  private preload(what: "lesson" | "vtec"): void {
    for (const href of this.page.getAttribute(what)?.split(" ") ?? []) {
      if (!document.head.querySelector(`link[href="${href}"]`)) document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
    }
  }
}
