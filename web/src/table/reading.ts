// How the open file was read: what the reader can overrule, and its first rows as written.
import { html, nothing, type TemplateResult } from "lit";
import type { Plan, Table } from "../engine/protocol.js";
import type { Loaded } from "../file/loaded.js";
import { chosen } from "../panel/choice.js";
import { pick } from "../panel/inputs.js";
import { heads, scrolling, tell } from "../panel/panel.js";
import { notices, places } from "../panel/places.js";
import { places as badly } from "../panel/places-strings.js";
import { separators } from "../state/groups.js";
import { optionsOf, type Spec } from "../state/spec.js";
import { answersTo } from "./asks.js";
import { listed, writtenIn } from "./roles.js";
import { reading as strings } from "./strings.js";

const PREVIEW = 3; // rows
const COLUMNS = 40; // of the preview

export function readingOf(from: EventTarget, spec: Spec, { table, plan }: Loaded): TemplateResult | typeof nothing {
  if (!table) return nothing;
  const { format, separator, header, charset, fixed, choices = [], columns } = table;
  const select = <Key extends "separator" | "header" | "charset">(key: Key, label: string, names: Readonly<Record<Spec[Key], string>>, found: string): TemplateResult | typeof nothing =>
    fixed?.includes(key) ? nothing : pick<Spec[Key]>(label, optionsOf(key), spec[key], (option) => (option === "auto" ? strings.guessed(found) : names[option]), (option) => tell(from, "ifm-spec", { [key]: option }), key);
  const known = separators[separator];
  const between = format !== "text" ? strings.formats[format] : known ? strings.separators[known] : separator;
  const written = writtenIn(table).slice(0, COLUMNS);
  const rows = table.preview.slice(0, PREVIEW);
  const title = strings.preview(rows.length);
  return html`<section class="read" aria-label=${strings.title}>
    <h3>${title}</h3>
    ${scrolling(title, html`<table class="written">${heads(written.map(({ name }) => name))}<tbody>${rows.map((row) => html`<tr>${written.map((column) => html`<td>${row[columns.indexOf(column)]}</td>`)}</tr>`)}</tbody></table>`)}
    <div class="row">
      ${choices.map((choice) => chosen(choice, (change) => tell(from, "ifm-choose", change)))}
      ${select("separator", strings.separator, strings.separators, between)} ${format === "text" ? select("header", strings.header, strings.headers, header ? strings.headers.yes : strings.headers.no) : nothing} ${select("charset", strings.charset, strings.charsets, strings.charsets[charset])}
    </div>
    ${notices(table.notes.filter(({ answers }) => answers.length === 0))} ${table.notes.filter(({ ask, answers }) => !ask && answers.length > 0).map((note) => answersTo("", note, spec, (change) => tell(from, "ifm-spec", change)))} ${places(badly.badTitle(table.badCount), table.bad, table.badCount)} ${plan ? consequences(plan, table) : nothing}
  </section>`;
}

/** What the plan passes over that stands nowhere else. */
function consequences(plan: Plan, table: Table): TemplateResult {
  const shown = new Set(table.bad.map((place) => `${place.line}:${place.message}`));
  const dropped = plan.dropped.filter((place) => !shown.has(`${place.line}:${place.message}`));
  const n = plan.droppedCount - (plan.dropped.length - dropped.length);
  return html`${notices(plan.notes.filter((note) => !listed(plan, table, note)))} ${places(strings.dropped(n), dropped, n)}`;
}
