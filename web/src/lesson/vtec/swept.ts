import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Line } from "../../charts/lines.js";
import { EngineFailure } from "../../engine/engine.js";
import type { Pool } from "../../engine/pool.js";
import type { EngineError } from "../../engine/protocol.js";
import { sentence } from "../../panel/panel.js";
import { problem } from "../../panel/problem.js";
import { cell, count, fraction, percent } from "../../text/format.js";
import { quantity, say, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted } from "../../text/strings.js";
import { cycle } from "../chapter/cycle.js";
import { middleHalf } from "../chapter/measure.js";
import type { Laid, Place, Setting } from "../sweep/lay.js";
import { SweptPanel, type Shown } from "../sweep/panel.js";
import type { Absence, Named } from "../sweep/sweep.js";
import { agreement, ALL, BASE, layAbsences, measures, middle, rmseOf, standing, sumOf, value, type Agreement, type Measure, type Outcome } from "./absences.js";
import { looks } from "./looks.js";
import { type Method } from "./quoted.js";
import { parse, read } from "./settings.js";
import { methodNames, vtecLabels } from "./strings.js";
import { Surveyed } from "./surveyed.js";
import { fixed } from "./tally.js";
import { Windows } from "./windows.js";

const words = {
  badge: "live",
  heading: (file: string) => `${file}: the ionosphere`,
  measures: { rmse: "median RMSE", low: "RMSE, lower quartile", high: "RMSE, upper quartile", ahead: "how often below ridge regression" } satisfies Record<Measure, string>,
  caption: { rmse: "RMSE of a day, metres: median; the band holds the middle half of the days", low: "RMSE of a day, metres: a quarter of the days lies below", high: "RMSE of a day, metres: a quarter of the days lies above", ahead: "Days on which the RMSE is below ridge regression’s, of all" } satisfies Record<Measure, string>,
  from: (cells: number, windows: number, version: string) => `${counted(cells, "cell")} that ifm sweep made elsewhere, with version ${version}: each is a day without one of its stations, ${counted(windows, "window")} in all. None of these numbers was computed on this page, and no file leaves it; press a place to run the cell in its middle here, live.`,
  mixed: (runs: number) => `The file has ${counted(runs, "run")} on drawn rows or tables, too:`,
  toRuns: "they stand beside the chapter on rows and ranks.",
  setting: (key: string, value: string) => (key === "method" ? words.method(value) : `${vtecLabels.keys[key] ?? key}: ${vtecLabels.options[value] ?? value}`),
  method: (method: string) => `${methodNames[method as Method] ?? method}`,
  axis: (key: string) => (key === "station" ? "station that is left out" : (vtecLabels.keys[key] ?? key)),
  across: (value: number) => cell(value),
  together: "all",
  rmse: (value: number) => (Number.isNaN(value) ? "–" : value.toFixed(4)),
  share: (value: number) => (Number.isNaN(value) ? "–" : percent(value)),
  absence: (seed: number, day: string, station: string) => `seed ${seed}, ${day} without ${station}`,
  open: (named: string, said: string, absence: string) => `${named}: ${said}. Run ${absence} here`,
  medians: (days: number, stations: number, ifm: Quantity, ridge: Quantity): Phrase => say`The median RMSE of ${counted(days, "day")}, ${stations > 1 ? `the errors at all ${count(stations)} stations in one sum` : "at the station that is left out"}, is ${ifm} m with iFM and ${ridge} m with ridge regression.`,
  standing: (days: number, won: Quantity, ahead: Quantity): Phrase => say` iFM is the best of the paper’s methods on ${won} of ${counted(days, "day")}, and ahead of ridge regression on ${ahead}.`,
  stations: (ahead: readonly string[], all: number) => (ahead.length === 0 ? `By station its median is below ridge regression’s at none of ${count(all)}.` : ahead.length === all ? `Its median is below ridge regression’s at each of ${count(all)} stations.` : `By station its median is below ridge regression’s at ${count(ahead.length)} of ${count(all)}: ${ahead.join(", ")}.`),
  reading: "S01 is the station in the middle of the net; the further on, the nearer to its edge. “All” has the errors at all stations of a day in one sum, as Table 1 has them. The penalties are those that were tuned in the middle.",
  usable: (windows: number) => `All ${counted(windows, "window")} could be used.`,
  unusable: (lost: number, of: number, empty: number) => `${count(lost)} of ${counted(of, "window")} could not be used${empty > 0 ? `, and ${counted(empty, "cell")} ${empty === 1 ? "has" : "have"} none that could` : ""}`,
  unusableOne: (absence: string, windows: number, reason: string) => `${absence}: ${counted(windows, "window")}. ${reason}`,
  unusableMore: (cells: number) => `${counted(cells, "cell")} more`,
  idle: "No cell of it has been run here yet.",
  progress: (over: number, of: number) => `${count(over)} of ${counted(of, "window")}`,
  stopped: (over: number, of: number) => `Stopped after ${count(over)} of ${counted(of, "window")}: press the place again to run it whole.`,
  agreement: ({ apart, printed }: Agreement, windows: number, same: boolean) =>
    `${counted(windows, "window")}, fitted in this browser: ${apart === 0 ? "every sum of squares has the same bits as in the sweep." : printed ? `every RMSE is that of the sweep as it is printed. Sums of squares differ by up to ${fraction(apart)}: processors round differently.` : Number.isFinite(apart) ? `sums of squares differ from those of the sweep by up to ${fraction(apart)}.` : "these are not the windows of the sweep."}${printed || same ? "" : " It was made with another version."}`,
  both: (absence: string) => `RMSE in metres, ${absence}`,
  swept: "swept",
  here: "live, here",
  stop: "Stop",
  take: (seed: number) => `Take the settings of seed ${seed} in the chapter above`,
};

