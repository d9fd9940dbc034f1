// What the page shows, as its address has it, and what the history keeps beside it. A
// change returns the keys of the settings that it has changed.
import type { Shared } from "./groups.js";
import type { State } from "./piece.js";
import { search, start } from "./site.js";
import { encode, fit, type Notice, type Spec } from "./spec.js";
import { isFrame, readLink, unguessed, writeLink, type Chapter, type Link, type Parts, type View } from "./view.js";

export type Key = keyof Spec;

/** What the history keeps beside an address. */
export interface HistoryEntry {
  readonly tableOverrides?: Shared;
  readonly y?: number; // px, how far the page was scrolled
  readonly depth?: number; // changes of this visit before it
  readonly file?: number; // the reader's file that was open, by its place among those of this visit
}

export class Page implements State {
  spec!: Spec; // the figure's
  tableSpec!: Spec; // spec with tableOverrides
  tableOverrides!: Shared; // the table's settings, where a run from the map is in the figure alone
  view!: View;
  parts!: Parts;
  notices!: readonly Notice[];

  private unwritten: string | undefined; // the query, where the address cannot be written

  /** file is the place of the reader's file that is open, below 0 where there is none. */
  constructor(
    private readonly changed: () => void,
    private readonly file: () => number,
  ) {
    this.take(readLink(start()), this.entry.tableOverrides);
  }

  get entry(): HistoryEntry {
    return (history.state as HistoryEntry | null) ?? {};
  }

  /** Whether there is a change of this visit to take back. */
  get canUndo(): boolean {
    return (this.entry.depth ?? 0) > 0;
  }

  get addressQuery(): string {
    return this.unwritten ?? start();
  }

  /** Whether nothing but a table's result is shown. */
  get isTableFrame(): boolean {
    return isFrame(this.view) && this.view.chapter === "none" && this.spec.source === "table";
  }

  get query(): string {
    return writeLink(this.spec, this.view, this.parts);
  }

  /** Changes the figure and the table, or, where the table's settings are given, the figure alone. */
  change(change: Partial<Spec>, hash = location.hash, tableOverrides?: Shared): Key[] {
    const keys = Object.keys(change) as Key[];
    const source = keys.includes("scenario") ? "synthetic" : this.spec.source;
    const { spec, notices } = fit({ ...this.spec, ...change, source: "synthetic" });
    Object.assign(this, { notices, view: { ...this.view, chapter: "none" } });
    this.settle({ ...spec, source }, tableOverrides ?? Object.fromEntries(Object.entries(this.tableOverrides).filter(([key]) => !(key in change))));
    this.write("push", hash);
    return keys;
  }

  changeView(change: Partial<View>): void {
    this.view = { ...this.view, ...change };
    this.write("replace");
  }

  /** notices say what was not used of a chapter's settings. */
  changePart(chapter: Chapter, query: string, notices: readonly Notice[]): void {
    const moves = unguessed(query) !== unguessed(this.parts[chapter] ?? ""); // a guess is not taken back
    this.parts = { ...this.parts, [chapter]: query };
    if (notices.length === 0) Object.assign(this, { view: { ...this.view, chapter }, notices });
    else this.notices = [...this.notices.filter(({ message }) => !notices.some((notice) => notice.message === message)), ...notices]; // of the link, and each chapter's
    this.write(moves && notices.length === 0 ? "push" : "replace");
  }

  changeParts(parts: Parts, how: "push" | "replace"): void {
    this.parts = { ...this.parts, ...parts };
    this.write(how);
  }

  /** The address has room for one run, which is the table's now: returns what that changes of the figure. */
  changeTable(spec: Spec, sample: View["sample"], how: "push" | "replace"): Key[] {
    const keys = Object.keys(this.tableOverrides) as Key[];
    this.settle({ ...spec, ...this.tableOverrides, source: "table" });
    this.view = { ...this.view, sample };
    this.write(how);
    return keys;
  }

  show(link: Link, { tableOverrides }: HistoryEntry): Key[] {
    const { spec } = this;
    const same = encode(spec) === encode(link.spec); // a link within the page
    this.take(link, tableOverrides ?? (same ? this.tableOverrides : {}));
    this.keep({ tableOverrides: this.tableOverrides });
    return (Object.keys(link.spec) as Key[]).filter((key) => JSON.stringify(spec[key]) !== JSON.stringify(link.spec[key]));
  }

  note(notices: readonly Notice[]): void {
    this.notices = notices;
    this.changed();
  }

  write(how: "push" | "replace", hash = location.hash): void {
    this.move(isFrame(this.view) ? "replace" : how, this.query, hash);
    this.changed();
  }

  /** Keeps more beside the address as it is. */
  keep(more: HistoryEntry): void {
    this.putEntry("replace", { ...this.entry, ...more });
  }

  /** Makes this the address, as a change that can be taken back or in place of the one before. */
  move(how: "push" | "replace", query: string, hash: string): void {
    const { entry, tableOverrides } = this;
    const target = `${location.pathname}${search(query)}${hash}`;
    const moves = target !== `${location.pathname}${location.search}${location.hash}`;
    const written = moves && how === "push" ? this.putEntry("push", { tableOverrides, depth: (entry.depth ?? 0) + 1 }, target) : this.putEntry("replace", { ...entry, tableOverrides }, target);
    this.unwritten = written ? undefined : query;
  }

  /** Resolves when the last change is taken back. */
  undo(): Promise<void> {
    return new Promise((resolve) => {
      addEventListener("popstate", () => resolve(), { once: true });
      history.back();
    });
  }

  private putEntry(how: "push" | "replace", entry: HistoryEntry, address?: string): boolean {
    const file = entry.file ?? this.file();
    try {
      history[`${how}State`](file < 0 ? entry : { ...entry, file }, "", address);
      return true;
    } catch {
      return false; // a sandboxed frame may not write its address
    }
  }

  private take({ spec, view, parts, notices }: Link, tableOverrides?: Shared): void {
    Object.assign(this, { view, parts, notices });
    this.settle(spec, tableOverrides);
  }

  private settle(spec: Spec, tableOverrides: Shared = {}): void {
    Object.assign(this, { spec, tableOverrides, tableSpec: Object.keys(tableOverrides).length > 0 ? { ...spec, ...tableOverrides } : spec });
  }
}
