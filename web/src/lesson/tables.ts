import { html, nothing, type TemplateResult } from "lit";
import { EngineFailure } from "../engine/engine.js";
import type { Opened } from "../engine/pool.js";
import type { EngineError } from "../engine/protocol.js";
import { rolesFor } from "../file/roles.js";
import { sampleFile, sampleTargets } from "../file/samples.js";
import { builtIn } from "../file/strings.js";
import type { Input } from "../panel/form.js";
import { heads } from "../panel/panel.js";
import { problem } from "../panel/problem.js";
import { forTable } from "../state/groups.js";
import { encode, type Spec } from "../state/spec.js";
import { drawnSamples, isFrame, samples, writeLink, type Sample } from "../state/view.js";
import { quantity, say, type Phrase } from "../text/phrase.js";
import { list, short } from "../text/strings.js";
import type { Model } from "../training/series.js";
import { fitted } from "../training/training.js";
import { bounds, Chapter, choice, settings, type Content, type First } from "./chapter/chapter.js";
import { average } from "./chapter/measure.js";
import { over, type Job, type Track } from "./chapter/runner.js";
import "./splits.js";
import { chances, type Row, type Split } from "./splits.js";
import { tables as strings } from "./strings.js";

const SETS = { two: ["fm", "ifm"], three: ["fm", "gfm", "ifm"] } as const satisfies Record<string, readonly Model[]>;

type Settings = {
  readonly compared: keyof typeof SETS;
  readonly solver: Spec["solver"];
  readonly trials: number;
  readonly ranks: readonly number[];
  readonly lambdas: readonly number[];
  readonly iterations: number;
  readonly patience: number;
  readonly seed: number;
};

type Whose = Model | "mean" | "ridge" | "quadratic";

const files = samples.filter((sample) => !(drawnSamples as readonly Sample[]).includes(sample)); // the real ones
const CLEAR = 0.01; // of ridge's error, by which a model has to be below it to count
const AFTER = "tables-after"; // of the bridge to the reader's own table

