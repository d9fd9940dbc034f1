import { html, type TemplateResult } from "lit";
import { options } from "../panel/inputs.js";
import type { View } from "../state/view.js";
import { product } from "../text/strings.js";
import { page as strings } from "./strings.js";

interface Doings {
  readonly undo: (() => void) | null; // null: there is nothing to take back
  readonly undone: string;
  readonly share: () => void;
  /** Sharing is near. */
  readonly warm: () => void;
  readonly paint: (theme: View["theme"]) => void;
}

export function header(theme: View["theme"], target: unknown, { undo, undone, share, warm, paint }: Doings): TemplateResult {
  return html`<header>
    <a class="name" href=${location.pathname} target=${target}>${product}</a>
    <nav aria-label=${strings.nav.label}>
      <a href="#figure">${strings.nav.figure}</a>
      <a href="#table">${strings.nav.table}</a>
      <a href="#lesson">${strings.nav.lesson}</a>
    </nav>
    <button class="undo" title=${strings.undo} ?disabled=${!undo} @click=${undo}>
      <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M6.5 3 2 7l4.5 4V8.4c3.3 0 5.6 1 7.2 3.6-.5-3.9-2.9-6.4-7.2-6.6z" /></svg><span class="seen-not">${strings.undo}</span>
    </button>
    <p class="seen-not" role="status">${undone}</p>
    <button class="sharer" @click=${share} @pointerenter=${warm} @focus=${warm}>${strings.share}</button>
    <label class="pick theme">
      <span class="seen-not">${strings.theme.label}</span>
      <select @change=${(e: Event) => paint((e.target as HTMLSelectElement).value as View["theme"])}>
        ${options<View["theme"]>(["auto", "light", "dark"], theme, (option) => strings.theme.options[option])}
      </select>
    </label>
  </header>`;
}
