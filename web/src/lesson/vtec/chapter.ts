// Chapter "vtec": the paper's experiment on the ionosphere, window by window,
// under a sky that is simulated or the reader's own.
import { html, nothing, type TemplateResult } from "lit";
import { lineChart, type Drawing, type Line } from "../../charts/lines.js";
import { legend } from "../../charts/looks.js";
import { multiples, roundUp } from "../../charts/ticks.js";
import { listed } from "../../panel/places.js";
import { questions, titles } from "../../state/chapters.gen.js";
import { count, number } from "../../text/format.js";
import { say, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted, duration } from "../../text/strings.js";
import { chapter, formulary, type Phase, type Run, type Shown } from "../chapter/definition.js";
import { formulas } from "../chapter/formulas.gen.js";
import { inputs, type Change } from "./file.js";
import "./map.js";
import { keyOf, paper } from "./methods.js";
import { fields, type Ionosphere, type Source } from "./settings.js";
import { badges, clock, numerals, testDay, underIt, whereFrom } from "./strings.js";
import "./table.js";
import { blank, sum, type Tally } from "./tally.js";
import "./tuning.js";
import { answer, brief, error, leaders, lowest, says } from "./verdict.js";
import { SkyWork, type Outcome } from "./work.js";

const words = {
  title: titles.vtec,
  question: questions.vtec,
  guesses: { all: "On every day", most: "On most of them", few: "On half of them, or fewer" },
  source: "The section on vTEC estimation of the paper, and its Table 1.",
  lead: "The ionosphere delays GPS signals. Each method learns the delay from a net of stations and predicts it for the station in the middle. Unless you bring your own data, the sky is simulated.",
  soon: "Drawing the sky …",
  waits: "Open your file in Details to see its map.",
  pause: "Pause",
  resume: "Resume",
  cost: (windows: number, positions: number, seconds: number) => `${counted(windows, "window")}${positions > 0 ? `, and ${count(positions)} more for positions` : ""}: ${Number.isFinite(seconds) ? duration(seconds) : "some seconds"}.`,
  costOfPoints: "At most as many windows as the file has.",
  progress: (over: number, of: number) => `${count(over)} of ${counted(of, "window")}`,
  paused: (over: number, of: number) => `Paused: ${count(over)} of ${counted(of, "window")}`,
  over: (over: number, of: number, seconds: number) => (over < of ? `Stopped: ${count(over)} of ${counted(of, "window")} were finished.` : `${counted(of, "window")} in ${number(seconds, 2)} s.`),
  own: "Use your own data",
  chart: "RMSE by day, metres",
  winners: "Best of the paper’s methods each day",
  why: {
    ripples: "A plane over the net misses the ripples; iFM’s products of two features follow some of them. ",
    level: "iFM’s products of two features follow some ripples that a plane over the net misses, but here that is not enough to lead on most days. ",
    calm: "This sky has no ripples, so a plane over the net is enough and products add nothing. ",
    maps: "IONEX maps smooth the ripples away, so products of two features have little to add to a plane. ",
  },
  kriging: (rmse: Quantity): Phrase => say`Kriging (smoothing between stations) is not in the paper and is better still: ${rmse} m.`,
  day: "test day",
  rmse: "RMSE, m",
  waiting: { idle: "Press Run.", running: "Computing the first windows …", paused: "Paused before the first window.", stopped: "Stopped before the first window.", done: "There is nothing to draw." } satisfies Record<Phase, string>,
  unused: (windows: number, positions: number) => `${[...(windows > 0 ? [counted(windows, "window")] : []), ...(positions > 0 ? [`positions in ${counted(positions, "window")}`] : [])].join(" and ")} could not be used`,
  unusedOne: (what: "window" | "fix", day: string, time: string, reason: string) => `${day}, ${time} UT${what === "fix" ? ", position" : ""}: ${reason}`,
  unusedMore: (n: number) => `${count(n)} more`,
  ask: (methods: number, days: number) =>
    methods < 2
      ? "Choose iFM and one more method in the settings. On how many days will iFM be best?"
      : `The paper calls iFM “uniformly better”. ${days === 1 ? "Is" : `On how many of ${numerals[days] ?? count(days)} days is`} it the ${methods === 2 ? "better" : "best"} of ${numerals[methods] ?? ""} methods${days === 1 ? " on that day" : ""}?`,
  guessesOfOne: { all: "Yes", few: "No" },
  live: (settings: Ionosphere, over: number, windows: number, days: number, stations: number, source: Source = settings.sky) =>
    `${[
      whereFrom[source],
      counted(days, "day"),
      `${over < windows ? `after ${count(over)} of ` : ""}${counted(windows, "window")}, one every ${settings.stride === 1 ? "minute" : `${count(settings.stride)} minutes`}`,
      counted(stations, "station"),
      ...underIt(settings),
      `seed ${settings.seed}`,
    ].join(", ")}.`,
  honest: "What to know before you quote this",
  badges: { simulated: "simulated", quoted: "quoted", measured: "quoted, from our measurements", live: "live" },
  notes: [
    ["live", "Map, table, chart and verdict are computed in this browser, except what is marked “quoted”."],
    ["simulated", "By default, one window in 20 is computed; a window is one instant. Penalties were tuned on the five days before the test days."],
    ["simulated", "The simulator’s disturbances and noise were set so that ridge regression comes near the paper’s 0.016. So only the comparison of methods is a result, not the size of the errors."],
    ["simulated", "iFM leads in the middle of this net (75 km spacing, 30° N, GPS alone). Elsewhere it is level or behind. Near the edge of the net it fails, because its penalties were tuned in the middle. The setting “each in turn” tests every station."],
    ["simulated", "Kriging is not in the paper. It models all delays as one random field with a quadratic trend. Its correlation length and noise were tuned on the same five days. It beats all six methods in every setting we tried."],
    ["measured", "Why iFM gains: its zero diagonal excludes squares of a signal’s displacement (its place relative to a centre), but products of a displacement and an angle can replace them. With the angles, iFM’s error is 13 % lower than ridge regression’s, without them only 3 %. gFM keeps the diagonal. Without the angles, its error is 10 % lower than ridge regression’s (seed 1, every 60th minute)."],
    ["simulated", "The paper does not say how many instants a window has, how features are scaled, how K-means starts, or which elevations count. Here a window is one instant, displacements are divided by their root mean square, angles are standardized, K-means starts from each satellite’s centre, and the elevation is at least 15° at every station."],
    ["simulated", "GPS alone has 5 to 9 satellites in view; the paper has 10 to 20. With a second system of satellites FM and iFM are about level."],
    ["simulated", "Without travelling disturbances (amplitude 0) iFM gains nothing."],
    ["simulated", "In the paper kernel ridge regression is clearly the worst method. Here it is level with the linear methods."],
    ["measured", "A Gaussian process that knows the simulator’s mean and covariance has an RMSE of 0.0083 m, iFM 0.0147 m (nine days of seed 1, every 20th minute)."],
    ["live", "Public maps of the ionosphere (IONEX) have one value for 2.5° × 5° and two hours. They smooth the ripples away, so there is less to gain."],
    ["simulated", "The paper’s RTK row (real-time positions) is from a commercial engine. Ours uses one instant, both systems of satellites and one neighbour after the other. A position counts if it is within 1 cm of the true one. This row cannot tell the paper’s methods apart: over four seeds iFM finds 0.6 ± 1.1 percentage points more positions than ridge regression (95 %)."],
    ["quoted", "“Uniformly better” holds for the paper’s average. On its TestDay1 ridge regression is ahead of iFM; on TestDay3 FM is level with iFM."],
  ] as readonly (readonly ["simulated" | "quoted" | "measured" | "live", string])[],
  method: "How a window is computed",
  observed: "The electron content (TEC) is not observed, only its double differences between two satellites a, b and two stations c, d. Anything that all signals of one satellite or one station share, such as a clock error, cancels:",
  encoded: "Pierce points are where signals cross the ionosphere. K-means divides a window’s points into as many clusters as there are satellites. A point x in cluster g is encoded by its latitude α and longitude β relative to the cluster’s centre, zeros for all other clusters, and the signal’s zenith angle θ and azimuth γ:",
  fitted: "Each method fits a function F whose double differences match those among the training stations. It is tested on the double differences between the test station and its neighbours:",
  tuned: "Penalties and ranks",
  collected: "it ran on a file that is not handed in, so it cannot be repeated",
  tunedNote: "Tuned on the five days of the simulated sky before the test days, for the station in the middle, with penalties from 10⁻⁶ to 10⁶ and ranks from 1 to 10. Positions always use both systems of satellites, so FM and iFM were tuned separately for them. Other data may need other values.",
};