/** FM and iFM beside ridge, on the built-in tables. */
class Tables extends Chapter<Settings> {
  protected readonly name = "data";
  protected readonly words = strings;
  protected readonly initial: Settings = { compared: "two", solver: "agd", trials: 3, ranks: [2, 4], lambdas: [0, 0.01, 0.03, 0.1, 0.3], iterations: 150, patience: 20, seed: 1 };
  protected readonly inputs: readonly Input[] = [
    choice("compared", ["two", "three"]),
    bounds("trials", 1, 20),
    choice("solver", ["agd", "scaled", "gauss-newton", "auto"]),
    { key: "ranks", kind: "ints", min: 1, max: 20, most: 5 },
    { key: "lambdas", kind: "floats", min: 0, max: 1e6, most: 8 },
    bounds("iterations", 1, 2000),
    bounds("patience", 1, 500),
    bounds("seed"),
  ];
  private readonly held = new Map<Sample, Opened>();
  private failures: ReadonlyMap<Sample, EngineError> = new Map();
  private opening: AbortController | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.opening?.abort();
    for (const opened of this.held.values()) this.pool.close(opened);
    this.held.clear();
  }

  /** A table that cannot be had is that table's error; without any there is nothing to run. */
  protected async jobs(): Promise<readonly Job[]> {
    const { values } = this;
    this.opening = new AbortController();
    const { signal } = this.opening;
    const failures = new Map<Sample, EngineError>();
    await Promise.all(
      files.map(async (sample) => {
        try {
          if (!this.held.has(sample)) this.held.set(sample, await this.open(sample, signal));
        } catch (reason) {
          if (!(reason instanceof EngineFailure)) throw reason;
          failures.set(sample, reason.detail);
        }
      }),
    );
    this.opening = null;
    this.failures = failures;
    const [first] = failures.values();
    if (first && failures.size === files.length) throw new EngineFailure(first);
    const models = SETS[values.compared];
    return Array.from({ length: values.trials }, (_, trial) =>
      files.flatMap((sample) => {
        const table = this.held.get(sample);
        if (!table) return [];
        const query = encode(spec(values, sample, table));
        return models.map((_, at): Job => ({ query, cell: trial * models.length + at, group: `${sample} ${trial}`, theory: false, table, quadratic: at === 0, predictions: true }));
      }),
    ).flat();
  }

  private async open(sample: Sample, signal: AbortSignal): Promise<Opened> {
    return this.pool.open(await sampleFile(sample), encode(settings({ source: "table" })), () => undefined, signal);
  }

  protected content(): Content {
    const { values } = this;
    const ran = this.ran ?? values;
    const models = SETS[ran.compared];
    const rows = files.map((sample) => this.row(ran, sample));
    return {
      text: nothing,
      cost: strings.cost(files.length * values.trials * SETS[values.compared].length),
      body: html`${this.table(ran, rows)} <ifm-splits .rows=${rows} .models=${models} .waiting=${strings.waiting[this.opening ? "running" : this.runner.phase]}></ifm-splits>`,
      answer: this.answer(rows),
      brief: this.brief(rows),
      says: this.says(ran, rows),
      live: strings.live(rows.map(({ name, target, size }) => ({ name, target, size })).filter(({ size }) => size > 0), ran.trials, ran.solver, ran.ranks, ran.lambdas.length, ran.patience, ran.seed),
      more: nothing,
      after: this.bridge(),
    };
  }

  /** The runs of a table, a trial after the other. */
  private of(sample: Sample): Track[] {
    return this.tracks.filter((track) => track.job.group.startsWith(`${sample} `));
  }

  /** What the splits that are over say of a table. */
  private row(ran: Settings, sample: Sample): Row {
    const models = SETS[ran.compared];
    const tracks = this.of(sample);
    const splits = Array.from({ length: Math.floor(tracks.length / models.length) }, (_, trial): Split | null => {
      const own = tracks.slice(trial * models.length, (trial + 1) * models.length);
      const started = own.find((track) => track.started)?.started;
      const quadratic = own[0]?.quadratic;
      const rmse = new Map(own.flatMap((track, i): [Model, number][] => (track.predictions ? [[models[i] ?? "ifm", track.predictions.error]] : [])));
      return started && own.every((track) => over(track) && (track.error !== null || track.predictions !== null)) ? { trial, mean: started.mean, ridge: started.ridge, quadratic: fitted(quadratic) ? quadratic.error : Number.NaN, rmse } : null;
    }).filter((split) => split !== null);
    const table = this.held.get(sample);
    const failure = this.failures.get(sample) ?? (this.runner.phase === "done" && splits.length === 0 ? tracks.find((track) => track.error)?.error : undefined);
    return {
      sample,
      name: builtIn.sample[sample],
      target: (tracks.length > 0 && table && rolesFor(table.table, settings({}), sampleTargets[sample]).target) || "",
      size: tracks.length > 0 ? (table?.table.rows ?? 0) : 0,
      splits,
      whole: this.runner.phase === "done" && splits.length === ran.trials,
      failure: failure ? problem(failure) : "",
    };
  }

  private table(ran: Settings, rows: readonly Row[]): TemplateResult {
    const models = SETS[ran.compared];
    const all = [...models, "quadratic", "ridge", "mean"] as const;
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.caption}>
      <table class="numbers tables">
        <caption>${strings.caption}</caption>
        ${heads([strings.table, ...all.map((whose) => short[whose])])}
        <tbody>
          ${rows.map((row) => {
            const ratios = new Map(all.map((whose) => [whose, ratio(row, whose)]));
            const least = Math.min(...[...ratios.values()].filter((v) => !Number.isNaN(v)));
            return html`<tr data-table=${row.sample}>
              <th scope="row">${row.name} <small>${row.target === "" ? builtIn.sampleOf[row.sample] : strings.predicts(row.target, row.size)}</small></th>
              ${row.failure !== ""
                ? html`<td colspan=${all.length}><div class="error" role="alert">${row.failure}</div></td>`
                : all.map((whose) => {
                    const value = ratios.get(whose) ?? Number.NaN;
                    const best = row.whole && value === least;
                    return html`<td class=${best ? "best" : ""} data-ratio="${whose} ${row.sample}" data-value=${value}>
                      ${Number.isNaN(value) ? "–" : value.toFixed(3)}
                      <small>${Number.isNaN(value) ? "" : whose === "ridge" ? strings.rmse(average(row.splits.map((s) => s.ridge))) : whose === "mean" ? "" : strings.below(below(row, whose), row.splits.length)}</small>
                      <b class="wins">${best ? strings.best : ""}</b>
                    </td>`;
                  })}
            </tr>`;
          })}
        </tbody>
      </table>
      <p class="note">${strings.reading}</p>
    </div>`;
  }

  /** On how many tables iFM is clearly below ridge; null while tables that could not be had could change the answer. */
  private answer(rows: readonly Row[]): string | null {
    if (!this.ended) return null;
    const known = rows.map((row) => ratio(row, "ifm")).filter((v) => !Number.isNaN(v));
    const won = known.filter((v) => v < 1 - CLEAR).length;
    const key = (tables: number): string => (tables === 0 ? "none" : tables === files.length ? "all" : "some");
    const [least, most] = [key(won), key(won + files.length - known.length)];
    return least === most ? least : null;
  }

  /** A split of every table. */
  protected override first({ trials, compared }: Settings): First {
    return { runs: [...this.held.keys()].length * SETS[compared].length, trials };
  }

  private brief(rows: readonly Row[]): Phrase {
    const known = rows.map((row) => ({ row, value: ratio(row, "ifm") })).filter(({ value }) => !Number.isNaN(value));
    return known.length > 0 ? strings.brief(list(known.map(({ row, value }) => say`${quantity("ifm", value, value.toFixed(3))} on ${row.name}`))) : [];
  }

  private says(ran: Settings, rows: readonly Row[]): Phrase {
    if (this.runner.phase !== "done") return [];
    const known = rows.filter((row) => !Number.isNaN(ratio(row, "ifm")));
    if (known.length === 0) return [];
    const gains = known.map((row) => ({ row, gain: 1 - ratio(row, "ifm") }));
    const named = (of: typeof gains): Phrase => list(of.map(({ row, gain }) => strings.gain(row.name, quantity("ifm", gain))));
    const won = gains.filter(({ gain }) => gain > CLEAR);
    const lost = gains.filter(({ gain }) => gain < -CLEAR);
    const level = gains.filter((one) => !won.includes(one) && !lost.includes(one));
    const told: Phrase[] = [
      ...(won.length > 0 ? [strings.won(named(won))] : [strings.wonNone]),
      ...(level.length > 0 ? [strings.level(named(level))] : []),
      ...(lost.length > 0 ? [strings.lost(named(lost))] : []),
    ];
    const noise = known.map((row) => ({ row, ...chances(row, "fm", "ifm") })).filter(({ difference }) => !Number.isNaN(difference));
    const products = known.map((row) => ({ row, ratio: ratio(row, "quadratic"), own: ratio(row, "ifm") })).filter(({ ratio: value, own }) => value < own);
    if (products.length > 0) told.push(strings.products(list(products.map(({ row, ratio: value, own }) => strings.product(row.name, quantity("quadratic", value), quantity("ifm", own))))));
    if (ran.trials < 2) told.push(strings.oneSplit);
    else {
      const tied = noise.filter(({ sure }) => !sure);
      const apart = noise.filter(({ sure }) => sure);
      if (tied.length > 0) told.push(strings.tied(list(tied.map(({ row }) => [row.name])), list(tied.map(({ difference, spread }) => strings.difference(quantity("none", difference), quantity("none", spread))))));
      if (apart.length > 0) told.push(strings.apart(list(apart.map(({ row, difference }) => strings.ahead(row.name, short[difference < 0 ? "ifm" : "fm"], quantity("none", Math.abs(difference)))))));
    }
    if (known.length < files.length) told.push(strings.missing(files.length - known.length));
    return told.flatMap((phrase, i) => (i === 0 ? phrase : say` ${phrase}`));
  }

  /** From here to the reader's own table. */
  private bridge(): TemplateResult {
    const framed = isFrame(this.view);
    const target = framed ? "_blank" : nothing;
    return html`<section class="bridge" aria-labelledby=${AFTER}>
      <h4 id=${AFTER} aria-level=${framed ? 2 : nothing}>${strings.bridge}</h4>
      <p class="about">${strings.bridgeLead} <a href="${framed ? location.pathname : ""}#table" target=${target}>${strings.own}</a></p>
      <ul>
        ${files.map((sample) => {
          const query = this.link(sample);
          return html`<li><a class="button" data-open=${sample} href="${location.pathname}${query}#table" target=${target} @click=${(event: MouseEvent) => this.walk(event, query)}>${strings.open(builtIn.sample[sample])}</a></li>`;
        })}
      </ul>
    </section>`;
  }

  /** The address of a table with these settings. */
  private link(sample: Sample): string {
    const table = this.held.get(sample);
    const wanted = table ? spec(this.values, sample, table) : of(this.values);
    return writeLink(wanted, { ...this.view, embed: "0", sample, chapter: "none" });
  }

  /** Opens it in this page, unless the reader wants another. */
  private walk(event: MouseEvent, query: string): void {
    if (isFrame(this.view) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.tell("ifm-walk", query);
  }
}

/** Mean over the splits of a test RMSE ÷ ridge's; NaN before there is one. */
function ratio({ splits }: Row, whose: Whose): number {
  return average(splits.map((split) => rmseOf(split, whose) / split.ridge));
}

function below({ splits }: Row, whose: Whose): number {
  return splits.filter((split) => rmseOf(split, whose) < split.ridge).length;
}

function rmseOf(split: Split, whose: Whose): number {
  return whose === "mean" || whose === "ridge" || whose === "quadratic" ? split[whose] : (split.rmse.get(whose) ?? Number.NaN);
}

function of({ compared, ...shared }: Settings): Spec {
  return forTable(settings({ ...shared, source: "table", models: SETS[compared] }));
}

/** The runs of a table: the target and the columns left out are those that the section for tables offers. */
function spec(values: Settings, sample: Sample, { table }: Opened): Spec {
  return { ...of(values), ...rolesFor(table, settings({}), sampleTargets[sample]) };
}

customElements.define("ifm-tables", Tables);
