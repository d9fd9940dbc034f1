import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { lineChart, type Drawing, type Line } from "../../charts/lines.js";
import { legend } from "../../charts/looks.js";
import { EngineFailure, unusable } from "../../engine/engine.js";
import type { OpenedSky } from "../../engine/pool.js";
import type { EngineError, Survey } from "../../engine/protocol.js";
import type { About } from "../../panel/about.js";
import type { Field } from "../../state/spec.js";
import type { Found } from "../chapter/answer.js";
import { Asking, formulary, type Content, type Words } from "../chapter/chapter.js";
import { formulas } from "../chapter/formulas.gen.js";
import { vtec } from "../chapter/strings.js";
import "./file.js";
import { inputs, type Change } from "./file.js";
import "./map.js";
import { clock } from "./clock.js";
import { looks } from "./looks.js";
import { inPaper, methods, references, type Method } from "./quoted.js";
import { fields, type Ionosphere } from "./settings.js";
import { survey as strings, tally as badges, vtecLabels as labels } from "./strings.js";
import { Surveyed } from "./surveyed.js";
import "./table.js";
import { sum, tabulate, type Tally } from "./tally.js";
import "./tuning.js";
import { answer, brief, says } from "./verdict.js";
import { isError, Windows, type Results } from "./windows.js";

const EXPERIMENT = ["stations", "days", "stride", "fixes", "trust", "systems", "waves", "seed", "angles"] as const satisfies readonly (keyof Ionosphere)[];
const NET = ["latitude", "longitude", "spacing", "edge", "phase"] as const satisfies readonly (keyof Ionosphere)[];
const TUNED = ["ridge", "lasso", "elasticnet", "netratio", "kernel", "gamma", "fmrank", "fmlambda", "fmlinear", "ifmrank", "ifmlambda", "ifmlinear", "gfmrank", "gfmlambda", "gfmlinear", "cubic", "length", "noise", "fixfmrank", "fixfmlambda", "fixifmrank", "fixifmlambda"] as const satisfies readonly (keyof Ionosphere)[];
const MINUTES = 1440; // of a day
const NET_STATIONS = 17; // of the simulator
const LISTED = 200; // windows that could not be used
const FIRST = 10; // times as many windows as give a first answer
const STEP = 0.002; // of the chart's upright axis, m

/** What is known of the experiment on a file: the survey, or why there is none. */
interface Learnt {
  readonly survey: Survey | null;
  readonly error: EngineError | null;
}

const unknown: Learnt = { survey: null, error: null };

/** The paper's experiment on the ionosphere: six methods, window by window, under a sky that is simulated or the reader's own. */
class Vtec extends Asking<Ionosphere> {
  protected readonly name = "vtec";
  @property({ attribute: false }) accessor sky: File | null = null; // that was dropped elsewhere on the page
  @state() private accessor opened: OpenedSky | null = null; // the reader's file
  @state() private accessor learnt: Learnt = unknown; // of the present settings

  private present: Surveyed | null = null; // under the settings as they are
  private every: Surveyed | null = null; // under the same but for every window, since its button was pressed
  private wanted = false; // every window, of the run that begins
  private readonly open = new Set<Surveyed>();
  private readonly files = new Set<OpenedSky>();
  private readonly windows = new Windows(() => {
    this.ran = this.windows.results?.surveyed.settings ?? null;
    this.counted = null;
    this.invalidate();
  });
  private counted: Tally | null = null;
  private looked = false; // a sky of the reader's was at hand, or asked for: its part is open
  private begun: { readonly of: Results; readonly found: Found } | null = null; // what the first windows of a run have said

  /** The question as it is for as many days and methods as there are. */
  protected override get words(): Words {
    const { methods: chosen } = this.values;
    const days = this.days;
    return { ...vtec, question: strings.ask(chosen.includes("ifm") ? chosen.filter(inPaper).length : 0, days), guesses: days === 1 ? strings.guessesOfOne : vtec.guesses };
  }

