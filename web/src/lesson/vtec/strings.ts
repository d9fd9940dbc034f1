// The words of the ionosphere's chapter.
import type { Labels } from "../../panel/form.js";
import { bytes, cell, count, fraction, number, percent, signed } from "../../text/format.js";
import { say, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted, duration } from "../../text/strings.js";
import type { Phase } from "../chapter/runner.js";
import type { Agreement, Measure } from "./absences.js";
import type { Method } from "./quoted.js";
import type { Ionosphere } from "./settings.js";
import type { Source } from "./surveyed.js";

// The chapter on vTEC.

const NOISE = 0.0022; // m in a double difference a mm of noise, measured on the simulator; half of its square is the test station’s
const numerals = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** A time to come, "" where it is not known. */
function forecast(seconds: number): string {
  return Number.isFinite(seconds) ? duration(seconds) : "";
}

const methods: Readonly<Record<Method, string>> = { ridge: "Ridge", lasso: "LASSO", elasticnet: "Elastic net", kernel: "Kernel", fm: "FM", ifm: "iFM", gfm: "gFM", cubic: "Cubics", kriging: "Kriging" };

const whereFrom: Readonly<Record<Source, string>> = { simulated: "a simulated sky", maps: "your own IONEX maps", disturbed: "your own IONEX maps with simulated disturbances on top", points: "your own pierce points", file: "a file that iFM Lab has simulated" };

/** The net under a sky and what disturbs it, as far as the settings say it. */
function underIt({ sky, systems, waves, spacing, latitude, longitude, phase }: Ionosphere): string[] {
  return [
    ...(sky === "points" ? [] : [`the test station at ${cell(latitude)}°, ${cell(longitude)}°`, `${cell(spacing)} km apart`, systems === 1 ? "GPS" : "GPS and a second system of satellites", `noise ${cell(phase)} mm`]),
    ...(sky === "simulated" || sky === "disturbed" ? [`disturbances × ${cell(waves)}`] : []),
  ];
}

