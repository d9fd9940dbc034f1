import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Pool } from "../engine/pool.js";
import { Panel } from "../panel/panel.js";
import { script } from "../panel/script.js";
import { problems } from "../panel/strings.js";
import type { Parts } from "../state/view.js";
import type { Chapters } from "../homework/assignment.js";
import { all } from "./chapters.js";
import { homework as strings } from "./strings.js";

const PARTS = ["give", "set", "mark"] as const;
type Part = (typeof PARTS)[number];

/** The door to homework: handing in, setting and marking, loaded when one of them is wanted. */
class Homework extends Panel {
  @property({ attribute: false }) accessor pool!: Pool;
  @property({ attribute: false }) accessor skies!: Pool; // for the ionosphere
  @property({ attribute: false }) accessor parts!: Parts;
  @property({ attribute: false }) accessor handed: readonly File[] = []; // that were dropped on the page
  @state() private accessor shown: Part | null = null; // the one that is open
  @state() private accessor loaded: "no" | "yes" | "lost" = "no";
  @state() private accessor packed = ""; // the hand-in of the address, as it stands there

  private chapters: Chapters | null = null;
  private readonly opened = new Set<Part>(); // ever: what was typed in one stays while another is open

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("hashchange", this.look);
    this.look();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("hashchange", this.look);
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!this.hasUpdated && this.parts.homework && this.shown === null) this.go("give");
    if (changed.has("handed") && this.handed.length > 0) this.go("mark");
  }

  /** Opens the hand-in that the address names. */
  private readonly look = (): void => {
    const [, packed = ""] = location.hash.match(/^#handin=(.+)$/) ?? [];
    if (packed === "") return;
    this.packed = packed;
    this.go("give");
  };

  private go(part: Part): void {
    this.shown = part;
    this.opened.add(part);
    if (this.loaded !== "no") return;
    const load = (): Promise<Chapters> => Promise.all([all(), import("../homework/homework.js")]).then(([chapters]) => chapters);
    void script(load, (is) => (this.loaded = is ? "lost" : "no")).then((chapters) => Object.assign(this, { chapters, loaded: "yes" }));
  }

  protected override render(): TemplateResult {
    const { shown, pool, skies, chapters, parts } = this;
    return html`<section class="homework" aria-labelledby="homework-title">
      <h1 id="homework-title">${strings.title}</h1>
      ${parts.homework ? html`<p class="about">${strings.lab}</p>` : nothing}
      <p class="about">${strings.lead}</p>
      <p class="note">${strings.nothing}</p>
      <div class="doors">
        ${PARTS.map((one) => html`<button data-part=${one} aria-expanded=${shown === one} aria-controls="homework-${one}" @click=${() => (shown === one ? (this.shown = null) : this.go(one))}>${strings.parts[one]}</button>`)}
      </div>
      ${this.loaded === "lost" ? html`<p class="note" role="status">${problems.partLost(strings.title)}</p>` : nothing}
      <div id="homework-give" ?hidden=${shown !== "give"}>${chapters && this.opened.has("give") ? html`<ifm-give .pool=${pool} .chapters=${chapters} .parts=${parts} .packed=${this.packed}></ifm-give>` : nothing}</div>
      <div id="homework-set" ?hidden=${shown !== "set"}>${chapters && this.opened.has("set") ? html`<ifm-set .chapters=${chapters} .parts=${parts}></ifm-set>` : nothing}</div>
      <div id="homework-mark" ?hidden=${shown !== "mark"}>${chapters && this.opened.has("mark") ? html`<ifm-mark .pool=${pool} .skies=${skies} .chapters=${chapters} .parts=${parts} .handed=${this.handed}></ifm-mark>` : nothing}</div>
    </section>`;
  }
}

customElements.define("ifm-homework", Homework);
