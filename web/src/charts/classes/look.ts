// How lines look of who tells classes apart: models as everywhere, what is beside them in its grey.
import type { Model } from "../../training/series.js";
import { baselineDash, looks } from "../curve.js";
import type { Teller } from "./told.js";

export function isModel(whose: Teller): whose is Model {
  return whose !== "ridge" && whose !== "trees";
}

export function look(whose: Teller): { readonly dash: string; readonly width: number } {
  return isModel(whose) ? looks[whose] : { dash: baselineDash[whose], width: 1.75 };
}

export function colour(whose: Teller): Model | "base" {
  return isModel(whose) ? whose : "base";
}
