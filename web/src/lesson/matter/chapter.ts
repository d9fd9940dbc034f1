// Chapter "matter": on one-hot columns, which signs between columns FM can represent, and at which rank.
import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { lineChart, type Drawing, type Line } from "../../charts/lines.js";
import { legend, looks } from "../../charts/looks.js";
import "../../charts/matrices/matrix.js";
import type { Panelled } from "../../charts/matrices/matrix.js";
import type { Matrix } from "../../engine/protocol.js";
import { table } from "../../panel/panel.js";
import { encode } from "../../state/spec.js";
import { change as changeOf, count, number } from "../../text/format.js";
import { quantity, sentences, type Phrase, type Quantity } from "../../text/phrase.js";
import { duration, short } from "../../text/strings.js";
import { jobs } from "../chapter/cells.js";
import { shareScale } from "../chapter/decades.js";
import { chapter, formulary, type Run, type Shown } from "../chapter/definition.js";
import { formulas } from "../chapter/formulas.gen.js";
import { last } from "../chapter/measure.js";
import type { Job, Track } from "../chapter/runner.js";
import { int, seed, settings, specOf, type ValuesOf } from "../chapter/settings.js";
import { waiting } from "../chapter/strings.js";
import { balanced, ends, pairs, read as readBlocks, unseen, written } from "./blocks.js";
import { matter as words } from "./strings.js";
import { tables } from "./tables.js";

const RIGHT = 0.05; // of the linear model's error: what ends below it is represented
const WRONG = 0.1; // what ends above it is not
const PER_NUMBER = 0.75e-9; // s, for one number of the design and one column of the factors in one iteration, with SIMD

const declared = settings({
  columns: int(3, 2, 6),
  levels: int(10, 2, 20),
  k: int(2, 1, 4),
  n: int(3000, 10, 20000),
  test: int(1000, 10, 20000),
  iterations: int(400, 1, 3000),
  seed: seed(),
});
type Settings = ValuesOf<typeof declared> & { readonly blocks: string };

type Numbers = ReturnType<typeof read>;

type Model = "fm" | "ifm";

/** A model of one rank, and its test RMSE ÷ that of the best linear model; NaN before. */
interface End {
  readonly model: Model;
  readonly rank: number;
  readonly left: number;
}

/** The runs on the settings' own table: those of equal rank and of equal numbers first. */
function fits({ columns, k }: Settings): { readonly model: Model; readonly rank: number }[] {
  const upTo = (model: Model, most: number): { model: Model; rank: number }[] => Array.from({ length: most }, (_, i) => ({ model, rank: i + 1 }));
  const first = [{ model: "fm", rank: k }, { model: "ifm", rank: k }, { model: "fm", rank: 2 * k }] as const;
  const others = [...upTo("fm", Math.max(2, columns - 1) * k), ...upTo("ifm", k)];
  return [...first, ...others.filter(({ model, rank }) => !first.some((run) => run.model === model && run.rank === rank))];
}

function query({ columns: _, levels, blocks: __, ...shared }: Settings, signs: readonly number[], columns: number, model: Model, rank: number): string {
  return encode(specOf({ ...shared, scenario: "mixed", features: "onehot", levels, pairs: signs.join(), d: columns * levels, models: [model], rank }));
}

function signsOf({ blocks, columns }: Settings): readonly number[] {
  return readBlocks(blocks, columns) ?? readBlocks("", columns) ?? [];
}

/** First FM on two columns whose block is flipped, then the table of the settings. */
function planned(values: Settings): Job[] {
  const signs = signsOf(values);
  return [
    { query: query(values, [-1], 2, "fm", values.k), cell: 0, begins: ["theory"] },
    ...fits(values).map(({ model, rank }, at): Job => ({ query: query(values, signs, values.columns, model, rank), cell: 0, begins: at === 0 ? ["theory"] : [], asks: at === 0 ? ["truth", "model"] : at === 1 ? ["model"] : [] })),
  ];
}

export function read({ settings: values, tracks }: Run<Settings>) {
  const [two, first, second] = tracks;
  const left = (track: Track | undefined, of: Track | undefined): number => (track?.done ? last(track.test) / (of?.theory?.secondOrder ?? Number.NaN) : Number.NaN);
  const truth = first?.truth ?? null;
  return {
    settings: values,
    signs: signsOf(values),
    two: left(two, two),
    ends: fits(values).map((fit, at): End => ({ ...fit, left: left(tracks[at + 1], first) })),
    truth,
    fm: truth && first?.model ? written(first.model, values.levels) : null, // of rank k
    ifm: truth && second?.model ? written(second.model, values.levels) : null,
  };
}

