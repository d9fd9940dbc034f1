// The parts of the page that are scripts of their own, loaded when they come
// near or are wanted.
import { during } from "../engine/pending.js";
import { seen } from "../panel/panel.js";

export type Part = "table" | "lesson";

export class Later {
  readonly lost = new Set<Part>(); // what could not be loaded
  private readonly loads = new Map<Part, Promise<void>>();

  /** failed is called when a part cannot be loaded. */
  constructor(private readonly failed: () => void) {}

  /** Loads a part when the element comes near that it draws. */
  async watch(part: Part, element: Element | null): Promise<void> {
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
        this.failed();
      },
    );
    this.loads.set(part, loaded);
    return loaded;
  }
}