const EXPERIMENT = ["stations", "days", "stride", "fixes", "trust", "systems", "waves", "seed", "angles"] as const;
const NET = ["latitude", "longitude", "spacing", "edge", "phase"] as const;
const keys = fields.map(({ key }) => key as keyof Settings);
const TUNED = keys.slice(keys.indexOf("ridge"), keys.indexOf("seed"));
const MINUTES = 1440; // of a day
const NET_STATIONS = 17; // of the simulator
const LISTED = 200; // windows that could not be used
const FIRST = 10; // times as many windows as give a first answer
const PER_METHOD = 0.004; // s, of a window or the positions in one

type Settings = { readonly [Key in keyof Ionosphere]: Ionosphere[Key] };
type Sight = Shown<Settings, Outcome>;

interface Numbers {
  readonly settings: Settings;
  readonly tally: Tally | null; // null before there is any window
}

function read({ settings, plan }: Run<Settings, Outcome>): Numbers {
  return { settings, tally: plan?.tally ?? null };
}

/** Why iFM leads or does not; nothing of a reader’s points, whose sky is not known. */
function why(tally: Tally, { sky, waves }: Settings): Phrase {
  if (sky === "points") return [];
  if (sky === "maps") return [words.why.maps];
  return [waves === 0 ? words.why.calm : words.why[answer(tally) === "few" ? "level" : "ripples"]];
}

