import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { answerOf } from "../../engine/calls.js";
import type { Pool } from "../../engine/pool.js";
import type { EngineError } from "../../engine/protocol.js";
import { sentence, table } from "../../panel/panel.js";
import { listed } from "../../panel/places.js";
import { problem } from "../../panel/problem.js";
import { cell, count, fraction, percent } from "../../text/format.js";
import { quantity, say, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted } from "../../text/strings.js";
import { cycle } from "../chapter/cycle.js";
import { middleHalf } from "../chapter/measure.js";
import type { Laid } from "../sweep/lay.js";
import { SweptPanel, type Measure as Shown, type Showing } from "../sweep/panel.js";
import type { Absence, Named, Sweep } from "../sweep/sweep.js";
import { agreement, ALL, BASE, layAbsences, measures, middle, rmseOf, standing, sumOf, value, type Agreement, type Measure, type Outcome } from "./absences.js";
import { keyOf } from "./methods.js";
import { parse, read } from "./settings.js";
import { vtecLabels } from "./strings.js";
import { Surveyed } from "./surveyed.js";
import { fixed } from "./tally.js";
import { Windows } from "./windows.js";

const words = {
  badge: "live",
  heading: (file: string) => `${file}: the ionosphere`,
  measures: { rmse: "median RMSE", low: "RMSE, lower quartile", high: "RMSE, upper quartile", ahead: "how often below ridge regression" } satisfies Record<Measure, string>,
  caption: { rmse: "RMSE of a day, metres: median; the band holds the middle half of the days", low: "RMSE of a day, metres: a quarter of the days lies below", high: "RMSE of a day, metres: a quarter of the days lies above", ahead: "Days on which the RMSE is below ridge regression’s, of all" } satisfies Record<Measure, string>,
  from: (cells: number, windows: number, version: string) => `${counted(cells, "cell")} from ifm sweep, version ${version}: each is a day without one of its stations, ${counted(windows, "window")} in all. None was computed on this page, and no file leaves it. Press a number to run its median cell here, live.`,
  mixed: (runs: number) => `The file has ${counted(runs, "run")} on simulated rows or tables:`,
  toRuns: "see the chapter on rows and ranks.",
  setting: (key: string, value: string) => (key === "method" ? keyOf(value).name : `${vtecLabels.keys[key] ?? key}: ${vtecLabels.options[value] ?? value}`),
  axis: (key: string) => (key === "station" ? "station that is left out" : (vtecLabels.keys[key] ?? key)),
  across: (value: number) => cell(value),
  together: "all",
  rmse: (value: number) => (Number.isNaN(value) ? "–" : value.toFixed(4)),
  share: (value: number) => (Number.isNaN(value) ? "–" : percent(value)),
  absence: (seed: number, day: string, station: string) => `seed ${seed}, ${day} without ${station}`,
  open: (named: string, said: string, absence: string) => `${named}: ${said}. Run ${absence} here`,
  medians: (days: number, stations: number, ifm: Quantity, ridge: Quantity): Phrase => say`The median RMSE of ${counted(days, "day")}, ${stations > 1 ? `the errors at all ${count(stations)} stations in one sum` : "at the station that is left out"}, is ${ifm} m with iFM and ${ridge} m with ridge regression.`,
  standing: (days: number, won: Quantity, ahead: Quantity): Phrase => say` iFM is the best of the paper’s methods on ${won} of ${counted(days, "day")}, and ahead of ridge regression on ${ahead}.`,
  stations: (ahead: readonly string[], all: number) => (ahead.length === 0 ? `Its median is below ridge regression’s at none of ${count(all)}.` : ahead.length === all ? `Its median is below ridge regression’s at each of ${count(all)} stations.` : `Its median is below ridge regression’s at ${count(ahead.length)} of ${count(all)}: ${ahead.join(", ")}.`),
  reading: "S01 is the station in the middle of the net; higher numbers are nearer to its edge. “All” sums the errors at all stations of a day, as Table 1 does. The penalties were tuned in the middle.",
  usable: (windows: number) => `All ${counted(windows, "window")} could be used.`,
  unusable: (lost: number, of: number, empty: number) => `${count(lost)} of ${counted(of, "window")} could not be used${empty > 0 ? `, and ${counted(empty, "cell")} ${empty === 1 ? "has" : "have"} none that could` : ""}`,
  unusableOne: (absence: string, windows: number, reason: string) => `${absence}: ${counted(windows, "window")}. ${reason}`,
  unusableMore: (cells: number) => `${counted(cells, "cell")} more`,
  idle: "No cell has been run here yet.",
  progress: (over: number, of: number) => `${count(over)} of ${counted(of, "window")}`,
  stopped: (over: number, of: number) => `Stopped after ${count(over)} of ${counted(of, "window")}: press the number again to run all.`,
  agreement: ({ apart, printed }: Agreement, windows: number, same: boolean) =>
    `${counted(windows, "window")}, fitted in this browser: ${apart === 0 ? "every sum of squares has the same bits as in the sweep." : printed ? `every printed RMSE is that of the sweep. Sums of squares differ by up to ${fraction(apart)}: processors round differently.` : Number.isFinite(apart) ? `sums of squares differ from those of the sweep by up to ${fraction(apart)}.` : "these are not the windows of the sweep."}${printed || same ? "" : " It was made with another version."}`,
  both: (absence: string) => `RMSE in metres, ${absence}`,
  swept: "swept",
  here: "live, here",
  stop: "Stop",
  take: (seed: number) => `Use the settings of seed ${seed} in the chapter above`,
};

