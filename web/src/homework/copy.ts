// A link in a box, with a button that copies it.
import { html, type TemplateResult } from "lit";
import { home } from "../state/site.js";
import { copying as strings } from "./strings.js";

/** The page's address without its settings: on the web where it has one, else where this copy of it lies. */
export function here(): string {
  return home() || location.href.replace(/[?#].*$/, "");
}

export function copier(id: string, label: string, text: string): TemplateResult {
  return html`<div class="copier">
    <label for=${id}>${label}</label>
    <textarea id=${id} readonly rows="3" spellcheck="false" .value=${text} @focus=${(e: Event) => (e.target as HTMLTextAreaElement).select()}></textarea>
    <div class="acts"><button class="copy" @click=${(e: Event) => void copy(e.currentTarget as HTMLElement)}>${strings.copy}</button> <span role="status"></span></div>
  </div>`;
}

/** Copies what stands in the box above; where the browser does not allow that it is left selected. */
async function copy(button: HTMLElement): Promise<void> {
  const box = button.closest(".copier")?.querySelector("textarea");
  const status = button.nextElementSibling;
  if (!box || !status) return;
  let copied = true;
  try {
    await navigator.clipboard.writeText(box.value);
  } catch {
    box.focus();
    box.select();
    copied = document.execCommand("copy");
  }
  status.textContent = copied ? strings.copied : strings.selected;
}