const LISTED = 200; // cells with windows that could not be used

/** What a link to the chapter names, and what of it cannot be used as it stands. */
export async function netOf(pool: Pool, part: string): Promise<Named> {
  const { ionosphere, notices } = parse(part);
  if (notices.length > 0) return { methods: [], days: [], stations: [], notices };
  const surveyed = new Surveyed(pool, ionosphere, null);
  try {
    const { methods, days, stations } = await surveyed.ask((_, survey) => Promise.resolve(survey));
    return { methods, days, stations, notices };
  } finally {
    surveyed.close();
  }
}

/** The days without a station of a sweep: by station and method, and one of them live. */
class SweptSky extends SweptPanel<Outcome, Measure> {
  @property({ attribute: false }) accessor pool!: Pool;
  @state() private accessor chosen: Absence | null = null; // that is run here
  @state() private accessor failed: EngineError | null = null; // why it is not

  protected readonly place = "swept-sky";
  protected override readonly least = "4.2rem";
  private surveyed: Surveyed | null = null;
  private readonly windows = new Windows(() => this.requestUpdate());

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.leave();
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
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

  protected get choices(): readonly Shown<Measure>[] {
    const compared = [...this.sweep.skies.values()].some(({ methods }) => methods.includes(BASE) && methods.length > 1);
    return measures.filter((key) => key !== "ahead" || compared).map((key) => ({ key, name: words.measures[key], caption: words.caption[key], share: key === "ahead" }));
  }

  protected override get heading(): string {
    return words.heading(this.sweep.name);
  }

  protected get from(): string {
    const { absences, version } = this.sweep;
    return words.from(absences.length, absences.reduce((sum, { windows }) => sum + windows, 0), version);
  }

  protected get elsewhere(): TemplateResult | typeof nothing {
    const { length } = this.sweep.runs;
    return length === 0 ? nothing : html`${words.mixed(length)} <a href="#swept">${words.toRuns}</a>`;
  }

  protected value(outcomes: readonly Outcome[], of: Measure): number {
    return value(outcomes, of);
  }

