// What the page does: settings change, runs and tables follow. The look of it is
// app.ts's.
import type { LitElement } from "lit";
import type { Inside, Shown } from "../embed/frame.js";
import type { Command as Steer, Scheme } from "../embed/messages.js";
import { absent, EngineFailure, isAbsent, unusable } from "../engine/engine.js";
import { during } from "../engine/pending.js";
import type { Pool } from "../engine/pool.js";
import type { ModelFile } from "../engine/protocol.js";
import { withChoices, withoutChoices } from "../file/guess.js";
import { waitsFor } from "../file/loaded.js";
import { Loader, type Wanted } from "../file/loader.js";
import { opening } from "../file/strings.js";
import type { Named, Sweep } from "../lesson/sweep/sweep.js";
import type { Chosen } from "../panel/choice.js";
import type { Joining } from "../panel/events.js";
import { Leave } from "../panel/leave.js";
import { isGuest } from "../panel/panel.js";
import { problems } from "../panel/strings.js";
import { drawing, forFigure, reading, shared, tableQuery } from "../state/groups.js";
import { Page, type HistoryEntry, type Key } from "../state/page.js";
import { isOwn } from "../state/piece.js";
import { start } from "../state/site.js";
import { encode, pick, type Notice, type Spec } from "../state/spec.js";
import { chapters, isFrame, isSlide, rate, readLink, type Chapter, type Link, type Place, type View } from "../state/view.js";
import type { Phrase } from "../text/phrase.js";
import { Runs, type Order, type Stage } from "../training/runs.js";
import type { Command, Run, Training } from "../training/training.js";
import { pageTitle } from "./layout.js";
import { Opening } from "./opening.js";
import { Places } from "./places.js";

const FIGURE: readonly Key[] = [...drawing, ...shared];

const STAGED = { scenario: "psd" } as const;

export class Lab implements Inside, Stage {
  readonly page: Page;
  readonly runs: Runs;
  readonly loader: Loader;
  readonly places: Places;
  readonly given = start();
  readonly opening = new Opening(this.given, () => this.runs.renew());
  sky: File | null = null; // the reader's, of the chapter on vTEC
  handed: readonly File[] = [];
  swept: Sweep | null = null;

  private readonly idle: Training; // the figure's run before it has begun
  private around: Scheme = "auto"; // of the page around
  private eager = false; // the table is trained as soon as it can be
  private missed: (() => void) | null = null; // what is done again where a file of the page did not come
  private arriving = false; // at the place of the table, for a table that is on its way

  private readonly leave = new Leave();
  private readonly saved = new WeakSet<ModelFile["bytes"]>(); // of models, in any form

  private readonly dark = matchMedia("(prefers-color-scheme: dark)");
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(
    private readonly element: LitElement,
    private readonly pool: Pool,
    private readonly ionospherePool: Pool,
  ) {
    const changed = (): void => element.requestUpdate();
    this.page = new Page(changed, () => this.loader.place);
    this.places = new Places(element);
    this.runs = new Runs(pool, this);
    this.idle = this.runs.now.figure;
    this.loader = new Loader(pool, changed, () => this.lead("table", "#file-error"));
    this.dark.addEventListener("change", () => this.paint());
    this.still.addEventListener("change", changed);
    addEventListener("online", () => this.retry());
    addEventListener("popstate", () => this.show(readLink(this.page.addressQuery), location.hash, this.page.entry));
  }

  /** Does again what failed because a file of the page did not come. */
  private retry(): void {
    const { loader, runs, missed } = this;
    const { failed, planError } = loader.loaded;
    this.missed = null;
    if (isAbsent(runs.now.figure.error)) runs.renew();
    if (isAbsent(failed?.error)) missed?.();
    else if (isAbsent(planError)) void this.plan();
    else if (isAbsent(runs.now.table.error)) this.trainTable();
  }

  start(): void {
    const { page } = this;
    history.scrollRestoration = "manual"; // a place is as high as it will be only once it is drawn
    this.paint();
    page.write("replace");
    if (page.place !== "figure") this.opening.end();
    this.arrive();
    this.openNamed();
  }

  /** Brings what the place that is shown needs. */
  private arrive(): void {
    const { place, chapter } = this.page;
    if (chapter !== "none") this.places.loadChapter(chapter);
    void this.places.load(place);
    void this.watch();
  }

