// What the engine had to remark on a file: sentences, and places in it.
import { html, nothing, type TemplateResult } from "lit";
import { count } from "./format.js";
import type { EngineError, Place } from "./protocol.js";
import { data as strings } from "./strings.js";

const SHOWN = 100;

export function notices(list: readonly string[]): TemplateResult | typeof nothing {
  if (list.length === 0) return nothing;
  return html`<ul class="notices">
    ${list.map((notice) => html`<li>${notice}</li>`)}
  </ul>`;
}

export function places(title: string, list: readonly Place[], n: number): TemplateResult | typeof nothing {
  if (n <= 0) return nothing;
  return html`<details class="places">
    <summary>${title}</summary>
    <ol>
      ${list.slice(0, SHOWN).map((place) => html`<li>${place.message}</li>`)}
    </ol>
    ${n > list.length ? html`<p class="note">${strings.more(n - list.length)}</p>` : nothing}
  </details>`;
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
