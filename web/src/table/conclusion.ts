// The verdict on a reader's table, in three short sentences at most: which model is ahead or
// level, by how much it beats the simple one, and which to use.
import { number } from "../text/format.js";
import { list } from "../text/strings.js";
import { quantity, type Phrase } from "../text/phrase.js";
import { bestOf, fewRarer, predicted, tells } from "../training/comparison.js";
import type { Line, Model, Whose } from "../training/series.js";
import { FEWEST } from "../training/error.js";
import { advised, beside, BESIDE, judge, leader, standings, type Beside, type ModelError } from "../training/standing.js";
import { isMany, type Training } from "../training/training.js";
import { nameOf, verdict } from "./strings.js";

export function conclusion(t: Training): readonly Phrase[] {
  const all = standings(t.trials, t.lines);
  const best = bestOf(all);
  if (!best) return [];
  const lead = leader(t.lines);
  const rows = predicted(t);
  const isClasses = !!t.started?.classes;
  if (!lead || !rows?.by.has(lead.model)) return [verdict.lowest(nameOf(best.whose, isClasses), quantity(best.whose, best.error))];
  if (rows.actual.length < FEWEST) return [[verdict.few(rows.actual.length)]];
  const few = fewRarer(t);
  if (few) return [[verdict.rare(few.rows, rows.actual.length, t.started?.target ?? "", t.started?.classes?.[few.commonest] ?? number(few.commonest), isMany(t.started) ? undefined : t.started?.classes?.[1 - few.commonest])], [verdict.more]];
  const judgement = judge(all, lead.choice?.rank ?? Number.NaN);
  const error = errorIn(all);
  switch (judgement) {
    case "exact":
      return [[verdict.exact(nameOf("ridge", isClasses))], verdict.exactly(quantity("ridge", error("ridge")), quantity("mean", error("mean"))), [verdict.isPart]];
    case "nothing":
      return [[verdict.nothing], [verdict.saysLittle(t.started?.target ?? "")]];
    case "trees":
      return [[verdict.onlyTrees], [verdict.use(nameOf("trees", isClasses))]];
    case "ridge":
    case "compared":
      return compared(t, lead, all, judgement === "ridge");
  }
}

/** What the verdict says to use, where it says so. */
export function recommended(t: Training): ModelError | undefined {
  const all = standings(t.trials, t.lines);
  const lead = leader(t.lines);
  const rows = predicted(t);
  if (!lead || !rows?.by.has(lead.model) || rows.actual.length < FEWEST || fewRarer(t)) return undefined;
  const judgement = judge(all, lead.choice?.rank ?? Number.NaN);
  if (judgement === "trees") return all.find(({ whose }) => whose === "trees");
  return judgement === "exact" || judgement === "nothing" ? undefined : advised(all, lead.model, (one, other) => tells(t, one, other) === "better");
}

function errorIn(all: readonly ModelError[]): (whose: Whose) => number {
  return (whose) => all.find((one) => one.whose === whose)?.error ?? Number.NaN;
}

/** How the model that leads on validation rows compares with the others, all judged on test rows. */
function compared(t: Training, lead: Line, all: readonly ModelError[], isRidge: boolean): readonly Phrase[] {
  const isClasses = !!t.started?.classes;
  const error = errorIn(all);
  const name = (whose: Whose): string => nameOf(whose, isClasses);
  const stands = (one: Whose, other: Whose): Beside | null => {
    const how = tells(t, one, other);
    return how && beside(how, error(one), error(other));
  };
  const others = t.lines.flatMap(({ model }) => (model === lead.model ? [] : [model]));
  const group = (how: Beside): readonly Model[] => others.filter((model) => stands(lead.model, model) === how);
  const level = t.lines.flatMap(({ model }) => (model === lead.model || group("level").includes(model) ? [model] : []));
  const hats = lead.choice?.hats ?? false;
  const first = isRidge
    ? [[verdict.isRidge(name(lead.model), name("ridge"), hats)]]
    : BESIDE.flatMap((how): Phrase[] => {
        const its = group(how);
        if (its.length === 0) return [];
        if (how === "level") return [[verdict.level(plainList(level.map(name)))]];
        const nearest = Math.min(...its.map(error));
        return [verdict.models[how](name(lead.model), plainList(its.map(name)), share(error(lead.model), nearest), its.length > 1)];
      });
  const subject = level.filter((model) => model === lead.model || (!isRidge && stands(model, "ridge") === stands(lead.model, "ridge")));
  const how = isRidge && !hats ? null : stands(lead.model, "ridge");
  const worst = how === "worse" || how === "behind" ? Math.min(...subject.map(error)) : Math.max(...subject.map(error));
  const second = how ? [verdict.simple[how](subject.length, name(lead.model), name("ridge"), share(worst, error("ridge")))] : [];
  const use = recommended(t);
  const best = bestOf(all);
  const isSaid = best && subject.some((model) => model === best.whose) && (use?.whose === lead.model || (use?.whose === "ridge" && how === "level"));
  if (!use || !best) return [...first, ...second];
  if (isSaid || use.error <= best.error) return [...first, ...second, [verdict.use(name(use.whose))]];
  const third = [verdict.simplest(name(use.whose))];
  return use.whose === "ridge" || use.whose === lead.model ? [...first, ...second, third] : [...first, third];
}

/** By which share of the larger error two differ. */
function share(a: number, b: number): number {
  return 1 - Math.min(a, b) / Math.max(a, b);
}

function plainList(names: readonly string[]): string {
  return list(names.map((name) => [name])).join("");
}

/** Where a run was stopped. */
export function stopped({ lines }: Training): readonly Phrase[] {
  const at = Math.max(0, ...lines.map((line) => line.iteration.at(-1) ?? 0));
  return [[lines.length === 0 ? verdict.stoppedEarly : verdict.stopped(at)], [verdict.noModel]];
}