function workOf({ work }: Sight): SkyWork {
  return work as SkyWork;
}

/** The test days that there will be. */
function namesOf(shown: Sight): readonly string[] {
  const { values: { days, sky } } = shown;
  const opened = sky === "simulated" ? null : workOf(shown).opened;
  return opened?.sky.days.slice(0, days) ?? Array.from({ length: days }, (_, i) => testDay(i + 1));
}

/** How many windows there are, one more for every station that is left out, and how many of positions. */
function sizeOf({ stride, fixes, stations }: Settings, days: number): { readonly windows: number; readonly positions: number } {
  return { windows: days * Math.ceil(MINUTES / stride) * (stations === "all" ? NET_STATIONS : 1), positions: fixes > 0 ? days * Math.ceil(MINUTES / fixes) : 0 };
}

function cost(shown: Sight): string {
  const { values, work: { seconds, over, of } } = shown;
  if (values.sky === "points") return words.costOfPoints;
  const { windows, positions } = sizeOf(values, namesOf(shown).length);
  return words.cost(windows, positions, over > 20 && of > 0 ? (seconds / over) * (windows + positions) : Number.NaN);
}

/** The best of the paper's methods on each day, once the reader has answered. */
function winners({ tally }: Numbers, shown: Sight): TemplateResult | typeof nothing {
  const { values: { methods }, revealed } = shown;
  if (!methods.includes("ifm") || compared(methods) < 2) return nothing;
  const leads = tally && revealed ? leaders(tally) : [];
  const days = tally && revealed ? tally.rows.map(({ day }) => day) : namesOf(shown);
  const winner = (day: string, i: number): TemplateResult => {
    const lead = leads[i] ?? [];
    const first = lead.includes("ifm") ? "ifm" : lead[0];
    return html`<li title=${day}>${i + 1} <b class=${first ?? ""}>${first ? keyOf(first).name : "?"}</b></li>`;
  };
  return html`<figure class="winners">
    <figcaption>${words.winners}</figcaption>
    <ol>${days.map(winner)}</ol>
  </figure>`;
}

