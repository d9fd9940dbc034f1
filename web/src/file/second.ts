// A second file of the open table's columns: opened instead, put below it, or its test set?
import { html, nothing, type TemplateResult } from "lit";
import type { Table } from "../engine/protocol.js";
import { tell } from "../panel/panel.js";
import { beginning } from "./kind.js";
import type { Loaded } from "./loaded.js";
import { second as strings } from "./second-strings.js";

const ALIKE = 0.5; // of the columns, from which it is asked
const PACKED = /^(PK|PAR1|PARE|\ufffd\ufffd\x11)/; // a zip, a workbook, a Parquet file

/** Whether a file has columns of the open table, so that it may be more of its rows. */
export async function resembles(file: File, { columns, name, header, format }: Table): Promise<boolean> {
  const plain = await beginning(file);
  const head = plain.startsWith("\x1f") ? await beginning(file, true) : plain;
  const ending = (of: string): string => of.slice(of.lastIndexOf(".")).toLowerCase();
  if (PACKED.test(head) || !header || format === "libsvm") return ending(file.name) === ending(name); // the engine will tell
  const texts = new Set(head.split(/[,;|:{}"'\t\r\n]+/).map((text) => text.trim()));
  const parts = new Set(columns.flatMap((column) => column.parts));
  const written = columns.filter((column) => !parts.has(column.name));
  return written.filter((column) => texts.has(column.name)).length >= ALIKE * written.length;
}

/** Asks what becomes of it. */
export function asks(from: EventTarget, { offered, table, reading }: Loaded): TemplateResult | typeof nothing {
  if (!offered || !table || reading) return nothing;
  const choose = (as: "instead" | "below" | "tests" | "leave", label: string): TemplateResult => html`<button data-as=${as} class=${as === "leave" ? "bare" : nothing} @click=${() => tell(from, "ifm-second", as)}>${label}</button>`;
  return html`<div class="question" id="second" tabindex="-1" role="group" aria-labelledby="second-asks">
    <p id="second-asks">${strings.asks(offered.name, table.name)}</p>
    <p class="row">${choose("tests", strings.tests)} ${choose("below", strings.below)} ${choose("instead", strings.instead)} ${choose("leave", strings.leave)}</p>
  </div>`;
}