  /** Opens the built-in table of a link once its place is shown. */
  private openNamed(): void {
    const { place, view } = this.page;
    if (place === "table" && view.sample !== "none" && !this.loader.opened && !this.loader.loaded.reading) void this.open({ sample: view.sample, again: true, train: true });
  }

  /** Follows a link within the page. One that names a chapter alone leaves all settings as they are. */
  follow({ search, hash }: URL): void {
    const chapter = chapters.find((name) => search === `?chapter=${name}`);
    if (chapter) return this.lead("lesson", "#main", chapter);
    this.page.leave();
    this.show(readLink(search), hash, {}, "push");
    void this.turnTo("#main");
  }

  /** Shows a place as it was left, and leads to what in it a selector names. */
  lead(place: Place, selector = "#main", chapter?: Chapter | "homework"): void {
    const { page } = this;
    if (page.place !== place || (chapter !== undefined && page.chapter !== chapter)) {
      page.visit(place, chapter);
      if (place !== "figure") this.close();
      this.paint();
      this.arrive();
      if (!this.arriving) this.openNamed();
    }
    void this.turnTo(selector);
  }

  /** Moves the view and the focus to something, once it is there. */
  private async turnTo(selector: string): Promise<void> {
    if (isFrame(this.page.view)) return;
    if (selector === "#main") scrollTo({ top: 0, behavior: "instant" });
    else await this.places.drawn(this.page.place);
    await this.element.updateComplete;
    const element = this.element.querySelector<HTMLElement>(selector);
    if (!element || isGuest()) return;
    element.focus({ preventScroll: true });
    if (selector !== "#main") element.scrollIntoView({ block: "nearest", behavior: this.isStill ? "instant" : "smooth" });
  }

  /** Another split asks again what validation rows choose of columns. */
  change(change: Partial<Spec>): void {
    const staged = FIGURE.some((key) => key in change) && this.opening.end();
    const split = "split" in change || "by" in change ? withoutChoices(this.page.tableSpec, this.loader.loaded.plan) : {};
    this.react(this.page.change({ ...(staged ? STAGED : {}), ...split, ...change }), true);
  }

  /** Trains the table with other settings, once nothing is open that changes its numbers. */
  train(change: Partial<Spec>): void {
    this.eager = true;
    if (change.target !== undefined) this.loader.confirm();
    this.change(change);
  }

  changeView(change: Partial<View>): void {
    if (change.speed || change.scale || change.ghost) this.adopt();
    const { page } = this;
    const { chapter = change.present === "1" ? page.chapter : undefined, ...others } = change;
    if (chapter === "none" && page.place !== "figure") this.lead("figure");
    else if (chapter && chapter !== "none" && chapter !== page.chapter) this.lead("lesson", "#main", chapter);
    page.changeView(others); // after the place: that before keeps its own view in the history
    this.paint();
    if (change.speed) this.runs.pace();
  }

  /** Shows a run in the figure. */
  openRun(wanted: Spec): void {
    this.opening.end();
    this.lead("figure");
    this.react(this.page.change(pick(wanted, FIGURE)));
  }

  command(run: Run, command: Command): void {
    if (run === "figure") this.adopt();
    if (run !== "table" || command !== "again") return this.runs.command(run, command);
    if (this.isTableFrame) return this.trainTable();
    const { loaded } = this.loader;
    this.eager = true;
    if (waitsFor(loaded) === "answers") return this.lead("table", "#asked");
    if (loaded.reading) return this.loader.trainWhenRead();
    if (this.loader.misread(this.page.tableSpec)) return this.readAgain();
    this.trainTable();
  }

  sample(sample: View["sample"], again = false): void {
    if (sample !== "none") void this.open({ sample, again });
  }