  /** How many times a window is fitted: a station each. */
  private get turns(): number {
    const { values, windows, present } = this;
    if (values.stations === "centre") return 1;
    return windows.results?.surveyed === present ? new Set(windows.results?.survey.station).size : (this.learnt.survey?.stations.length ?? NET_STATIONS);
  }

  /** How many test days there will be. */
  private get days(): number {
    const { days, sky } = this.values;
    return sky === "simulated" ? days : Math.min(days, this.opened?.sky.days.length ?? days);
  }

  protected override get work(): Windows {
    return this.windows;
  }

  protected override get progress(): { readonly over: number; readonly of: number } {
    return this.windows;
  }

  protected override get troubles(): readonly EngineError[] {
    const { results } = this.windows;
    return results ? [...results.windows, ...results.fixes].flatMap((found) => (found && isError(found) ? [found] : [])) : [];
  }

  protected override declared(): readonly Field[] {
    return fields;
  }

  protected override get stale(): boolean {
    const { ran, values } = this;
    const same = ran !== null && this.windows.results?.surveyed === this.every ? this.query({ ...ran, stride: values.stride }) === this.query() : !super.stale;
    return !same || (this.ran !== null && this.ran.sky !== "simulated" && this.windows.results?.surveyed.opened !== this.opened);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    Object.assign(this, { present: null, every: null, opened: null });
    this.tidy();
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const { sky } = this.values;
    const opened = sky === "simulated" ? null : this.opened;
    const fits = sky === "simulated" || opened?.sky.kind === (sky === "points" ? "points" : "maps");
    if (!fits) this.present = null;
    else if (this.present?.query !== this.query() || this.present.opened !== opened) this.look(new Surveyed(this.pool, this.values, opened));
    this.tidy();
  }

  /** Takes these settings as the present ones. With a file of the reader's it is asked at once what they make of it; else the map does that when it is seen. */
  private look(surveyed: Surveyed): void {
    Object.assign(this, { present: surveyed, learnt: unknown });
    this.open.add(surveyed);
    if (surveyed.opened) void this.learn(surveyed);
  }

  private async learn(surveyed: Surveyed): Promise<void> {
    const learnt = await surveyed.ask((_, survey) => Promise.resolve<Learnt>({ survey, error: null })).catch((reason: unknown): Learnt => {
      if (!(reason instanceof EngineFailure)) throw reason;
      return { survey: null, error: reason.detail };
    });
    if (surveyed === this.present) this.learnt = learnt;
  }

  /** Lets go of what nobody looks at or works on. */
  private tidy(): void {
    for (const surveyed of this.open) {
      if (surveyed === this.present || surveyed === this.windows.working || (surveyed === this.every && this.asking)) continue;
      surveyed.close();
      this.open.delete(surveyed);
    }
    for (const file of this.files) {
      if (file === this.opened || [...this.open].some(({ opened }) => opened === file)) continue;
      this.pool.close(file);
      this.files.delete(file);
    }
  }

  protected override async begin(): Promise<void> {
    const surveyed = this.asked();
    this.begun = null;
    if (!surveyed) throw new EngineFailure(unusable(strings.fileNeeded));
    const survey = await surveyed.ask((_, found) => Promise.resolve(found));
    this.asking = false;
    if (!this.isConnected || (surveyed !== this.present && surveyed !== this.every)) return this.invalidate();
    this.windows.start(surveyed, survey);
  }

  /** For what is saved of it: whose numbers they are, too. */
  override get about(): About | undefined {
    const about = super.about;
    const surveyed = this.windows.results?.surveyed;
    return about && surveyed ? { ...about, name: surveyed.name, label: badges.badge[surveyed.source] } : about;
  }

  private get tally(): Tally | null {
    const { results } = this.windows;
    if (results && !this.counted) this.counted = tabulate(results);
    return this.counted;
  }

