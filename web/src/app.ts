// The page: the one owner of the state, the address and the pool of engines.
// Panels get properties and tell events; nothing else of this file's is shared.
import { html, nothing, type TemplateResult } from "lit";
import type { Frame, Inside, Shown } from "./embed/frame.js";
import type { Command } from "./embed/messages.js";
import { load, unusable } from "./engine/engine.js";
import { during, turn } from "./engine/pending.js";
import { Pool } from "./engine/pool.js";
import "./figure/figure.js";
import { catchDrops, isSky } from "./file/drop.js";
import { awaited } from "./file/loaded.js";
import { Loader } from "./file/loader.js";
import { rolesFor } from "./file/roles.js";
import { sampleTargets } from "./file/samples.js";
import { opening } from "./file/strings.js";
import { footer } from "./page/footer.js";
import { Later, type Part } from "./page/later.js";
import { noticeList } from "./page/notices.js";
import { page as strings } from "./page/strings.js";
import type { Events } from "./panel/events.js";
import { painted, Panel, seen } from "./panel/panel.js";
import { problem } from "./panel/problem.js";
import { problems } from "./panel/strings.js";
import { Address, type Kept } from "./state/address.js";
import { drawing, shared, tableQuery, type Shared } from "./state/groups.js";
import type { Piece } from "./state/piece.js";
import { address, home, program, start } from "./state/site.js";
import { encode, fit, type Notice, type Spec } from "./state/spec.js";
import { chapters, rate, readLink, writeLink, type Link, type Parts, type Sample, type View } from "./state/view.js";
import type { Phrase } from "./text/phrase.js";
import { product } from "./text/strings.js";
import { REDRAW, Runs, type Order, type Stage } from "./training/runs.js";
import type { Run } from "./training/training.js";

const WORKERS = 8;
const FIGURE: readonly (keyof Spec)[] = [...drawing, ...shared];
const READING: readonly (keyof Spec)[] = ["separator", "header"];

class App extends Panel implements Inside, Stage {
  static override properties = { worker: {}, wasm: {}, ionosphere: {}, notices: { state: true }, dropping: { state: true }, undone: { state: true }, saved: { state: true } };

  declare worker: string; // addresses, relative to the page's
  declare wasm: string;
  declare ionosphere: string; // the engine of the chapter on vTEC; the same in the offline file

  private spec!: Spec;
  private own: Shared = {}; // the table's settings where a run that was opened from the map has others, in the figure alone
  private tableSpec!: Spec; // spec with them
  private view!: View;
  private parts!: Parts;
  notices: readonly Notice[] = [];
  private dropping = false;
  private sky: File | null = null; // the reader's, of the chapter on vTEC
  private undone = "";
  private saved = "";

  private pool!: Pool;
  private skies!: Pool; // for surveys of the ionosphere
  private runs!: Runs;
  private loader!: Loader;
  private readonly later = new Later(() => this.requestUpdate());
  private readonly address = new Address(() => this.loader.place);
  private frame: Frame | undefined; // what speaks with the page around this one

  private readonly dark = matchMedia("(prefers-color-scheme: dark)");
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");

  override connectedCallback(): void {
    super.connectedCallback();
    const link = readLink(start());
    Object.assign(this, { view: link.view, parts: link.parts, notices: link.notices });
    this.settle(link.spec, this.address.kept.own);
    document.querySelector(".unstarted")?.remove();
    const ready = this.view.embed === "0" ? painted() : seen(this); // a frame that nobody looks at does nothing
    const pool = (wasm: string): Pool => new Pool(load(address(this.worker), program(wasm), ready), Math.min(navigator.hardwareConcurrency || 2, WORKERS));
    this.pool = pool(this.wasm);
    this.skies = this.ionosphere === this.wasm ? this.pool : pool(this.ionosphere);
    void during(this.updateComplete);
    void ready.then(() => this.pool.warm());
    this.runs = new Runs(this.pool, this);
    this.loader = new Loader(this.pool, () => this.requestUpdate(), () => this.goTo("#file-error", "table"));
    this.paintTheme();
    this.listen();
    if (link.notices.length > 0) this.write("replace");
    if (this.spec.source === "table" && this.view.sample !== "none") void this.openSample(this.view.sample, true);
  }

