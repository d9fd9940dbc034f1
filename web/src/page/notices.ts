import { html, nothing, type TemplateResult } from "lit";
import type { Notice } from "../state/spec.js";
import { page as strings } from "./strings.js";

const LISTED = 10; // a link can have thousands of parameters

export function noticeList(notices: readonly Notice[], dismiss: () => void): TemplateResult {
  return html`<div class="told" role="status">
    ${notices.length === 0
      ? nothing
      : html`<b>${strings.notices}</b>
          <ul>
            ${notices.slice(0, LISTED).map((notice) => html`<li data-key=${notice.key}>${notice.message}</li>`)}
            ${notices.length > LISTED ? html`<li>${strings.more(notices.length - LISTED)}</li>` : nothing}
          </ul>
          <button @click=${dismiss}>${strings.dismiss}</button>`}
  </div>`;
}
