// A report of one page: what the page says of a run, as HTML that prints. It has no script and asks for nothing.
import { importance as important } from "../charts/fit/strings.js";
import type { Opened } from "../engine/pool.js";
import type { Note, Plan } from "../engine/protocol.js";
import "../model/keep.js"; // what can be taken along comes as one script
import { second as joining } from "../file/second-strings.js";
import { places as badly } from "../panel/places-strings.js";
import { signed } from "../text/format.js";
import { short } from "../text/strings.js";
import type { Model } from "../training/series.js";
import type { Training } from "../training/training.js";
import { report as strings } from "./report-strings.js";
import { isRule, writtenIn } from "./roles.js";
import { reading } from "./strings.js";

export { saveTestRows } from "./testrows.js";

const LINES = 8; // of reasons and decisions together; a line of print each, or two
const REASONS = 5; // at most
const LETTERS = 150; // of each
const COLUMNS = 6; // and pairs, by importance

/** What the page knows of the run. */
interface Known {
  readonly opened: Opened;
  readonly plan: Plan | null; // of the run
  readonly training: Training;
  readonly model: Model; // that leads
  readonly verdict: string;
  readonly how: string; // the rows of each kind
  readonly chosen: string; // by validation rows
  readonly seed: number;
  readonly link: string;
}

/** What the page shows of it. */
interface Shown {
  readonly errors: readonly (readonly string[])[]; // as a table
  readonly about: string; // what they are
  readonly covered: string; // by the prediction intervals
  readonly digests: readonly string[]; // of the files, "" where the page may not compute them
}

/** page has the errors as a table, what they are, and what the prediction intervals cover. */
export async function reportOf(known: Known, page: Element): Promise<Blob> {
  const { file, second } = known.opened;
  const rows = page.querySelector<HTMLTableElement>(".numbers-of table")?.rows ?? [];
  const text = (element: Element | null): string => element?.textContent.trim() ?? "";
  const shown: Shown = {
    errors: [...rows].map((row) => [...row.cells].map(text)),
    about: text(page.querySelector(".numbers-of [data-quantity] span")),
    covered: text(page.querySelector("ifm-fit [data-covered]")),
    digests: await Promise.all((second ? [file, second.file] : [file]).map((one) => (one instanceof File ? sha256(one) : ""))),
  };
  return new Blob([reported(known, shown)], { type: "text/html;charset=utf-8" });
}

