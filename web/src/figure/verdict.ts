// The figure's verdict, computed from its run: what FM and iFM remove of a linear model's error.
import { verdict } from "../panel/strings.js";
import type { Spec } from "../state/spec.js";
import { quantity, say, type Phrase } from "../text/phrase.js";
import { list, short } from "../text/strings.js";
import type { Line, Model, Trial } from "../training/series.js";
import { baselines, floor } from "../training/standing.js";
import { verdicts as strings } from "./strings.js";

/** What of a run decides its verdict. */
interface Ended {
  readonly lines: readonly Pick<Line, "model" | "error" | "kept" | "done" | "rose" | "stops">[];
  readonly trials: readonly Trial[];
}

const LEARNT = 0.005; // of a linear model's error: what is left rounds to nothing

/** A linear model's error; NaN while it is not known. */
export function linear(trials: readonly Trial[]): number {
  return baselines(trials).find(({ whose }) => whose === "ridge")?.error ?? Number.NaN;
}

/** In one sentence or two, for a run that is over or where it is now; empty before it has begun. */
export function conclusion({ lines, trials }: Ended, { scenario, noise, numbers, solver }: Pick<Spec, "scenario" | "noise" | "numbers" | "solver">): Phrase {
  const whole = linear(trials);
  const errors = new Map(lines.map(({ model, done, kept, error }) => [model, done ? kept : Math.min(error.at(-1) ?? Number.NaN, whole)])); // all begin above it
  const [fm, ifm] = [errors.get("fm"), errors.get("ifm")];
  if (errors.size === 0 || !(whole > 0)) return [];
  const share = (model: Model, error: number, write: (left: number) => string) => quantity(model, error, write(error / whole));
  const main = (): Phrase => {
    if (fm === undefined || ifm === undefined || errors.size > 2) {
      const each = [...errors].map(([model, error]) => say`${short[model]} leaves ${share(model, error, strings.leaves)}`);
      return say`${strings.when[scenario]}${list(each)}${strings.alone}.`;
    }
    const [left, best] = [fm / whole, ifm / whole];
    const fair = numbers === "equal";
    if (left < LEARNT && best < LEARNT) return [fair ? strings.fairBoth : `${strings.when[scenario]}${strings.everything}`];
    if (fair) return say`${strings.fair}FM still leaves ${share("fm", fm, strings.leaves)}, iFM ${share("ifm", ifm, strings.leaves)}.`;
    const and = strings.removes(best) === strings.removes(left) ? "" : `${strings.removes(best)} `;
    return say`${strings.when[scenario]}FM ${strings.removes(left)} ${share("fm", fm, strings.part)}${strings.ofError}iFM ${and}${share("ifm", ifm, strings.part)}.`;
  };
  const mean = baselines(trials).find(({ whose }) => whose === "mean")?.error ?? Number.NaN;
  const noisy = noise > 0 ? strings.noise(floor(mean, noise) / whole) : "";
  const several = trials.length > 1 ? strings.trials(trials.length) : "";
  const lost = lines.filter(({ rose }) => rose > 0).map(({ model, rose }) => verdict.diverged(short[model], rose));
  const ended = solver === "auto" || solver === "gauss-newton" ? lines.filter(({ rose, stops }) => rose === 0 && stops.length > 0).map(({ model, stops }) => verdict.stopped(short[model], stops)) : [];
  return [...main(), noisy, several, ...lost, ...ended].filter((piece) => piece !== "");
}