function endOf({ ends: all }: Numbers, model: Model, rank: number): number {
  return all.find((end) => end.model === model && end.rank === rank)?.left ?? Number.NaN;
}

/** Whether FM of the truth's rank fails on two columns, on three or more, or on none. */
function answer(numbers: Numbers): string | null {
  const { settings: { columns, k }, two } = numbers;
  const many = endOf(numbers, "fm", k);
  if (columns < 3) return null;
  return two > WRONG ? "always" : two < RIGHT && many > WRONG ? "conflict" : two < RIGHT && many < RIGHT ? "never" : null;
}

function reason(numbers: Numbers): Phrase {
  const { settings: { columns, k }, two } = numbers;
  const found = answer(numbers);
  return found === null ? [] : [...words.free, ...(found === "conflict" ? words.conflict(k) : []), ...words.brief(ending("fm", two), columns, ending("fm", endOf(numbers, "fm", k)))];
}

function told(numbers: Numbers): Phrase {
  const { settings: { columns, k }, signs, two } = numbers;
  const [fm, ifm, equal] = [endOf(numbers, "fm", k), endOf(numbers, "ifm", k), endOf(numbers, "fm", 2 * k)];
  if (Number.isNaN(fm)) return [];
  const enough = numbers.ends.filter(({ model, left }) => model === "fm" && left < RIGHT).reduce((least, { rank }) => Math.min(least, rank), Infinity);
  return sentences([
    words.two(k, ending("fm", two)),
    words.many(columns, signs.filter((s) => s < 0).length, signs.length, balanced(signs, columns)),
    !Number.isNaN(ifm) && words.rank(k, ending("fm", fm), ending("ifm", ifm)),
    !Number.isNaN(equal) && words.numbers(2 * k, ending("fm", equal)),
    Number.isFinite(enough) && words.enough(enough),
  ]);
}

function panels({ truth, fm, ifm, settings: { k, levels } }: Numbers, revealed: boolean): Panelled[] {
  const named = truth && { ...truth, names: truth.names.map((_, at) => words.level(at, levels)) };
  const of = (values: Float64Array | null): Matrix | null => named && values && revealed ? { ...named, values, eigenvalues: new Float64Array() } : null;
  const panel = (key: Model, values: Float64Array | null): Panelled => ({ key, title: words.fit(short[key], k), note: truth && values ? words.unseen(unseen(truth.d, values, levels)) : "", values: of(values), group: levels });
  return [{ key: "truth", title: words.truth, note: words.never, values: named, group: levels }, panel("fm", fm), panel("ifm", ifm)];
}

/** A button for each block: it turns its sign. */
function flips({ values, change, rerun, revealed }: Shown<Settings>): TemplateResult {
  const signs = signsOf(values);
  const flip = (at: number): void => {
    change("blocks", signs.map((s, i) => (i === at ? (s === 0 ? 1 : -s) : s)).join());
    rerun();
  };
  return html`<div class="flips" role="group" aria-label=${words.blocks}>
    ${ends(values.columns).map(([g, h], at) => html`<button aria-pressed=${String((signs[at] ?? 0) < 0)} data-block=${at} @click=${() => flip(at)}>${words.block(g, h, signs[at] ?? 0)}</button>`)}
    <span class="note">${revealed ? (values.columns < 3 ? words.alone : words.groups(balanced(signs, values.columns))) : nothing}</span>
  </div>`;
}

function measures(numbers: Numbers, revealed: boolean): TemplateResult {
  const { k } = numbers.settings;
  const rows = [[words.fit(short.fm, k), "fm", k], [words.same(2 * k), "fm", 2 * k], [words.fit(short.ifm, k), "ifm", k]] as const;
  return html`<dl class="measures" aria-label=${words.heading}>
    ${rows.map(([name, model, rank]) => {
      const value = revealed ? endOf(numbers, model, rank) : Number.NaN;
      return html`<div><dt>${name}</dt><dd class="num" data-left="${model} ${rank}" data-value=${value}>${Number.isNaN(value) ? "…" : near(value)}</dd></div>`;
    })}
  </dl>`;
}

