// What the page shows, as its address has it. Each change says which settings it
// has changed; what follows from that is for who asked.
import { Address, type Kept } from "./address.js";
import type { Shared } from "./groups.js";
import type { State } from "./piece.js";
import { start } from "./site.js";
import { encode, fit, type Notice, type Spec } from "./spec.js";
import { isFrame, readLink, unguessed, writeLink, type Chapter, type Link, type Parts, type View } from "./view.js";

export type Key = keyof Spec;

export class Page implements State {
  spec!: Spec; // the figure's
  tableSpec!: Spec; // spec with own
  own!: Shared; // the table's settings where a run that was opened from the map has others, in the figure alone
  view!: View;
  parts!: Parts;
  notices!: readonly Notice[];

  readonly address: Address;

  /** changed is called when any of it has; file is the place of the reader's file that is open, below 0 where there is none. */
  constructor(
    private readonly changed: () => void,
    file: () => number,
  ) {
    this.address = new Address(file);
    this.take(readLink(start()), this.address.kept.own);
  }

  /** Whether a table's result is all there is. */
  get alone(): boolean {
    return isFrame(this.view) && this.view.chapter === "none" && this.spec.source === "table";
  }

  get query(): string {
    return writeLink(this.spec, this.view, this.parts);
  }

  /** What the reader changes holds for the table too; own are its settings where the change is the figure's alone. */
  change(change: Partial<Spec>, hash = location.hash, own?: Shared): Key[] {
    const keys = Object.keys(change) as Key[];
    const wanted: Spec = { ...this.spec, ...change, source: keys.includes("scenario") ? "synthetic" : this.spec.source };
    const fitted = fit({ ...wanted, source: "synthetic" });
    this.notices = fitted.notices;
    this.view = { ...this.view, chapter: "none" };
    this.settle({ ...fitted.spec, source: wanted.source }, own ?? (Object.fromEntries(Object.entries(this.own).filter(([key]) => !(key in change))) as Shared));
    this.write("push", hash);
    return keys;
  }

  changeView(change: Partial<View>): void {
    this.view = { ...this.view, ...change };
    this.write("replace");
  }

  /** Takes a chapter's own settings, and what was not used of them. */
  changePart(chapter: Chapter, query: string, notices: readonly Notice[]): void {
    const moves = unguessed(query) !== unguessed(this.parts[chapter] ?? ""); // a guess is not taken back
    this.parts = { ...this.parts, [chapter]: query };
    if (notices.length === 0) Object.assign(this, { view: { ...this.view, chapter }, notices });
    else this.notices = [...this.notices.filter(({ message }) => !notices.some((notice) => notice.message === message)), ...notices]; // of the link, and each chapter's
    this.write(moves && notices.length === 0 ? "push" : "replace");
  }

  /** Takes the settings of several chapters, and of the homework, at once: as a change that can be taken back, or as what the address says. */
  changeParts(parts: Parts, how: "push" | "replace"): void {
    this.parts = { ...this.parts, ...parts };
    this.write(how);
  }

  /** Takes a table's settings: the address is the table's now, and has room for one run. Its figure has changed in what is returned. */
  changeTable(spec: Spec, sample: View["sample"], how: "push" | "replace"): Key[] {
    const own = Object.keys(this.own) as Key[];
    this.settle({ ...spec, ...this.own, source: "table" });
    this.view = { ...this.view, sample };
    this.write(how);
    return own;
  }

  /** Shows what another address says. */
  show(link: Link, { own }: Kept): Key[] {
    const { spec } = this;
    const same = encode(spec) === encode(link.spec); // a link within the page
    this.take(link, own ?? (same ? this.own : {}));
    this.address.keep({ own: this.own });
    return (Object.keys(link.spec) as Key[]).filter((key) => JSON.stringify(spec[key]) !== JSON.stringify(link.spec[key]));
  }

  note(notices: readonly Notice[]): void {
    this.notices = notices;
    this.changed();
  }

  write(how: "push" | "replace", hash = location.hash): void {
    this.address.move(isFrame(this.view) ? "replace" : how, this.query, this.own, hash);
    this.changed();
  }

  private take({ spec, view, parts, notices }: Link, own: Shared = {}): void {
    Object.assign(this, { view, parts, notices });
    this.settle(spec, own);
  }

  private settle(spec: Spec, own: Shared = {}): void {
    this.spec = spec;
    this.own = own;
    this.tableSpec = Object.keys(own).length > 0 ? { ...spec, ...own } : spec;
  }
}