/** How many of the paper's methods are among these. */
function compared(methods: readonly string[]): number {
  return methods.filter((method) => paper.includes(method)).length;
}

function table({ tally }: Numbers, shown: Sight): TemplateResult {
  const { values, run: { settings: { sky, phase: noise }, plan } } = shown;
  const { present: now } = workOf(shown);
  return html`<ifm-tally .tally=${tally ?? blank(values.methods, namesOf(shown), values.fixes > 0)} .source=${(plan?.surveyed ?? now)?.source ?? values.sky} .noise=${sky === "points" ? 0 : noise}></ifm-tally>`;
}

/** The RMSE by day, on an axis that seldom moves. */
function chart({ tally }: Numbers, { values, run: { phase } }: Sight): TemplateResult {
  const begun = tally?.rows.flatMap((row, i) => (row.used > 0 ? [{ row, x: i + 1 }] : [])) ?? [];
  const all = (tally?.methods ?? values.methods).map((method, m): Line => ({ ...keyOf(method), x: begun.map(({ x }) => x), y: begun.map(({ row }) => row.rmse[m] ?? Number.NaN) }));
  const drawing = begun.length > 0 && tally ? drawingOf(tally, all) : null;
  return html`<div class="picture">${legend(all)}${lineChart({ heading: words.chart, drawing, waiting: words.waiting[phase], labelled: true, name: "rmse-by-day" })}</div>`;
}

function drawingOf({ rows }: Tally, all: readonly Line[]): Drawing {
  const known = all.flatMap(({ y }) => y).filter(Number.isFinite);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const step = roundUp((most - least) / 5 || least / 5);
  const [low, high] = [step * Math.floor(least / step), step * Math.ceil(most / step)];
  return {
    lines: all,
    x: { domain: [0.75, rows.length + 0.25], ticks: rows.map((_, i) => i + 1), label: words.day, format: String },
    y: { type: "linear", domain: [low, high], ticks: multiples(step, low, high), label: words.rmse, format: (v) => v.toFixed(3) },
    at: (x) => rows[x - 1]?.day ?? "",
  };
}

/** The windows that could not be used, each with its reason. */
function unused({ tally }: Numbers): TemplateResult | typeof nothing {
  const all = tally?.unusable ?? [];
  const windows = all.filter(({ what }) => what === "window").length;
  const lines = all.map(({ what, day, minute, reason }) => words.unusedOne(what, day, clock(minute), reason));
  return all.length === 0 ? nothing : listed(words.unused(windows, all.length - windows), lines, LISTED, words.unusedMore);
}

/** A part that is folded until a reader opens it, to see more than the verdict. */
function fold(name: string, summary: string, content: TemplateResult, open = false): TemplateResult {
  return html`<details class="fold part" data-part=${name} ?open=${open}>
    <summary>${summary}</summary>
    ${content}
  </details>`;
}

/** What to know before the table is believed, and the protocol in formulas. */
const background = (): TemplateResult => html`<details class="fold honest">
    <summary>${words.honest}</summary>
    <ul>
      ${words.notes.map(([kind, text]) => html`<li><b class="badge">${words.badges[kind]}</b> ${text}</li>`)}
    </ul>
  </details>
  <details class="fold honest method">
    <summary>${words.method}</summary>
    <p>${words.observed}</p>
    ${formulary(formulas.difference)}
    <p>${words.encoded}</p>
    ${formulary(formulas.encoding, formulas.place)}
    <p>${words.fitted}</p>
    ${formulary(formulas.window)}
  </details>`;

/** Takes what the reader did with a file. */
function take(shown: Sight, { opened, settings }: Change): void {
  if (shown.brought.sky) workOf(shown).taken.add(shown.brought.sky);
  if (opened !== undefined) workOf(shown).use(opened);
  shown.changeAll({ ...(opened === undefined ? {} : { station: "" }), ...settings });
}