export const survey = {
  methods,
  fileNeeded: "These settings are about a file of yours. Open it below, or press “Use the simulated sky” there.",
  soon: "The sky is being drawn …",
  testDay: (n: number) => `TestDay${n}`,
  pause: "Pause",
  resume: "Go on",
  every: (n: number, seconds: number) => `${Number.isNaN(n) ? "Every minute" : `All ${count(n)} windows`}${forecast(seconds) === "" ? "" : `: ${forecast(seconds)}`}`,
  cost: (windows: number, positions: number, seconds: number, workers: number) => `${counted(windows, "window")}${positions > 0 ? `, and ${count(positions)} more in which positions are tried` : ""}: ${forecast(seconds) === "" ? `some seconds where ${workers === 1 ? "one core is" : `${count(workers)} cores are`} free` : forecast(seconds)}.`,
  costOfPoints: "As many windows as the file has, at most.",
  progress: (over: number, of: number) => `${count(over)} of ${counted(of, "window")}`,
  paused: (over: number, of: number) => `Paused, nothing is lost: ${count(over)} of ${counted(of, "window")}`,
  early: (over: number, of: number) => `A first answer, from ${count(over)} of ${counted(of, "window")}, spread over all days.`,
  brief: (won: Quantity, days: number, ifm: Quantity, next: string, other: Quantity): Phrase => say`It leads on ${won} of ${counted(days, "day")}, with an average RMSE of ${ifm} m; next comes ${next} with ${other} m.`,
  over: (over: number, of: number, seconds: number) => (over < of ? `Stopped: ${count(over)} of ${counted(of, "window")} came to an end.` : `${counted(of, "window")} in ${number(seconds, 2)} s.`),
  stale: (cost: string) => `The settings have changed since this run. ${cost}`,
  all: "All methods, day by day, beside the paper’s table",
  own: "Under a sky of your own",
  longer: (stride: number) => `instead of one window every ${counted(stride, "minute")}. The settings stay as they are.`,
  chart: "RMSE by day, metres",
  day: "test day",
  rmse: "RMSE, m",
  waiting: { idle: "Press Run.", running: "The first windows are on their way …", paused: "Paused before there was anything to draw.", stopped: "Stopped before there was anything to draw.", done: "There is nothing to draw." } satisfies Record<Phase | "paused", string>,
  unused: (windows: number, positions: number) => `${[...(windows > 0 ? [counted(windows, "window")] : []), ...(positions > 0 ? [`positions in ${counted(positions, "window")}`] : [])].join(" and ")} could not be used`,
  unusedOne: (what: "window" | "fix", day: string, time: string, reason: string) => `${day}, ${time} UT${what === "fix" ? ", position" : ""}: ${reason}`,
  unusedMore: (n: number) => `${count(n)} more`,
  none: "No window could be used, so there is nothing to compare; the list above says why.",
  lowest: (name: string, rmse: Quantity, days: number, zero: Quantity, ours: boolean): Phrase => say`${name}${ours ? ", which is not in the paper," : ""} has the lowest RMSE ${days === 1 ? "of the day" : `on average over ${count(days)} days`}: ${rmse} m, where predicting 0 leaves ${zero} m.`,
  behind: (more: Quantity): Phrase => say`iFM’s is ${more} more.`,
  more: (share: number) => `${number(100 * share, 2)} %`,
  ask: (methods: number, days: number) =>
    methods < 2
      ? "iFM is to be compared with other methods here. Choose it and one more at least among the settings below: on how many of the days will it be the best of them?"
      : `${["", "", "Two", "Three", "Four", "Five", "Six"][methods] ?? ""} methods learn the ionosphere over a net of stations, anew every minute, and predict for a station that they have not seen. The paper calls iFM “uniformly better”. ${days === 1 ? `Will it be the ${methods === 2 ? "better" : "best"} of the ${numerals[methods] ?? ""} on that day?` : `On how many of the ${numerals[days] ?? count(days)} days will it be the ${methods === 2 ? "better" : "best"} of the ${numerals[methods] ?? ""}?`}`,
  guessesOfOne: { all: "Yes", few: "No" },
  won: (methods: number, won: Quantity, days: number, level: number): Phrase =>
    say`iFM is the ${methods === 2 ? "better" : "best"} of the ${numerals[methods] ?? count(methods)} on ${won} of ${counted(days, "day")}${level > 0 ? `, level with another on ${level === 1 ? "one" : (numerals[level] ?? count(level))} of them` : ""}.`,
  after: (over: number, of: number) => `After ${count(over)} of ${counted(of, "window")}:`,
  against: (ifm: Quantity, ridge: Quantity, by: Quantity, gain: number, level: boolean, won: Quantity, days: number): Phrase =>
    say`Its RMSE is ${ifm} m, ridge regression’s ${ridge} m: ${level ? say`they are level, within ${by}` : say`${by} ${gain > 0 ? "below" : "above"} it`}. iFM is ahead of it on ${won} of ${counted(days, "day")}.`,
  metres: (value: number) => `${value < 0 ? "−" : ""}${Math.abs(value).toFixed(5)}`,
  interval: (mean: Quantity, half: string, blocks: number, hourly: boolean, sure: boolean): Phrase => say`The difference is ${mean} m, ± ${half} m at 95 % from what the ${counted(blocks, hourly ? "hour" : "day")} differ by${sure ? "" : ", which may be chance"}.`,
  share: (share: number) => `${(100 * share).toFixed(1)} %`,
  points: (points: number, error: number) => `${signed(points, 2)}${Number.isNaN(error) ? "" : ` ± ${number(error, 2)}`} points`,
  rtk: (ifm: Quantity, ridge: Quantity, points: Quantity, tried: number, windows: number, error: boolean, sure: boolean): Phrase =>
    say`Of ${counted(tried, "simulated attempt")} at a position, in ${counted(windows, "window")}, ${ifm} come within a centimetre with iFM’s corrections and ${ridge} with ridge regression’s: ${points}${error ? " (± one standard error)" : ""}${sure ? "" : ", which may be chance"}.`,
  calm: "There are no travelling disturbances in this sky, which bend it over the net: there is less to gain than with them.",
  lost: (n: number) => `${counted(n, "window")} could not be used and ${n === 1 ? "does" : "do"} not count; they are listed with their reasons.`,
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
    ["live", "Everything on the map, in the first table, in the chart and in the verdict is computed in this browser. What is marked as quoted is not."],
    ["simulated", "The default takes every 20th window, and penalties that were chosen beforehand, on days 1 to 5, which are none of the test days. Ridge, LASSO, elastic net and kernel ridge all chose the least penalty of the paper’s grid."],
    ["simulated", "The simulator’s level, of its disturbances and its noise, was chosen so that ridge regression lands near the paper’s 0.016 at the default settings. That the levels agree is no result; how the methods compare is."],
    ["simulated", "iFM’s lead over ridge regression and FM holds at the station in the middle of this net: 75 km, 30° N, one system of satellites. At other stations, at 48° N and with both systems of satellites it is level or behind; near the net’s edge the penalties that were tuned in its middle break it. “Each in turn” leaves out every station."],
    ["simulated", "Two methods are not in the paper. Kriging takes the delays of all satellites for one random field over the shell, with a quadratic trend, and noise that differences with a station and a satellite in common share; its length and noise were tuned on days 1 to 5. Cubics are one polynomial of latitude and longitude for each satellite. Kriging is ahead of all six wherever we tried."],
    ["measured", "Why iFM gains: the field bends, and a zero diagonal forbids the squares of displacements that would say so. Products of a displacement and an angle, which changes with the displacement, stand in for them. Without the eight angles, which is a setting, iFM’s lead over ridge regression falls from 13 % to 3 %, and gFM, which keeps the diagonal, is 10 % below ridge regression (seed 1, every 60th minute)."],
    ["simulated", "The paper does not say how many instants a minute’s window holds, whether features are scaled, how K-means starts, and from which elevation on a satellite counts. Here: one instant; displacements divided by their root mean square, angles standardized; each satellite’s own centre; 15° at every station."],
    ["simulated", "The default has GPS only, 5 to 9 satellites at a time where the paper has 10 to 20. With both systems of satellites, which is a setting, FM and iFM are about level."],
    ["simulated", "iFM gains where travelling disturbances bend the field across the net. Without them, their amplitude at 0, it gains nothing and may lose a little, and positions get a little worse."],
    ["simulated", "In the paper kernel ridge is clearly the worst; here it is level with the linear methods at the default settings."],
    ["measured", "Kriging is not the last word either: a Gaussian process that is given the mean and the covariance by which this simulator draws its skies and its noise, though not what it has drawn, is off by 0.0083 m, where iFM, the best of the six, is off by 0.0147. That is for the nine days of seed 1, every 20th minute."],
    ["live", "On IONEX maps alone, a value every 2.5° by 5° and two hours, such waves are smoothed away and there is less to gain. Maps with simulated disturbances on top are a mode of their own, and say so."],
    ["simulated", "The paper’s RTK row comes from a commercial engine. Ours is a stand-in: positions from one epoch, always with both systems of satellites, from each neighbour of the test station in turn, ambiguities by integer least squares, within 1 cm of the truth. A standard error says by how much a difference of two methods would vary by chance; it is taken from how windows differ. The row does not tell the paper’s methods apart: over four seeds iFM fixes 0.6 points more than ridge regression, ± 1.1 at 95 %, and 0.1, ± 0.9, where positions believe each method as far as it erred on days 1 to 5, which is a setting. It tells cubics from them, which fix 5 points more."],
    ["quoted", "“Uniformly better” holds for the paper’s average. On its TestDay1 ridge regression is ahead of iFM, and on TestDay3 FM is level with it."],
  ] as readonly (readonly ["simulated" | "quoted" | "measured" | "live", string])[],
  method: "What is done in a window",
  observed: "No TEC is observed, only double differences of it: between two satellites a, b and two stations c, d. What all signals of a satellite share, and all of a station, such as the errors of their clocks, cancels out of them:",
  encoded: "The pierce points of a window, where the signals of the m satellites cross the ionosphere, are put into as many clusters, m, by K-means. A point x is encoded by its place, latitude α and longitude β, relative to the centre of its cluster g, by zeros for all other clusters, and by functions of the signal’s zenith angle θ and azimuth γ:",
  fitted: "Each method fits a function F of that, so that F’s own double differences match those among the training stations. It is tried on the double differences between the test station and its neighbours:",
  tuned: "Penalties and ranks",
  tunedNote: "As tuned on days 1 to 5 of the simulated sky, which are none of the test days, with the station in the middle of the net: penalties from 10⁻⁶ to 10⁶, ranks from 1 to 10. For both systems of satellites, which positions always have, FM and iFM were tuned apart. What is best there need not be elsewhere: at the edge of the net these penalties break iFM, and ridge regression at some stations.",
};

