// The page: what it is made of. Panels get properties and tell events; what they
// ask for is done by page/lab.ts.
import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { cache } from "lit/directives/cache.js";
import type { Frame } from "./embed/frame.js";
import { load, type Program } from "./engine/engine.js";
import { during } from "./engine/pending.js";
import { Pool } from "./engine/pool.js";
import "./figure/figure.js";
import { catchDrops } from "./file/drop.js";
import { comingLesson, footer, header, noticeList } from "./page/layout.js";
import { Lab } from "./page/lab.js";
import { page as strings } from "./page/strings.js";
import type { Events } from "./panel/events.js";
import { painted, Panel, seen } from "./panel/panel.js";
import { playBySpace, TYPED } from "./panel/player.js";
import { problem } from "./panel/problem.js";
import { script } from "./panel/script.js";
import { problems } from "./panel/strings.js";
import { openOutside } from "./save/sandbox.js";
import { tableQuery } from "./state/groups.js";
import { here, type Piece } from "./state/piece.js";
import { address, home, program, start } from "./state/site.js";
import { chapters, isFrame, isSlide, leads, readLink, writeLink, type Place, type Sample } from "./state/view.js";
import { product } from "./text/strings.js";

const WORKERS = 8;

class App extends Panel {
  @property() accessor worker!: string; // addresses, relative to the page's
  @property() accessor readers!: string | undefined; // of scripts that the worker loads for packed files; built in in the offline file
  @property() accessor wasm!: string; // the engine of what trains on drawn rows
  @property() accessor table!: string; // of tables and models in files
  @property() accessor ionosphere!: string; // of the chapter on vTEC; in the offline file all three are one

  @state() private accessor dropping = false;
  @state() private accessor undone = "";
  @state() private accessor saved = "";

