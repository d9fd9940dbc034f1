// Chapter "data": FM and iFM beside ridge regression, on the built-in tables.
import { html, nothing, type TemplateResult } from "lit";
import { EngineFailure } from "../../engine/engine.js";
import type { Opened, Pool } from "../../engine/pool.js";
import type { EngineError } from "../../engine/protocol.js";
import { rolesFor } from "../../file/guess.js";
import { sampleFile, sampleTargets } from "../../file/samples.js";
import { builtIn } from "../../file/strings.js";
import { table } from "../../panel/panel.js";
import { problem } from "../../panel/problem.js";
import { forTable } from "../../state/groups.js";
import { encode, type Spec } from "../../state/spec.js";
import { drawnSamples, samples, writeLink, type Sample } from "../../state/view.js";
import { count, number } from "../../text/format.js";
import { quantity, say, sentences, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted, list, short } from "../../text/strings.js";
import type { Model } from "../../training/series.js";
import { fitted } from "../../training/training.js";
import { cells, type Planned } from "../chapter/cells.js";
import { chapter, type Run, type Shown } from "../chapter/definition.js";
import { average } from "../chapter/measure.js";
import { over, type Job, type Track } from "../chapter/runner.js";
import { choice, floats, int, ints, seed, settings, specOf, type ValuesOf } from "../chapter/settings.js";
import { labels, waiting } from "../chapter/strings.js";
import { chances, splits as dotted, type Row, type Split } from "./splits.js";

/** A share of ridge’s error. */
function ofRidge(share: number): Quantity {
  return quantity("none", share, `${share < 0 ? "−" : ""}${number(Math.abs(100 * share), 2)} %`);
}

const words = {
  guesses: { none: "None of them", some: "One or two", all: "All three" },
  source: "The paper’s own data, on the ionosphere (chapter 9), is not public. These are three public tables. “Licences”, at the foot of the page, names their sources.",
  lead: "Birds, cars and patients: 60 % of the rows train, 20 % tune, 20 % test. Linear regression is the straight-line fit.",
  cost: (runs: number) => `${counted(runs, "run")}, ${runs > 60 ? "half a minute or more" : "some seconds"}.`,
  waiting: { ...waiting, running: "The tables are being read and split …" },
  live: ({ settings: { trials, solver, ranks, lambdas, patience, seed }, rows }: Numbers) =>
    `${[...rows.filter(({ size }) => size > 0).map(({ name, target, size }) => `${name}: ${target}, ${counted(size, "row")}`), counted(trials, "split"), `seed ${seed}`].join("; ")}. Tried: ${ranks.length === 1 ? "rank" : "ranks"} ${ranks.join(", ")}, each with ${counted(lambdas.length, "penalty", "penalties")}; patience ${count(patience)}; solver: ${labels.options[solver]}.`,
};

const SETS = { two: ["fm", "ifm"], three: ["fm", "gfm", "ifm"] } as const satisfies Record<string, readonly Model[]>;

const declared = settings({
  compared: choice<keyof typeof SETS>("two", ["two", "three"]),
  trials: int(3, 1, 20),
  solver: choice<Spec["solver"]>("agd", ["agd", "scaled", "gauss-newton", "auto"]),
  ranks: ints([2, 4], 1, 20, 5),
  lambdas: floats([0, 0.01, 0.03, 0.1, 0.3], 0, 1e6, 8),
  iterations: int(150, 1, 2000),
  patience: int(20, 1, 500),
  seed: seed(),
});
type Settings = ValuesOf<typeof declared>;

type Whose = Model | "mean" | "ridge" | "quadratic";

const files = samples.filter((sample) => !(drawnSamples as readonly Sample[]).includes(sample)); // the real ones
const CLEAR = 0.01; // of ridge's error, by which a model has to be below it to count
const AFTER = "tables-after"; // of the bridge to the reader's own table

/** The tables that are open, and why the others are not. */
interface Plan {
  readonly tables: ReadonlyMap<Sample, Opened>;
  readonly failures: ReadonlyMap<Sample, EngineError>;
}

/** What the chapter reads in its runs. */
type Numbers = ReturnType<typeof read>;