/** What stands beside the inputs of that chapter. */
export const vtecLabels: Labels = {
  keys: {
    methods: "Methods", stations: "Stations that are left out", angles: "The encoding holds the signals’ angles", stride: "Minutes between two windows", fixes: "Minutes between two positions (0: none)", trust: "Positions believe predicted delays", days: "Test days", systems: "Satellites (1: GPS, 2: GPS and a second system)", latitude: "Latitude of the test station, °", longitude: "Longitude, °",
    spacing: "Between neighbours, km", waves: "Disturbances ×", phase: "Noise, mm", edge: "Stations are joined up to this distance, km", station: "Test station", unit: "Unit of the TEC", mapping: "Its direction",
    ridge: "Ridge, λ", lasso: "LASSO, α", elasticnet: "Elastic net, α", netratio: "Elastic net, share of ‖w‖₁", kernel: "Kernel, α", gamma: "Kernel, γ", fmrank: "FM, rank", fmlambda: "FM, λ of the factors", fmlinear: "FM, λ of w", ifmrank: "iFM, rank", ifmlambda: "iFM, λ of the factors", ifmlinear: "iFM, λ of w", gfmrank: "gFM, rank", gfmlambda: "gFM, λ of the factors", gfmlinear: "gFM, λ of w", cubic: "Cubics, λ", length: "Kriging, length, km", noise: "Kriging, noise ÷ field", fixfmrank: "FM with both systems, rank", fixfmlambda: "FM with both systems, λ", fixifmrank: "iFM with both systems, rank", fixifmlambda: "iFM with both systems, λ", seed: "Seed",
  },
  options: { alike: "all alike, 15 mm", own: "as each erred on days 1 to 5", centre: "the one in the middle", all: "each in turn", yes: "yes", no: "no", auto: "as the file says", tecu: "TECU", metres: "metres at L1", vertical: "vertical", slant: "along the signal" },
};

