// The page: the one owner of the state, the address and the pool of engines.
// Panels get properties and tell events; nothing else of this file's is shared.
import { html, nothing, type TemplateResult } from "lit";
import { awaited, drawing, drawnQuery, empty, rolesFor, sampleFile, sampleTargets, shared, tableQuery, type Desk, type Shared } from "./desk.js";
import { catchDrops } from "./drop.js";
import type { Command, Frame, Inside, Shown } from "./embed.js";
import { EngineFailure, load, unusable, wasStopped } from "./engine.js";
import "./figure.js";
import { address, program, search, start } from "./files.js";
import { footer } from "./footer.js";
import { Later, type Part } from "./later.js";
import { told } from "./notices.js";
import { painted, Panel, seen, type Events } from "./panel.js";
import type { Phrase } from "./phrase.js";
import { Pool, type Opened } from "./pool.js";
import { problem } from "./problem.js";
import type { EngineError } from "./protocol.js";
import type { Piece } from "./share/piece.js";
import "./shared.js";
import { encode, fit, type Notice, type Spec } from "./spec.js";
import { opening, page as strings } from "./strings.js";
import { Trainer, type Training } from "./trainer.js";
import { chapters, drawnSamples, rate, readLink, samples, writeLink, type DrawnSample, type Link, type Parts, type Sample, type View } from "./view.js";

const REDRAW = 100; // ms between two redraws of the charts at the least
const WORKERS = 8;
const FIGURE: readonly (keyof Spec)[] = [...drawing, ...shared];
const READING: readonly (keyof Spec)[] = ["separator", "header"];

/** What the history keeps beside an address. */
interface Kept {
  readonly own?: Shared;
  readonly y?: number; // px, how far the page was scrolled when a run of the map was opened
  readonly depth?: number; // how many changes of this visit lie before it
  readonly file?: number; // the reader's file that was open then, by its place among those of this visit
}

class App extends Panel implements Inside {
  static override properties = { worker: {}, wasm: {}, notices: { state: true }, dropping: { state: true }, undone: { state: true }, saved: { state: true } };

  declare worker: string; // addresses, relative to the page's
  declare wasm: string;

  private spec!: Spec;
  private own: Shared = {}; // the table's settings where a run that was opened from the map has others, in the figure alone
  private tableSpec!: Spec; // spec with them
  private view!: View;
  private parts!: Parts;
  notices: readonly Notice[] = [];
  private desk: Desk = empty;
  private dropping = false;

  private pool!: Pool;
  private readonly later = new Later(() => this.requestUpdate());
  private undone = "";
  private saved = "";
  private figure!: Trainer;
  private table!: Trainer;
  private figureNow!: Training;
  private tableNow!: Training;

  private opened: Opened | null = null;
  private readonly files: File[] = []; // the reader's, of this visit
  private drawnFrom = Number.NaN; // the seed of a drawn table
  private reading: AbortController | null = null;
  private wishes = 0; // counts the tables that were asked for: a sample that comes after another was is dropped
  private plans = 0; // counts the questions for a plan: only the last answer counts
  private drawn = 0; // when the charts were last redrawn
  private redraw: ReturnType<typeof setTimeout> | undefined;
  private onScreen = false;
  private begun = false; // the figure has been started
  private waits = false; // it is paused because nobody sees it
  private held: boolean | undefined; // it begins paused, or not, as the page around this frame wants it
  private watcher: IntersectionObserver | undefined;

  private frame: Frame | undefined; // what speaks with the page around this one
  guarded = false; // the reader has opened a file: the page around cannot change anything any more
  private unwritten: string | undefined; // the address, where it cannot be written

  private readonly dark = matchMedia("(prefers-color-scheme: dark)");
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");

  override connectedCallback(): void {
    super.connectedCallback();
    const link = readLink(start());
    Object.assign(this, { view: link.view, parts: link.parts, notices: link.notices });
    this.settle(link.spec, kept().own);
    document.querySelector(".unstarted")?.remove();
    const ready = this.view.embed === "0" ? painted() : seen(this); // a frame that nobody looks at does nothing
    const engine = load(address(this.worker), program(this.wasm), ready);
    this.pool = new Pool(engine, Math.min(navigator.hardwareConcurrency || 2, WORKERS));
    void ready.then(() => this.pool.warm());
    this.figure = new Trainer(this.pool, "interaction", this.invalidate);
    this.table = new Trainer(this.pool, "predictions", this.invalidate);
    this.figureNow = this.figure.snapshot();
    this.tableNow = this.table.snapshot();
    this.paintTheme();
    this.listen();
    if (link.notices.length > 0) this.writeAddress("replace");
    if (this.spec.source === "table" && this.view.sample !== "none") void this.openSample(this.view.sample, true);
  }

