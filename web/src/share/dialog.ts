import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { after, during } from "../engine/pending.js";
import { check, pick } from "../panel/inputs.js";
import { Panel } from "../panel/panel.js";
import { titles } from "../state/chapters.gen.js";
import { namesColumns } from "../state/groups.js";
import { around, charts, embedded, hasTable, isChapter, isChart, isFigure, isOwn, linked, type Around, type Piece, type State } from "../state/piece.js";
import { frame } from "../state/heights.gen.js";
import { heightOf } from "../state/heights.js";
import { home } from "../state/site.js";
import type { Pair } from "../state/spec.js";
import { themes } from "../state/strings.js";
import { chapters, type View } from "../state/view.js";
import { mayForbid } from "../save/sandbox.js";
import { lacks, reached, refused } from "./server.js";
import { copyText } from "../save/copy.js";
import { address, bare, beside, card, course, docusaurus, element, following, html as page, hugo, jupyter, myst, oembed, quarto, question, reveal, titleOf, vitepress, type Shown, type Writer } from "./snippet.js";
import { sharing as strings } from "./strings.js";

interface Form {
  readonly group: keyof typeof strings.groupsOf;
  readonly write: Writer | null; // null: it is a file
  readonly frame?: "sized" | "slide" | "fitted"; // it makes a frame: as high as it says, on a slide, or as its host likes
  readonly adapts?: true; // becomes as high as what is shown
}

const forms = {
  course: { group: "frame", write: course, frame: "sized" },
  element: { group: "component", write: element, frame: "sized", adapts: true },
  vitepress: { group: "component", write: vitepress, frame: "sized", adapts: true },
  docusaurus: { group: "component", write: docusaurus, frame: "sized", adapts: true },
  reveal: { group: "slides", write: reveal, frame: "slide" },
  jupyter: { group: "documents", write: jupyter, frame: "sized" },
  quarto: { group: "documents", write: quarto, frame: "sized" },
  myst: { group: "documents", write: myst, frame: "fitted" },
  hugo: { group: "documents", write: hugo, frame: "sized" },
  oembed: { group: "link", write: oembed, frame: "fitted" },
  card: { group: "link", write: card },
  bare: { group: "link", write: bare, frame: "fitted" },
  offline: { group: "file", write: null },
} as const satisfies Readonly<Record<string, Form>>;
type Name = keyof typeof forms;
const names = Object.keys(forms) as Name[];

/** Widths of a frame, px: a chapter is twice as high on a phone. */
const rooms = { phone: 360, column: 720, wide: 1100 } as const;
type Room = keyof typeof rooms;

const LEAST = 120; // px, of a height
const MOST = 10_000;
const ROOM = 720; // px, that the dialog has in a frame as high as that
const LOOSE = 0.1; // of a height may stay empty without a word
const SETTLE = 400; // ms without a change before the preview follows
const TOLD = 2000; // ms that a button says what it has done

/** The dialog that shows a piece of the lab elsewhere. It remembers its choices while the page is open. */
class Share extends Panel {
  @state() private accessor state: State | null = null; // null: closed
  @state() private accessor piece: Piece = "figure";
  @state() private accessor name: Name = "course"; // of the form
  @state() private accessor height = Number.NaN; // px; NaN: what the piece needs in the room that it has
  @state() private accessor follow = false;
  @state() private accessor below = true; // a link, where frames are taken out
  @state() private accessor theme: View["theme"] = "auto";
  @state() private accessor shows: readonly Around[] = usual("figure"); // around the figure, or its chart
  @state() private accessor said: string | TemplateResult = "";
  @state() private accessor copied = ""; // the box whose text has just been copied
  @state() private accessor previewed: boolean = matchMedia("(min-width: 62rem)").matches;
  @state() private accessor room: Room = "column";
  @state() private accessor needed = Number.NaN; // px, that the preview asks for; NaN: nothing yet
  @state() private accessor lacks: readonly string[] = []; // what the server does
  @state() private accessor busy = false; // a file is made

