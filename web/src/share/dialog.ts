import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { after, during } from "../engine/pending.js";
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
import { reached } from "./reach.js";
import { refused } from "./server.js";
import { address, bare, beside, card, course, docusaurus, element, following, html as page, hugo, jupyter, myst, oembed, quarto, question, reveal, titleOf, vitepress, type Shown, type Writer } from "./snippet.js";
import { sharing as strings } from "./strings.js";

/** The forms of what is pasted, by what is chosen first. */
const groups = {
  frame: ["course"],
  component: ["element", "vitepress", "docusaurus"],
  slides: ["reveal"],
  documents: ["jupyter", "quarto", "myst", "hugo"],
  link: ["oembed", "card", "bare"],
  file: ["offline"],
} as const;
type Group = keyof typeof groups;
type Form = (typeof groups)[Group][number];

const writers: Readonly<Record<Exclude<Form, "offline">, Writer>> = { course, element, vitepress, docusaurus, reveal, jupyter, quarto, myst, hugo, oembed, card, bare };
const tall: readonly Form[] = ["course", "element", "vitepress", "docusaurus", "reveal", "jupyter", "quarto", "hugo"]; // those that say how high they are
const framed: readonly Form[] = [...tall, "myst", "oembed", "bare"];
const fitted: readonly Form[] = ["reveal", "myst"]; // into whatever there is
const adapting: readonly Form[] = groups.component; // to what is shown

/** How wide a frame may be, px: a chapter is twice as high on a phone. */
const rooms = { phone: 360, column: 720, wide: 1100 } as const;
type Room = keyof typeof rooms;

const LEAST = 120; // px, of a height
const MOST = 10_000;
const ROOM = 720; // px, that the dialog has in a frame as high as that
const LOOSE = 0.1; // of a height may stay empty without a word
const SETTLE = 400; // ms without a change before the preview follows
const TOLD = 2000; // ms that a button says what it has done

/** The dialog that shows a piece of the lab elsewhere: a link, what is to be pasted, and how it will look. It remembers its choices while the page is open, and nowhere else. */
class Share extends Panel {
  @state() private accessor state: State | null = null; // null: closed
  @state() private accessor piece: Piece = "figure";
  @state() private accessor form: Form = "course";
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
  @state() private accessor busy = false; // a file is made

  private readonly last: Partial<Record<Group, Form>> = {};
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