/** The map of that chapter. */
export const sky = {
  title: { tec: "The electron content over the net", bend: "What bends it" },
  controls: "Time and colours of the map",
  play: "Play the map",
  pause: "Pause the map",
  day: "Day",
  time: "Time",
  colours: "Colours of the map",
  whats: { tec: "TEC", bend: "What bends it" },
  view: "Part of the map",
  views: { net: "The net", whole: "All signals" },
  at: (day: string, time: string, local: string) => `${day}, ${time} UT${local === "" ? "" : ` (${local} at the test station)`}`,
  unit: "TECU",
  caption: { tec: "Vertical TEC, one scale for the whole day.", bend: "TEC less the plane of a square as large as the net around each place: what a linear model cannot follow there. One scale for the whole day." },
  signals: { tec: "Vertical TEC that the signals see, or its change where the file is of line-of-sight TEC; one scale for the whole day. The field between them is not known.", bend: "The field between the signals is not known, and so not what bends it." },
  marks: { test: "test station", station: "training station", point: "where a signal pierces the ionosphere" },
  counts: (satellites: number, points: number) => `${counted(satellites, "satellite")} in use, ${counted(points, "pierce point")}.`,
  hint: (touch: boolean) => (touch ? "Touch the map for exact values." : "Point at the map, or use the arrow keys, for exact values."),
  unusable: (reason: string) => `No signals at this time: ${reason}`,
  cursor: "Place on the map; the arrow keys move it",
  place: (latitude: string, longitude: string, tec: number, bend: number) => (Number.isNaN(tec) ? `${latitude}, ${longitude}: nothing is known here` : `${latitude}, ${longitude}: TEC ${number(tec, 4)} TECU, ${number(Math.abs(bend), 2)} TECU ${bend < 0 ? "below" : "above"} the plane around it`),
  live: (settings: Ionosphere, time: string, stations: number, source: Source) => `${[whereFrom[source], time, counted(stations, "station"), ...underIt(settings), `seed ${settings.seed}`].join(", ")}.`,
  describe: (d: { readonly time: string; readonly low: number; readonly high: number; readonly stations: number; readonly test: string; readonly satellites: number; readonly points: number; readonly strongest: { readonly value: number; readonly latitude: string; readonly longitude: string } | null; readonly unusable: string }) =>
    [
      `Map of ${counted(d.stations, "station")} around the test station ${d.test} at ${d.time}.`,
      Number.isNaN(d.low) ? "The field between the signals is not known." : `The TEC goes from ${number(d.low)} to ${number(d.high)} TECU.`,
      d.unusable === "" ? `${counted(d.satellites, "satellite")} in use, ${counted(d.points, "pierce point")}.` : `No signals: ${d.unusable}`,
      d.strongest ? `It bends most at ${d.strongest.latitude}, ${d.strongest.longitude}: ${signed(d.strongest.value, 2)} TECU from the plane around it.` : "",
    ].join(" "),
  data: "Data of this map",
  fieldTable: "The field at some places",
  pointTable: "All pierce points",
  corner: "Latitude",
  columns: { day: "day", time: "time, UT", latitude: "latitude, °", longitude: "longitude, °", tec: "TEC, TECU", bend: "TEC less the plane around it, TECU", satellite: "satellite", station: "station", delay: "vertical delay, m" },
  write: { maps: "Save this day as IONEX", points: "Save this day as pierce points" },
  writing: "Writing the file …",
  written: (name: string) => `Saved as ${name}.`,
};

