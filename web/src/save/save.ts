import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Savable } from "../charts/sheet.js";
import { during } from "../engine/pending.js";
import { icon } from "../panel/icons.js";
import { Panel, prop } from "../panel/panel.js";
import { placeBeside } from "../panel/popover.js";
import type { Piece } from "../state/piece.js";
import { percent } from "../text/format.js";
import type { Kind } from "./file.js";
import { address, fileName, offer } from "./offer.js";
import { saving as strings } from "./strings.js";
import { Turns } from "./turns.js";

/** The control beside a chart's title: a button, and a menu of its files and its data. */
class Save extends Panel {
  @prop accessor of: Savable | null = null;
  @property() accessor heading = ""; // the chart's
  @property() accessor data = ""; // what its table is called; "": it has none
  @property({ type: Boolean }) accessor opened = false; // the table is
  @state() private accessor kinds: readonly Kind[] = []; // of its files
  @state() private accessor piece: Piece | null = null; // what can be shared with it
  @state() private accessor says = "";

  private making: AbortController | null = null;

  protected override render(): TemplateResult {
    return html`<button class="bare square save" aria-label=${strings.label(this.heading)} title=${strings.title}>
        ${icon("more")}
      </button>
      <div class="files" popover role="group" aria-label=${strings.label(this.heading)} @beforetoggle=${this.turn}>
        ${this.kinds.map((kind) => html`<button data-kind=${kind} @click=${() => void during(this.save(kind))}>${strings.kinds[kind]}</button>`)}
        ${this.piece ? html`<button @click=${this.share}>${strings.share}</button>` : nothing}
        ${this.data === "" ? nothing : html`<button data-kind="table" aria-expanded=${this.opened} @click=${this.turnTable}>${this.data}</button>`}
        <p role="status">${this.says || nothing}</p>
      </div>`;
  }

  protected override firstUpdated(): void {
    const button = this.querySelector<HTMLButtonElement>("button.save");
    if (button) button.popoverTargetElement = this.menu;
  }

  private get menu(): HTMLElement | null {
    return this.querySelector<HTMLElement>(".files");
  }

  /** Finds what there is to save. Closing the menu ends the file in the making. */
  private readonly turn = ({ newState }: ToggleEvent): void => {
    this.making?.abort();
    this.making = null;
    if (newState !== "open") return;
    void during(import("./file.js")).catch(() => undefined); // asked for again, and missed, when a file is
    const sheet = this.of?.sheet() ?? null;
    this.kinds = sheet ? [...(sheet.picture ? (["svg", "png"] as const) : []), "csv", ...(sheet.texts ? (["tex", "md"] as const) : []), ...(this.of?.about?.run ? (["json"] as const) : [])] : [];
    this.piece = sheet && this.of ? pieceOf(this.of) : null;
    this.says = sheet ? "" : strings.nothing;
    requestAnimationFrame(() => placeBeside(this, this.menu, "right")); // it is not open yet
  };

  private readonly share = (): void => {
    this.menu?.hidePopover();
    if (this.piece) this.tell("ifm-share", this.piece);
  };

  private readonly turnTable = (): void => {
    this.menu?.hidePopover();
    this.dispatchEvent(new Event("table"));
  };

  private async save(kind: Kind): Promise<void> {
    const sheet = this.of?.sheet();
    if (!this.of || !sheet || this.making) return;
    const making = new AbortController();
    this.making = making;
    const tell = (share: number): void => {
      if (this.making === making) this.says = strings.making(percent(share));
    };
    try {
      const { make } = await during(import("./file.js"));
      const { about } = this.of;
      const place = { host: this.of, says: about?.says ?? "", label: about?.label, link: address(about), run: about?.run };
      const file = await during(make(kind, sheet, place, new Turns(making.signal, tell)));
      if (making.signal.aborted) return;
      offer(fileName(about, kind === "json" ? "run" : sheet.what, kind), file);
      this.menu?.hidePopover();
    } catch (reason) {
      if (!making.signal.aborted) this.says = strings.failed(reason instanceof Error ? reason.message : "");
    } finally {
      if (this.making === making) this.making = null;
    }
  }
}

/** The chart itself in the figure, else what it belongs to. */
function pieceOf(chart: Savable): Piece | null {
  const { about, localName } = chart;
  if (about?.chapter) return `chapter:${about.chapter}`;
  if (chart.closest("ifm-figure")) return ({ curve: "curve", "ifm-matrix": "maps", "ifm-spectrum": "spectrum" } as const)[chart.dataset["chart"] ?? localName] ?? null;
  return chart.closest("ifm-result") ? "table" : null;
}

customElements.define("ifm-save", Save);
