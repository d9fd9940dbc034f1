// How good each of those that stand in a run's table is on its test rows. What
// has been measured is kept: there may be hundreds of thousands of rows.
import type { ClassMetrics, ModelFile } from "../engine/protocol.js";
import { accuracy, auc, errors, FEWEST, type Measured } from "./error.js";
import { targetMean } from "./model.js";
import type { Whose } from "./series.js";
import { isModel } from "./standing.js";
import { predicted } from "./comparison.js";
import { isMany, type Training } from "./training.js";

const UNKNOWN: Measured = { rmse: Number.NaN, mae: Number.NaN, r2: Number.NaN, auc: Number.NaN, accuracy: Number.NaN };

export class Measures {
  private readonly found = new WeakMap<Float64Array, Measured>(); // by predictions; the rows themselves stand for the mean's
  private readonly means = new WeakMap<ModelFile, number>();

  /** On the test rows of the first trial; NaN where that is not known. */
  of(training: Training, whose: Whose): Measured {
    const rows = predicted(training);
    const own = rows?.by.get(whose);
    if (!rows || (!own && whose !== "mean")) return UNKNOWN;
    if (isMany(training.started)) return ofMany(training, whose);
    const { actual, weight } = rows;
    const known = this.found.get(own ?? actual);
    if (known) return known;
    if (own) {
      const tells = training.started?.classes || actual.length >= FEWEST; // any two numbers are two values
      const found = { ...errors(actual, own, weight), auc: tells ? auc(actual, own, weight) : Number.NaN, accuracy: training.started?.classes ? accuracy(actual, own, weight) : Number.NaN };
      this.found.set(own, found);
      return found;
    }
    const [file] = training.models.values();
    if (!file) return UNKNOWN;
    const mean = this.means.get(file) ?? targetMean(file);
    this.means.set(file, mean);
    const found = { ...errors(actual, new Float64Array(actual.length).fill(mean), weight), auc: Number.NaN, accuracy: training.started?.classes ? accuracy(actual, new Float64Array(actual.length).fill(mean), weight) : Number.NaN };
    this.found.set(actual, found);
    return found;
  }
}

/** Of more than two classes, as the engine measures them: of the models, ridge and the trees. */
function ofMany({ classes, trees }: Training, whose: Whose): Measured {
  const [first] = classes.values();
  const found: ClassMetrics | null | undefined = whose === "trees" ? trees.answers.get(0)?.metrics : isModel(whose) ? classes.get(whose)?.metrics.find((one) => one.whose === "model") : first?.metrics.find((one) => one.whose === whose);
  return found ? { ...UNKNOWN, rmse: Math.sqrt(found.brier), auc: found.auc, accuracy: found.accuracy } : UNKNOWN;
}