/** Its table. */
export const tally = {
  methods,
  caption: (source: Source) => `RMSE of the double differences at the test station, metres of delay at L1${source === "disturbed" ? "; your maps with simulated disturbances" : ""}`,
  noise: (mm: number) => `The noise of ${cell(mm)} mm a signal at the zenith makes about ${number(NOISE * mm, 2)} m in a double difference. Its neighbours’ part of that is in the training rows too; ${number((NOISE * mm) / Math.SQRT2, 2)} m are the test station’s own, which nobody can predict.`,
  badge: { simulated: "Simulated", maps: "Your data", disturbed: "Your data, simulated disturbances", points: "Your data", file: "Simulated (file)", quoted: "Quoted" },
  day: "Day",
  windows: "Windows",
  zero: "Zero",
  average: "Average",
  rtk: "Simulated RTK",
  commercial: "RTK",
  best: "best",
  lost: (n: number) => `(${count(n)} could not be used)`,
  starred: "* Some could not be used: see the list below.",
  reading: "Zero predicts no difference at all. Bold and underlined: the best of its row as it is printed. Windows: done and all. RTK: attempts that give a position within 1 cm; nothing is marked before 12 windows.",
  quoted: "Table 1 of the paper",
  quotedNote: "From Lin et al., Table 1, on data that is not public: real days, 17 stations, all 12,960 windows, RTK by a commercial engine. The paper states no unit of the RMSE. Nothing of it is computed here.",
  testDay: (n: number) => `TestDay${n}`,
  partly: (over: number, of: number) => `(${count(over)} of ${counted(of, "window")})`,
  unit: "unit",
  units: { rmse: "m", rtk: "% of positions" },
  ours: "not in the paper",
  less: (base: string) => `less ${base}`,
  lead: ({ mean, half }: { readonly mean: number; readonly half: number }) => (Number.isNaN(mean) ? "" : `${mean < 0 ? "−" : "+"}${Math.abs(mean).toFixed(5)}${Number.isNaN(half) ? "" : ` ±\u00a0${half.toFixed(5)}`}`),
  perfect: (share: string) => `Under Zero: positions with no correction. With the true delays it is ${share}; no method can fix more.`,
  parts: {
    title: "By station, hour and elevation",
    note: (blocks: number, hourly: boolean) => `Beneath each error: by how much it is above ridge’s, with the 95 % interval of what ${hourly ? "hours" : "days"} differ by${blocks > 1 ? `, of which there are ${blocks}` : ""}. ${hourly ? "Hours are alike from one to the next, which the interval allows for." : "Methods are compared day by day, because windows of one day are alike."} Choose “each in turn” among the settings to leave out every station, not the test station alone.`,
    none: "There is nothing to part yet.",
    stations: "By the station that is left out",
    hours: "By hour",
    elevations: "By the satellite’s elevation at the station that is left out",
    station: "Station",
    hour: "Hours",
    elevation: "Elevation",
    differences: "Differences",
  },
  done: "windows done",
  all: "windows",
};