  protected override firstUpdated(): void {
    void this.watch();
    for (const part of ["table", "lesson"] as const) void this.later.watch(part, this.querySelector(`#${part}`));
    const hash = location.hash.slice(1);
    const chapter = this.view.chapter !== "none" ? this.view.chapter : chapters.find((name) => name === hash);
    const { embed } = this.view;
    if (embed === "1" && (chapter || this.alone)) void this.later.load(chapter ? "lesson" : "table");
    if (embed !== "1" && (chapter || hash === "lesson")) this.goTo(`#${chapter ?? "lesson"}`, "lesson");
    if (embed !== "0" && parent !== window) {
      during(import("./embed/frame.js")).then(
        ({ Frame }) => (this.frame = new Frame(this)),
        () => undefined, // the page around then hears nothing
      );
    }
    const shared = embed === "0" && !chapter && hash === "" && this.spec.source === "table"; // a link to a built-in table
    if (shared || (embed !== "1" && awaited(this.spec, this.view, this.loader.loaded))) this.goTo("#table", "table");
  }

  protected override updated(): void {
    this.frame?.update();
  }

  /** Whether a table's result is all there is. */
  get alone(): boolean {
    return this.view.embed === "1" && this.view.chapter === "none" && this.spec.source === "table";
  }

  /** Follows whether the curves or what was learnt can be seen. */
  private async watch(): Promise<void> {
    await this.updateComplete;
    const figure = this.querySelector<Panel>("ifm-figure");
    await figure?.updateComplete;
    this.runs.watch(figure?.querySelectorAll(".stage, ifm-matrix, ifm-spectrum") ?? this.querySelectorAll("main"), figure ? 0.15 : 0);
  }

  private share(piece: Piece | "here"): void {
    const { spec, tableSpec, view, parts } = this;
    sharing().then(
      ({ share }) => share({ spec, tableSpec, view, parts }, piece),
      () => (this.notices = [{ key: "", found: "", message: problems.partLost(strings.share) }]),
    );
  }