  protected override firstUpdated(): void {
    void this.watch();
    for (const part of ["table", "lesson"] as const) void this.later.watch(part, this.querySelector(`#${part}`));
    const hash = location.hash.slice(1);
    const chapter = this.view.chapter !== "none" ? this.view.chapter : chapters.find((name) => name === hash);
    if (this.view.embed === "1" && (chapter || this.alone)) void this.later.load(chapter ? "lesson" : "table");
    if (this.view.embed !== "1" && (chapter || hash === "lesson")) this.goTo(`#${chapter ?? "lesson"}`, "lesson");
    if (this.view.embed !== "0" && parent !== window) {
      import("./embed.js").then(
        ({ Frame }) => (this.frame = new Frame(this)),
        () => undefined, // the page around then hears nothing
      );
    }
    if (this.view.embed !== "1" && awaited(this.spec, this.view, this.desk)) this.goTo("#table", "table");
  }

  protected override updated(): void {
    this.frame?.update();
  }

  /** Whether a table's result is all there is. */
  private get alone(): boolean {
    return this.view.embed === "1" && this.view.chapter === "none" && this.spec.source === "table";
  }

  /** Follows whether the curves or what was learnt can be seen. */
  private async watch(): Promise<void> {
    await this.updateComplete;
    const figure = this.querySelector<Panel>("ifm-figure");
    await figure?.updateComplete;
    const seen = new Set<Element>();
    this.watcher?.disconnect();
    this.watcher = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          if (entry.isIntersecting) seen.add(entry.target);
          else seen.delete(entry.target);
        }
        this.onScreen = seen.size > 0;
        this.attend();
      },
      { threshold: figure ? 0.15 : 0 },
    );
    for (const part of figure?.querySelectorAll(".stage, ifm-matrix, ifm-spectrum") ?? this.querySelectorAll("main")) this.watcher.observe(part);
  }

  private share(piece: Piece | "here"): void {
    const { spec, tableSpec, view, parts } = this;
    sharing().then(
      ({ share }) => share({ spec, tableSpec, view, parts }, piece),
      () => (this.notices = [{ key: "", found: "", message: strings.partLost(strings.share) }]),
    );
  }

  protected override render(): TemplateResult {
    const { spec, view } = this;
    const outside = view.embed === "lab" ? "_blank" : nothing;
    const notices = told(this.notices, () => (this.notices = []));
    const main = html`<ifm-figure id="figure" tabindex="-1" .spec=${spec} .view=${view} .training=${this.figureNow} ?dark=${this.isDark()} ?still=${this.still.matches}></ifm-figure>`;
    if (view.embed === "1") return html`<main class="embed">${notices} ${view.chapter !== "none" ? this.lesson() : spec.source === "table" ? this.embeddedTable() : main}</main>`;
    return html`
      <a class="skip" href="#figure">${strings.skip}</a>
      <header>
        <a class="name" href=${location.pathname} target=${outside}>${strings.name}</a>
        <nav aria-label=${strings.nav.label}>
          <a href="#figure">${strings.nav.figure}</a>
          <a href="#table">${strings.nav.table}</a>
          <a href="#lesson">${strings.nav.lesson}</a>
        </nav>
        <button class="undo" title=${strings.undo} ?disabled=${(kept().depth ?? 0) === 0} @click=${this.undo}>
          <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M6.5 3 2 7l4.5 4V8.4c3.3 0 5.6 1 7.2 3.6-.5-3.9-2.9-6.4-7.2-6.6z" /></svg><span class="seen-not">${strings.undo}</span>
        </button>
        <p class="seen-not" role="status">${this.undone}</p>
        <button class="sharer" @click=${() => this.share("here")} @pointerenter=${warm} @focus=${warm}>${strings.share}</button>
        <label class="pick theme">
          <span class="seen-not">${strings.theme.label}</span>
          <select @change=${(e: Event) => this.changeView({ theme: (e.target as HTMLSelectElement).value as View["theme"] })}>
            ${(["auto", "light", "dark"] as const).map((theme) => html`<option value=${theme} .selected=${theme === view.theme}>${strings.theme.options[theme]}</option>`)}
          </select>
        </label>
      </header>
      <main>
        ${notices} ${main}
        ${this.unlessLost("table", html`<ifm-data id="table" tabindex="-1" .pool=${this.pool} .spec=${this.tableSpec} .view=${view} .desk=${this.desk} .training=${this.tableNow} ?dark=${this.isDark()} ?stale=${this.tableNow.phase !== "idle" && this.tableNow.query !== this.tableQuery()}></ifm-data>`)}
        ${this.lesson()}
      </main>
      ${footer(outside, this.save, this.saved)}
      ${this.dropping ? html`<div class="dropping" aria-hidden="true"><p>${strings.drop}</p></div>` : nothing}
    `;
  }

  /** Saves the page as one file that starts from what is shown. */
  private readonly save = (event: Event): void => {
    event.preventDefault();
    this.saved = "";
    import("./offline.js").then(({ saveOffline }) => saveOffline(writeLink(this.spec, { ...this.view, embed: "0" }, this.parts).slice(1))).catch(() => (this.saved = strings.unsaved));
  };

  private lesson(): TemplateResult {
    return this.unlessLost("lesson", html`<ifm-lesson id="lesson" tabindex="-1" .pool=${this.pool} .view=${this.view} .parts=${this.parts} .table=${this.desk.table} ?dark=${this.isDark()}></ifm-lesson>`);
  }

  private unlessLost(part: Part, there: TemplateResult): TemplateResult {
    return this.later.lost.has(part) ? html`<p id=${part} class="note" role="status">${strings.partLost(strings.nav[part])}</p>` : there;
  }

  private embeddedTable(): TemplateResult {
    const error = this.desk.failed?.error ?? this.desk.planError;
    if (error) return html`<div class="error" role="alert">${problem(error)}</div>`;
    return this.tableNow.phase === "idle"
      ? html`<p class="note" role="status" ?data-soon=${this.view.sample !== "none"}>${this.view.sample === "none" ? strings.noSample : strings.soon}</p>`
      : html`<ifm-result .pool=${this.pool} .spec=${this.spec} .view=${this.view} .training=${this.tableNow} .table=${this.desk.table} .plan=${this.desk.plan} ?dark=${this.isDark()}></ifm-result>`;
  }

  private listen(): void {
    const on = <Name extends keyof Events>(name: Name, react: (detail: Events[Name]) => void): void => this.addEventListener(name, (event) => react((event as CustomEvent<Events[Name]>).detail));
    on("ifm-spec", (change) => this.changeSpec(change));
    on("ifm-view", (change) => this.changeView(change));
    on("ifm-part", ({ chapter, query, notices }) => {
      const moves = query !== (this.parts[chapter] ?? "");
      this.parts = { ...this.parts, [chapter]: query };
      if (notices.length === 0) Object.assign(this, { view: { ...this.view, chapter }, notices });
      else this.notices = [...this.notices.filter(({ message }) => !notices.some((notice) => notice.message === message)), ...notices]; // of the link, and each chapter's
      this.writeAddress(moves && notices.length === 0 ? "push" : "replace");
    });
    on("ifm-open", (wanted) => {
      this.keep({ ...kept(), own: this.own, y: scrollY });
      const own = Object.fromEntries(shared.map((key) => [key, this.tableSpec[key]])) as Shared;
      this.changeSpec(Object.fromEntries(FIGURE.map((key) => [key, wanted[key]])) as Partial<Spec>, "#figure", own);
      void this.goDown("#figure");
    });
    on("ifm-walk", (query) => {
      const link = { ...readLink(query), parts: this.parts };
      this.keep({ own: this.own, depth: (kept().depth ?? 0) + 1 }, `${location.pathname}${writeLink(link.spec, link.view, link.parts)}#table`, "push");
      this.show(link, kept());
      this.goTo("#table", "table");
    });
    on("ifm-run", ({ run, command }) => this.command(run, command));
    on("ifm-file", (file) => void this.take(file));
    this.addEventListener("change", ({ target }) => (this.guarded ||= target instanceof HTMLInputElement && target.type === "file")); // one to predict, too
    on("ifm-model", () => this.lay({ model: null }));
    on("ifm-share", (piece) => this.share(piece));
    on("ifm-sample", (sample) => void this.openSample(sample as Sample, false));
    on("ifm-cancel", () => this.reading?.abort());
    on("ifm-look", (wanted) => this.figure.watch(wanted));

    addEventListener("keydown", ({ key }) => {
      if (key === "Tab") void this.later.load("table"); // or it would be passed over
    });
    addEventListener("keydown", (event) => {
      const typing = event.target instanceof Element && event.target.closest("input:not([type=range], [type=radio], [type=checkbox]), textarea, select");
      if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || typing || (kept().depth ?? 0) === 0) return;
      event.preventDefault();
      this.undo();
    });
    addEventListener("hashchange", () => {
      const chapter = chapters.find((name) => name === location.hash.slice(1));
      if (chapter && !this.querySelector(location.hash)) this.goTo(location.hash, "lesson"); // its script is not there yet
    });
    addEventListener("popstate", () => this.show(readLink(this.unwritten === undefined ? start() : new URL(this.unwritten, location.href).search), kept()));
    document.addEventListener("visibilitychange", () => this.attend());
    this.dark.addEventListener("change", () => this.paintTheme());
    this.still.addEventListener("change", () => this.requestUpdate());
    if (this.view.embed === "1") return;
    catchDrops({
      over: (some) => (this.dropping = some),
      take: (file, note) => void this.take(file, note),
      refuse: (name, message) => {
        this.lay({ failed: { name, error: unusable(message) } });
        this.showFailure();
      },
    });
  }

  /** Redraws soon, at most ten times a second. */
  private readonly invalidate = (): void => {
    this.redraw ??= setTimeout(
      () => {
        this.redraw = undefined;
        this.drawn = performance.now();
        this.figureNow = this.figure.snapshot();
        this.tableNow = this.table.snapshot();
        this.requestUpdate();
        const { phase, lines } = this.figureNow;
        if (phase === "failed" || (lines.length > 0 && phase !== "running")) void this.later.load("table"); // nothing waits for the processor any more
      },
      Math.max(0, this.drawn + REDRAW - performance.now()),
    );
  };

  /** Starts the figure once it is seen, and lets it wait while it is not. */
  private attend(): void {
    const seen = this.onScreen && !document.hidden;
    const trainer = this.alone ? this.table : this.figure;
    if (seen && !this.begun && trainer === this.figure) {
      this.startFigure(this.held ?? (this.still.matches && !this.view.hide.includes("controls")));
    } else if (!seen && ["running", "starting"].includes(trainer.snapshot().phase)) {
      this.waits = true;
      trainer.pause();
    } else if (seen && this.waits) {
      this.waits = false;
      trainer.play();
    }
  }

  private startFigure(paused: boolean, waits = false): void {
    this.begun = true;
    this.waits = waits;
    void this.figure.start(encode({ ...this.spec, source: "synthetic", sweep: "none" }), null, this.rate("synthetic"), paused);
  }

  private startTable(): void {
    if (!this.opened) return;
    void this.table.start(this.tableQuery(), this.opened, this.rate("table"), false);
    if (this.alone) this.attend();
    else void this.goDown("#result");
  }

  /** Who wants nothing to move sees a run that was asked for at its end. */
  private rate(source: Spec["source"]): number {
    return rate(this.still.matches && this.view.speed === "normal" ? "instant" : this.view.speed, source);
  }

  private tableQuery(): string {
    return tableQuery(this.tableSpec);
  }

  private command(run: "figure" | "table", command: Events["ifm-run"]["command"]): void {
    const trainer = run === "figure" ? this.figure : this.table;
    if (run === "figure") this.waits = false;
    if (command !== "again") trainer[command]();
    else if (run === "figure") this.startFigure(false);
    else this.startTable();
  }

  /** What the reader changes holds for the table too; own are its settings where the change is the figure's alone. */
  private changeSpec(change: Partial<Spec>, hash = location.hash, own?: Shared): void {
    const keys = Object.keys(change) as (keyof Spec)[];
    const wanted: Spec = { ...this.spec, ...change, source: keys.includes("scenario") ? "synthetic" : this.spec.source };
    const fitted = fit({ ...wanted, source: "synthetic" });
    this.notices = fitted.notices;
    this.view = { ...this.view, chapter: "none" };
    this.settle({ ...fitted.spec, source: wanted.source }, own ?? (Object.fromEntries(Object.entries(this.own).filter(([key]) => !(key in change))) as Shared));
    this.writeAddress("push", hash);
    this.react(keys);
  }

  /** Takes the last change back, as the browser's Back does. */
  private readonly undo = (): void => {
    this.undone = "";
    addEventListener("popstate", () => (this.undone = strings.undone), { once: true });
    history.back();
  };

  private changeView(change: Partial<View>): void {
    this.view = { ...this.view, ...change };
    this.writeAddress("replace");
    this.paintTheme();
    if (change.speed) this.pace();
  }

  private pace(): void {
    this.figure.pace(this.rate("synthetic"));
    this.table.pace(this.rate("table"));
  }

  /** Shows what another address says. */
  private show(link: Link, { own, y, file }: Kept): void {
    const before = { spec: this.spec, view: this.view };
    const same = encode(before.spec) === encode(link.spec); // a link within the page
    Object.assign(this, { view: link.view, parts: link.parts, notices: link.notices });
    this.settle(link.spec, own ?? (same ? this.own : {}));
    this.keep({ ...kept(), own: this.own });
    if (y !== undefined) void this.goBack(y);
    this.paintTheme();
    this.pace();
    const keys = Object.keys(link.spec) as (keyof Spec)[];
    const changed = keys.filter((key) => JSON.stringify(before.spec[key]) !== JSON.stringify(link.spec[key]));
    if (link.view.sample !== "none" && link.view.sample !== before.view.sample) {
      this.follow(changed);
      void this.openSample(link.view.sample, true); // what has changed is planned with it, and not with the table before
      return;
    }
    const theirs = link.spec.source === "table" && link.view.sample === "none" && this.opened ? this.files[file ?? -1] : undefined;
    if (!theirs || theirs === this.opened?.file) {
      this.react(changed);
      return;
    }
    this.follow(changed);
    void this.open(theirs, "none", "", true);
  }

  /** Does what a change of these settings asks for. */
  private react(keys: readonly (keyof Spec)[]): void {
    this.requestUpdate();
    this.follow(keys);
    if (!this.opened) return;
    if (isDrawn(this.view.sample) && this.drawnFrom !== this.tableSpec.seed) void this.openSample(this.view.sample, true);
    else if (keys.some((key) => READING.includes(key))) void this.open(this.opened.file, this.view.sample, "", true);
    else void this.plan().then(() => this.alone && this.desk.plan && this.table.snapshot().query !== this.tableQuery() && this.startTable());
  }

  /** Runs the figure anew where these settings are among its own. */
  private follow(keys: readonly (keyof Spec)[]): void {
    if (this.begun && FIGURE.some((key) => keys.includes(key))) this.startFigure(!this.onScreen, !this.onScreen);
  }

  private settle(spec: Spec, own: Shared = {}): void {
    this.spec = spec;
    this.own = own;
    this.tableSpec = Object.keys(own).length > 0 ? { ...spec, ...own } : spec;
  }

  private async openSample(sample: Sample, linked: boolean): Promise<void> {
    const wish = ++this.wishes;
    if (isDrawn(sample)) this.drawnFrom = this.tableSpec.seed;
    try {
      const file = await (isDrawn(sample) ? this.pool.generate(drawnQuery(sample, this.drawnFrom)) : sampleFile(sample));
      if (wish === this.wishes) await this.open(file, sample, "", linked);
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      const error = await this.pool.up().then(() => reason.detail, (why: unknown) => (why instanceof EngineFailure ? why.detail : reason.detail)); // what forbids the one forbids the other
      if (wish === this.wishes) this.lay({ reading: null, failed: { name: `${sample}.csv`, error } });
    }
  }

  /** Opens what the reader brought: a saved model beside all else, or a table. */
  private take(file: File, note = ""): Promise<void> {
    this.guarded = true;
    if (/\.json$/i.test(file.name)) return this.openModel(file, note);
    this.wishes++;
    return this.open(file, "none", note);
  }

  /** Opens a saved model; a file that is none leaves everything as it was. */
  private async openModel(file: File, note: string): Promise<void> {
    try {
      const [{ readModel }] = await Promise.all([import("./saved.js"), this.later.load("table")]);
      const model = await readModel(this.pool, file);
      this.lay({ model, failed: null, note });
      void this.goDown("#saved-title");
    } catch (reason) {
      if (!(reason instanceof EngineFailure || reason instanceof TypeError)) throw reason; // import rejects with a TypeError when the network fails
      const error = reason instanceof EngineFailure ? reason.detail : unusable(opening.unkept);
      this.lay({ failed: { name: file.name, error }, note });
      this.showFailure();
    }
  }

  /** Leads to what is said of a file that could not be used, which may have been dropped far from there. */
  private showFailure(): void {
    this.goTo("#file-error", "table");
  }

  /**
   * Reads a file in place of the one before, which stays if that fails. The
   * settings' separator and header count only where they belong to this file,
   * as they do to the one that a link waits for.
   */
  private async open(file: File, sample: View["sample"], note = "", reopened = false): Promise<void> {
    void this.later.load("table");
    const same = reopened || (sample === "none" && awaited(this.spec, this.view, this.desk));
    this.reading?.abort();
    const reading = new AbortController();
    this.reading = reading;
    const spec: Spec = same ? this.spec : { ...this.spec, separator: "auto", header: "auto" };
    this.lay({ reading: { name: file.name, loaded: 0, total: file.size }, failed: null, note });
    let opened: Opened;
    try {
      opened = await this.pool.open(
        file,
        encode({ ...spec, source: "table" }),
        (progress) => {
          if (this.reading === reading) this.lay({ reading: { name: file.name, ...progress } });
        },
        reading.signal,
      );
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      if (this.reading !== reading) return;
      this.reading = null;
      const cancelled = reason.detail.kind === "Cancelled";
      this.lay({ reading: null, failed: cancelled ? null : { name: file.name, error: reason.detail }, note: cancelled ? opening.cancelled(file.name) : note });
      if (!cancelled && !reopened) this.showFailure();
      return;
    }
    if (this.reading !== reading) {
      this.pool.close(opened);
      return;
    }
    this.reading = null;
    if (this.opened) this.pool.close(this.opened);
    if (!same || this.opened?.file.name !== file.name) this.table.reset();
    this.opened = opened;
    if (sample === "none" && !this.files.includes(file)) this.files.push(file);
    const table = opened.table;
    const roles = rolesFor(table, same ? spec : { ...spec, target: "" }, samples.includes(sample as Sample) ? sampleTargets[sample as Sample] : undefined);
    const gone = same && spec.target !== "" && roles.target !== spec.target ? opening.targetGone(spec.target, roles.target) : "";
    const own = Object.keys(this.own) as (keyof Shared)[];
    this.settle({ ...spec, ...this.own, ...roles, source: "table" }); // the address is the table's now, and has room for one run
    this.follow(own);
    this.view = { ...this.view, sample };
    this.writeAddress(same ? "replace" : "push");
    this.lay({ reading: null, table, failed: null, note: gone || note, plan: null, planError: null });
    if (!reopened) this.goTo("#file", "table");
    await this.plan();
    if (this.alone && this.desk.plan) this.startTable();
  }

  /** Asks what training on the present settings would use. */
  private async plan(): Promise<void> {
    const asked = ++this.plans;
    const opened = this.opened;
    const spec = this.tableSpec;
    if (!opened) return;
    let error: EngineError | null = null;
    let plan: Desk["plan"] = null;
    try {
      const query = this.tableQuery();
      plan = await this.pool.plan(opened, query).catch((reason: unknown) => {
        if (wasStopped(reason)) return this.pool.plan(opened, query); // its worker was ended because of another call
        throw reason;
      });
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      error = { ...reason.detail, message: problem(reason.detail) };
    }
    if (asked === this.plans) this.lay({ plan, planned: spec, planError: error });
  }

  private lay(change: Partial<Desk>): void {
    this.desk = { ...this.desk, ...change };
    this.requestUpdate();
  }

  /** Moves focus and view to what is in a part of the page that is loaded later. */
  private goTo(selector: string, part: Part): void {
    void this.later.load(part).then(() => this.goDown(selector));
  }

  /** Moves focus and view to what has just appeared. */
  private async goDown(selector: string): Promise<void> {
    await this.updateComplete;
    await new Promise((resolve) => setTimeout(resolve, REDRAW + 20)); // the panel is drawn with the next redraw
    const element = this.querySelector<HTMLElement>(selector);
    if (parent !== window && !navigator.userActivation?.hasBeenActive) return scrollTo(0, scrollY + (element?.getBoundingClientRect().top ?? 0)); // the page around stays where its reader is
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "start", behavior: this.still.matches ? "auto" : "smooth" });
  }

  /** Goes back to where the page was scrolled to. */
  private async goBack(y: number): Promise<void> {
    await this.updateComplete;
    await new Promise((resolve) => setTimeout(resolve, REDRAW + 20)); // as high as it was with the next redraw
    scrollTo({ top: y, behavior: "instant" });
  }

  private writeAddress(how: "push" | "replace", hash = location.hash): void {
    const target = `${location.pathname}${search(this.query)}${hash}`;
    const moves = target !== `${location.pathname}${location.search}${location.hash}`;
    if (moves && how === "push" && this.view.embed !== "1") this.keep({ own: this.own, depth: (kept().depth ?? 0) + 1 }, target, "push");
    else this.keep({ ...kept(), own: this.own }, target);
    this.requestUpdate();
  }

  private keep(what: Kept, address?: string, how: "push" | "replace" = "replace"): void {
    const file = what.file ?? this.files.findIndex((file) => file === this.opened?.file);
    try {
      history[`${how}State`](file < 0 ? what : { ...what, file }, "", address);
      if (address) this.unwritten = undefined;
    } catch {
      this.unwritten = address ?? this.unwritten; // a sandboxed frame may not write its address
    }
  }

  private isDark(): boolean {
    return this.view.theme === "auto" ? this.dark.matches : this.view.theme === "dark";
  }

  private paintTheme(): void {
    Object.assign(document.documentElement.dataset, { theme: this.view.theme, embed: this.view.embed });
    this.requestUpdate();
  }

  // What the page around this frame may see and do, by embed.ts.

  get query(): string {
    return writeLink(this.spec, this.view, this.parts);
  }

  get shown(): Shown | null {
    const { alone, desk } = this;
    if (this.view.embed === "1" && (this.view.chapter !== "none" || (alone && this.view.sample === "none"))) return null;
    const training = alone ? this.tableNow : this.figureNow;
    const says = this.querySelector<Panel & { readonly says?: Phrase }>(alone ? "ifm-result" : "ifm-figure")?.says ?? [];
    return { training, says, error: training.error ?? (alone ? (desk.failed?.error ?? desk.planError) : null) };
  }

  go(query: string): void {
    const link = readLink(query);
    this.show({ ...link, view: { ...link.view, embed: this.view.embed } }, {});
    this.writeAddress("replace");
    if (this.view.embed === "1" && (this.view.chapter !== "none" || this.alone)) {
      this.waits ||= ["running", "starting"].includes(this.figure.snapshot().phase); // goes on when it is shown again
      this.figure.pause();
      void this.later.load(this.alone ? "table" : "lesson");
    }
    void this.watch();
  }

  steer(command: Command): void {
    const run = this.alone ? "table" : "figure";
    const { phase } = (this.alone ? this.table : this.figure).snapshot();
    const again = command === "again" || (command === "play" && ["done", "stopped", "failed"].includes(phase));
    if (!this.shown) return;
    if (run === "figure" && !this.begun) this.held = command === "pause" || command === "step";
    else if (this.onScreen || command === "pause") this.command(run, again ? "again" : command);
    else if (run === "figure" && again) this.startFigure(true, true);
    else this.waits = command === "play"; // until it is seen
  }
}

function sharing(): Promise<typeof import("./share/dialog.js")> {
  return import("./share/dialog.js");
}

/** Asks for the dialog's script as soon as somebody is about to open it. */
function warm(): void {
  sharing().catch(() => undefined); // missed when it is opened
}

function isDrawn(sample: View["sample"]): sample is DrawnSample {
  return drawnSamples.some((drawn) => drawn === sample);
}

function kept(): Kept {
  return (history.state as Kept | null) ?? {};
}

customElements.define("ifm-app", App);