function ending(model: Model, left: number): Quantity {
  return quantity(model, left, near(left));
}

/** With no more digits than mean something to a reader. */
function near(value: number): string {
  return value < 0.0005 ? "less than 0.001" : number(value);
}

function linesOf({ ends: all }: Numbers): Line[] {
  return (["fm", "ifm"] as const).map((model): Line => {
    const done = all.filter((end) => end.model === model && !Number.isNaN(end.left)).sort((a, b) => a.rank - b.rank);
    return { ...looks[model], name: short[model], x: done.map(({ rank }) => (model === "fm" ? 1 : 2) * rank), y: done.map(({ left }) => left) };
  });
}

function drawing({ ends: all }: Numbers, lines: readonly Line[]): Drawing | null {
  const y = shareScale(words.heading, lines);
  const most = Math.max(...all.map(({ model, rank }) => (model === "fm" ? 1 : 2) * rank));
  return y && { lines, x: { domain: [0.5, most + 0.5], ticks: Array.from({ length: most }, (_, i) => i + 1), label: words.x, format: String }, y, at: words.at };
}

function quoted(): TemplateResult {
  const rows = tables.map(({ name, fm, ifm }) => html`<tr>
    <th scope="row">${name}</th>
    <td>${words.spread(...fm)}</td>
    <td>${words.spread(...ifm)}</td>
    <td data-change=${name} data-value=${ifm[0] / fm[0] - 1}>${changeOf(ifm[0] / fm[0] - 1)}</td>
  </tr>`);
  return table(words.quoted, words.quotedColumns, rows, { kind: "quoted", note: html`<p class="note">${words.quotedNote}</p>` });
}

export const matter = chapter({
  id: "matter",
  words,
  settings: { fields: [...declared.fields, { key: "blocks", kind: "text", default: "", min: 0, max: 0, options: [] }], inputs: declared.inputs },
  work: jobs(planned),
  adjust: (values, before, key) => (key === "columns" && values.columns !== before.columns ? { ...values, blocks: "" } : values),
  repair: (values) => (readBlocks(values.blocks, values.columns) ? { settings: values, notices: [] } : { settings: { ...values, blocks: "" }, notices: [{ key: "blocks", found: values.blocks, message: words.bad(values.blocks, pairs(values.columns)) }] }),
  smallest: () => ({ runs: 4, trials: 1 }), // two columns, and equal rank and equal numbers on the others
  read,
  answer,
  reason,
  told,
  explains: (numbers) => (["conflict", "never"].includes(answer(numbers) ?? "") ? [words.law, words.honest] : []),
  cost({ values, pool }) {
    const all = planned(values).length;
    const columns = fits(values).reduce((sum, { model, rank }) => sum + (model === "fm" ? 1 : 2) * rank + 2, 2 + values.k);
    return words.cost(all, duration(((values.n + values.test) * values.columns * values.levels * columns * values.iterations * PER_NUMBER) / Math.max(1, pool.size)));
  },
  live: ({ settings: { columns, levels, n, k, iterations, seed } }) => words.live(columns, levels, n, k, iterations, seed),
  picture(numbers, shown) {
    const { truth, fm, ifm } = numbers;
    return html`${guard([truth, fm, ifm, shown.revealed], () => html`<ifm-matrix class="blocks" .heading=${words.maps} .panels=${panels(numbers, shown.revealed)}></ifm-matrix>`)}
      <div class="turning">${flips(shown)} ${measures(numbers, shown.revealed)}</div>`;
  },
  details: () => html`${formulary(formulas.blocks, formulas.groups, formulas.lifted)}
    <p>${words.more}</p>
    <p>${words.dense}</p>
    <p>${words.why}</p>`,
  after(numbers, { run: { phase } }) {
    const lines = linesOf(numbers);
    return html`${legend(lines)} ${lineChart({ heading: words.chart, drawing: drawing(numbers, lines), waiting: waiting[phase] })}
      ${table(words.table, words.tableColumns, numbers.ends.filter(({ left }) => !Number.isNaN(left)).sort((a, b) => a.model.localeCompare(b.model) || a.rank - b.rank).map(({ model, rank, left }) => html`<tr><th scope="row">${words.fit(short[model], rank)}</th><td>${count((model === "fm" ? 1 : 2) * rank)}</td><td>${near(left)}</td></tr>`))}
      ${quoted()}`;
  },
});