  /** Opens the dialog for a piece, or for the one that the reader looks at: else for the one that it was last about. */
  async open(state: State, piece: Piece | "here"): Promise<void> {
    const from = document.activeElement?.getBoundingClientRect();
    const above = state.view.embed === "0" ? 0 : Math.max(0, Math.min(from?.top ?? 0, innerHeight - ROOM));
    const seen = piece === "here" ? (lookedAt(state, above) ?? this.piece) : piece;
    const wanted = seen === "table" && !hasTable(state) ? "lab" : seen;
    if (wanted !== this.piece) this.choose(wanted);
    Object.assign(this, { state, said: "", copied: "", needed: Number.NaN, above });
    if (!home()) this.form = "offline";
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
        <div class="top">
          <h2 id="sharing-title" tabindex="-1">${strings.title}</h2>
          <button class="close" aria-label=${strings.close} @click=${this.close}><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3.2 2 8 6.8 12.8 2 14 3.2 9.2 8 14 12.8 12.8 14 8 9.2 3.2 14 2 12.8 6.8 8 2 3.2z" /></svg></button>
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

  /** What the snippet shows, but that its frame does not ask the server for the names of a reader's columns. */
  private previewable(state: State): Shown {
    const shown = this.shown(state);
    return isOwn(state) ? { ...shown, settings: shown.settings.filter(([key]) => !namesColumns(key)) } : shown;
  }

  /** Puts the very frame that the snippet makes into the preview. */
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

  private shown(state: State): Shown {
    const { piece } = this;
    const look = { theme: this.theme, hide: around.figure.filter((part) => !this.shows.includes(part)) };
    const settings = embedded(state, piece, look);
    this.usual = this.form === "reveal" ? frame.slide : heightOf(settings, rooms[this.room]);
    return { page: home() || here(), settings, link: linked(state, piece, look), title: titleOf(piece), height: Number.isNaN(this.height) ? this.usual : this.height };
  }

  /** Whether what is pasted becomes as high as the frame asks. */
  private get adapts(): boolean {
    return adapting.includes(this.form) || (this.form === "course" && this.follow);
  }

  /** Whether what is pasted shows the piece without scrolling: slides have no room for what is read. */
  private get fits(): boolean {
    return this.form !== "reveal" || isFigure(this.piece);
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
      <ifm-server></ifm-server>
    </div>`;
  }

  /** A button that is as wide when it says that it has copied. */
  private copier(selector: string, name: string): TemplateResult {
    const copied = this.copied === selector;
    return html`<button class="copy ${selector === "#sharing-code" ? "main" : ""}" @click=${() => void this.copy(selector)}><span class=${copied ? "off" : ""}>${name}</span><span class=${copied ? "" : "off"}>${strings.done}</span></button>`;
  }

  private choice(): TemplateResult {
    const { group } = this;
    const choose = (form: Form): unknown => Object.assign(this, { form, said: "", copied: "" });
    return html`<fieldset class="forms">
        <legend>${strings.form}</legend>
        ${(Object.keys(groups) as Group[]).map((other) => html`<label><input type="radio" name="sharing-form" value=${other} .checked=${other === group} @change=${() => choose(this.last[other] ?? groups[other][0])} /><span>${strings.groupsOf[other]}</span></label>`)}
      </fieldset>
      ${groups[group].length > 1
        ? html`<label class="pick host">
            <span>${strings.host}</span>
            <select name="host" @change=${(e: Event) => choose((this.last[group] = (e.target as HTMLSelectElement).value as Form))}>
              ${groups[group].map((form) => html`<option value=${form} .selected=${form === this.form}>${strings.forms[form]}</option>`)}
            </select>
          </label>`
        : nothing}`;
  }

  private get group(): Group {
    return (Object.keys(groups) as Group[]).find((group) => (groups[group] as readonly Form[]).includes(this.form)) ?? "frame";
  }

  private options({ height }: Shown): TemplateResult {
    const { form } = this;
    const shows = isFigure(this.piece) && framed.includes(form);
    return html`
      <label class="pick">
        <span>${strings.theme}</span>
        <select name="theme" @change=${(e: Event) => (this.theme = (e.target as HTMLSelectElement).value as View["theme"])}>
          ${(["auto", "light", "dark"] as const).map((theme) => html`<option value=${theme} .selected=${theme === this.theme}>${themes[theme]}</option>`)}
        </select>
      </label>
      ${tall.includes(form) && !fitted.includes(form)
        ? html`<label class="pick">
            <span>${strings.room}</span>
            <select name="room" @change=${(e: Event) => Object.assign(this, { room: (e.target as HTMLSelectElement).value, height: Number.NaN, needed: Number.NaN })}>
              ${(Object.keys(rooms) as Room[]).map((room) => html`<option value=${room} .selected=${room === this.room}>${strings.rooms[room](rooms[room])}</option>`)}
            </select>
          </label>`
        : nothing}
      ${tall.includes(form) && this.fits ? html`<label class="pick"><span>${strings.height}</span> <input type="number" name="height" min=${LEAST} max=${MOST} step="10" .value=${String(height)} @change=${this.size} /></label>` : nothing}
      ${form === "course"
        ? html`<label class="check"><input type="checkbox" name="below" .checked=${this.below} @change=${() => (this.below = !this.below)} /><span>${strings.below}</span></label>
            <label class="check"><input type="checkbox" name="follow" .checked=${this.follow} @change=${() => (this.follow = !this.follow)} /><span>${strings.follow}</span></label>`
        : nothing}
      ${shows
        ? html`<fieldset class="shows">
            <legend>${strings.shows}</legend>
            ${around[isChart(this.piece) ? "chart" : "figure"].map((part) => html`<label class="check"><input type="checkbox" name=${part} .checked=${this.shows.includes(part)} @change=${() => this.toggle(part)} /><span>${strings.around[part]}</span></label>`)}
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
    const { form } = this;
    if (form === "offline") {
      return html`<div class="code">
        <p class="note">${strings.notes.offline}</p>
        <button class="main file" aria-disabled=${this.busy} @click=${() => void this.save(shown.link)}>${strings.save}</button>
      </div>`;
    }
    const refusal = refused(form);
    if (refusal !== "") return html`<div class="code"><p class="note">${refusal}</p></div>`;
    if (!this.fits) {
      const presented = address(shown.page, [...shown.link, ["present", "1"]]);
      return html`<div class="code"><p class="note">${strings.scrolls}${isChapter(this.piece) ? html` ${strings.presented} <a class="long" href=${presented} target="_blank" rel="noopener">${presented}</a>` : nothing}</p></div>`;
    }
    const written = [(form === "course" && !this.below ? page : writers[form])(shown), ...(form === "course" && this.follow ? [following] : [])].join("\n");
    const { origin } = new URL(shown.page);
    return html`<div class="code">
      <p class="note" id="sharing-note">
        ${strings.notes[form]} ${this.adapts ? strings.fallback : nothing}
        ${framed.includes(form) && form !== "oembed" ? html`${strings.allow} <code class="long">${adapting.includes(form) ? strings.policy(origin) : strings.frames(origin)}</code>.` : nothing}
        ${form === "quarto" ? html`<a href=${beside(home(), strings.extension)} download>${strings.extension}</a>` : nothing} ${form === "oembed" ? html`<a class="long" href=${question(shown)} target="_blank" rel="noopener">${question(shown)}</a>` : nothing}
      </p>
      <label class="seen-not" for="sharing-code">${strings.code}</label>
      <textarea id="sharing-code" readonly spellcheck="false" rows=${Math.min(9, 1 + written.split("\n").length + Math.floor(written.length / 90))} aria-describedby="sharing-note" .value=${written} @focus=${(e: Event) => (e.target as HTMLTextAreaElement).select()}></textarea>
      ${this.copier("#sharing-code", strings.copy)}
    </div>`;
  }

  private preview({ height }: Shown): TemplateResult {
    const asks = !Number.isNaN(this.needed) && tall.includes(this.form) && !fitted.includes(this.form) && this.piece !== "lab" && !this.adapts && (this.needed > height || this.needed < height - LOOSE * height);
    return html`<details class="fold preview" .open=${this.previewed} @toggle=${this.fold}>
      <summary>${strings.preview}</summary>
      <div class="about">
        <p class="note">${asks ? html`${strings.needs(this.needed)} <button class="fit" @click=${() => (this.height = this.needed)}>${strings.use(this.needed)}</button>` : nothing}</p>
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

  /** Copies what stands in a box; where the browser does not allow that to a page, as in some frames, it is left selected. */
  private async copy(selector: string): Promise<void> {
    const box = this.querySelector<HTMLInputElement | HTMLTextAreaElement>(selector);
    if (!box) return;
    Object.assign(this, { said: "", copied: "" });
    let copied = true;
    try {
      await navigator.clipboard.writeText(box.value);
    } catch {
      box.focus();
      box.select();
      copied = document.execCommand("copy");
    }
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
      this.said = self.origin === "null" && !isFile() ? html`${strings.perhaps} <a href=${address(home(), link)} target="_blank" rel="noopener">${strings.ownTab}</a>.` : strings.saved; // a sandbox tells nobody what it forbids
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

  /** A press beside the dialog closes it, as in most. */
  private readonly beyond = (event: Event): void => {
    if (event.target === event.currentTarget) this.close();
  };
}

/** What stands around a piece unless it is chosen otherwise: around the figure all but its matrices, which make it twice as high. */
function usual(piece: Piece): readonly Around[] {
  return isChart(piece) ? [] : around.chart;
}

/** The address that the page has here, without settings. */
function here(): string {
  return location.href.replace(/[?#].*$/, "");
}

/** Whether the page is the offline file, which shows no other page. */
function isFile(): boolean {
  return location.protocol === "file:";
}

/** The piece in the middle of what is seen, or in sight and nearest to it. What is seen of a frame begins near what was pressed in it. */
function lookedAt(state: State, above: number): Piece | null {
  const pieces: readonly (readonly [Piece, string])[] = [["figure", "ifm-figure"], ...(hasTable(state) ? [["table", "ifm-data"] as const] : []), ...chapters.map((chapter) => [`chapter:${chapter}`, `ifm-lesson > #${chapter}`] as const)];
  const half = Math.min(innerHeight, state.view.embed === "0" ? innerHeight : ROOM) / 2;
  const middle = above + half;
  let [nearest, least]: [Piece | null, number] = [null, half];
  for (const [piece, selector] of pieces) {
    const box = document.querySelector(selector)?.getBoundingClientRect();
    if (!box || box.height === 0) continue;
    const away = Math.max(box.top - middle, middle - box.bottom, 0);
    if (away < least) [nearest, least] = [piece, away];
  }
  return nearest;
}

customElements.define("ifm-share", Share);

/** Opens the dialog for a piece of what the page shows, or for the one that is most in sight. */
export async function share(state: State, piece: Piece | "here"): Promise<void> {
  const dialog = document.querySelector<Share>("ifm-share") ?? document.body.appendChild(new Share());
  await dialog.open(state, piece);
}