export function reported({ opened, plan, training, model, verdict, how, chosen, seed, link }: Known, { errors, about, covered, digests }: Shown): string {
  const { table, file, second } = opened;
  const target = training.started?.target ?? "";
  const out = [
    ...(plan?.notes ?? []).filter(isRule).map(({ text }) => text),
    ...(table.badCount > 0 ? [`${badly.badTitle(table.badCount)}. ${table.bad[0]?.message ?? ""}`] : []),
    ...(plan && plan.droppedCount > 0 ? [`${reading.dropped(plan.droppedCount)}. ${plan.dropped[0]?.message ?? ""}`] : []),
  ];
  const ignored = (plan?.uses ?? []).flatMap(({ role, reason }, i) => (role === "ignore" ? [strings.ignored(table.columns[i]?.name ?? "", reason)] : []));
  const isIgnored = ({ topic, columns }: Note): boolean => topic === "role" && columns.length > 0 && columns.every((name) => plan?.uses.some(({ column, role }) => column === name && role === "ignore")); // said above
  const notes = [...table.notes, ...(plan?.notes ?? []).filter((note) => !isRule(note) && !isIgnored(note) && !(plan?.hasTests && note.topic === "beyond"))].map(({ text }) => text);
  const ofColumns = table.columns.flatMap(({ name, notes }) => notes.map(({ text }) => strings.of(name, text)));
  const found = training.importance.get(model);
  const all = second ? [file, second.file] : [file];
  const isMean = training.trials.length > 1;
  const quoted = (text: string): string => (/^[\w.,:/+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const repeat: readonly (readonly [string, string])[] = [
    [strings.command, `ifm train ${second?.as === "below" ? strings.file : quoted(file.name)}${second?.as === "tests" ? ` -test ${quoted(second.file.name)}` : ""} -link ${quoted(link)}`],
    ...(second?.as === "below" ? [[strings.file, strings.join(file.name, second.file.name)] as const] : []),
    [strings.page, link],
    [strings.version, training.version],
    [strings.seed, String(seed)],
    ...all.map(({ name }, i) => [strings.digest, `${digests[i] || strings.noDigest}  ${name}`] as const),
  ];
  const title = strings.title(table.name, target, plan ? plan.train + plan.valid + plan.test : null, table.rows);
  const body = [
    `<h1>${escaped(title)}</h1>`,
    section(strings.verdict, `<p class="verdict">${escaped(verdict)}</p>`),
    section(strings.data, `<p>${escaped(`${strings.read(table.rows, writtenIn(table).length, all.map(({ name }) => name))} ${second ? joining.joined[second.as](second.file.name) : ""} ${how}`)}</p>${list(out, REASONS, strings.leftOut)}`),
    section(strings.decisions, `<p>${escaped(chosen)}</p>${list([...ignored, ...notes, ...ofColumns].filter((text) => text !== ""), LINES - Math.min(out.length, REASONS))}`),
    errors.length > 0 ? section(strings.errors(training.trials.length), `${grid(errors)}<p>${escaped(`${about} ${covered !== "" && isMean ? `${strings.first} ` : ""}${covered}`)}</p>`) : "",
    found
      ? section(isMean ? strings.mattersFirst : strings.matters, `<p>${escaped(important.says(short[model], training.started?.measure ?? "rmse", target).replace(/ [^.]*\.$/, ""))}</p>${grid([Object.values(important.names), ...important.rows(found).slice(0, COLUMNS).map((name, i) => [name, signed(found.by[i] ?? 0, 3), Number.isFinite(found.high[i]) ? important.interval(found.low[i] ?? 0, found.high[i] ?? 0) : important.few])])}`)
      : "",
    section(strings.repeat, `<dl>${repeat.map(([name, text]) => `<dt>${escaped(name)}</dt><dd>${escaped(text)}</dd>`).join("")}</dl>`),
  ];
  return [HEAD.replace("TITLE", () => escaped(title)), ...body, "</main></html>\n"].join("");
}

const HEAD = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width"><title>TITLE</title>
<style>
@page { margin: 8mm 14mm; }
body { margin: 0; background: #fff; color: #1a1a1a; font: 9pt/1.3 system-ui, sans-serif; }
main { max-width: 178mm; margin: 8mm auto; }
@media print { main { margin: 0; max-width: none; } }
h1 { margin: 0 0 2mm; font-size: 15pt; overflow-wrap: anywhere; }
h2 { margin: 2.4mm 0 .8mm; padding-bottom: .5mm; border-bottom: .3mm solid #bbb; font-size: 10.5pt; }
p, ul, dl { margin: 0 0 1mm; overflow-wrap: anywhere; }
ul { padding-left: 4mm; }
.verdict { font-size: 11.5pt; font-weight: 600; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .3mm 2mm .3mm 0; border-bottom: .2mm solid #ddd; text-align: right; vertical-align: baseline; }
:is(th, td):first-child { text-align: left; overflow-wrap: anywhere; }
th { font-weight: 600; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3mm 4mm; }
dt { color: #555; }
dd { margin: 0; font: 8pt/1.3 ui-monospace, monospace; }
</style>
<main>
`;

function section(title: string, content: string): string {
  return `<h2>${escaped(title)}</h2>${content}\n`;
}

/** Texts as a list, with how many more there are. */
function list(all: readonly string[], lines: number, title = ""): string {
  if (all.length === 0) return title === "" ? "" : `<p>${escaped(`${title}: ${strings.none}`)}</p>`;
  const texts = all.slice(0, lines).map((text) => (text.length > LETTERS ? `${text.slice(0, LETTERS)}…` : text));
  const more = all.length > lines ? [strings.more(all.length - lines)] : [];
  return `${title === "" ? "" : `<p>${escaped(title)}:</p>`}<ul>${[...texts, ...more].map((text) => `<li>${escaped(text)}</li>`).join("")}</ul>`;
}

function grid([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[], tag: string): string => `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join("")}</tr>`;
  return `<table><thead>${line(head, "th")}</thead><tbody>${rows.map((cells) => line(cells, "td")).join("")}</tbody></table>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** "" where the page may not compute it, as over plain HTTP. */
async function sha256(file: Blob): Promise<string> {
  if (!isSecureContext) return "";
  const hash = await crypto.subtle.digest("SHA-256", await file.arrayBuffer()).catch(() => null); // the file may have gone
  return hash ? Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("") : "";
}
