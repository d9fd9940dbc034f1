// The address of what is shown, and what the history keeps beside each.
import type { Shared } from "./groups.js";
import { search, start } from "./site.js";

/** What the history keeps beside an address. */
export interface Kept {
  readonly own?: Shared;
  readonly y?: number; // px, how far the page was scrolled when a run of the map was opened
  readonly depth?: number; // how many changes of this visit lie before it
  readonly file?: number; // the reader's file that was open then, by its place among those of this visit
}

export class Address {
  private unwritten: string | undefined; // the query, where it cannot be written

  /** place is that of the reader's file that is open, below 0 where there is none. */
  constructor(private readonly place: () => number) {}

  get kept(): Kept {
    return (history.state as Kept | null) ?? {};
  }

  /** Whether there is a change of this visit to take back. */
  get goesBack(): boolean {
    return (this.kept.depth ?? 0) > 0;
  }

  /** The query of the address, also where it could not be written. */
  get query(): string {
    return this.unwritten ?? start();
  }

  /** Keeps more beside the address as it is. */
  keep(what: Kept): void {
    this.write("replace", { ...this.kept, ...what });
  }

  /** Makes this the address: as a change that can be taken back, where it is one, or in place of the one before. */
  move(how: "push" | "replace", query: string, own: Shared, hash = location.hash): void {
    const { kept } = this;
    const target = `${location.pathname}${search(query)}${hash}`;
    const moves = target !== `${location.pathname}${location.search}${location.hash}`;
    const written = moves && how === "push" ? this.write("push", { own, depth: (kept.depth ?? 0) + 1 }, target) : this.write("replace", { ...kept, own }, target);
    this.unwritten = written ? undefined : query;
  }

  private write(how: "push" | "replace", what: Kept, address?: string): boolean {
    const file = what.file ?? this.place();
    try {
      history[`${how}State`](file < 0 ? what : { ...what, file }, "", address);
      return true;
    } catch {
      return false; // a sandboxed frame may not write its address
    }
  }

  /** Takes the last change back, as the browser's Back does. Resolves when it is. */
  back(): Promise<void> {
    return new Promise((resolve) => {
      addEventListener("popstate", () => resolve(), { once: true });
      history.back();
    });
  }
}