/** The settings of a run on a table that is not known yet. */
function common({ compared, ...shared }: Settings): Spec {
  return forTable(specOf({ ...shared, source: "table", models: SETS[compared] }));
}

/** The runs of a table: the target and the columns left out are those that the section for tables offers. */
function spec(values: Settings, sample: Sample, opened: Opened | undefined): Spec {
  return opened ? { ...common(values), ...rolesFor(opened.table, specOf({}), sampleTargets[sample]) } : common(values);
}

/** Opens the tables that are not open yet. One that cannot be had is that table's error; without any there is nothing to run. */
async function opened(pool: Pool, before: Plan | null, signal: AbortSignal): Promise<Plan> {
  const tables = new Map(before?.tables);
  const failures = new Map<Sample, EngineError>();
  const open = async (sample: Sample): Promise<void> => {
    try {
      tables.set(sample, tables.get(sample) ?? (await pool.open(await sampleFile(sample), encode(specOf({ source: "table" })), () => undefined, signal)));
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      failures.set(sample, reason.detail);
    }
  };
  await Promise.all(files.map(open));
  const [first] = failures.values();
  if (first && tables.size === 0) throw new EngineFailure(first);
  return { tables, failures };
}

async function planned(values: Settings, pool: Pool, before: Plan | null, signal: AbortSignal): Promise<Planned<Plan>> {
  const plan = await opened(pool, before, signal);
  const models = SETS[values.compared];
  const split = (trial: number): Job[] =>
    files.flatMap((sample) => {
      const table = plan.tables.get(sample);
      if (!table) return [];
      const query = encode(spec(values, sample, table));
      return models.map((_, at): Job => ({ query, cell: trial * models.length + at, group: `${sample} ${trial}`, table, begins: at === 0 ? ["quadratic"] : [], asks: ["predictions"] }));
    });
  return { jobs: Array.from({ length: values.trials }, (_, trial) => split(trial)).flat(), plan };
}

function read(run: Run<Settings, Plan>) {
  return { settings: run.settings, rows: files.map((sample) => rowOf(run, sample)) };
}

/** What the splits that are over say of a table. */
function rowOf({ settings: values, plan, tracks, phase }: Run<Settings, Plan>, sample: Sample): Row {
  const own = tracks.filter(({ job }) => job.group?.startsWith(`${sample} `));
  const models = SETS[values.compared];
  const splits = Array.from({ length: Math.floor(own.length / models.length) }, (_, trial) => splitOf(trial, models, own.slice(trial * models.length, (trial + 1) * models.length))).filter((split) => split !== null);
  const table = own.length > 0 ? plan?.tables.get(sample)?.table : undefined;
  const failure = plan?.failures.get(sample) ?? (phase === "done" && splits.length === 0 ? own.find(({ error }) => error)?.error : undefined);
  return {
    sample,
    name: builtIn.sample[sample],
    target: table ? rolesFor(table, specOf({}), sampleTargets[sample]).target : "",
    size: table?.rows ?? 0,
    splits,
    whole: phase === "done" && splits.length === values.trials,
    failure: failure ? problem(failure) : "",
  };
}

/** A split from the runs of its models; null while one of them is on. */
function splitOf(trial: number, models: readonly Model[], tracks: readonly Track[]): Split | null {
  const started = tracks.find((track) => track.started)?.started;
  const quadratic = tracks[0]?.quadratic;
  if (!started || !tracks.every((track) => over(track) && (track.error !== null || track.predictions !== null))) return null;
  const rmse = new Map(tracks.flatMap(({ predictions }, i): [Model, number][] => (predictions ? [[models[i] ?? "ifm", predictions.error]] : [])));
  return { trial, mean: started.mean, ridge: started.ridge, quadratic: fitted(quadratic) ? quadratic.error : Number.NaN, rmse };
}

/** Mean over the splits of a test RMSE ÷ ridge's; NaN before there is one. */
function ratio({ splits }: Row, whose: Whose): number {
  return average(splits.map((split) => rmseOf(split, whose) / split.ridge));
}

function rmseOf(split: Split, whose: Whose): number {
  return whose === "mean" || whose === "ridge" || whose === "quadratic" ? split[whose] : (split.rmse.get(whose) ?? Number.NaN);
}

