// The words that several parts of the ionosphere's chapter say.
import type { Labels } from "../../panel/form.js";
import { cell, number, signed } from "../../text/format.js";
import { counted } from "../../text/strings.js";
import { nameOf } from "./methods.js";
import { fields, type Ionosphere, type Source } from "./settings.js";

export const numerals = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** Where numbers come from. */
export const badges: Readonly<Record<Source | "quoted", string>> = { simulated: "Simulated", maps: "Your data", disturbed: "Your data, simulated disturbances", points: "Your data", file: "Simulated (file)", quoted: "Quoted" };

export const whereFrom: Readonly<Record<Source, string>> = { simulated: "a simulated sky", maps: "your own IONEX maps", disturbed: "your own IONEX maps with simulated disturbances on top", points: "your own pierce points", file: "a file that iFM Lab has simulated" };

/** The net under a sky and what disturbs it, as far as the settings say it. */
export function underIt({ sky, systems, waves, spacing, latitude, longitude, phase }: Ionosphere): string[] {
  return [
    ...(sky === "points" ? [] : [`the test station at ${cell(latitude)}°, ${cell(longitude)}°`, `${cell(spacing)} km apart`, systems === 1 ? "GPS" : "GPS and a second system of satellites", `noise ${cell(phase)} mm`]),
    ...(sky === "simulated" || sky === "disturbed" ? [`disturbances × ${cell(waves)}`] : []),
  ];
}

export const fileNeeded = "These settings need your file. Open it below, or press “Use the simulated sky” there.";

const MINUTES = 1440; // of a day

/** 06:20 of a minute of the day, or of the days beside it. */
export function clock(minute: number): string {
  const within = ((Math.round(minute) % MINUTES) + MINUTES) % MINUTES;
  return `${String(Math.floor(within / 60)).padStart(2, "0")}:${String(within % 60).padStart(2, "0")}`;
}

export function testDay(n: number): string {
  return `TestDay${n}`;
}

/** What stands beside the inputs of that chapter. */
export const vtecLabels: Labels = {
  keys: {
    methods: "Methods", stations: "Stations that are left out", angles: "Encode the signals’ angles", stride: "Minutes between two windows", fixes: "Minutes between two positions (0: none)", trust: "Assumed error of predicted delays, for positions", days: "Test days", systems: "Satellites (1: GPS, 2: GPS and a second system)", latitude: "Latitude of the test station, °", longitude: "Longitude, °",
    spacing: "Between neighbours, km", waves: "Disturbances ×", phase: "Noise, mm", edge: "Largest distance of joined stations, km", station: "Test station", unit: "Unit of the TEC", mapping: "Its direction",
    ridge: "Ridge, λ", lasso: "LASSO, α", elasticnet: "Elastic net, α", netratio: "Elastic net, share of ‖w‖₁", kernel: "Kernel, α", gamma: "Kernel, γ", fmrank: "FM, rank", fmlambda: "FM, λ of the factors", fmlinear: "FM, λ of w", ifmrank: "iFM, rank", ifmlambda: "iFM, λ of the factors", ifmlinear: "iFM, λ of w", gfmrank: "gFM, rank", gfmlambda: "gFM, λ of the factors", gfmlinear: "gFM, λ of w", length: "Kriging, length, km", noise: "Kriging, noise ÷ field", fixfmrank: "FM with both systems, rank", fixfmlambda: "FM with both systems, λ", fixifmrank: "iFM with both systems, rank", fixifmlambda: "iFM with both systems, λ", seed: "Seed",
  },
  options: {
    ...Object.fromEntries(fields.flatMap(({ key, options }) => (key === "methods" ? options.map((method) => [method, nameOf(method)]) : []))),
    alike: "15 mm for all methods", own: "each method’s error on the five days before", centre: "the one in the middle", all: "each in turn", yes: "yes", no: "no", auto: "as the file says", tecu: "TECU", metres: "metres at L1", vertical: "vertical", slant: "along the signal"
  },
};

/** The map of that chapter. */
export const sky = {
  title: { tec: "Electron content", bend: "Ripples in the ionosphere" },
  controls: "Time of the map",
  play: "Play",
  pause: "Pause",
  day: "Day",
  time: "Time",
  colours: "Colours of the map",
  whats: { bend: "Ripples", tec: "Total" },
  view: "Part of the map",
  views: { net: "Net", whole: "All signals" },
  at: (day: string, time: string, local: string) => `${day}, ${time} UT${local === "" ? "" : ` (${local} local)`}`,
  unit: "TECU",
  caption: { tec: "Vertical electron content.", bend: "Electron content, which causes the delay, minus the best plane." },
  signals: { tec: "Electron content that the signals measure, or its change. Between signals it is unknown.", bend: "Between signals the field is unknown." },
  marks: { test: "test station", station: "station", point: "signal" },
  counts: (satellites: number, points: number) => `${counted(satellites, "satellite")} in use, ${counted(points, "pierce point")}.`,
  hint: (touch: boolean) => (touch ? "Touch it for values." : "Point at it for values."),
  unusable: (reason: string) => `No signals at this time: ${reason}`,
  cursor: "Place on the map; the arrow keys move it",
  place: (latitude: string, longitude: string, tec: number, bend: number) => (Number.isNaN(tec) ? `${latitude}, ${longitude}: unknown here` : `${latitude}, ${longitude}: TEC ${number(tec, 4)} TECU, ${number(Math.abs(bend), 2)} TECU ${bend < 0 ? "below" : "above"} the plane around it`),
  live: (settings: Ionosphere, time: string, stations: number, source: Source) => `${[whereFrom[source], time, counted(stations, "station"), ...underIt(settings), `seed ${settings.seed}`].join(", ")}.`,
  describe: (time: string, stations: number, test: string) => `Map of ${counted(stations, "station")} around the test station ${test} at ${time}.`,
  content: (low: number, high: number) => `The TEC goes from ${number(low)} to ${number(high)} TECU.`,
  unknown: "Between signals the field is unknown.",
  none: (reason: string) => `No signals: ${reason}`,
  most: (latitude: string, longitude: string, value: number) => `It is farthest from the plane around it at ${latitude}, ${longitude}: ${signed(value, 2)} TECU.`,
  data: "Data of this map",
  fieldTable: "The field at some places",
  pointTable: "All pierce points",
  columns: { day: "day", time: "time, UT", latitude: "latitude, °", longitude: "longitude, °", tec: "TEC, TECU", bend: "TEC minus the plane around it, TECU", satellite: "satellite", station: "station", delay: "vertical delay, m" },
  write: { maps: "Save this day as IONEX", points: "Save this day as pierce points" },
  writing: "Writing the file …",
  written: (name: string) => `Saved as ${name}.`,
};
