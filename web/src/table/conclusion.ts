// The sentences of a run on a reader's table.
import type { Measure } from "../engine/protocol.js";
import { controls } from "../panel/strings.js";
import { quantity, type Phrase, type Quantity } from "../text/phrase.js";
import { list, measured, models, short } from "../text/strings.js";
import { logLoss, meanLoss, paired, squared } from "../training/error.js";
import { FEWEST, isModel, judge, leader, outcome, predicted, standings, wins, type Outcome, type Predicted, type Standing } from "../training/standing.js";
import type { Choice } from "../training/series.js";
import type { Training } from "../training/training.js";
import { verdict } from "./strings.js";

type Whose = Exclude<Standing["whose"], "mean">;

/** What the model that is best on validation rows is worth on test rows, beside each of the others. */
export function conclusion(t: Training): Phrase {
  const all = standings(t.trials, t.lines);
  const [best] = all;
  if (!best) return [];
  const lead = leader(t.lines);
  const rows = predicted(t);
  const told = list(all.map((s) => verdict.other(short[s.whose], quantity(s.whose, s.error))));
  const few = rows !== null && rows.actual.length < FEWEST;
  const sentences = lead && !few && rows?.by.has(lead.model) ? compared(t, lead.model, rows, all) : [verdict.unpaired(told, measured[measureOf(t)]), ...(few ? [verdict.few(rows.actual.length)] : [])];
  const trials = t.planned > 1 ? [verdict.means(t.trials.length, measured[measureOf(t)], told, models[best.whose], wins(t.trials, best.whose))] : [];
  return [...sentences, ...trials].flatMap((sentence, i) => (i === 0 ? sentence : [" ", ...sentence]));
}

function measureOf({ started }: Training): Measure {
  return started?.measure ?? "rmse";
}

function compared(t: Training, lead: Whose, { actual, weight, by }: Predicted, all: readonly Standing[]): Phrase[] {
  const choice = (whose: Whose): Choice | null | undefined => t.lines.find(({ model }) => model === whose)?.choice;
  const factors = choice(lead)?.rank !== 0;
  const hats = choice(lead)?.hats ?? false;
  const measure = measureOf(t);
  const [loss, mean] = measure === "rmse" ? [squared, Math.sqrt] : [logLoss, (value: number) => value];
  const where = verdict.rows(actual.length, t.planned > 1);
  /** On the rows that are compared, those of the first trial. */
  const of = (whose: Whose): Quantity => {
    const own = t.planned > 1 ? by.get(whose) : undefined;
    return quantity(whose, own ? mean(meanLoss(actual, own, loss, weight)) : (all.find((s) => s.whose === whose)?.error ?? Number.NaN));
  };
  const best = { name: models[lead], error: of(lead), where, measure: measured[measure] };
  const tells = (other: Whose): Outcome | null => {
    const [own, its] = [by.get(lead), by.get(other)];
    return own && its ? outcome(paired(actual, own, its, loss, weight), actual.length) : null;
  };
  const beside = (others: readonly Whose[]): Phrase[] => {
    const known = others.flatMap((other) => {
      const how = tells(other);
      return how ? [{ other, how, name: other === "ridge" && !factors ? verdict.plainRidge : models[other], error: of(other) }] : [];
    });
    const group = (how: Outcome) => known.filter((one) => one.how === how);
    const named = (some: typeof known): Phrase => list(some.map(({ name, error }) => verdict.named(name, error)));
    const [better, level, worse] = [group("better"), group("level"), group("worse")];
    const simpler = worse.filter(({ other }) => other === "quadratic" || (other === "ridge" && factors)).sort((a, b) => a.error.value - b.error.value)[0]?.other; // the best of those without factors
    const pay = factors && better.some(({ other }) => other === "ridge");
    const simplest = level[0]?.other === "ridge" || level[0]?.other === "quadratic" ? level[0].other : null;
    return [
      ...(better.length > 0 ? [verdict.better(best, named(better))] : []),
      ...(level.length > 0 ? [verdict.level(best, named(level), factors ? simplest : null)] : []),
      ...worse.map(({ other, name, error }) => (isModel(other) ? verdict.unchosen(best, name, error) : verdict.worse(best, other, name, error, other === simpler, pay))),
    ];
  };
  const judgement = judge(all, choice(lead)?.rank ?? Number.NaN);
  const overall = (whose: Standing["whose"]): Quantity => quantity(whose, all.find((s) => s.whose === whose)?.error ?? Number.NaN);
  const rest = all.filter(({ whose }) => whose !== "mean" && whose !== "trees").map(({ whose }) => verdict.other(short[whose], overall(whose)));
  const across = verdict.across(actual.length, t.planned > 1);
  const opening = verdict.table[judgement]({ ...best, all: across, rest: list(rest), ridge: overall("ridge"), mean: overall("mean"), hats });
  if (judgement === "exact" || judgement === "nothing") return [opening];
  if (judgement === "trees") return [opening, ...beside(["trees"])];
  const others = t.lines.flatMap(({ model }) => (model !== lead && (factors || choice(model)?.rank !== 0) ? [model] : [])); // where it is not the same
  return [...(judgement === "ridge" ? [opening] : []), ...beside([...(factors || hats ? (["ridge"] as const) : []), "quadratic", "trees", ...others])];
}

/** Where a run was stopped. */
export function stopped({ lines, planned }: Training): Phrase {
  if (lines.length === 0) return [verdict.stoppedEarly];
  const at = Math.max(...lines.map((line) => line.iteration.at(-1) ?? 0));
  return [verdict.stopped(at, planned > 1 ? [] : lines.filter((line) => !line.done).map((line) => controls.candidate(short[line.model], line.candidate + 1, line.candidates)))];
}