/** Tuning where it is used. */
export const tuning = {
  about: "These are the simulator’s. They can be chosen anew on the first third of your file, of its days or, of fewer than three, of its windows; what was used for that is not tested on then.",
  simulated: "They can be chosen anew, on the five days before the test days and for the stations that are left out.",
  own: "They have been chosen so.",
  start: "Choose them on the first part",
  stop: "Stop",
  given: "Test on all of it again",
  stopped: "Stopped: nothing has changed.",
  progress: (over: number, of: number) => `${count(over)} of ${counted(of, "window")}`,
  done: (windows: number) => `Chosen on ${counted(windows, "window")}. Press Run.`,
};

/** A sweep over the ionosphere that was run elsewhere. */
export const absences = {
  badge: "live",
  heading: (file: string) => `${file}: the ionosphere`,
  measures: { rmse: "median RMSE", low: "RMSE, lower quartile", high: "RMSE, upper quartile", ahead: "how often below ridge regression" } satisfies Record<Measure, string>,
  caption: { rmse: "RMSE of a day, metres: median; the band holds the middle half of the days", low: "RMSE of a day, metres: a quarter of the days lies below", high: "RMSE of a day, metres: a quarter of the days lies above", ahead: "Days on which the RMSE is below ridge regression’s, of all" } satisfies Record<Measure, string>,
  from: (cells: number, windows: number, version: string) => `${counted(cells, "cell")} that ifm sweep made elsewhere, with version ${version}: each is a day without one of its stations, ${counted(windows, "window")} in all. None of these numbers was computed on this page, and no file leaves it; press a place to run the cell in its middle here, live.`,
  mixed: (runs: number) => `The file has ${counted(runs, "run")} on drawn rows or tables, too:`,
  toRuns: "they stand beside the chapter on rows and ranks.",
  setting: (key: string, value: string) => (key === "method" ? absences.method(value) : `${vtecLabels.keys[key] ?? key}: ${vtecLabels.options[value] ?? value}`),
  method: (method: string) => `${methods[method as Method] ?? method}`,
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

/** A reader's own sky. */
export const ownSky = {
  title: "Your own sky",
  lead: (touch: boolean) => `${touch ? "Choose" : "Drop"} an IONEX file (.i, .inx); a table of pierce points: time, sat, station, lat, lon, zenith, azimuth, tec; or line-of-sight TEC as Madrigal exports it, as CSV or text: ut1_unix, gps_site, sat_id, los_tec, azm, elm, gdlat, glon, and what else it has. Each may be packed by gzip. The buttons under the map write the first two, so you can see what they look like.`,
  asks: { maps: "This link is about IONEX maps. Choose that file to repeat the run.", points: "This link is about a table of pierce points or of line-of-sight TEC. Choose that file to repeat the run." },
  dropTitle: (touch: boolean) => (touch ? "Choose a file" : "Drop a file here"),
  browse: "Choose a file",
  private: "It stays in your browser: nothing is uploaded.",
  several: "More than one file was dropped; the first was taken.",
  reading: (name: string, loaded: number, total: number) => `Reading ${name}: ${bytes(loaded)} of ${bytes(total)}`,
  cancel: "Cancel",
  cancelled: (name: string) => `Reading ${name} was cancelled.`,
  unusable: "This file could not be used:",
  kept: (name: string) => `${name} is still in use.`,
  open: (name: string) => `${name} is still open; what it lacks stands below.`,
  replaced: (before: string, now: string) => `${now} has taken the place of ${before}.`,
  simulate: "Use the simulated sky",
  again: "Read it again",
  found: { maps: (name: string, size: string) => `${name}: IONEX maps, ${size}`, points: (name: string, size: string) => `${name}: pierce points, ${size}`, sight: (name: string, size: string) => `${name}: line-of-sight TEC, ${size}` },
  bad: (n: number) => `${counted(n, "line")} could not be read and ${n === 1 ? "is" : "are"} left out`,
  use: "What the experiment runs on",
  uses: { maps: "These maps", disturbed: "These maps, with simulated disturbances on top", points: "These pierce points", sight: "The change of this TEC", simulated: "The simulated sky" },
  place: "Where the net stands under your maps:",
  middle: "as the file says, or in the middle",
  close: "Put the file away",
};
