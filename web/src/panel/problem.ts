import { html, nothing, type TemplateResult } from "lit";
import type { EngineError, Note, Place } from "../engine/protocol.js";
import { count } from "../text/format.js";
import { listed } from "./panel.js";
import { files as strings, problems } from "./strings.js";

export function problem(error: EngineError): string {
  if (error.kind === "Lost" || error.kind === "Stopped") return problems.crashed(error.message || problems.silent);
  if (error.kind === "Full") return problems.full;
  return error.kind === "NotStarted" ? problems.notStarted(error.message) : withoutFile(error);
}

/** The message without the name of the file, which stands beside it; of its place the line, unless it is the file as a whole. */
function withoutFile({ file, message }: EngineError): string {
  if (file === "") return message;
  const place = new RegExp(`(^|[\\s(“])${file.replace(/\W/g, "\\$&")}:(?:(\\d+):(?:(\\d+):)?)? `, "g");
  return message.replace(place, (_, before: string, line?: string, column?: string) => before + (line === undefined || (line === "1" && column === "1") ? "" : problems.line(line)));
}

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
