// What the table says, in words: of the paper's methods, then of what they are judged by.
import { count, number, signed } from "../../text/format.js";
import { quantity, say, sentences, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted } from "../../text/strings.js";
import { keyOf, paper } from "./methods.js";
import type { Ionosphere } from "./settings.js";
import { numerals } from "./strings.js";
import { best, fixed, lead, percent, sum, type Tally } from "./tally.js";

const words = {
  brief: (won: Quantity, days: number, ifm: Quantity, next: string, other: Quantity): Phrase => say`iFM leads on ${won} of ${counted(days, "day")}. Its average RMSE is ${ifm} m; the best other method, ${next}, has ${other} m.`,
  none: "No window could be used, so there is nothing to compare. See the list for the reasons.",
  lowest: (name: string, rmse: Quantity, days: number, zero: Quantity, ours: boolean): Phrase => say`${name}${ours ? ", which is not in the paper," : ""} has the lowest RMSE ${days === 1 ? "of the day" : `on average over ${count(days)} days`}: ${rmse} m. Predicting 0 gives ${zero} m.`,
  behind: (more: Quantity, first: string): Phrase => say`iFM’s error is ${more} higher than ${first}’s.`,
  more: (share: number) => `${number(100 * share, 2)} %`,
  won: (methods: number, won: Quantity, days: number, level: number): Phrase =>
    say`iFM is the ${methods === 2 ? "better" : "best"} of the ${numerals[methods] ?? count(methods)} on ${won} of ${counted(days, "day")}${level > 0 ? `, tied with another on ${level === 1 ? "one" : (numerals[level] ?? count(level))} of them` : ""}.`,
  after: (over: number, of: number) => `After ${count(over)} of ${counted(of, "window")}:`,
  against: (ifm: Quantity, ridge: Quantity, by: Quantity, gain: number, level: boolean, won: Quantity, days: number): Phrase =>
    say`Its RMSE, ${ifm} m, is ${level ? say`level with ridge regression’s, ${ridge} m, within ${by}` : say`${by} ${gain > 0 ? "lower" : "higher"} than ridge regression’s, ${ridge} m`}. iFM beats ridge regression on ${won} of ${counted(days, "day")}.`,
  metres: (value: number) => `${value < 0 ? "−" : ""}${Math.abs(value).toFixed(5)}`,
  interval: (mean: Quantity, half: string, blocks: number, hourly: boolean, sure: boolean): Phrase => say`The difference is ${mean} m ± ${half} m (95 % interval over ${counted(blocks, hourly ? "hour" : "day")})${sure ? "" : ", which may be chance"}.`,
  points: (points: number, error: number) => `${signed(points, 2)}${Number.isNaN(error) ? "" : ` ± ${number(error, 2)}`} points`,
  rtk: (ifm: Quantity, ridge: Quantity, points: Quantity, tried: number, windows: number, error: boolean, sure: boolean): Phrase =>
    say`From such predictions a receiver computes where it is. In ${counted(windows, "window")} (instants) ${counted(tried, "position")} are simulated; ${ifm} are within a centimetre with iFM’s predictions, and ${ridge} with ridge regression’s. The difference is ${points}${error ? " (± one standard error)" : ""}${sure ? "" : ", which may be chance"}.`,
  calm: "This sky has no travelling disturbances, so there is less to gain.",
  lost: (n: number) => `${counted(n, "window")} could not be used and ${n === 1 ? "does" : "do"} not count. See the list for the reasons.`,
};

const LEVEL = 0.01; // of an RMSE, within which two are level

/** The mean RMSE of a method; NaN where there is none. */
function errorOf({ methods, average }: Tally, method: string): number {
  return average[methods.indexOf(method)] ?? Number.NaN;
}

export function error(tally: Tally, method: string): Quantity {
  const value = errorOf(tally, method);
  return quantity(method === "fm" || method === "ifm" || method === "ridge" ? method : "none", value, value.toFixed(5));
}

/** The method with the lowest mean RMSE of some. */
export function lowest(tally: Tally, methods: readonly string[]): string {
  return methods.toSorted((a, b) => errorOf(tally, a) - errorOf(tally, b))[0] ?? "";
}