const LISTED = 200; // cells with windows that could not be used

/** What a link to the chapter names, and what of it cannot be used as it stands. */
export async function netOf(pool: Pool, part: string): Promise<Named> {
  const { ionosphere, notices } = parse(part);
  if (notices.length > 0) return { methods: [], days: [], stations: [], notices };
  const surveyed = new Surveyed(pool, ionosphere, null);
  try {
    const { methods, days, stations } = await surveyed.open();
    return { methods, days, stations, notices };
  } finally {
    surveyed.close();
  }
}

/** A sweep over the ionosphere by station and method, and one of its cells live. */
class SweptSky extends SweptPanel<Outcome> {
  @property({ attribute: false }) accessor pool!: Pool;
  @state() private accessor chosen: Absence | null = null; // that is run here
  @state() private accessor failed: EngineError | null = null; // why it is not

  protected readonly place = "swept-sky";
  private surveyed: Surveyed | null = null;
  private readonly windows = new Windows(() => this.requestUpdate());

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.leave();
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed);
    if (changed.get("sweep")) this.leave(); // what was run is of another file
  }

  private leave(): void {
    this.windows.stop();
    this.surveyed?.close();
    Object.assign(this, { surveyed: null, chosen: null, failed: null });
  }

  protected lay(): Laid<Outcome> {
    return layAbsences(this.sweep);
  }

  protected showing(): Showing<Outcome> {
    const { sweep, as } = this;
    const { absences, runs, skies, version } = sweep;
    const isStation = as.across === "station";
    const [{ stations } = { stations: [] }] = skies.values();
    const across = (at: number): string => (!isStation ? words.across(at) : at === ALL ? words.together : (stations[at - 1] ?? ""));
    const isCompared = [...skies.values()].some(({ methods }) => methods.includes(BASE) && methods.length > 1);
    return {
      measures: measures.filter((key) => key !== "ahead" || isCompared).map(measureOf),
      heading: words.heading(sweep.name),
      from: words.from(absences.length, absences.reduce((sum, { windows }) => sum + windows, 0), version),
      elsewhere: runs.length === 0 ? nothing : html`${words.mixed(runs.length)} <a href="?chapter=samples">${words.toRuns}</a>`,
      told: told(sweep, as, across),
      below: html`<p class="note">${words.reading}</p>
        ${unusable(sweep)} ${this.live()}`,
      least: "4.2rem",
      isNamed: isStation,
      setting: ({ key, value }) => words.setting(key, value),
      axis: words.axis,
      across,
      isDrawn: (at) => !isStation || at !== ALL, // all of them together are no place of the net
      look: (row, i) => {
        const key = keyOf(row.find(({ key }) => key === "method")?.value ?? "");
        return row.length > 1 || row[0]?.key !== "method" ? { colour: key.colour, ...cycle(i) } : key;
      },
      /** A button that runs the cell in the middle of a place. */
      inner: ({ runs }, called, text) => {
        const absence = middle(runs);
        return absence ? html`<button class="rerun" aria-label=${words.open(called, text, named(sweep, absence))} @click=${() => void this.rerun(absence)}>${text}</button>` : text;
      },
    };
  }

  private async rerun(absence: Absence): Promise<void> {
    this.leave();
    const surveyed = new Surveyed(this.pool, read(this.sweep.skies.get(absence.query)?.part ?? ""), null);
    Object.assign(this, { surveyed, chosen: absence });
    await this.updateComplete;
    this.querySelector<HTMLElement>(".rerun-title")?.focus();
    const { result: survey, error } = await answerOf(surveyed.open());
    if (surveyed !== this.surveyed) return; // another was asked for
    if (error) this.failed = error;
    else void this.windows.runAll(surveyed, survey, ({ what, at }) => what === "windows" && survey.day[at] === absence.day && survey.station[at] === absence.station);
  }

  /** A cell of the sweep, and the same in this browser. */
  private live(): TemplateResult {
    const { chosen, failed, sweep, surveyed, windows: { phase, over, of, results } } = this;
    if (!chosen) return html`<p class="note">${words.idle}</p>`;
    const here = results?.surveyed === surveyed ? sumOf(results) : null;
    const { methods = [], part = "" } = sweep.skies.get(chosen.query) ?? {};
    const called = named(sweep, chosen);
    const says = (): string => {
      if (failed) return "";
      if (phase === "running" || of === 0 || !here) return words.progress(over, chosen.windows + chosen.unusable);
      return phase === "done" ? words.agreement(agreement(here, chosen), here.windows, sweep.version === sweep.here) : words.stopped(over, of);
    };
    const row = (name: string, sums: Pick<Absence, "differences" | "squares"> | null) => html`<tr>
      <th scope="row">${name}</th>
      ${methods.map((method) => html`<td data-method=${method} data-value=${sums ? rmseOf([sums], method) : Number.NaN}>${sums ? fixed(rmseOf([sums], method)) : ""}</td>`)}
    </tr>`;
    return html`<div class="live-cell">
      <h4 class="rerun-title" tabindex="-1"><span class="badge">${words.badge}</span> ${called}</h4>
      ${failed ? html`<p class="error" role="alert">${problem(failed)}</p>` : nothing}
      <p role="status">${says()}</p>
      ${table(words.both(called), ["", ...methods.map((method) => keyOf(method).name)], [row(words.swept, chosen), row(words.here, here)])}
      <p class="go">
        <button class="stop" aria-disabled=${phase !== "running"} @click=${() => this.windows.stop()}>${words.stop}</button>
        <button class="take" @click=${() => this.tell("ifm-part", { chapter: "vtec", query: part, notices: [] })}>${words.take(read(part).seed)}</button>
      </p>
    </div>`;
  }
}