  /** Whether nothing is missing of what is shown. */
  private get whole(): boolean {
    const { phase, over, of, results, working } = this.windows;
    return results !== null && (working !== null && working !== results.surveyed ? true : phase === "done" || over === of);
  }

  protected content(): Content {
    const { windows, tally } = this;
    this.looked ||= this.values.sky !== "simulated" || this.opened !== null || this.sky !== null;
    return {
      text: html`${fold("days", strings.all, html`${this.table(tally)}${this.chart(tally)}<div class="unused">${this.unused(tally)}</div>${this.longer()}`)} ${this.notes()} ${this.method()}`,
      cost: this.cost(),
      body: html`<ifm-skymap .surveyed=${this.present} .waiting=${this.present ? strings.soon : strings.fileNeeded}></ifm-skymap>`,
      answer: this.answer(tally),
      brief: tally ? brief(tally) : [],
      says: tally && windows.results ? says(tally, this.ran) : [],
      live: this.ran ? strings.live(this.ran, tally ? sum(tally, "over") : 0, windows.results?.survey.day.length ?? 0, windows.results?.survey.days.length ?? 0, windows.results?.survey.stations.length ?? 0, windows.results?.surveyed.source) : "",
      more: this.pause(),
      after: fold("sky", strings.own, html`<ifm-skyfile .pool=${this.pool} .settings=${this.values} .opened=${this.opened} .dropped=${this.sky} .stations=${this.learnt.survey?.stations ?? []} .notices=${this.learnt.survey?.notices ?? []} .trouble=${this.learnt.error} @sky-change=${this.changed}></ifm-skyfile>`, this.looked),
    };
  }

  private table(tally: Tally | null): TemplateResult {
    const ran = this.ran ?? this.values;
    return html`<ifm-tally .tally=${tally ?? this.blank()} .source=${(this.windows.results?.surveyed ?? this.present)?.source ?? this.values.sky} .noise=${ran.sky === "points" ? 0 : ran.phase} ?whole=${this.whole}></ifm-tally>`;
  }

  /** The table as it will be, so that nothing moves when it fills. */
  private blank(): Tally {
    const { methods: chosen, days, sky } = this.values;
    const names = sky === "simulated" ? Array.from({ length: days }, (_, i) => strings.testDay(i + 1)) : (this.opened?.sky.days.slice(0, days) ?? [""]);
    const none = chosen.map(() => Number.NaN);
    return { methods: chosen, rows: names.map((day) => ({ day, of: 0, over: 0, used: 0, zero: Number.NaN, rmse: none })), zero: Number.NaN, average: none, groups: null, positions: this.values.fixes > 0 ? { of: 0, over: 0, used: 0, tried: 0, none: Number.NaN, perfect: Number.NaN, share: none, error: () => Number.NaN } : null, unusable: [] };
  }

  private pause(): TemplateResult {
    const { phase } = this.windows;
    const paused = phase === "paused";
    return html`<button class="pause" aria-disabled=${!paused && phase !== "running"} @click=${() => (paused ? this.windows.resume() : this.windows.pause())}>${paused ? strings.resume : strings.pause}</button>`;
  }

  /** The run of every window, where the settings leave some out. */
  private longer(): TemplateResult | typeof nothing {
    const { phase } = this.windows;
    if (this.values.stride === 1) return nothing;
    return html`<p class="longer"><button class="every" aria-disabled=${phase === "running" || phase === "paused" || this.asking} @click=${this.runEvery}>${this.everyWindow()}</button> <span class="note">${strings.longer(this.values.stride)}</span></p>`;
  }

  /** Runs every window, once: the settings stay as they are. */
  private readonly runEvery = (): void => {
    if (this.asking || this.windows.working || !this.present) return;
    this.wanted = true;
    void this.run();
  };

  /** What a run that begins is to work on. */
  private asked(): Surveyed | null {
    const { wanted, present } = this;
    this.wanted = false;
    if (!wanted || !present) return present;
    this.every = new Surveyed(this.pool, { ...present.settings, stride: 1 }, present.opened);
    this.open.add(this.every);
    return this.every;
  }

