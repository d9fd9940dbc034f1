import { html, type TemplateResult } from "lit";
import { Panel } from "../panel.js";
import { parse } from "../spec.js";
import { share as strings } from "../strings.js";
import { readLink, writeLink, type Chapter } from "../view.js";

/** A chapter's own link, and the frame that shows it alone in a page of somebody else's. */
class Share extends Panel {
  static override properties = { chapter: {}, own: {}, heading: {}, open: { state: true }, said: { state: true } };

  declare chapter: Chapter;
  declare own: string;
  declare heading: string;
  private declare open: boolean;
  private declare said: string;

  constructor() {
    super();
    this.own = "";
    this.heading = "";
    this.open = false;
    this.said = "";
  }

  protected override render(): TemplateResult {
    return html`<details class="fold share" @toggle=${(e: Event) => (this.open = (e.target as HTMLDetailsElement).open)}>
      <summary>${strings.summary}</summary>
      ${this.open ? html`${this.text("link", strings.link, this.address("0"))} ${this.text("code", strings.code, frame(this.address("1"), strings.title(this.heading)))} <p class="note" role="status">${this.said}</p>` : ""}
    </details>`;
  }

  private address(embed: "0" | "1"): string {
    const { spec } = parse("");
    const { view } = readLink("");
    return new URL(writeLink(spec, { ...view, chapter: this.chapter, embed }, { [this.chapter]: this.own }), location.href).href;
  }

  private text(key: string, label: string, value: string): TemplateResult {
    return html`<div class="text ${key}">
      <label for="${this.chapter}-${key}">${label}</label>
      <input id="${this.chapter}-${key}" type="text" readonly .value=${value} @focus=${(e: Event) => (e.target as HTMLInputElement).select()} />
      <button @click=${() => void this.copy(value)}>${strings.copy}</button>
    </div>`;
  }

  private async copy(value: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(value);
      this.said = strings.copied;
    } catch {
      this.said = strings.failed; // a frame may not be allowed to
    }
  }
}

/** The element for another page, every attribute escaped. */
function frame(address: string, title: string): string {
  const safe = (text: string): string => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<iframe src="${safe(address)}" title="${safe(title)}" width="100%" height="900" loading="lazy"></iframe>`;
}

customElements.define("ifm-share", Share);
