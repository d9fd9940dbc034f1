// Places in a file, and what notes say.
import { html, nothing, type TemplateResult } from "lit";
import type { EngineError, Note, Place } from "../engine/protocol.js";
import { count } from "../text/format.js";
import { places as strings } from "./places-strings.js";

const SHOWN = 100;

/** What notes say; some only count cells. */
export function notices(list: readonly (Note | string)[]): TemplateResult | typeof nothing {
  const texts = list.map((note) => (typeof note === "string" ? note : note.text)).filter((text) => text !== "");
  if (texts.length === 0) return nothing;
  return html`<ul class="notices">
    ${texts.map((text) => html`<li>${text}</li>`)}
  </ul>`;
}

export function places(title: string, list: readonly Place[], n: number): TemplateResult | typeof nothing {
  return n > 0 ? listed(title, list.map(({ message }) => message), SHOWN, strings.more, n) : nothing;
}

export function facts(error: EngineError): TemplateResult | typeof nothing {
  const names = strings.facts;
  const place = [
    [names.line, error.line > 0 ? count(error.line) : ""],
    [names.column, error.column > 0 ? count(error.column) : ""],
    [names.field, error.field],
    [names.found, error.found],
  ] as const;
  const pairs = place.filter(([, value]) => value !== "");
  if (pairs.length === 0) return nothing;
  return html`<dl class="facts">
    ${pairs.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}

/** A list that opens, and how many more there are than it shows. */
export function listed(summary: string, all: readonly string[], most: number, more: (n: number) => string, n = all.length): TemplateResult {
  return html`<details class="places">
    <summary>${summary}</summary>
    <ol>
      ${all.slice(0, most).map((one) => html`<li>${one}</li>`)}
    </ol>
    ${n > Math.min(most, all.length) ? html`<p class="note">${more(n - Math.min(most, all.length))}</p>` : nothing}
  </details>`;
}
