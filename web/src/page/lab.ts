// What the page does: settings change, runs and tables follow. The look of it is
// app.ts's.
import type { LitElement } from "lit";
import type { Inside, Shown } from "../embed/frame.js";
import type { Command as Steer, Scheme } from "../embed/messages.js";
import { EngineFailure, unusable } from "../engine/engine.js";
import { during } from "../engine/pending.js";
import type { Pool } from "../engine/pool.js";
import { withChoices, withoutChoices } from "../file/guess.js";
import { awaited, waitsFor } from "../file/loaded.js";
import { Loader, type Wanted } from "../file/loader.js";
import type { Named, Sweep } from "../lesson/sweep/sweep.js";
import type { Chosen } from "../panel/choice.js";
import { problems } from "../panel/strings.js";
import { drawing, forFigure, reading, shared, tableQuery } from "../state/groups.js";
import { Page, type HistoryEntry, type Key } from "../state/page.js";
import { start } from "../state/site.js";
import { encode, pick, type Notice, type Spec } from "../state/spec.js";
import { isFrame, isSlide, lessonPlace, rate, readLink, writeLink, type Link, type View } from "../state/view.js";
import type { Phrase } from "../text/phrase.js";
import { Runs, type Order, type Stage } from "../training/runs.js";
import type { Command, Run, Training } from "../training/training.js";
import { Opening } from "./opening.js";
import { Sections } from "./sections.js";

const FIGURE: readonly Key[] = [...drawing, ...shared];

const STAGED = { scenario: "psd" } as const;

export class Lab implements Inside, Stage {
  readonly page: Page;
  readonly runs: Runs;
  readonly loader: Loader;
  readonly sections: Sections;
  readonly opening = new Opening(start(), () => this.runs.renew());
  sky: File | null = null; // the reader's, of the chapter on vTEC
  handed: readonly File[] = [];
  swept: Sweep | null = null;

  private readonly idle: Training; // the figure's run before it has begun
  private around: Scheme = "auto"; // of the page around
  private eager = false; // the table is trained as soon as it can be

  private readonly dark = matchMedia("(prefers-color-scheme: dark)");
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(
    private readonly element: LitElement,
    private readonly pool: Pool,
    private readonly ionospherePool: Pool,
  ) {
    const changed = (): void => element.requestUpdate();
    this.page = new Page(changed, () => this.loader.place);
    this.sections = new Sections(element);
    this.runs = new Runs(pool, this);
    this.idle = this.runs.now.figure;
    this.loader = new Loader(pool, changed, () => this.sections.goTo("#file-error", "table"));
    this.dark.addEventListener("change", () => this.paint());
    this.still.addEventListener("change", changed);
    addEventListener("online", () => {
      if (this.runs.now.figure.error?.kind === "Unstarted") this.runs.renew(); // what it is made of can come now
    });
    addEventListener("popstate", () => this.show(readLink(this.page.addressQuery), this.page.entry));
  }

  start(): void {
    const { page } = this;
    this.paint();
    if (page.notices.length > 0) page.write("replace");
    if (page.spec.source === "table") this.sample(page.view.sample, true);
  }

  arrive(): void {
    const { page, sections } = this;
    const { embed } = page.view;
    const framed = isFrame(page.view);
    const hash = location.hash.slice(1);
    const { chapter: named } = page.view;
    const chapter = named !== "none" && !hash.startsWith("handin=") ? `#${named}` : (lessonPlace(location.hash) ?? (page.parts.homework && "#homework"));
    void this.watch();
    for (const section of ["table", "lesson"] as const) void sections.watch(section);
    if (chapter) void sections.lead(chapter, framed);
    else if (framed && this.isTableFrame) void sections.load("table");
    else if (!framed && hash === "lesson") sections.goTo("#lesson", "lesson");
    const linked = embed === "0" && !chapter && hash === "" && page.spec.source === "table"; // to a built-in table
    if (linked || (!framed && awaited(page.spec, page.view, this.loader.loaded))) sections.goTo("#table", "table");
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
    this.page.changeView(change);
    this.paint();
    if (change.speed) this.runs.pace();
  }

  openRun(wanted: Spec): void {
    const { page } = this;
    this.opening.end();
    page.keep({ tableOverrides: page.tableOverrides, y: scrollY });
    this.react(page.change(pick(wanted, FIGURE), "#figure", pick(page.tableSpec, shared)));
    void this.sections.goDown("#figure");
  }