  async take(file: File, all: readonly File[] = [file]): Promise<void> {
    this.missed = () => void this.take(file, all);
    const kind = await during(import("../file/kind.js")).then(({ kindOf }) => during(kindOf(file)), () => null);
    switch (kind) {
      case null:
        return this.loader.refuse(file.name, absent(problems.notThere(file.name)));
      case "hand-in":
        this.handed = all;
        this.element.requestUpdate();
        return this.lead("lesson", "#main", "homework");
      case "sweep":
        return this.openSweep(file);
      case "sky":
        this.look(file);
        return this.lead("lesson", "#main", "vtec");
      case "model":
        if (await this.loader.openModel(file)) this.lead("table", "#saved-title");
        return;
      case "table":
        this.loader.supersedeSamples();
        this.visitTable();
        if (all.length < 2 && (await this.offers(file))) return;
        await this.open({ file, sample: "none", note: all.length > 1 ? opening.twoFiles : "" });
        await this.offers(all[1]);
    }
  }

  /** Asks what becomes of a file whose columns are those of the reader's open table. */
  private async offers(file: File | undefined): Promise<boolean> {
    const { table } = this.loader.loaded;
    if (!file || !table || this.page.view.sample !== "none") return false;
    const is = await during(import("../file/second.js")).then(({ resembles }) => during(resembles(file, table)), () => false);
    if (is) this.loader.update({ offered: file, failed: null });
    if (is) this.lead("table", "#second");
    return is;
  }

  async join(as: Joining): Promise<void> {
    const { opened, loaded } = this.loader;
    const { offered } = loaded;
    const again = { sample: "none", again: true, train: true } as const;
    if (as === "alone" && opened) return this.open({ file: opened.file, second: null, ...again });
    if (as === "leave" || as === "alone" || !offered || !opened) return this.loader.update({ offered: null, failed: null });
    await this.open(as === "instead" ? { file: offered, sample: "none" } : { file: opened.file, second: { file: offered, as }, ...again });
  }

  /** Shows the place of the table for one that is on its way: one change of the history for both. */
  private visitTable(): void {
    this.arriving = this.page.place !== "table";
    this.lead("table");
  }

  /** A sweep that cannot be read leaves all as it was. */
  private async openSweep(file: File): Promise<void> {
    this.loader.guarded = true;
    try {
      const [{ readSweep }] = await during(Promise.all([import("../lesson/sweep/read.js"), import("../lesson/sweep/swept.js")]));
      const net = async (part: string): Promise<Named> => (await import("../lesson/vtec/swept.js")).netOf(this.ionospherePool, part);
      const swept = await during(readSweep(file, { info: (query) => this.pool.call("info", { query }), net }));
      this.showSweep(swept);
      const [selector, chapter] = swept.runs.length > 0 ? (["#swept", "samples"] as const) : (["#swept-sky", "vtec"] as const);
      this.lead("lesson", selector, chapter);
    } catch (reason) {
      if (!(reason instanceof EngineFailure || reason instanceof TypeError)) throw reason; // import rejects with a TypeError when the network fails
      this.loader.refuse(file.name, reason instanceof EngineFailure ? reason.detail : absent(problems.notThere(file.name)));
    }
  }

  keep(model: ModelFile["bytes"]): void {
    this.saved.add(model);
    this.guard();
  }

  /** The browser asks before a run on the reader's own table is left, which no address brings back and of which nothing was saved. */
  guard(): void {
    const { phase, models } = this.runs.now.table;
    const files = [...models.values()];
    this.leave.asks(isOwn(this.page) && ["done", "stopped"].includes(phase) && files.length > 0 && !files.some(({ bytes }) => this.saved.has(bytes)));
  }

  showSweep(swept: Sweep | null): void {
    this.swept = swept;
    this.element.requestUpdate();
  }

  /** Opens a table of the file that asks which, or else another of the open one. */
  async choose(change: Chosen): Promise<void> {
    const { opened, loaded } = this.loader;
    const asking = loaded.failed?.error.choice ? loaded.failed : null;
    const file = asking?.file ?? opened?.file;
    const { member } = this.page.tableSpec;
    if (file) await this.open({ file, sample: "none", which: { ...(asking?.which ?? { member }), ...change } });
  }

  look(file: File): void {
    this.sky = file;
    this.loader.guarded = true;
    this.element.requestUpdate();
  }

  refuse(name: string, message: string): void {
    this.loader.refuse(name, unusable(message));
  }

  get isDark(): boolean {
    const { theme } = this;
    return theme === "auto" ? this.dark.matches : theme === "dark";
  }

  /** The colours that the settings name or, where they name none, the page around. */
  private get theme(): Scheme {
    const { theme } = this.page.view;
    return theme === "auto" ? this.around : theme;
  }