/** The tables that iFM has been trained on, with its ratio to ridge. */
function known({ rows }: Numbers): { readonly row: Row; readonly ifm: number }[] {
  return rows.map((row) => ({ row, ifm: ratio(row, "ifm") })).filter(({ ifm }) => !Number.isNaN(ifm));
}

/** On how many tables iFM is clearly below ridge; null while tables that could not be had could change the answer. */
function answer(numbers: Numbers): string | null {
  const all = known(numbers);
  const won = all.filter(({ ifm }) => ifm < 1 - CLEAR).length;
  const key = (tables: number): string => (tables === 0 ? "none" : tables === files.length ? "all" : "some");
  const most = key(won + files.length - all.length);
  return key(won) === most ? most : null;
}

function reason(numbers: Numbers): Phrase {
  const all = known(numbers);
  return all.length > 0 ? say`Products help only where columns act together. iFM’s test RMSE ÷ that of linear regression is ${list(all.map(({ row, ifm }) => say`${quantity("ifm", ifm, ifm.toFixed(3))} on ${row.name}`))}.` : [];
}

/** A table, and how far iFM is below ridge there. */
function gainOf(name: string, gain: number): Phrase {
  return say`${name} (${quantity("ifm", gain, `${number(Math.abs(100 * gain), Math.abs(gain) < 0.1 ? 2 : 3)} % ${gain < 0 ? "above" : "below"}`)})`;
}

function told(numbers: Numbers): Phrase {
  const all = known(numbers);
  if (all.length === 0) return [];
  const gains = (of: (gain: number) => boolean): Phrase[] => all.filter(({ ifm }) => of(1 - ifm)).map(({ row, ifm }) => gainOf(row.name, 1 - ifm));
  const [won, level, lost] = [gains((gain) => gain > CLEAR), gains((gain) => Math.abs(gain) <= CLEAR), gains((gain) => gain < -CLEAR)];
  const products = all.filter(({ row, ifm }) => ratio(row, "quadratic") < ifm);
  return sentences([
    won.length > 0 ? say`iFM beats linear regression by more than 1 % on ${list(won)}.` : ["iFM beats linear regression by more than 1 % on none of the tables."],
    level.length > 0 && say`iFM and linear regression are level, within 1 %, on ${list(level)}.`,
    lost.length > 0 && say`iFM is behind by more than 1 % on ${list(lost)}.`,
    products.length > 0 && say`Regression with pairs is ahead of iFM on ${list(products.map(({ row, ifm }) => say`${row.name} (${quantity("quadratic", ratio(row, "quadratic"))} of linear regression’s error against ${quantity("ifm", ifm)})`))}.`,
    ...(numbers.settings.trials < 2 ? [["One split cannot show what is chance. Choose more splits in the settings."]] : noise(all.map(({ row }) => row))),
    all.length < files.length && [`${counted(files.length - all.length, "table")} without a result ${files.length - all.length === 1 ? "does" : "do"} not count.`],
  ]);
}

/** On which tables FM and iFM differ by more than chance. */
function noise(rows: readonly Row[]): readonly (Phrase | false)[] {
  const all = rows.map((row) => ({ name: row.name, ...chances(row, "fm", "ifm") })).filter(({ difference }) => !Number.isNaN(difference));
  const [tied, apart] = [all.filter(({ sure }) => !sure), all.filter(({ sure }) => sure)];
  return [
    tied.length > 0 && say`On ${list(tied.map(({ name }) => [name]))}, the difference between FM and iFM may be chance. iFM’s error minus FM’s, as a share of linear regression’s: ${list(tied.map(({ name, difference, spread }) => say`${ofRidge(difference)} ± ${ofRidge(spread)} on ${name}`))} (mean ± standard deviation over the splits).`,
    apart.length > 0 && say`${list(apart.map(({ name, difference }) => say`${difference < 0 ? "iFM is ahead of FM" : "FM is ahead of iFM"} by ${ofRidge(Math.abs(difference))} of linear regression’s error on ${name}`))}, more than chance explains.`,
  ];
}