  walk(query: string): void {
    const { tableOverrides, parts } = this.page;
    const link = { ...readLink(query), parts };
    this.page.move("push", writeLink(link.spec, link.view, parts), "#table");
    this.show(link, { tableOverrides });
    this.sections.goTo("#table", "table");
  }

  command(run: Run, command: Command): void {
    if (run === "figure") this.adopt();
    if (run !== "table" || command !== "again") return this.runs.command(run, command);
    if (this.isTableFrame) return this.trainTable();
    const { loaded } = this.loader;
    this.eager = true;
    if (waitsFor(loaded) === "answers") return this.sections.goTo("#asked", "table");
    if (loaded.reading) return this.loader.trainWhenRead();
    if (this.loader.misread(this.page.tableSpec)) return this.readAgain();
    this.trainTable();
    void this.sections.goDown("#result");
  }

  sample(sample: View["sample"], again: boolean): void {
    if (sample !== "none") void this.open({ sample, again });
  }

  async take(file: File, note = "", all: readonly File[] = [file]): Promise<void> {
    const kind = await during(import("../file/kind.js")).then(({ kindOf }) => during(kindOf(file)), () => null);
    switch (kind) {
      case null:
        return this.refuse(file.name, problems.notThere(file.name));
      case "hand-in":
        this.handed = all;
        this.element.requestUpdate();
        return this.sections.goTo("#homework", "lesson");
      case "sweep":
        return this.openSweep(file);
      case "sky":
        this.look(file);
        return this.sections.goTo("#vtec", "lesson");
      case "model":
        if (await this.loader.openModel(file, note)) this.sections.goTo("#saved-title", "table");
        return;
      case "table":
        this.loader.supersedeSamples();
        await this.open({ file, sample: "none", note });
    }
  }

  /** A sweep that cannot be read leaves all as it was. */
  private async openSweep(file: File): Promise<void> {
    this.loader.guarded = true;
    try {
      const [{ readSweep }] = await during(Promise.all([import("../lesson/sweep/read.js"), import("../lesson/sweep/swept.js")]));
      const net = async (part: string): Promise<Named> => (await import("../lesson/vtec/swept.js")).netOf(this.ionospherePool, part);
      const swept = await during(readSweep(file, { info: (query) => this.pool.call("info", { query }), net }));
      this.showSweep(swept);
      this.sections.goTo(swept.runs.length > 0 ? "#swept" : "#swept-sky", "lesson");
    } catch (reason) {
      if (!(reason instanceof EngineFailure || reason instanceof TypeError)) throw reason; // import rejects with a TypeError when the network fails
      this.loader.refuse(file.name, reason instanceof EngineFailure ? reason.detail : unusable(problems.notThere(file.name)));
    }
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
    this.runs.watch(figure?.querySelectorAll(".stage, .stills, .learnt > *") ?? (this.isTableFrame ? this.element.querySelectorAll("main") : []), figure ? 0.15 : 0);
  }

  get figureSpec(): Spec {
    const { spec } = this.page;
    return this.opening.staged ? { ...spec, ...STAGED } : spec;
  }

  /** With reduced motion: shows before and after side by side, each finished. */
  get figureTraining(): Training {
    const { figure } = this.runs.now;
    const unfinished = figure.phase === "starting" || figure.phase === "running";
    return this.isStill && (this.opening.staged || this.opening.before) && unfinished ? this.idle : figure;
  }

  /** Makes what the opening shows the reader's own settings. */
  private adopt(): void {
    if (this.opening.end()) this.page.change(STAGED);
  }

  private close(): void {
    if (this.opening.end()) this.runs.renew();
  }

  private paint(): void {
    const { spec, view } = this.page;
    const { present } = view;
    const embed = isSlide(spec, view) ? "slide" : isFrame(view) ? "1" : view.embed;
    Object.assign(document.documentElement.dataset, { theme: this.theme, embed, present });
    if (present !== "0") void this.sections.load("present");
    this.element.requestUpdate();
  }

  private show(link: Link, entry: HistoryEntry): void {
    const { sample: before } = this.page.view;
    const changed = this.page.show(link, entry);
    this.close();
    if (entry.y !== undefined) void this.sections.goBack(entry.y);
    this.paint();
    this.runs.pace();
    const { sample } = link.view;
    const theirs = link.spec.source === "table" && sample === "none" && this.loader.other(entry.file);
    if (!theirs && (sample === "none" || sample === before)) return this.react(changed);
    this.follow(changed); // planned with the table that comes
    void this.open({ file: theirs || undefined, sample, again: true });
  }