  private pool!: Pool;
  private ionospherePool!: Pool;
  private lab!: Lab;
  private frame: Frame | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    void during(this.updateComplete);
    document.querySelector(".unstarted")?.remove();
    const ready = readLink(start()).view.embed === "0" ? painted() : seen(this); // a frame that nobody looks at does nothing
    const readers = this.readers?.split(" ").map(address) ?? [];
    const engine = (wasm: string): Program => load(address(this.worker), readers, program(wasm), ready);
    const size = Math.min(navigator.hardwareConcurrency || 2, WORKERS);
    const figure = engine(this.wasm);
    this.pool = new Pool(figure, size, this.table === this.wasm ? figure : engine(this.table));
    this.ionospherePool = this.ionosphere === this.wasm ? this.pool : new Pool(engine(this.ionosphere), size);
    this.lab = new Lab(this, this.pool, this.ionospherePool);
    void ready.then(() => (this.lab.isIonosphereFrame ? this.ionospherePool.warm("figure") : this.pool.warm(this.lab.isTableFrame ? "table" : "figure")));
    this.listen();
    this.lab.start();
  }

  protected override firstUpdated(): void {
    const { place, view } = this.lab.page;
    if (isSlide(place, view)) during(import("./embed/slide.js")).then(
      ({ fit }) => fit(this.lab),
      () => undefined,
    );
    if (view.embed === "0" || parent === window) return;
    during(import("./embed/frame.js")).then(
      ({ Frame }) => (this.frame = new Frame(this, this.lab)),
      () => undefined, // the page around then hears nothing
    );
  }

  protected override updated(): void {
    this.lab.guard();
    this.frame?.update();
  }

  private listen(): void {
    const { lab } = this;
    const on = <Name extends keyof Events>(name: Name, react: (detail: Events[Name]) => void): void => this.addEventListener(name, (event) => react((event as CustomEvent<Events[Name]>).detail));
    on("ifm-spec", (change) => lab.change(change));
    on("ifm-choose", (change) => void lab.choose(change));
    on("ifm-train", (change) => lab.train(change));
    on("ifm-view", (change) => lab.changeView(change));
    on("ifm-part", ({ chapter, query, notices }) => lab.page.changePart(chapter, query, notices));
    on("ifm-parts", ({ parts, how }) => lab.page.changeParts(parts, how));
    on("ifm-open", (wanted) => lab.openRun(wanted));
    on("ifm-run", ({ run, command }) => lab.command(run, command));
    on("ifm-file", (file) => void lab.take(file));
    on("ifm-second", (as) => void lab.join(as));
    on("ifm-kept", (model) => lab.keep(model));
    on("ifm-model", () => lab.loader.update({ model: null }));
    on("ifm-share", (piece) => this.share(piece));
    on("ifm-sample", (sample) => lab.sample(sample as Sample));
    on("ifm-cancel", () => lab.loader.cancel());
    on("ifm-savable", () => void during(import("./save/save.js")).catch(() => undefined)); // then nothing can be saved
    on("ifm-swept", () => lab.showSweep(null));
    on("ifm-study", ({ what, go }) => lab.runs.table.study(what, go));
    on("ifm-class", (shown) => lab.runs.table.showClass(shown));
    on("ifm-look", (wanted) => lab.runs.figure.watch(wanted));
    this.addEventListener("change", ({ target }) => (lab.loader.guarded ||= target instanceof HTMLInputElement && target.type === "file")); // one to predict, too

    addEventListener("keydown", playBySpace);
    listen(lab, () => void this.undo());
    this.addEventListener("click", openOutside);
    const framed = isFrame(lab.page.view);
    if (!framed) this.addEventListener("click", (event) => followLink(event, lab));
    if (framed && lab.page.chapter !== "vtec") return;
    catchDrops({
      over: (some) => {
        this.dropping = some && !framed;
        if (this.dropping) this.pool.warm("table"); // most files are
      },
      take: (file, all) => void (framed ? lab.look(file) : lab.take(file, all)),
      refuse: (name, message) => lab.refuse(name, message),
    });
  }

  protected override render(): TemplateResult {
    const { page, isDark } = this.lab;
    const { view } = page;
    const notices = noticeList(page.notices, () => page.note([]));
    if (isFrame(view)) return html`<main class="embed" id="main">${notices} ${this.shown(page.place)} ${this.out()}</main>`;
    const outside = view.embed === "lab" ? "_blank" : nothing;
    const head = header({
      place: page.place,
      isDark,
      undo: page.canUndo ? this.undo : null,
      undone: this.undone,
      addressOf: (place) => page.addressOf(place),
      share: () => this.share("here"),
      warm: () => void sharing().catch(() => undefined), // missed when it is opened
      paint: (theme) => this.lab.changeView({ theme: matchMedia("(prefers-color-scheme: dark)").matches === (theme === "dark") ? "auto" : theme }),
    });
    return html`
      <a class="skip" href="#main">${strings.skip}</a>
      ${head}
      <main id="main" tabindex="-1" data-place=${page.place}>${notices} ${cache(this.shown(page.place))}</main>
      ${footer(outside, this.save, this.saved)}
      ${view.present === "0" ? nothing : html`<ifm-presenter .chapter=${page.chapter} .present=${view.present} .chapters=${chapters}></ifm-presenter>`}
      ${this.dropping ? html`<div class="dropping" aria-hidden="true"><p>${strings.drop}</p></div>` : nothing}
    `;
  }

  private shown(place: Place): TemplateResult {
    const { page, loader, runs, figureSpec, isDark, isStill, places } = this.lab;
    const { tableSpec, view } = page;
    const { figure, other, table } = runs.now;
    if (places.lost.has(place)) return html`<p id=${place} class="note" role="status">${problems.partLost(strings.nav[place])}</p>`;
    switch (place) {
      case "figure":
        return html`<ifm-figure id="figure" data-player .spec=${figureSpec} .view=${view} .training=${figure} .other=${other} ?dark=${isDark} ?still=${isStill}></ifm-figure>`;
      case "table":
        if (isFrame(view)) return this.embeddedTable();
        return html`<ifm-data id="table" .pool=${this.pool} .spec=${tableSpec} .view=${view} .loaded=${loader.loaded} .training=${table} ?dark=${isDark} ?stale=${table.phase !== "idle" && table.query !== tableQuery(tableSpec)}></ifm-data>`;
      case "lesson":
        return this.lesson();
    }
  }

  private lesson(): TemplateResult {
    const { page, loader, sky, handed, swept, isDark } = this.lab;
    const { chapter } = page;
    const isComing = !customElements.get("ifm-lesson");
    const coming = isComing && chapter !== "none" ? comingLesson(chapter, isFrame(page.view)) : nothing;
    return html`${coming}<ifm-lesson id="lesson" ?hidden=${isComing} .pool=${this.pool} .skies=${this.ionospherePool} .view=${page.view} .current=${chapter} .parts=${page.parts} .table=${loader.loaded.table} .sky=${sky} .handed=${handed} .swept=${swept} ?dark=${isDark}></ifm-lesson>`;
  }

  private embeddedTable(): TemplateResult {
    const { page, loader, runs, isDark } = this.lab;
    const { loaded } = loader;
    const error = loaded.failed?.error ?? loaded.planError;
    if (error) return html`<div class="error" role="alert">${problem(error)}</div>`;
    const without = page.view.sample === "none";
    return runs.now.table.phase === "idle"
      ? html`<p class="note" role="status" ?data-soon=${!without}>${without ? strings.noSample : strings.soon}</p>`
      : html`<ifm-result data-player .pool=${this.pool} .spec=${page.tableSpec} .view=${page.view} .training=${runs.now.table} .table=${loaded.table} .plan=${loaded.plan} ?dark=${isDark}></ifm-result>`;
  }

  private out(): TemplateResult | typeof nothing {
    const { spec, view, parts } = here(this.lab.page);
    return home() ? html`<a class="out" href=${home() + writeLink(spec, { ...view, embed: "0", hide: [] }, parts)} target="_blank" rel="noopener">${product}</a>` : nothing;
  }

  private share(piece: Piece | "here"): void {
    const { place, figureSpec, tableSpec, view, chapter, parts } = this.lab.page;
    const lost = (is: boolean): void => this.lab.page.note(is ? [{ key: "", found: "", message: problems.partLost(strings.share) }] : []);
    void script(sharing, lost).then(({ share }) => share({ place, figureSpec, tableSpec, view: { ...view, chapter }, parts }, piece));
  }

  private readonly undo = async (): Promise<void> => {
    this.undone = "";
    const { activeElement } = document;
    await this.lab.page.undo();
    this.undone = strings.undone;
    await this.updateComplete;
    if (activeElement?.matches(":disabled")) this.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true }); // there is no more to undo
  };

  /** Saves the page as one file that starts from what is shown. */
  private readonly save = (event: Event): void => {
    event.preventDefault();
    this.saved = "";
    const { spec, view, parts } = here(this.lab.page);
    during(import("./offline/bake.js").then(({ saveOffline }) => saveOffline(writeLink(spec, { ...view, embed: "0" }, parts).slice(1)))).catch(() => (this.saved = strings.unsaved));
  };
}

function sharing(): Promise<typeof import("./share/dialog.js")> {
  return during(import("./share/dialog.js"));
}

customElements.define("ifm-app", App);

/** Shows what a link within the page leads to, unless the reader wants it elsewhere. */
function followLink(event: MouseEvent, lab: Lab): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || link.target === "_blank" || link.download) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || url.pathname !== location.pathname || (url.hash !== "" && url.search === location.search && !leads(url.hash))) return;
  event.preventDefault();
  lab.follow(url);
}

function listen(lab: Lab, undo: () => void): void {
  addEventListener("keydown", (event) => {
    const { key, target, shiftKey, altKey } = event;
    if (document.querySelector("dialog[open]") || (target instanceof Element && target.closest(TYPED))) return;
    const command = event.ctrlKey || event.metaKey;
    if (key === "z" && command && !shiftKey && !altKey && lab.page.canUndo) {
      event.preventDefault();
      undo();
    }
    const { embed, present } = lab.page.view;
    if (key.toLowerCase() === "p" && !command && !altKey && embed === "0" && present === "0") lab.changeView({ present: "1" });
  });
}