  private readonly last: Partial<Record<Form["group"], Name>> = {};
  private usual = 0; // px, of what is shown in the room that it has
  private above = 0; // px, where the dialog begins in a frame that may be much higher than what is seen of it
  private previews = ""; // what is previewed
  private settling: (() => void) | undefined;
  private telling: ReturnType<typeof setTimeout> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("message", this.hear);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("message", this.hear);
  }

  /** Opens it for a piece, for the one that the reader looks at, or for the last one. */
  async open(state: State, piece: Piece | "here"): Promise<void> {
    const from = document.activeElement?.getBoundingClientRect();
    const above = state.view.embed === "0" ? 0 : Math.max(0, Math.min(from?.top ?? 0, innerHeight - ROOM));
    const wanted = piece === "here" ? shownHere(state) : piece;
    if (wanted !== this.piece) this.choose(wanted);
    Object.assign(this, { state, said: "", copied: "", needed: Number.NaN, above });
    if (!home()) this.name = "offline";
    void lacks().then((all) => (this.lacks = all));
    await this.updateComplete;
    this.querySelector("dialog")?.showModal();
    this.querySelector("h2")?.focus(); // a frame may not say so by autofocus
  }

  protected override render(): TemplateResult | typeof nothing {
    const { state } = this;
    if (!state) return nothing;
    const shown = this.shown(state);
    return html`<dialog class="sharing" aria-labelledby="sharing-title" style=${this.above > 0 ? `margin-top:${this.above}px;max-height:calc(100dvh - ${this.above + 12}px)` : nothing} @close=${this.closed} @click=${this.beyond}>
      <div class="inside">
        <div class="head">
          <h2 id="sharing-title" tabindex="-1">${strings.title}</h2>
          <button class="bare icon-only close" aria-label=${strings.close} @click=${this.close}><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3.2 2 8 6.8 12.8 2 14 3.2 9.2 8 14 12.8 12.8 14 8 9.2 3.2 14 2 12.8 6.8 8 2 3.2z" /></svg></button>
        </div>
        <div class="what">${this.pieces(state)} ${this.link(shown)}</div>
        ${home() ? this.choice() : nothing}
        <div class="paste">
          <div class="options">${this.options(shown)}</div>
          ${this.code(shown)}
        </div>
        <p class="said" role="status">${this.said}</p>
        ${isFile() ? nothing : this.preview(shown)}
        ${home() ? html`<p class="more"><a href=${beside(home(), "embeds.html")} target="_blank" rel="noopener">${strings.examples}</a></p>` : nothing}
      </div>
    </dialog>`;
  }

  protected override updated(): void {
    const { state } = this;
    const shown = state && this.previewed && !isFile() ? this.previewable(state) : null;
    const wanted = shown ? page({ ...shown, height: 0 }) : "";
    if (shown) this.querySelector(".window iframe")?.setAttribute("height", String(shown.height)); // the same frame runs on
    if (wanted === this.previews) return;
    const first = this.previews === "";
    this.previews = wanted;
    this.settling?.();
    if (!shown) this.querySelector(".window")?.replaceChildren();
    else this.settling = after(first ? 0 : SETTLE, () => this.show(page(shown)));
  }

  /** What the snippet shows, without the names of a reader's columns, which its frame would send to the server. */
  private previewable(state: State): Shown {
    const shown = this.shown(state);
    return isOwn(state) ? { ...shown, settings: shown.settings.filter(([key]) => !namesColumns(key)) } : shown;
  }

  private show(snippet: string): void {
    const made = document.createElement("template");
    made.innerHTML = snippet;
    made.content.querySelector("iframe")?.addEventListener("load", this.listen);
    this.querySelector(".window")?.replaceChildren(made.content); // a new frame: a new address in the old one would be a step of the page's history
  }

  /** Escape closes the dialog from inside the preview too. */
  private readonly listen = ({ currentTarget }: Event): void => {
    const inside = (currentTarget as HTMLIFrameElement).contentDocument; // null in a sandbox, where the two are strangers
    inside?.addEventListener("keydown", ({ key }) => key === "Escape" && this.close());
  };

  private readonly hear = ({ source, data }: MessageEvent<unknown>): void => {
    const frame = this.querySelector<HTMLIFrameElement>(".window iframe");
    if (!frame || source !== frame.contentWindow || typeof data !== "object" || data === null || !("type" in data) || data.type !== "ifm-lab.height" || !("height" in data)) return;
    const height = Math.ceil(Number(data.height));
    if (!(height >= LEAST && height <= MOST)) return;
    this.needed = height;
  };

  private get form(): Form {
    return forms[this.name];
  }

  private shown(state: State): Shown {
    const { piece } = this;
    const look = { theme: this.theme, hide: around.figure.filter((part) => !this.shows.includes(part)) };
    const settings = embedded(state, piece, look);
    this.usual = this.form.frame === "slide" ? frame.slide : heightOf(settings, rooms[this.room]);
    return { page: home() || here(), settings, link: linked(state, piece, look), title: titleOf(piece), height: Number.isNaN(this.height) ? this.usual : this.height };
  }

  /** Whether the frame becomes as high as what it shows. */
  private get adapts(): boolean {
    return this.form.adapts ?? (this.name === "course" && this.follow);
  }

  /** Whether the piece is shown without scrolling: slides have no room for what is read. */
  private get fits(): boolean {
    return this.form.frame !== "slide" || isFigure(this.piece);
  }

  private choose(piece: Piece): void {
    if (isChart(piece) !== isChart(this.piece)) this.shows = usual(piece);
    Object.assign(this, { piece, height: Number.NaN, needed: Number.NaN, said: "", copied: "" });
  }

  private pieces(state: State): TemplateResult {
    const { pieces, groups } = strings;
    const option = (piece: Piece, name: string): TemplateResult => html`<option value=${piece} .selected=${piece === this.piece}>${name}</option>`;
    return html`<label class="pick">
        <span>${strings.piece}</span>
        <select name="piece" @change=${(e: Event) => this.choose((e.target as HTMLSelectElement).value as Piece)}>
          <optgroup label=${groups.figure}>${option("figure", pieces.figure)} ${charts.map((chart) => option(chart, pieces[chart]))}</optgroup>
          ${hasTable(state) ? html`<optgroup label=${groups.table}>${option("table", pieces.table)}</optgroup>` : nothing}
          <optgroup label=${groups.lesson}>${chapters.map((chapter) => option(`chapter:${chapter}`, titles[chapter]))}</optgroup>
          <optgroup label=${groups.lab}>${option("lab", pieces.lab)}</optgroup>
        </select>
      </label>
      ${isOwn(state) ? html`<p class="note own">${strings.own}</p>` : nothing}`;
  }

  private link({ page, link }: Shown): TemplateResult {
    const address_ = address(page, link);
    const local = !home() ? strings.file : reached(home(), isFile());
    return html`<div class="text link">
      <label for="sharing-link">${strings.link}</label>
      <input id="sharing-link" type="text" readonly .value=${address_} @focus=${(e: Event) => (e.target as HTMLInputElement).select()} />
      ${this.copier("#sharing-link", strings.copyLink)}
      ${local === "" ? nothing : html`<p class="note local">${local}</p>`}
      ${this.lacks.length === 0 ? nothing : html`<div class="note lacks" role="status">${this.lacks.map((line) => html`<p>${line}</p>`)}</div>`}
    </div>`;
  }

  /** As wide when it says that it has copied. */
  private copier(selector: string, name: string): TemplateResult {
    const copied = this.copied === selector;
    return html`<button class="copy ${selector === "#sharing-code" ? "main" : ""}" @click=${() => void this.copy(selector)}><span class=${copied ? "off" : ""}>${name}</span><span class=${copied ? "" : "off"}>${strings.done}</span></button>`;
  }

  private choice(): TemplateResult {
    const { group } = this.form;
    const choose = (name: Name): unknown => Object.assign(this, { name, said: "", copied: "" });
    const of = (group: Form["group"]): Name[] => names.filter((name) => forms[name].group === group);
    const groups = [...new Set(names.map((name) => forms[name].group))];
    return html`<fieldset class="forms">
        <legend>${strings.form}</legend>
        ${groups.map((other) => html`<label><input type="radio" name="sharing-form" value=${other} .checked=${other === group} @change=${() => choose(this.last[other] ?? of(other)[0] ?? "course")} /><span>${strings.groupsOf[other]}</span></label>`)}
      </fieldset>
      ${of(group).length > 1 ? pick(strings.host, of(group), this.name, (name) => strings.forms[name], (name) => choose((this.last[group] = name)), "host") : nothing}`;
  }

  private options({ height }: Shown): TemplateResult {
    const { frame } = this.form;
    const sized = frame === "sized";
    const shows = isFigure(this.piece) && frame !== undefined;
    const inRoom = (room: Room): unknown => Object.assign(this, { room, height: Number.NaN, needed: Number.NaN });
    return html`
      ${pick(strings.theme, ["auto", "light", "dark"], this.theme, (theme) => themes[theme], (theme) => (this.theme = theme), "theme")}
      ${sized ? pick(strings.room, ["phone", "column", "wide"], this.room, (room) => strings.rooms[room](rooms[room]), inRoom, "room") : nothing}
      ${(sized || frame === "slide") && this.fits ? html`<label class="pick"><span>${strings.height}</span> <input type="number" name="height" min=${LEAST} max=${MOST} step="10" .value=${String(height)} @change=${this.size} /></label>` : nothing}
      ${this.name === "course" ? html`${check(strings.below, this.below, (below) => (this.below = below), "below")} ${check(strings.follow, this.follow, (follow) => (this.follow = follow), "follow")}` : nothing}
      ${shows
        ? html`<fieldset class="shows">
            <legend>${strings.shows}</legend>
            ${around[isChart(this.piece) ? "chart" : "figure"].map((part) => check(strings.around[part], this.shows.includes(part), () => this.toggle(part), part))}
          </fieldset>`
        : nothing}
    `;
  }

  private readonly size = (event: Event): void => {
    const box = event.target as HTMLInputElement;
    const height = Math.round(Number(box.value));
    if (height > 0) this.height = Math.min(Math.max(height, LEAST), MOST);
    box.value = String(Number.isNaN(this.height) ? this.usual : this.height);
  };

  private toggle(part: Around): void {
    this.shows = around.figure.filter((other) => this.shows.includes(other) !== (other === part));
    this.needed = Number.NaN; // it was that of another frame
  }

  private code(shown: Shown): TemplateResult {
    const { name, form } = this;
    const { write, frame } = form;
    if (!write) {
      return html`<div class="code">
        <p class="note">${strings.notes.offline}</p>
        <button class="main file" aria-disabled=${this.busy} @click=${() => void this.save(shown.link)}>${strings.save}</button>
      </div>`;
    }
    const refusal = refused(name);
    if (refusal !== "") return html`<div class="code"><p class="note">${refusal}</p></div>`;
    if (!this.fits) {
      const presented = address(shown.page, [...shown.link, ["present", "1"]]);
      return html`<div class="code"><p class="note">${strings.scrolls}${isChapter(this.piece) ? html` ${strings.presented} <a class="long" href=${presented} target="_blank" rel="noopener">${presented}</a>` : nothing}</p></div>`;
    }
    const isCourse = name === "course";
    const written = [(isCourse && !this.below ? page : write)(shown), ...(isCourse && this.follow ? [following] : [])].join("\n");
    const { origin } = new URL(shown.page);
    return html`<div class="code">
      <p class="note" id="sharing-note">
        ${strings.notes[name]} ${this.adapts ? strings.fallback : nothing}
        ${frame && name !== "oembed" ? html`${strings.allow} <code class="long">${form.adapts ? strings.policy(origin) : strings.frames(origin)}</code>.` : nothing}
        ${name === "quarto" ? html`<a href=${beside(home(), strings.extension)} download>${strings.extension}</a>` : nothing} ${name === "oembed" ? html`<a class="long" href=${question(shown)} target="_blank" rel="noopener">${question(shown)}</a>` : nothing}
      </p>
      <label class="seen-not" for="sharing-code">${strings.code}</label>
      <textarea id="sharing-code" readonly spellcheck="false" rows=${Math.min(9, 1 + written.split("\n").length + Math.floor(written.length / 90))} aria-describedby="sharing-note" .value=${written} @focus=${(e: Event) => (e.target as HTMLTextAreaElement).select()}></textarea>
      ${this.copier("#sharing-code", strings.copy)}
    </div>`;
  }

  private preview({ height }: Shown): TemplateResult {
    const { needed } = this;
    const asks = this.form.frame === "sized" && this.piece !== "lab" && !this.adapts && (needed > height || needed < height - LOOSE * height);
    return html`<details class="fold preview" .open=${this.previewed} @toggle=${this.fold}>
      <summary>${strings.preview}</summary>
      <div class="about">
        <p class="note">${asks ? html`${strings.needs(needed)} <button class="fit" @click=${() => (this.height = needed)}>${strings.use(needed)}</button>` : nothing}</p>
      </div>
      <div class="window" style="--room:${rooms[this.room]}px" role="region" aria-label=${strings.preview} tabindex="0"></div>
    </details>`;
  }

  private readonly fold = ({ target }: Event): void => {
    const { open } = target as HTMLDetailsElement;
    if (open === this.previewed) return; // it was drawn open
    this.previewed = open;
    if (open) void this.updateComplete.then(() => this.querySelector(".window")?.scrollIntoView({ block: "nearest" }));
  };

  private async copy(selector: string): Promise<void> {
    const box = this.querySelector<HTMLInputElement | HTMLTextAreaElement>(selector);
    if (!box) return;
    Object.assign(this, { said: "", copied: "" });
    const copied = await copyText(box.value, () => {
      box.focus();
      box.select();
    });
    Object.assign(this, copied ? { said: strings.copied, copied: selector } : { said: strings.selected });
    clearTimeout(this.telling);
    this.telling = setTimeout(() => (this.copied = ""), TOLD);
  }

  private async save(link: readonly Pair[]): Promise<void> {
    if (this.busy) return;
    Object.assign(this, { busy: true, said: strings.saving });
    try {
      const { saveOffline } = await during(import("../offline/bake.js"));
      await during(saveOffline(address("", link).slice(1)));
      this.said = mayForbid() ? html`${strings.perhaps} <a href=${address(home(), link)} target="_blank" rel="noopener">${strings.ownTab}</a>.` : strings.saved;
    } catch (reason) {
      this.said = strings.notSaved(reason instanceof Error ? reason.message : "");
    } finally {
      this.busy = false;
    }
  }

  private readonly close = (): void => this.querySelector("dialog")?.close();

  private readonly closed = (): void => {
    this.state = null;
  };

  private readonly beyond = (event: Event): void => {
    if (event.target === event.currentTarget) this.close();
  };
}

/** Around the figure stands all but its matrices, which make it twice as high. */
function usual(piece: Piece): readonly Around[] {
  return isChart(piece) ? [] : around.chart;
}

function here(): string {
  return location.href.replace(/[?#].*$/, "");
}

/** Whether the page is the offline file, which shows no other page. */
function isFile(): boolean {
  return location.protocol === "file:";
}

/** The piece that the place shows. */
function shownHere(state: State): Piece {
  if (state.place === "figure") return "figure";
  if (state.place === "table") return hasTable(state) ? "table" : "lab";
  return state.view.chapter === "none" ? "lab" : `chapter:${state.view.chapter}`;
}

customElements.define("ifm-share", Share);

export async function share(state: State, piece: Piece | "here"): Promise<void> {
  const dialog = document.querySelector<Share>("ifm-share") ?? document.body.appendChild(new Share());
  await dialog.open(state, piece);
}