function measureOf(key: Measure): Shown<Outcome> {
  return {
    key,
    name: words.measures[key],
    caption: words.caption[key],
    isShare: key === "ahead",
    value: (outcomes) => value(outcomes, key),
    says: key === "ahead" ? words.share : words.rmse,
    ...(key === "rmse" ? { spread: (outcomes: readonly Outcome[]) => middleHalf(outcomes.map(({ rmse }) => rmse).filter(Number.isFinite)) } : {}),
  };
}

/** A cell in words. */
function named({ skies }: Sweep, { query, day, station }: Absence): string {
  const link = skies.get(query);
  return words.absence(read(link?.part ?? "").seed, link?.days[day] ?? "", link?.stations[station] ?? "");
}

/** The sweep's answer to the chapter's question, if its links differ only in their seeds. */
function told(sweep: Sweep, as: Laid<Outcome>, across: (value: number) => string): TemplateResult | typeof nothing {
  const places = (method: string) => as.rows.find(({ settings }) => settings.every(({ key, value }) => key !== "method" || value === method))?.places;
  const [ifm, base] = [places("ifm"), places(BASE)];
  const found = standing(sweep);
  if (!ifm || !base || !found || as.rows.some(({ settings }) => settings.some(({ key }) => key !== "method"))) return nothing;
  const isStation = as.across === "station";
  const stations = isStation ? as.values.flatMap((at, i) => (at === ALL ? [] : [i])) : [];
  const all = isStation ? as.values.indexOf(ALL) : as.across === null ? 0 : -1;
  const median = (of: typeof ifm, at: number): number => value(of[at]?.runs ?? [], "rmse");
  const error = (of: typeof ifm, whose: "ifm" | "ridge"): Quantity => quantity(whose, median(of, all), fixed(median(of, all)));
  const ahead = stations.filter((at) => median(ifm, at) < median(base, at)).map((at) => across(as.values[at] ?? Number.NaN));
  return html`<p class="told">
    ${all < 0 ? nothing : sentence(words.medians(found.days, Math.max(1, stations.length), error(ifm, "ifm"), error(base, "ridge")))}
    ${sentence(words.standing(found.days, quantity("ifm", found.won, String(found.won)), quantity("ifm", found.ahead, String(found.ahead))))}
    ${stations.length > 1 ? words.stations(ahead, stations.length) : nothing}
  </p>`;
}

/** The windows that could not be used, by cell, each with its first reason. */
function unusable(sweep: Sweep): TemplateResult {
  const { absences } = sweep;
  const lost = absences.filter((one) => one.unusable > 0);
  const sum = (of: readonly Absence[], key: "windows" | "unusable"): number => of.reduce((total, one) => total + one[key], 0);
  if (lost.length === 0) return html`<p class="note">${words.usable(sum(absences, "windows"))}</p>`;
  const summary = words.unusable(sum(lost, "unusable"), sum(absences, "windows") + sum(lost, "unusable"), absences.filter(({ differences }) => differences === 0).length);
  return listed(summary, lost.map((one) => words.unusableOne(named(sweep, one), one.unusable, one.reason)), LISTED, words.unusableMore);
}

customElements.define("ifm-swept-sky", SweptSky);