  protected override render(): TemplateResult {
    const { spec, view } = this;
    const { figure, table } = this.runs.now;
    const outside = view.embed === "lab" ? "_blank" : nothing;
    const notices = noticeList(this.notices, () => (this.notices = []));
    const main = html`<ifm-figure id="figure" tabindex="-1" .spec=${spec} .view=${view} .training=${figure} ?dark=${this.isDark()} ?still=${this.still.matches}></ifm-figure>`;
    if (view.embed === "1") return html`<main class="embed">${notices} ${view.chapter !== "none" ? this.lesson() : spec.source === "table" ? this.embeddedTable() : main} ${this.out()}</main>`;
    return html`
      <a class="skip" href="#figure">${strings.skip}</a>
      <header>
        <a class="name" href=${location.pathname} target=${outside}>${product}</a>
        <nav aria-label=${strings.nav.label}>
          <a href="#figure">${strings.nav.figure}</a>
          <a href="#table">${strings.nav.table}</a>
          <a href="#lesson">${strings.nav.lesson}</a>
        </nav>
        <button class="undo" title=${strings.undo} ?disabled=${!this.address.goesBack} @click=${this.undo}>
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
        ${this.unlessLost("table", html`<ifm-data id="table" tabindex="-1" .pool=${this.pool} .spec=${this.tableSpec} .view=${view} .loaded=${this.loader.loaded} .training=${table} ?dark=${this.isDark()} ?stale=${table.phase !== "idle" && table.query !== tableQuery(this.tableSpec)}></ifm-data>`)}
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
    during(import("./offline/bake.js").then(({ saveOffline }) => saveOffline(writeLink(this.spec, { ...this.view, embed: "0" }, this.parts).slice(1)))).catch(() => (this.saved = strings.unsaved));
  };

  private lesson(): TemplateResult {
    return this.unlessLost("lesson", html`<ifm-lesson id="lesson" tabindex="-1" .pool=${this.pool} .skies=${this.skies} .view=${this.view} .parts=${this.parts} .table=${this.loader.loaded.table} .sky=${this.sky} ?dark=${this.isDark()}></ifm-lesson>`);
  }

  private unlessLost(part: Part, there: TemplateResult): TemplateResult {
    return this.later.lost.has(part) ? html`<p id=${part} class="note" role="status">${problems.partLost(strings.nav[part])}</p>` : there;
  }

  /** Leads from a frame to the page. */
  private out(): TemplateResult | typeof nothing {
    const { spec, view, parts } = this;
    return home() ? html`<a class="out" href=${home() + writeLink(spec, { ...view, embed: "0", hide: [] }, parts)} target="_blank" rel="noopener">${product}</a>` : nothing;
  }

  private embeddedTable(): TemplateResult {
    const { loaded } = this.loader;
    const training = this.runs.now.table;
    const error = loaded.failed?.error ?? loaded.planError;
    if (error) return html`<div class="error" role="alert">${problem(error)}</div>`;
    return training.phase === "idle"
      ? html`<p class="note" role="status" ?data-soon=${this.view.sample !== "none"}>${this.view.sample === "none" ? strings.noSample : strings.soon}</p>`
      : html`<ifm-result .pool=${this.pool} .spec=${this.spec} .view=${this.view} .training=${training} .table=${loaded.table} .plan=${loaded.plan} ?dark=${this.isDark()}></ifm-result>`;
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
      this.write(moves && notices.length === 0 ? "push" : "replace");
    });
    on("ifm-open", (wanted) => {
      this.address.keep({ own: this.own, y: scrollY });
      const own = Object.fromEntries(shared.map((key) => [key, this.tableSpec[key]])) as Shared;
      this.changeSpec(Object.fromEntries(FIGURE.map((key) => [key, wanted[key]])) as Partial<Spec>, "#figure", own);
      void this.goDown("#figure");
    });
    on("ifm-walk", (query) => {
      const link = { ...readLink(query), parts: this.parts };
      this.address.move("push", writeLink(link.spec, link.view, link.parts), this.own, "#table");
      this.show(link, { own: this.own });
      this.goTo("#table", "table");
    });
    on("ifm-run", ({ run, command }) => {
      this.runs.command(run, command);
      if (run === "table" && command === "again" && !this.alone) void this.goDown("#result");
    });
    on("ifm-file", (file) => void during(this.take(file)));
    this.addEventListener("change", ({ target }) => (this.loader.guarded ||= target instanceof HTMLInputElement && target.type === "file")); // one to predict, too
    on("ifm-model", () => this.loader.lay({ model: null }));
    on("ifm-share", (piece) => this.share(piece));
    on("ifm-sample", (sample) => void this.openSample(sample as Sample, false));
    on("ifm-cancel", () => this.loader.cancel());
    on("ifm-savable", () => void import("./save/save.js").catch(() => undefined)); // then nothing can be saved
    on("ifm-look", (wanted) => this.runs.figure.watch(wanted));

    addEventListener("keydown", ({ key }) => {
      if (key === "Tab") void this.later.load("table"); // or it would be passed over
    });
    addEventListener("keydown", (event) => {
      const typing = event.target instanceof Element && event.target.closest("input:not([type=range], [type=radio], [type=checkbox]), textarea, select");
      if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || typing || !this.address.goesBack) return;
      event.preventDefault();
      void this.undo();
    });
    addEventListener("hashchange", () => {
      const chapter = chapters.find((name) => name === location.hash.slice(1));
      if (chapter && !this.querySelector(location.hash)) this.goTo(location.hash, "lesson"); // its script is not there yet
    });
    addEventListener("popstate", () => this.show(readLink(this.address.query), this.address.kept));
    this.dark.addEventListener("change", () => this.paintTheme());
    this.still.addEventListener("change", () => this.requestUpdate());
    const { embed, chapter } = this.view;
    if (embed === "1" && chapter !== "vtec") return;
    catchDrops({
      over: (some) => (this.dropping = some && embed !== "1"),
      take: (file, note) => void (embed === "1" ? this.look(file) : during(this.take(file, note))),
      refuse: (name, message) => this.loader.refuse(name, unusable(message)),
    });
  }

  /** What the reader changes holds for the table too; own are its settings where the change is the figure's alone. */
  private changeSpec(change: Partial<Spec>, hash = location.hash, own?: Shared): void {
    const keys = Object.keys(change) as (keyof Spec)[];
    const wanted: Spec = { ...this.spec, ...change, source: keys.includes("scenario") ? "synthetic" : this.spec.source };
    const fitted = fit({ ...wanted, source: "synthetic" });
    this.notices = fitted.notices;
    this.view = { ...this.view, chapter: "none" };
    this.settle({ ...fitted.spec, source: wanted.source }, own ?? (Object.fromEntries(Object.entries(this.own).filter(([key]) => !(key in change))) as Shared));
    this.write("push", hash);
    this.react(keys);
  }

  /** Takes the last change back, and says so. */
  private readonly undo = async (): Promise<void> => {
    this.undone = "";
    await during(this.address.back());
    this.undone = strings.undone;
  };

  private changeView(change: Partial<View>): void {
    this.view = { ...this.view, ...change };
    this.write("replace");
    this.paintTheme();
    if (change.speed) this.runs.pace();
  }

  /** Shows what another address says. */
  private show(link: Link, { own, y, file }: Kept): void {
    const { spec, view } = this;
    const same = encode(spec) === encode(link.spec); // a link within the page
    Object.assign(this, { view: link.view, parts: link.parts, notices: link.notices });
    this.settle(link.spec, own ?? (same ? this.own : {}));
    this.address.keep({ own: this.own });
    if (y !== undefined) void this.settled().then(() => scrollTo({ top: y, behavior: "instant" })); // it is as high as it was
    this.paintTheme();
    this.runs.pace();
    const keys = Object.keys(link.spec) as (keyof Spec)[];
    const changed = keys.filter((key) => JSON.stringify(spec[key]) !== JSON.stringify(link.spec[key]));
    const { sample } = link.view;
    if (sample !== "none" && sample !== view.sample) {
      this.follow(changed);
      return void this.openSample(sample, true); // what has changed is planned with it, and not with the table before
    }
    const theirs = link.spec.source === "table" && sample === "none" && this.loader.other(file);
    if (!theirs) return this.react(changed);
    this.follow(changed);
    void this.open(theirs, "none", "", true);
  }

  /** Does what a change of these settings asks for. */
  private react(keys: readonly (keyof Spec)[]): void {
    this.requestUpdate();
    this.follow(keys);
    const { opened } = this.loader;
    const { sample } = this.view;
    if (!opened) return;
    if (this.loader.outdated(sample, this.tableSpec.seed)) void this.openSample(sample, true);
    else if (keys.some((key) => READING.includes(key))) void this.open(opened.file, sample, "", true);
    else void this.plan();
  }

  /** Runs the figure anew where these settings are among its own. */
  private follow(keys: readonly (keyof Spec)[]): void {
    if (FIGURE.some((key) => keys.includes(key))) this.runs.renew();
  }

  private settle(spec: Spec, own: Shared = {}): void {
    this.spec = spec;
    this.own = own;
    this.tableSpec = Object.keys(own).length > 0 ? { ...spec, ...own } : spec;
  }

  private async openSample(sample: Sample, linked: boolean): Promise<void> {
    const file = await this.loader.sample(sample, this.tableSpec.seed);
    if (file) await this.open(file, sample, "", linked);
  }

  /** Opens what the reader brought: a saved model beside all else, a file about the ionosphere, or a table. */
  private async take(file: File, note = ""): Promise<void> {
    if (await isSky(file)) {
      this.look(file);
      this.goTo("#vtec", "lesson");
    } else if (!/\.json$/i.test(file.name)) {
      this.loader.bring();
      await this.open(file, "none", note);
    } else if (await this.loader.openModel(file, note)) this.goTo("#saved-title", "table");
  }

  /** Hands a file to the chapter on vTEC. */
  private look(file: File): void {
    this.sky = file;
    this.loader.guarded = true;
    this.requestUpdate();
  }

  /**
   * Reads a file in place of the one before, which stays if that fails. The
   * settings' separator and header count only where they belong to this file,
   * as they do to the one that a link waits for.
   */
  private async open(file: File, sample: View["sample"], note = "", reopened = false): Promise<void> {
    const { loader } = this;
    void this.later.load("table");
    const same = reopened || (sample === "none" && awaited(this.spec, this.view, loader.loaded));
    const spec: Spec = same ? this.spec : { ...this.spec, separator: "auto", header: "auto" };
    const opened = await loader.read(file, spec, note, !reopened);
    if (!opened) return;
    if (!same || loader.opened?.file.name !== file.name) this.runs.table.reset();
    const roles = rolesFor(opened.table, same ? spec : { ...spec, target: "" }, sample === "none" ? undefined : sampleTargets[sample]);
    const gone = same && spec.target !== "" && roles.target !== spec.target ? opening.targetGone(spec.target, roles.target) : "";
    loader.put(opened, sample, gone || note);
    const own = Object.keys(this.own) as (keyof Shared)[];
    this.settle({ ...spec, ...this.own, ...roles, source: "table" }); // the address is the table's now, and has room for one run
    this.follow(own);
    this.view = { ...this.view, sample };
    this.write(same ? "replace" : "push");
    if (!reopened) this.goTo("#file", "table");
    await this.plan(true);
  }

  /** Asks what training on the present settings would use. Where nothing else is to be seen it is done: on other rows, or where it is not what was done last. */
  private async plan(otherRows = false): Promise<void> {
    await this.loader.plan(this.tableSpec);
    if (this.alone && this.loader.loaded.plan && (otherRows || this.runs.table.snapshot().query !== tableQuery(this.tableSpec))) this.runs.command("table", "again");
  }

  /** Moves focus and view to what is in a part of the page that is loaded later. */
  private goTo(selector: string, part: Part): void {
    void this.later.load(part).then(() => this.goDown(selector));
  }

  /** Moves focus and view to what has just appeared. */
  private async goDown(selector: string): Promise<void> {
    await this.settled();
    const element = this.querySelector<HTMLElement>(selector);
    if (parent !== window && !navigator.userActivation?.hasBeenActive) return scrollTo(0, scrollY + (element?.getBoundingClientRect().top ?? 0)); // the page around stays where its reader is
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "start", behavior: this.still.matches ? "auto" : "smooth" });
  }

  /** Resolves once the panels are drawn, which they are with the next redraw. */
  private async settled(): Promise<void> {
    await this.updateComplete;
    await turn(REDRAW + 20);
  }

  private write(how: "push" | "replace", hash = location.hash): void {
    this.address.move(this.view.embed === "1" ? "replace" : how, this.query, this.own, hash);
    this.requestUpdate();
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

  get guarded(): boolean {
    return this.loader.guarded;
  }

  get shown(): Shown | null {
    const { alone } = this;
    const { loaded } = this.loader;
    if (this.view.embed === "1" && (this.view.chapter !== "none" || (alone && this.view.sample === "none"))) return null;
    const training = this.runs.now[alone ? "table" : "figure"];
    const says = this.querySelector<Panel & { readonly says?: Phrase }>(alone ? "ifm-result" : "ifm-figure")?.says ?? [];
    return { training, says, error: training.error ?? (alone ? (loaded.failed?.error ?? loaded.planError) : null) };
  }

  go(query: string): void {
    const link = readLink(query);
    this.show({ ...link, view: { ...link.view, embed: this.view.embed } }, {});
    this.write("replace");
    if (this.view.embed === "1" && (this.view.chapter !== "none" || this.alone)) {
      this.runs.rest("figure");
      void this.later.load(this.alone ? "table" : "lesson");
    }
    void this.watch();
  }

  steer(command: Command): void {
    if (this.shown) this.runs.steer(command);
  }

  // What its runs ask of the page, by runs.ts.

  get calm(): boolean {
    return this.still.matches && !this.view.hide.includes("controls");
  }

  order(run: Run): Order {
    const ofTable = run === "table";
    const { speed } = this.view;
    return {
      query: ofTable ? tableQuery(this.tableSpec) : encode({ ...this.spec, source: "synthetic", sweep: "none" }),
      table: ofTable ? this.loader.opened : null,
      rate: rate(this.still.matches && speed === "normal" ? "instant" : speed, ofTable ? "table" : "synthetic"), // who wants nothing to move sees a run that was asked for at its end
    };
  }

  redraw(): void {
    const { phase, lines } = this.runs.now.figure;
    this.requestUpdate();
    if (phase === "failed" || (lines.length > 0 && phase !== "running")) void this.later.load("table"); // nothing waits for the processor any more
  }
}

function sharing(): Promise<typeof import("./share/dialog.js")> {
  return during(import("./share/dialog.js"));
}

/** Asks for the dialog's script as soon as somebody is about to open it. */
function warm(): void {
  sharing().catch(() => undefined); // missed when it is opened
}

customElements.define("ifm-app", App);
