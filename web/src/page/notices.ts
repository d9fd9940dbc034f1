// What was not used of a link as it stood, told until it is dismissed.
import { html, nothing, type TemplateResult } from "lit";
import type { Notice } from "../state/spec.js";
import { page as strings } from "./strings.js";

export function noticeList(notices: readonly Notice[], dismiss: () => void): TemplateResult {
  return html`<div class="told" role="status">
    ${notices.length === 0
      ? nothing
      : html`<b>${strings.notices}</b>
          <ul>
            ${notices.map((notice) => html`<li data-key=${notice.key}>${notice.message}</li>`)}
          </ul>
          <button @click=${dismiss}>${strings.dismiss}</button>`}
  </div>`;
}