  /** All windows, with the time that they will take where a run has shown how fast this machine is. */
  private everyWindow(): string {
    const { days, fixes, sky } = this.values;
    const { results, seconds, over } = this.windows;
    const of = results?.surveyed === this.present ? results?.survey.days.length : undefined;
    const n = sky === "points" ? Number.NaN : (of ?? Math.min(days, this.opened && sky !== "simulated" ? this.opened.sky.days.length : days)) * MINUTES;
    const pace = over > 0 ? seconds / over : Number.NaN;
    return strings.every(n, pace * (n * this.turns + (fixes > 0 ? n / fixes : 0)));
  }

  private cost(): string {
    const { stride, fixes, sky } = this.values;
    const { seconds, over, of, phase } = this.windows;
    const all = this.days;
    const windows = all * Math.ceil(MINUTES / stride) * this.turns;
    const positions = fixes > 0 ? all * Math.ceil(MINUTES / fixes) : 0;
    const pace = over > 20 && phase !== "idle" && of > 0 ? seconds / over : Number.NaN;
    return sky === "points" ? strings.costOfPoints : strings.cost(windows, positions, pace * (windows + positions), this.pool.size);
  }

  protected override soFar(over: number, of: number): string {
    return this.windows.phase === "paused" ? strings.paused(over, of) : strings.progress(over, of);
  }

  protected override finished(over: number, of: number, seconds: number): string {
    return strings.over(over, of, seconds);
  }

  /** What the first windows say: of each day as many, spread over it. */
  protected override get early(): Found | null {
    const { windows, begun } = this;
    const { results, over, of } = windows;
    if (begun?.of === results) return begun?.found ?? null;
    const { tally } = this;
    if (!results || !tally || windows.working !== results.surveyed || over < of / FIRST) return null;
    const decided = answer(tally);
    this.begun = decided === null ? null : { of: results, found: { answer: decided, brief: brief(tally), from: strings.early(over, of) } };
    return this.begun?.found ?? null;
  }

  private chart(tally: Tally | null): TemplateResult {
    const shown = (tally?.methods ?? this.values.methods) as readonly Method[];
    const begun = tally?.rows.flatMap((row, i) => (row.used > 0 ? [{ row, x: i + 1 }] : [])) ?? [];
    const lines = shown.map((method, m): Line => ({ name: strings.methods[method], ...looks[method], x: begun.map(({ x }) => x), y: begun.map(({ row }) => row.rmse[m] ?? Number.NaN) }));
    const drawing = begun.length > 0 && tally ? drawingOf(tally, lines) : null;
    return html`<div class="picture">${legend(lines)}${lineChart({ name: "rmse-by-day", heading: strings.chart, labelled: true, drawing, waiting: strings.waiting[this.windows.phase] })}</div>`;
  }

  /** The windows that could not be used, each with its reason. */
  private unused(tally: Tally | null): TemplateResult | typeof nothing {
    const list = tally?.unusable ?? [];
    if (list.length === 0) return nothing;
    return html`<details class="places">
      <summary>${strings.unused(list.filter(({ what }) => what === "window").length, list.filter(({ what }) => what === "fix").length)}</summary>
      <ol>
        ${list.slice(0, LISTED).map(({ what, day, minute, reason }) => html`<li>${strings.unusedOne(what, day, clock(minute), reason)}</li>`)}
      </ol>
      ${list.length > LISTED ? html`<p class="note">${strings.unusedMore(list.length - LISTED)}</p>` : nothing}
    </details>`;
  }

  private answer(tally: Tally | null): string | null {
    return tally && this.windows.phase === "done" ? answer(tally) : null;
  }

  /** The protocol, in its formulas. */
  private method(): TemplateResult {
    return html`<details class="fold honest method">
      <summary>${strings.method}</summary>
      <p>${strings.observed}</p>
      ${formulary(formulas.difference)}
      <p>${strings.encoded}</p>
      ${formulary(formulas.encoding, formulas.place)}
      <p>${strings.fitted}</p>
      ${formulary(formulas.window)}
    </details>`;
  }

