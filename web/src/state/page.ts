// What the page shows, as its address has it, and what the history keeps beside it.
// Each place has settings of its own, and the address holds those of the place that is shown.
import { drawing, forFigure } from "./groups.js";
import { here, type State } from "./piece.js";
import { search, start } from "./site.js";
import { encode, fit, initial, pick, type Notice, type Spec } from "./spec.js";
import { chapters, isFrame, placeOf, readLink, unguessed, writeLink, type Chapter, type Link, type Parts, type Place, type View } from "./view.js";

export type Key = keyof Spec;

/** What the history keeps beside an address. */
export interface HistoryEntry {
  readonly y?: number; // px, how far the page was scrolled when it was left
  readonly depth?: number; // changes of this visit before it
  readonly file?: number; // the reader's file that was open, by its place among those of this visit
}

export class Page implements State {
  place!: Place;
  figureSpec!: Spec;
  tableSpec!: Spec;
  view!: View; // its chapter and sample are those shown, or shown last
  parts!: Parts;
  atHomework = false; // the lesson shows the homework in place of a chapter
  notices!: readonly Notice[];

  private unwritten: string | undefined; // the query, where the address cannot be written

  /** file is the place of the reader's file that is open, below 0 where there is none. */
  constructor(
    private readonly changed: () => void,
    private readonly file: () => number,
  ) {
    const { spec, view, parts, notices } = readLink(start());
    Object.assign(this, { figureSpec: forFigure(spec), tableSpec: spec, view, parts, notices });
    this.turnTo(placeOf(spec, view, parts, location.hash), location.hash);
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

  get isTableFrame(): boolean {
    return isFrame(this.view) && this.place === "table";
  }

  /** The chapter that is shown; "none" where none is. */
  get chapter(): View["chapter"] {
    return this.place === "lesson" && !this.atHomework ? this.view.chapter : "none";
  }

  get query(): string {
    return this.queryOf(this.place);
  }

  /** The query of a place as it is now. */
  queryOf(place: Place): string {
    const { spec, view, parts } = here({ ...this, place });
    return writeLink(spec, view, parts);
  }

  /** The address of a place as it is now. */
  addressOf(place: Place): string {
    return `${location.pathname}${search(this.queryOf(place))}`;
  }

  /** Changes the settings of the table where it is shown, else the figure's. */
  change(change: Partial<Spec>): Key[] {
    const which = this.place === "table" ? "tableSpec" : "figureSpec";
    const { source } = this[which];
    const { spec, notices } = fit({ ...this[which], ...change, source: "synthetic" });
    Object.assign(this, { notices, [which]: { ...spec, source } });
    this.write("push");
    return Object.keys(change) as Key[];
  }

  changeView(change: Partial<View>): void {
    this.view = { ...this.view, ...change };
    this.write("replace");
  }

  /** notices say what was not used of a chapter's settings. */
  changePart(chapter: Chapter, query: string, notices: readonly Notice[]): void {
    const moves = unguessed(query) !== unguessed(this.parts[chapter] ?? ""); // a guess is not taken back
    this.parts = { ...this.parts, [chapter]: query };
    this.notices = notices.length === 0 ? [] : [...this.notices.filter(({ message }) => !notices.some((notice) => notice.message === message)), ...notices]; // of the link, and each chapter's
    this.write(moves && notices.length === 0 ? "push" : "replace");
  }

  changeParts(parts: Parts, how: "push" | "replace"): void {
    this.parts = { ...this.parts, ...parts };
    this.write(how);
  }

  /** Another table, or its settings. */
  changeTable(spec: Spec, sample: View["sample"], how: "push" | "replace"): void {
    this.tableSpec = { ...spec, source: "table" };
    this.view = { ...this.view, sample };
    this.write(this.place === "table" ? how : "replace", true); // another file may have the same settings
  }

  /** Shows a place as it was left, and a chapter of the lesson. */
  visit(place: Place, chapter?: Chapter | "homework"): void {
    this.leave();
    this.turnTo(place, chapter === "homework" ? "#homework" : `#${chapter ?? this.view.chapter}`);
    this.write("push");
  }

  /** Keeps how far the page is scrolled, for who comes back. */
  leave(): void {
    this.putEntry("replace", { ...this.entry, y: scrollY });
  }

  /** Takes what a link says of its place; what it says nothing of stays. Returns what that changes of the figure or the table. */
  show({ spec, view, parts, notices }: Link, hash: string): Key[] {
    const place = placeOf(spec, view, parts, hash);
    const { figureSpec, tableSpec } = this;
    const isDrawn = encode({ ...initial, ...pick(spec, drawing) }) !== "";
    if (place === "figure" || isDrawn) this.figureSpec = forFigure(spec); // a link of earlier versions holds the settings of both
    if (place === "table") this.tableSpec = spec;
    if (place === "lesson") this.parts = parts;
    const { chapter, sample } = this.view;
    this.view = { ...view, chapter: place === "lesson" && view.chapter !== "none" ? view.chapter : chapter, sample: place === "table" ? view.sample : sample };
    this.notices = notices;
    this.turnTo(place, hash);
    const differs = (one: Spec, other: Spec): Key[] => (Object.keys(one) as Key[]).filter((key) => JSON.stringify(one[key]) !== JSON.stringify(other[key]));
    return [...differs(figureSpec, this.figureSpec), ...differs(tableSpec, this.tableSpec)];
  }

  private turnTo(place: Place, hash: string): void {
    const named = chapters.find((name) => hash === `#${name}`) ?? this.view.chapter;
    this.place = place;
    this.atHomework = place === "lesson" && (/^#(homework$|handin=)/.test(hash) || (named === "none" && Boolean(this.parts.homework)));
    if (place === "lesson") this.view = { ...this.view, chapter: named === "none" ? chapters[0] : named };
    if (place === "table" || this.atHomework) this.view = { ...this.view, present: "0" }; // there is no slide of them
  }

  note(notices: readonly Notice[]): void {
    this.notices = notices;
    this.changed();
  }

  /** Makes this the address, as a change that can be taken back or in place of the one before. other: it is one even if the address is the same. */
  write(how: "push" | "replace", other = false): void {
    const { entry, query } = this;
    const isHandIn = this.atHomework && location.hash.startsWith("#handin=");
    const hash = isFrame(this.view) || isHandIn ? location.hash : this.atHomework ? "#homework" : "";
    const target = `${location.pathname}${search(query)}${hash}`;
    const moves = target !== `${location.pathname}${location.search}${location.hash}`;
    const pushes = (moves || other) && how === "push" && !isFrame(this.view);
    const written = pushes ? this.putEntry("push", { depth: (entry.depth ?? 0) + 1 }, target) : this.putEntry("replace", entry, target);
    this.unwritten = written ? undefined : query;
    this.changed();
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
}