  wear(scheme: Scheme): void {
    this.around = scheme;
    this.paint();
  }

  get isStill(): boolean {
    return this.still.matches;
  }

  /** Follows whether the curves or what was learnt can be seen. */
  private async watch(): Promise<void> {
    await this.element.updateComplete;
    const figure = this.element.querySelector<LitElement>("ifm-figure");
    await figure?.updateComplete;
    const parts = figure ? [figure] : this.isTableFrame ? this.element.querySelectorAll("main") : [];
    this.runs.watch(parts, figure ? 0.15 : 0);
  }

  get figureSpec(): Spec {
    const { figureSpec } = this.page;
    return this.opening.staged ? { ...figureSpec, ...STAGED } : figureSpec;
  }

  /** Makes what the opening shows the reader's own settings. */
  private adopt(): void {
    if (this.opening.end()) this.page.change(STAGED);
  }

  private close(): void {
    if (this.opening.end()) this.runs.renew();
  }

  private paint(): void {
    const { place, view } = this.page;
    const { present } = view;
    const embed = isSlide(place, view) ? "slide" : isFrame(view) ? "1" : view.embed;
    Object.assign(document.documentElement.dataset, { theme: this.theme, embed, present });
    if (present !== "0") void this.places.load("present");
    document.title = pageTitle(this.page.place, this.page.chapter);
    this.element.requestUpdate();
  }

  /** Shows what a link says: one of the page, or of its history, which keeps where it was left. */
  private show(link: Link, hash: string, entry: HistoryEntry, how: "push" | "replace" = "replace"): void {
    const { page, loader } = this;
    const before = page.view.sample;
    const changed = page.show(link, hash);
    page.write(how);
    this.close();
    this.paint();
    this.runs.pace();
    if (how === "replace" && !isFrame(page.view)) void this.places.drawn(page.place).then(() => scrollTo({ top: entry.y ?? 0, behavior: "instant" }));
    const { place, view } = page;
    const theirs = place === "table" && view.sample === "none" ? loader.other(entry.file) : undefined;
    if (how === "replace" && place === "table" && view.sample === "none" && before !== "none" && !theirs && !isFrame(view)) {
      loader.close(); // the history is back where no built-in table was open
      this.runs.table.reset();
    }
    const other = place === "table" && (theirs !== undefined || (view.sample !== "none" && (view.sample !== before || !loader.opened)));
    if (!other) {
      const train = place === "table" && (how === "push" ? changed.length > 0 : changed.includes("target"));
      this.eager ||= train;
      this.react(changed, false, train);
    } else {
      this.renewFor(changed); // planned with the table that comes
      void this.open({ file: theirs, sample: view.sample, again: true, train: true });
    }
    this.arrive();
  }

  private react(keys: readonly Key[], changed = false, train = false): void {
    this.element.requestUpdate();
    this.renewFor(keys);
    const { loader, page } = this;
    const { sample } = page.view;
    if (!loader.opened) return;
    if (loader.outdated(sample, page.tableSpec.seed)) void this.open({ sample, again: true, changed, train });
    else if (keys.some((key) => reading.some((other) => other === key))) this.readAgain(changed, train);
    else void this.plan();
  }

  private renewFor(keys: readonly Key[]): void {
    if (FIGURE.some((key) => keys.includes(key))) this.runs.renew();
  }

  private readAgain(changed = true, train = false): void {
    const { opened } = this.loader;
    if (opened) void this.open({ file: opened.file, sample: this.page.view.sample, again: true, changed, train });
  }

  private async open(wanted: Wanted): Promise<void> {
    const { arriving } = this;
    this.arriving = false;
    this.missed = () => void this.open(wanted);
    this.close();
    const { eager } = this;
    this.eager = wanted.changed === true && (eager || waitsFor(this.loader.loaded) === "answers"); // training has been waiting for what the reader says
    const arrived = await this.loader.open(wanted, this.page);
    if (!arrived) return this.goOn(wanted.changed !== true && (eager || this.eager));
    const { spec, same, kept } = arrived;
    if (!wanted.again || wanted.train) this.eager = true;
    if (!kept) this.runs.table.reset();
    this.page.changeTable(spec, wanted.sample, same || arriving ? "replace" : "push");
    await this.plan(true);
  }