  /** What a reader has to know before the table is believed. */
  private notes(): TemplateResult {
    return html`<details class="fold honest">
      <summary>${strings.honest}</summary>
      <ul>
        ${strings.notes.map(([kind, text]) => html`<li><b class="badge">${strings.badges[kind]}</b> ${text}</li>`)}
      </ul>
    </details>`;
  }

  protected override choices(): TemplateResult {
    const { values } = this;
    const some = (keys: readonly (keyof Ionosphere)[], scope: string): TemplateResult => inputs(keys, values, (key, value) => this.change(key, value), scope);
    return html`${some(EXPERIMENT, "vtec")}
      <fieldset class="methods">
        <legend>${labels.keys["methods"]}</legend>
        ${[...methods, ...references].map((method) => html`<label class="check"><input type="checkbox" value=${method} .checked=${values.methods.includes(method)} @change=${this.choose} />${strings.methods[method]}${inPaper(method) ? "" : ` (${badges.ours})`}</label>`)}
      </fieldset>
      ${values.sky === "points" ? nothing : some(NET, "vtec-net")}
      <details class="fold">
        <summary>${strings.tuned}</summary>
        <p class="note">${strings.tunedNote}</p>
        ${this.tuning()}
        ${some(TUNED, "vtec-tuned")}
      </details>`;
  }

  private tuning(): TemplateResult {
    return html`<ifm-tuning .pool=${this.pool} .settings=${this.values} .opened=${this.values.sky === "simulated" ? null : this.opened} @sky-change=${this.changed}></ifm-tuning>`;
  }

  private readonly choose = (event: Event): void => {
    const box = event.target as HTMLInputElement;
    const chosen = Array.from(this.querySelectorAll<HTMLInputElement>(".methods input:checked"), ({ value }) => value);
    if (chosen.length === 0) box.checked = true; // one at least
    else this.change("methods", [...methods, ...references].filter((method) => chosen.includes(method)));
  };

  /** What the reader did with a file. */
  private readonly changed = ({ detail: { opened, settings } }: CustomEvent<Change>): void => {
    if (opened) this.files.add(opened);
    if (opened !== undefined) this.opened = opened;
    const change = { ...(opened === undefined ? {} : { station: "" }), ...settings };
    for (const [key, value] of Object.entries(change)) this.values = { ...this.values, [key]: value };
    const [key, value] = Object.entries(change)[0] ?? [];
    if (key) this.change(key, value);
  };
}

/** A part that a reader opens who wants more than the verdict. */
function fold(name: string, summary: string, content: TemplateResult, open = false): TemplateResult {
  return html`<details class="fold part" data-part=${name} ?open=${open}>
    <summary>${summary}</summary>
    ${content}
  </details>`;
}

/** The lines of days on an axis that seldom moves. */
function drawingOf({ rows }: Tally, lines: readonly Line[]): Drawing {
  const known = lines.flatMap(({ y }) => y).filter((v) => Number.isFinite(v));
  const low = Math.floor((0.97 * Math.min(...known)) / STEP) * STEP;
  const high = Math.max(low + 2 * STEP, Math.ceil((1.03 * Math.max(...known)) / STEP) * STEP);
  const every = Math.ceil((high - low) / STEP / 6) * STEP;
  const ticks = Array.from({ length: Math.floor((high - low) / every + 1e-9) + 1 }, (_, i) => Number((low + i * every).toPrecision(6)));
  const days = rows.map((_, i) => i + 1);
  return {
    lines,
    x: { domain: [0.75, rows.length + 0.25], ticks: days, label: strings.day, format: String },
    y: { type: "linear", domain: [low, high], ticks, label: strings.rmse, format: (v) => v.toFixed(3) },
    at: (x) => rows[x - 1]?.day ?? "",
  };
}

customElements.define("ifm-vtec", Vtec);
