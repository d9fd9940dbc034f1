// What the table says, in words: of the paper's methods, then of what they are judged by.
import { quantity, say, type Phrase, type Quantity, type Whose } from "../../text/phrase.js";
import { lead } from "./groups.js";
import { inPaper, type Method } from "./quoted.js";
import type { Ionosphere } from "./settings.js";
import { survey as strings } from "./strings.js";
import { best, fixed, sum, type Tally } from "./tally.js";

const LEVEL = 0.01; // of an RMSE, within which two are level

/** The paper's methods alone. */
function ofPaper(tally: Tally): Pick<Tally, "methods" | "rows" | "average"> {
  const keep = tally.methods.flatMap((method, m) => (inPaper(method) ? [m] : []));
  const some = (values: readonly number[]): number[] => keep.map((m) => values[m] ?? Number.NaN);
  return { methods: tally.methods.filter(inPaper), rows: tally.rows.map((row) => ({ ...row, rmse: some(row.rmse) })), average: some(tally.average) };
}

/** On how many days iFM is the best of the paper's methods, level or alone. */
export function answer(tally: Tally): string | null {
  const { methods, rows } = ofPaper(tally);
  const m = methods.indexOf("ifm");
  const days = rows.filter(({ used }) => used > 0);
  if (m < 0 || days.length === 0 || methods.length < 2) return null;
  const won = days.filter(({ rmse }) => best(rmse, false, fixed).has(m)).length;
  return won === days.length ? "all" : won > days.length / 2 ? "most" : "few";
}

/** iFM beside ridge regression, or beside the best of the others. */
export function brief(tally: Tally): Phrase {
  const { methods, average, rows } = ofPaper(tally);
  const m = methods.indexOf("ifm");
  const days = rows.filter(({ used }) => used > 0);
  if (m < 0 || days.length === 0 || methods.length < 2) return [];
  const won = days.filter(({ rmse }) => best(rmse, false, fixed).has(m)).length;
  const [next = m] = methods.map((_, i) => i).filter((i) => i !== m).sort((a, b) => (average[a] ?? Number.NaN) - (average[b] ?? Number.NaN));
  const of = (i: number): Quantity => quantity(whose(methods[i] ?? ""), average[i] ?? Number.NaN, (average[i] ?? Number.NaN).toFixed(5));
  return strings.brief(quantity("ifm", won, String(won)), days.length, of(m), strings.methods[methods[next] as Method], of(next));
}

/** ran are the settings of the run. */
export function says(tally: Tally, ran: Ionosphere | null): Phrase {
  const paper = ofPaper(tally);
  const days = tally.rows.filter(({ used }) => used > 0);
  if (days.length === 0) return [strings.none];
  const [over, of] = [sum(tally, "over"), sum(tally, "of")];
  const told: Phrase[] = over < of ? [[strings.after(over, of)]] : [];
  const at = (method: string): number => tally.methods.indexOf(method);
  const value = (method: string): number => tally.average[at(method)] ?? Number.NaN;
  const error = (method: string): Quantity => quantity(whose(method), value(method), value(method).toFixed(5));
  const least = (methods: readonly string[]): string => methods.toSorted((a, b) => value(a) - value(b))[0] ?? "";
  const more = (method: string, than: string): Quantity => quantity(whose(method), value(method) / value(than) - 1, strings.more(value(method) / value(than) - 1));
  const has = (method: string): boolean => at(method) >= 0 && !Number.isNaN(value(method));
  if (has("ifm") && paper.methods.length > 1) {
    const leads = paper.rows.filter(({ used }) => used > 0).map(({ rmse }) => best(rmse, false, fixed)).filter((places) => places.has(paper.methods.indexOf("ifm")));
    told.push(strings.won(paper.methods.length, quantity("ifm", leads.length, String(leads.length)), days.length, leads.filter(({ size }) => size > 1).length));
  }
  const lowest = (first: string): Phrase => strings.lowest(strings.methods[first as Method], error(first), days.length, quantity("none", tally.zero, tally.zero.toFixed(5)), !inPaper(first));
  const first = least(tally.methods);
  if (!has("ifm") || !has("ridge")) told.push(lowest(first));
  else {
    const won = days.filter(({ rmse }) => (rmse[at("ifm")] ?? Number.NaN) < (rmse[at("ridge")] ?? Number.NaN)).length;
    const gain = 1 - value("ifm") / value("ridge");
    told.push(strings.against(error("ifm"), error("ridge"), quantity("ifm", gain, strings.more(Math.abs(gain))), gain, Math.abs(gain) < LEVEL, quantity("ifm", won, String(won)), days.length));
    if (tally.groups) {
      const { mean, half } = lead(tally.groups.all, at("ifm"), at("ridge"), tally.groups.hourly);
      if (!Number.isNaN(half)) told.push(strings.interval(quantity("none", mean, strings.metres(mean)), strings.metres(half), tally.groups.all.blocks.length, tally.groups.hourly, Math.abs(mean) > half));
    }
    told.push(lowest(first));
    if (first !== "ifm") told.push(strings.behind(more("ifm", first)));
    const { positions } = tally;
    const share = (method: string): number => positions?.share[at(method)] ?? Number.NaN;
    if (positions && positions.tried > 0) {
      const points = 100 * (share("ifm") - share("ridge"));
      const off = 100 * positions.error(at("ifm"), at("ridge"));
      told.push(strings.rtk(quantity("ifm", share("ifm"), strings.share(share("ifm"))), quantity("ridge", share("ridge"), strings.share(share("ridge"))), quantity("none", points, strings.points(points, off)), positions.tried, positions.used, !Number.isNaN(off), Math.abs(points) > 2 * off));
    }
  }
  if (ran?.sky === "simulated" && ran.waves === 0) told.push([strings.calm]);
  if (tally.unusable.length > 0) told.push([strings.lost(tally.unusable.length)]);
  return told.flatMap((phrase, i) => (i === 0 ? phrase : say` ${phrase}`));
}

function whose(method: string): Whose {
  return method === "fm" || method === "ifm" || method === "ridge" ? method : "none";
}