/** The best of the paper's methods on each day, several if they are level; none before there are windows. */
export function leaders({ methods, rows }: Tally): readonly (readonly string[])[] {
  const own = methods.filter((method) => paper.includes(method));
  return rows.map(({ used, rmse }) => (used === 0 ? [] : [...best(own.map((method) => rmse[methods.indexOf(method)] ?? Number.NaN), false, fixed)].map((m) => own[m] ?? "")));
}

/** On how many days iFM is the best of the paper's methods, alone or level; null without a comparison. */
function standing(tally: Tally): { readonly methods: number; readonly days: number; readonly won: Quantity; readonly level: number } | null {
  const { methods } = tally;
  const own = methods.filter((method) => paper.includes(method));
  const leads = leaders(tally).filter((lead) => lead.length > 0);
  if (!own.includes("ifm") || leads.length === 0 || own.length < 2) return null;
  const won = leads.filter((lead) => lead.includes("ifm"));
  return { methods: own.length, days: leads.length, won: quantity("ifm", won.length, String(won.length)), level: won.filter(({ length }) => length > 1).length };
}

export function answer(tally: Tally): string | null {
  const found = standing(tally);
  return found && (found.won.value === found.days ? "all" : found.won.value > found.days / 2 ? "most" : "few");
}

/** iFM beside the best of the paper's other methods. */
export function brief(tally: Tally): Phrase {
  const found = standing(tally);
  const next = lowest(tally, tally.methods.filter((method) => method !== "ifm" && paper.includes(method)));
  return found ? words.brief(found.won, found.days, error(tally, "ifm"), keyOf(next).name, error(tally, next)) : [];
}

/** settings are those of the run. */
export function says(tally: Tally, settings: Ionosphere | null): Phrase {
  const { methods, rows, groups, positions, zero, unusable } = tally;
  const days = rows.filter(({ used }) => used > 0);
  if (days.length === 0) return [words.none];
  const [over, of] = [sum(tally, "over"), sum(tally, "of")];
  const said: Phrase[] = over < of ? [[words.after(over, of)]] : [];
  const found = standing(tally);
  if (found) said.push(words.won(found.methods, found.won, found.days, found.level));
  const first = lowest(tally, methods);
  const [ifm, ridge] = [methods.indexOf("ifm"), methods.indexOf("ridge")];
  const both = ifm >= 0 && ridge >= 0;
  const more = (than: string): number => errorOf(tally, "ifm") / errorOf(tally, than) - 1;
  if (both) {
    const ahead = days.filter(({ rmse }) => (rmse[ifm] ?? Number.NaN) < (rmse[ridge] ?? Number.NaN)).length;
    const gain = -more("ridge");
    said.push(words.against(error(tally, "ifm"), error(tally, "ridge"), quantity("ifm", gain, words.more(Math.abs(gain))), gain, Math.abs(gain) < LEVEL, quantity("ifm", ahead, String(ahead)), days.length));
    const { mean, half } = groups ? lead(groups.all, ifm, ridge, groups.hourly) : { mean: Number.NaN, half: Number.NaN };
    if (groups && !Number.isNaN(half)) said.push(words.interval(quantity("none", mean, words.metres(mean)), words.metres(half), groups.all.blocks.length, groups.hourly, Math.abs(mean) > half));
  }
  said.push(words.lowest(keyOf(first).name, error(tally, first), days.length, quantity("none", zero, zero.toFixed(5)), !paper.includes(first)));
  if (both && first !== "ifm") said.push(words.behind(quantity("ifm", more(first), words.more(more(first))), keyOf(first).name));
  if (both && positions && positions.tried > 0) {
    const [own, other] = [positions.share[ifm] ?? Number.NaN, positions.share[ridge] ?? Number.NaN];
    const [points, off] = [100 * (own - other), 100 * positions.error(ifm, ridge)];
    said.push(words.rtk(quantity("ifm", own, percent(own)), quantity("ridge", other, percent(other)), quantity("none", points, words.points(points, off)), positions.tried, positions.used, !Number.isNaN(off), Math.abs(points) > 2 * off));
  }
  if (settings?.sky === "simulated" && settings.waves === 0) said.push([words.calm]);
  if (unusable.length > 0) said.push([words.lost(unusable.length)]);
  return sentences(said);
}