  /** No table has come: goes on with the open one, unless another is on its way. */
  private goOn(eager: boolean): void {
    if (this.loader.loaded.reading) return;
    this.eager = eager;
    if (!this.isTableFrame) this.begin();
  }

  /** Asks what training would use. A frame of a table trains at once if its rows or settings are new. */
  private async plan(otherRows = false): Promise<void> {
    const { tableSpec } = this.page;
    await this.loader.plan(tableSpec);
    if (this.isTableFrame) this.eager = false;
    else this.begin();
    if (this.isTableFrame && this.loader.loaded.plan && (otherRows || this.runs.table.snapshot().query !== tableQuery(this.page.tableSpec))) this.runs.command("table", "again");
  }

  /** Trains the table that waits for it, once it can be. */
  private begin(): void {
    const { loaded } = this.loader;
    if (!this.eager || loaded.reading || !loaded.plan || loaded.planned !== this.page.tableSpec || waitsFor(loaded) !== "nothing") return;
    if (this.loader.misread(this.page.tableSpec)) return this.readAgain();
    this.trainTable();
  }

  private trainTable(): void {
    this.eager = false;
    this.loader.confirm();
    this.keepChoices();
    this.runs.command("table", "again");
  }

  /** Writes what validation rows have chosen of columns into the address. */
  private keepChoices(): void {
    const { plan, planned } = this.loader.loaded;
    const { tableSpec, view } = this.page;
    if (!plan || planned !== tableSpec) return;
    const spec = { ...tableSpec, ...withChoices(tableSpec, plan) };
    if (encode(spec) === encode(tableSpec)) return;
    this.page.changeTable(spec, view.sample, "replace");
    void this.plan();
  }

  // What the page around this frame may see and do, by embed/frame.ts.

  get query(): string {
    return this.page.query;
  }

  get notices(): readonly Notice[] {
    return this.page.notices;
  }

  get guarded(): boolean {
    return this.loader.guarded;
  }

  get shown(): Shown | null {
    const { isTableFrame } = this;
    const { place, view } = this.page;
    if (isFrame(view) && (place === "lesson" || (isTableFrame && view.sample === "none"))) return null;
    const training = isTableFrame ? this.runs.now.table : this.opening.staged ? this.idle : this.runs.now.figure;
    const says = training.phase === "idle" ? [] : this.element.querySelector<LitElement & { readonly says?: Phrase }>(isTableFrame ? "ifm-result" : "ifm-figure")?.says ?? [];
    const { failed, planError } = this.loader.loaded;
    return { training, says, error: training.error ?? (isTableFrame ? (failed?.error ?? planError) : null) };
  }

  go(query: string): void {
    const link = readLink(query);
    const { page } = this;
    this.show({ ...link, view: { ...link.view, embed: page.view.embed } }, location.hash, {});
    if (isFrame(page.view) && page.place !== "figure") this.runs.rest("figure");
  }

  steer(command: Steer): void {
    this.close();
    if (this.shown) this.runs.steer(command);
  }

  // What its runs ask of the page, by training/runs.ts.

  get isTableFrame(): boolean {
    return this.page.isTableFrame;
  }

  get isIonosphereFrame(): boolean {
    const { view, chapter } = this.page;
    return isFrame(view) && chapter === "vtec";
  }

  get scenario(): Spec["scenario"] {
    return this.figureSpec.scenario;
  }

  get isPaired(): boolean {
    return !this.page.view.hide.includes("switch");
  }

  left(): void {
    if (this.opening.staged && this.runs.figure.snapshot().phase !== "idle") this.close();
  }

  order(run: Run, scenario = this.scenario): Order {
    const ofTable = run === "table";
    const { tableSpec, view } = this.page;
    return {
      query: ofTable ? tableQuery(tableSpec) : encode(forFigure({ ...this.figureSpec, scenario })),
      table: ofTable ? this.loader.opened : null,
      rate: rate(this.still.matches && view.speed === "normal" ? "instant" : view.speed, ofTable ? "table" : "synthetic"), // with reduced motion a run is seen at its end
    };
  }

  redraw(): void {
    this.opening.follow(this.runs.now.figure, this.isStill);
    this.element.requestUpdate();
  }
}