function form(shown: Sight): TemplateResult {
  const { values, pool } = shown;
  const { opened } = workOf(shown);
  const some = (keys: readonly (keyof Settings)[], scope: string, kind?: string): TemplateResult => inputs(keys, values, shown.change, scope, kind);
  return html`${some(EXPERIMENT, "vtec")}
    ${some(["methods"], "vtec-methods", "methods")}
    ${values.sky === "points" ? nothing : some(NET, "vtec-net")}
    <details class="fold">
      <summary>${words.tuned}</summary>
      <p class="note">${words.tunedNote}</p>
      <ifm-tuning .pool=${pool} .settings=${values} .opened=${values.sky === "simulated" ? null : opened} @sky-change=${(event: CustomEvent<Change>) => take(shown, event.detail)}></ifm-tuning>
      ${some(TUNED, "vtec-tuned")}
    </details>`;
}

/** The part for a file of the reader's. */
function ownSky(shown: Sight): TemplateResult {
  const { values, pool, brought: { sky } } = shown;
  const { present: now, opened, wantsFile, taken } = workOf(shown);
  const file = html`<ifm-skyfile .pool=${pool} .settings=${values} .opened=${opened} .dropped=${sky && !taken.has(sky) ? sky : null} .survey=${now?.survey ?? null} .trouble=${now?.error ?? null} @sky-change=${(event: CustomEvent<Change>) => take(shown, event.detail)}></ifm-skyfile>`;
  return fold("sky", words.own, file, wantsFile || sky !== null);
}

/** Seconds of one engine. */
function seconds(settings: Settings): number {
  const { windows, positions } = sizeOf(settings, settings.days);
  return (windows + positions) * settings.methods.length * PER_METHOD;
}

export const vtec = chapter<Settings, Outcome, Numbers>({
  id: "vtec",
  words,
  settings: { fields, inputs: [] },
  partial: true,
  work: (pool, notify) => new SkyWork(pool, notify),
  read,
  answer: ({ tally }) => tally && answer(tally),
  reason: ({ tally, settings }) => (tally ? [...why(tally, settings), ...brief(tally)] : []),
  told: ({ tally, settings }) => (tally ? says(tally, settings) : []),
  cost,
  live: ({ settings, plan }) => (plan ? words.live(settings, sum(plan.tally, "over"), plan.survey.day.length, plan.survey.days.length, plan.survey.stations.length, plan.surveyed.source) : ""),
  explains: ({ tally }) => (tally && lowest(tally, tally.methods) === "kriging" ? [words.kriging(error(tally, "kriging"))] : []),
  picture(numbers, shown) {
    const { present: now } = workOf(shown);
    return html`<ifm-skymap .surveyed=${now} .errors=${shown.failed ? [shown.failed] : shown.work.errors} .waiting=${now ? words.soon : words.waits}></ifm-skymap>${winners(numbers, shown)}`;
  },
  details: (shown, numbers) => html`${ownSky(shown)} ${table(numbers, shown)} ${chart(numbers, shown)} ${unused(numbers)} ${background()}`,
  controls(shown) {
    const { phase } = shown.run;
    const work = workOf(shown);
    if (phase !== "paused" && phase !== "running") return html``;
    return html`<button class="pause" @click=${() => (phase === "paused" ? work.resume() : work.pause())}>${phase === "paused" ? words.resume : words.pause}</button>`;
  },
  unfolds: (shown) => shown.brought.sky ?? (workOf(shown).wantsFile ? true : null),
  form,
  asks(shown) {
    const [{ methods: chosen }, days] = [shown.values, namesOf(shown).length];
    return { question: words.ask(chosen.includes("ifm") ? compared(chosen) : 0, days), guesses: days === 1 ? words.guessesOfOne : words.guesses };
  },
  progress: {
    soFar: ({ run: { phase }, work: { over, of } }) => (phase === "paused" ? words.paused(over, of) : words.progress(over, of)),
    finished: words.over,
  },
  /** The first windows: of each day as many, spread over it. */
  early(run) {
    const { over = 0, of = 0 } = run.plan ?? {};
    return run.phase !== "stopped" && of > 0 && over >= of / FIRST ? run : null;
  },
  saved: ({ run: { plan } }) => plan && { name: plan.surveyed.name, label: badges[plan.surveyed.source] },
  collected: ({ sky }) => (sky === "simulated" ? "" : words.collected),
  seconds,
});