  protected spread(outcomes: readonly Outcome[], of: Measure): readonly [number, number] | null {
    return of === "rmse" ? middleHalf(outcomes.map(({ rmse }) => rmse).filter(Number.isFinite)) : null;
  }

  protected said(outcomes: readonly Outcome[], of: Measure): string {
    const v = value(outcomes, of);
    return of === "ahead" ? words.share(v) : words.rmse(v);
  }

  protected setting(setting: Setting): string {
    return words.setting(setting.key, setting.value);
  }

  protected axis(key: string): string {
    return words.axis(key);
  }

  protected across(value: number): string {
    return this.as.across === "station" ? this.station(value - 1) : words.across(value);
  }

  protected override counted(key: string): boolean {
    return key !== "station";
  }

  /** All of them together are no place of the net. */
  protected override drawn(value: number): boolean {
    return this.as.across !== "station" || value !== ALL;
  }

  private station(index: number): string {
    const [{ stations } = { stations: [] }] = this.sweep.skies.values();
    return index < 0 ? words.together : (stations[index] ?? "");
  }

  protected look(row: readonly Setting[], i: number): Pick<Line, "colour" | "dash" | "symbol"> {
    const look = looks[(row.find(({ key }) => key === "method")?.value ?? "") as Method];
    return row.length > 1 || !look ? { colour: look?.colour ?? "base", ...cycle(i) } : look;
  }

  /** A button that runs the cell in the middle of a place. */
  protected inner({ runs }: Place<Outcome>, named: string, said: string): TemplateResult | string {
    const absence = middle(runs);
    return absence ? html`<button class="rerun" aria-label=${words.open(named, said, this.named(absence))} @click=${() => void this.rerun(absence)}>${said}</button>` : said;
  }

  /** A cell in words. */
  private named({ query, day, station }: Absence): string {
    const link = this.sweep.skies.get(query);
    return words.absence(read(link?.part ?? "").seed, link?.days[day] ?? "", link?.stations[station] ?? "");
  }

  /** What the sweep says to the chapter's question, where its links differ in nothing but their seeds. */
  protected get told(): TemplateResult | typeof nothing {
    const { as, sweep } = this;
    const row = (method: string) => as.rows.find(({ settings }) => settings.every(({ key, value }) => key !== "method" || value === method));
    const [ifm, base] = [row("ifm"), row(BASE)];
    const found = standing(sweep);
    if (!ifm || !base || !found || as.rows.some(({ settings }) => settings.some(({ key }) => key !== "method"))) return nothing;
    const all = as.across === "station" ? as.values.indexOf(ALL) : as.across === null ? 0 : -1;
    const error = (of: typeof ifm, at: number, whose: "ifm" | "ridge") => {
      const v = value(of.places[at]?.runs ?? [], "rmse");
      return quantity(whose, v, fixed(v));
    };
    const ahead = as.values.flatMap((v, at) => (v !== ALL && as.across === "station" && value(ifm.places[at]?.runs ?? [], "rmse") < value(base.places[at]?.runs ?? [], "rmse") ? [this.across(v)] : []));
    const stations = as.across === "station" ? as.values.filter((v) => v !== ALL).length : 1;
    return html`<p class="told">
      ${all < 0 ? nothing : sentence(words.medians(found.days, stations, error(ifm, all, "ifm"), error(base, all, "ridge")))}
      ${sentence(words.standing(found.days, quantity("ifm", found.won, String(found.won)), quantity("ifm", found.ahead, String(found.ahead))))}
      ${stations > 1 ? words.stations(ahead, stations) : nothing}
    </p>`;
  }

  protected get below(): TemplateResult {
    return html`<p class="note">${words.reading}</p>
      ${this.unusable()} ${this.live()}`;
  }

