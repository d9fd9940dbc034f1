// The sentences of a run on a reader's table.
import type { Measure } from "../engine/protocol.js";
import { controls } from "../panel/strings.js";
import { quantity, type Phrase, type Quantity } from "../text/phrase.js";
import { list, measured, models, short } from "../text/strings.js";
import { logLoss, meanLoss, paired, squared } from "../training/error.js";
import type { Line, Whose } from "../training/series.js";
import { advised, beside, BESIDE, FEWEST, isModel, judge, leader, outcome, predicted, standings, wins, type Beside, type Outcome, type Predicted, type ModelError } from "../training/standing.js";
import type { Training } from "../training/training.js";
import { verdict } from "./strings.js";

type Other = Exclude<Whose, "mean">;

/** The model that is best on validation rows beside each of the others, on test rows, and which to use. */
export function conclusion(t: Training): Phrase {
  const all = standings(t.trials, t.lines);
  const [best] = all;
  if (!best) return [];
  const lead = leader(t.lines);
  const rows = predicted(t);
  const told = list(all.map((s) => verdict.other(short[s.whose], quantity(s.whose, s.error))));
  const few = rows !== null && rows.actual.length < FEWEST;
  const means = t.planned > 1 ? [verdict.means(t.trials.length, measured[measureOf(t)], told, models[best.whose], wins(t.trials, best.whose))] : [];
  const sentences = lead && !few && rows?.by.has(lead.model) ? compared(t, lead, rows, all, means) : [verdict.unpaired(told, measured[measureOf(t)]), ...(few ? [verdict.few(rows.actual.length)] : []), ...means];
  return sentences.flatMap((sentence, i) => (i === 0 ? sentence : [" ", ...sentence]));
}

function measureOf({ started }: Training): Measure {
  return started?.measure ?? "rmse";
}

function compared(t: Training, { model: lead, choice }: Line, { actual, weight, by }: Predicted, all: readonly ModelError[], means: readonly Phrase[]): readonly Phrase[] {
  const factors = choice?.rank !== 0;
  const hats = choice?.hats ?? false;
  const measure = measureOf(t);
  const [loss, mean] = measure === "rmse" ? [squared, Math.sqrt] : [logLoss, (value: number) => value];
  const overall = (whose: Whose): Quantity => quantity(whose, all.find((s) => s.whose === whose)?.error ?? Number.NaN);
  /** On the rows of the first trial, which are compared. */
  const of = (whose: Other): Quantity => {
    const own = t.planned > 1 ? by.get(whose) : undefined;
    return own ? quantity(whose, mean(meanLoss(actual, own, loss, weight))) : overall(whose);
  };
  const name = (whose: Whose): string => (whose === "ridge" && !factors && hats ? verdict.plainRidge : models[whose]);
  const best = { name: models[lead], error: of(lead), where: verdict.rows(actual.length, t.planned > 1), measure: measured[measure] };
  const tells = (one: Whose, other: Whose): Outcome | null => {
    const [own, its] = [by.get(one), by.get(other)];
    return own && its ? outcome(paired(actual, own, its, loss, weight), actual.length) : null;
  };
  const stands = (other: Other): Beside | null => {
    const how = tells(lead, other);
    return how && beside(how, best.error.value, of(other).value);
  };
  const grouped = (others: readonly Other[]): readonly (readonly [Beside, readonly Other[]])[] => {
    const known = others.map((other) => [other, stands(other)] as const);
    return BESIDE.map((how) => [how, known.flatMap(([other, its]) => (its === how ? [other] : []))] as const).filter(([, group]) => group.length > 0);
  };
  const told = (groups: ReturnType<typeof grouped>, begun: boolean): Phrase[] =>
    groups.map(([how, group], i) => verdict.beside(begun || i > 0 ? null : best, how, list(group.map((other) => verdict.named(name(other), of(other)))), group.some(isModel)));
  const judgement = judge(all, choice?.rank ?? Number.NaN);
  const rest = all.filter(({ whose }) => whose !== "mean" && whose !== "trees").map(({ whose }) => verdict.other(short[whose], overall(whose)));
  const opening = verdict.table[judgement]({ ...best, all: verdict.across(actual.length, t.planned > 1), rest: list(rest), ridge: overall("ridge"), mean: overall("mean"), hats });
  if (judgement === "exact" || judgement === "nothing") return [opening, ...means];
  if (judgement === "trees") return [opening, ...told(grouped(["trees"]), false), ...means];
  const others = t.lines.flatMap(({ model, choice: its }) => (model !== lead && (factors || its?.rank !== 0) ? [model] : [])); // where it is not the same
  const found = grouped([...(factors || hats ? (["ridge"] as const) : []), "quadratic", "trees", ...others]);
  const use = advised(all, lead, (one, other) => tells(one, other) === "better");
  const unsure = found.some(([how]) => how === "ahead" || how === "behind");
  const lowest = all.every(({ error }) => error >= (use?.error ?? Number.NaN));
  const advice = use && (unsure || use.whose !== (factors || hats ? lead : "ridge")) ? [verdict.use(name(use.whose), use.whose === "trees", t.planned > 1, lowest ? "lowest" : isModel(use.whose) ? "close" : "simpler")] : [];
  return [...(judgement === "ridge" ? [opening] : []), ...told(found, judgement === "ridge"), ...(unsure ? [verdict.unsure(best.where)] : []), ...means, ...advice];
}

/** Where a run was stopped. */
export function stopped({ lines, planned }: Training): Phrase {
  if (lines.length === 0) return [verdict.stoppedEarly];
  const at = Math.max(...lines.map((line) => line.iteration.at(-1) ?? 0));
  return [verdict.stopped(at, planned > 1 ? [] : lines.filter((line) => !line.done).map((line) => controls.candidate(short[line.model], line.candidate + 1, line.candidates)))];
}