  private react(keys: readonly Key[], changed = false): void {
    this.element.requestUpdate();
    this.follow(keys);
    const { loader, page } = this;
    const { sample } = page.view;
    if (!loader.opened) return;
    if (loader.outdated(sample, page.tableSpec.seed)) this.sample(sample, true);
    else if (keys.some((key) => reading.some((other) => other === key))) this.readAgain(changed);
    else void this.plan();
  }

  private follow(keys: readonly Key[]): void {
    if (FIGURE.some((key) => keys.includes(key))) this.runs.renew();
  }

  private readAgain(changed = true): void {
    const { opened } = this.loader;
    if (opened) void this.open({ file: opened.file, sample: this.page.view.sample, again: true, changed });
  }

  private async open(wanted: Wanted): Promise<void> {
    void this.sections.load("table");
    this.close();
    const { eager } = this;
    this.eager = wanted.changed === true && (eager || waitsFor(this.loader.loaded) === "answers"); // training has been waiting for what the reader says
    const arrived = await this.loader.open(wanted, this.page);
    if (!arrived) return this.goOn(wanted.changed !== true && (eager || this.eager));
    const { spec, same, kept } = arrived;
    if (!wanted.again) this.eager = true;
    if (!kept) this.runs.table.reset();
    this.follow(this.page.changeTable(spec, wanted.sample, same ? "replace" : "push"));
    if (!wanted.again) this.sections.goTo("#file", "table");
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

  /** Trains the table that waits for it, once it can be, and leads to the curve unless the reader is there. */
  private begin(): void {
    const { loaded } = this.loader;
    if (!this.eager || loaded.reading || !loaded.plan || loaded.planned !== this.page.tableSpec || waitsFor(loaded) !== "nothing") return;
    if (this.loader.misread(this.page.tableSpec)) return this.readAgain();
    this.trainTable();
    if (!this.element.querySelector("ifm-decided")?.contains(document.activeElement)) this.sections.goTo("#decided", "table");
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
    this.follow(this.page.changeTable(spec, view.sample, "replace"));
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
    const { view } = this.page;
    if (isFrame(view) && (view.chapter !== "none" || (isTableFrame && view.sample === "none"))) return null;
    const training = isTableFrame ? this.runs.now.table : this.opening.staged ? this.idle : this.runs.now.figure;
    const says = training === this.idle ? [] : this.element.querySelector<LitElement & { readonly says?: Phrase }>(isTableFrame ? "ifm-result" : "ifm-figure")?.says ?? [];
    const { failed, planError } = this.loader.loaded;
    return { training, says, error: training.error ?? (isTableFrame ? (failed?.error ?? planError) : null) };
  }

  go(query: string): void {
    const link = readLink(query);
    const { page } = this;
    this.show({ ...link, view: { ...link.view, embed: page.view.embed } }, {});
    page.write("replace");
    if (isFrame(page.view) && (page.view.chapter !== "none" || this.isTableFrame)) {
      this.runs.rest("figure");
      void this.sections.load(this.isTableFrame ? "table" : "lesson");
    }
    void this.watch();
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
    const { view } = this.page;
    return isFrame(view) && view.chapter === "vtec";
  }

  get startsPaused(): boolean {
    return this.still.matches && !this.opening.staged && !this.page.view.hide.includes("controls");
  }

  left(): void {
    if (this.opening.staged && this.runs.now.figure !== this.idle) this.close();
  }

  order(run: Run): Order {
    const ofTable = run === "table";
    const { tableSpec, view } = this.page;
    return {
      query: ofTable ? tableQuery(tableSpec) : encode(forFigure(this.figureSpec)),
      table: ofTable ? this.loader.opened : null,
      rate: rate(this.still.matches && view.speed === "normal" ? "instant" : view.speed, ofTable ? "table" : "synthetic"), // with reduced motion a run is seen at its end
    };
  }

  redraw(): void {
    this.opening.follow(this.runs.now.figure, this.isStill);
    this.element.requestUpdate();
    const { phase, lines } = this.runs.now.figure;
    if (this.opening.staged) return;
    if (phase === "failed" || (lines.length > 0 && phase !== "running")) void this.sections.load("table"); // nothing waits for the processor any more
  }
}