  /** The windows that could not be used, by cell, each with its first reason. */
  private unusable(): TemplateResult | typeof nothing {
    const { absences } = this.sweep;
    const lost = absences.filter(({ unusable }) => unusable > 0);
    const sum = (of: readonly Absence[], key: "windows" | "unusable"): number => of.reduce((total, cell) => total + cell[key], 0);
    if (lost.length === 0) return html`<p class="note">${words.usable(sum(absences, "windows"))}</p>`;
    return html`<details class="places">
      <summary>${words.unusable(sum(lost, "unusable"), sum(absences, "windows") + sum(lost, "unusable"), absences.filter(({ differences }) => differences === 0).length)}</summary>
      <ol>
        ${lost.slice(0, LISTED).map((cell) => html`<li>${words.unusableOne(this.named(cell), cell.unusable, cell.reason)}</li>`)}
      </ol>
      ${lost.length > LISTED ? html`<p class="note">${words.unusableMore(lost.length - LISTED)}</p>` : nothing}
    </details>`;
  }

  private async rerun(absence: Absence): Promise<void> {
    this.leave();
    const { part = "" } = this.sweep.skies.get(absence.query) ?? {};
    const surveyed = new Surveyed(this.pool, read(part), null);
    Object.assign(this, { surveyed, chosen: absence });
    await this.updateComplete;
    this.querySelector<HTMLElement>(".rerun-title")?.focus();
    try {
      const survey = await surveyed.ask((_, opened) => Promise.resolve(opened));
      if (surveyed !== this.surveyed) return; // another was asked for
      this.windows.start(surveyed, survey, ({ what, at }) => what === "window" && survey.day[at] === absence.day && survey.station[at] === absence.station);
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      if (surveyed === this.surveyed) this.failed = reason.detail;
    }
  }

  /** A cell of the sweep, and the same in this browser. */
  private live(): TemplateResult | typeof nothing {
    const { chosen, failed, windows, surveyed } = this;
    if (!chosen) return html`<p class="note">${words.idle}</p>`;
    const { phase, over, of } = windows;
    const own = windows.results?.surveyed === surveyed ? windows.results : null;
    const here = own ? sumOf(own) : null;
    const { methods = [], part = "" } = this.sweep.skies.get(chosen.query) ?? {};
    const done = phase === "done" && here !== null;
    const named = this.named(chosen);
    const row = (name: string, cell: Pick<Absence, "differences" | "squares"> | null) => html`<tr>
      <th scope="row">${name}</th>
      ${methods.map((method) => html`<td data-method=${method} data-value=${cell ? rmseOf([cell], method) : Number.NaN}>${cell ? fixed(rmseOf([cell], method)) : ""}</td>`)}
    </tr>`;
    return html`<div class="live-cell">
      <h4 class="rerun-title" tabindex="-1"><span class="badge">${words.badge}</span> ${named}</h4>
      ${failed ? html`<p class="error" role="alert">${problem(failed)}</p>` : nothing}
      <p role="status">${failed ? "" : phase === "running" || of === 0 || !own ? words.progress(over, chosen.windows + chosen.unusable) : !done ? words.stopped(over, of) : words.agreement(agreement(here, chosen), here.windows, this.sweep.version === this.sweep.here)}</p>
      <div class="scroll" tabindex="0" role="region" aria-label=${words.both(named)}>
        <table class="numbers">
          <caption>${words.both(named)}</caption>
          <thead>
            <tr><th scope="col"></th>${methods.map((method) => html`<th scope="col">${words.method(method)}</th>`)}</tr>
          </thead>
          <tbody>
            ${row(words.swept, chosen)} ${row(words.here, here)}
          </tbody>
        </table>
      </div>
      <p class="go">
        <button class="stop" aria-disabled=${phase !== "running"} @click=${() => this.windows.stop()}>${words.stop}</button>
        <button class="take" @click=${() => this.tell("ifm-part", { chapter: "vtec", query: part, notices: [] })}>${words.take(read(part).seed)}</button>
      </p>
    </div>`;
  }
}

customElements.define("ifm-swept-sky", SweptSky);