/** Short sentences: what else is better, and where chance decides. */
function explains({ settings: { trials }, rows }: Numbers): Phrase[] {
  const all = rows.filter(({ splits }) => splits.length > 0);
  const of = (is: (row: Row) => boolean): Phrase[] => all.filter(is).map(({ name }) => [name]);
  const better = of((row) => ratio(row, "quadratic") < ratio(row, "ifm"));
  const ahead = of((row) => chances(row, "fm", "ifm").sure === true && ratio(row, "fm") < ratio(row, "ifm"));
  const tied = of((row) => chances(row, "fm", "ifm").sure === false);
  const says = sentences([
    better.length > 0 && say`On these splits, regression with pairs is better than iFM on ${list(better)}.`,
    ahead.length > 0 && say`FM is better than iFM on ${list(ahead)}.`,
    tied.length > 0 && say`On ${list(tied)}, the difference between FM and iFM over ${counted(trials, "split")} may be chance.`,
  ]);
  return says.length > 0 ? [says] : [];
}

/** Before the question is answered the models are left out. */
function ratios({ settings: { compared }, rows }: Numbers, isRevealed: boolean): TemplateResult {
  const all: readonly Whose[] = [...(isRevealed ? ([...SETS[compared], "quadratic"] as const) : []), "ridge", "mean"];
  const body = rows.map((row) => {
    const { sample, name, target, failure } = row;
    return html`<tr data-table=${sample}>
      <th scope="row">${name} <small>${target || "\u00a0"}</small></th>
      ${failure === "" ? all.map((whose) => ratioOf(row, whose, all)) : html`<td colspan=${all.length}><div class="error" role="alert">${failure}</div></td>`}
    </tr>`;
  });
  return table("Test RMSE ÷ that of linear regression: below 1 is better", ["Table", ...all.map((whose) => short[whose])], body, { kind: "tables" });
}

function ratioOf(row: Row, whose: Whose, all: readonly Whose[]): TemplateResult {
  const { sample, whole } = row;
  const value = ratio(row, whose);
  const isBest = whole && value === Math.min(...all.map((other) => ratio(row, other)).filter((v) => !Number.isNaN(v)));
  return html`<td class=${isBest ? "best" : ""} data-ratio="${whose} ${sample}" data-value=${value}>
    ${Number.isNaN(value) ? "–" : value.toFixed(3)}${isBest ? html`<span class="seen-not"> best</span>` : nothing}
  </td>`;
}

/** From here to the reader's own table. */
function bridge({ run: { plan }, values, view, framed }: Shown<Settings, Plan>): TemplateResult {
  const target = framed ? "_blank" : nothing;
  const link = (sample: Sample): string => writeLink(spec(values, sample, plan?.tables.get(sample)), { ...view, embed: "0", sample, chapter: "none" });
  const button = (sample: Sample): TemplateResult => html`<a class="button" data-open=${sample} href="${location.pathname}${link(sample)}#table" target=${target}>Open ${builtIn.sample[sample]} with these settings</a>`;
  return html`<section class="stack" aria-labelledby=${AFTER}>
    <h3 id=${AFTER}>Now your own</h3>
    <p>The same comparison on a file of yours, which stays in your browser: <a href="${framed ? location.pathname : ""}#table" target=${target}>Open your own table.</a></p>
    <p class="row">${files.map(button)}</p>
  </section>`;
}

export const data = chapter({
  id: "data",
  words,
  settings: declared,
  work: cells<Settings, Plan>({
    plan: planned,
    close: ({ tables }, pool) => tables.forEach((table) => pool.close(table)),
  }),
  smallest: ({ settings: { trials, compared }, plan }) => ({ runs: (plan?.tables.size ?? 0) * SETS[compared].length, trials }), // a split of every table
  read,
  answer,
  reason,
  told,
  cost: ({ values: { trials, compared } }) => words.cost(files.length * trials * SETS[compared].length),
  live: (run) => words.live(read(run)),
  explains,
  picture: (numbers, { revealed, work, run: { phase } }) => html`${ratios(numbers, revealed)} ${revealed ? dotted(numbers.rows, SETS[numbers.settings.compared], words.waiting[work.starting ? "running" : phase]) : nothing}`,
  after: (_, shown) => bridge(shown),
});
