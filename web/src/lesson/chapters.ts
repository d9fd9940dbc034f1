// The chapters of the lesson.
import type { Chapter as Id } from "../state/view.js";
import type { Chapter } from "./chapter/definition.js";
import { data } from "./data/chapter.js";
import { diagonal } from "./diagonal/chapter.js";
import { interaction } from "./interaction/chapter.js";
import { psd } from "./psd/chapter.js";
import { samples } from "./samples/chapter.js";
import { spectrum } from "./spectrum/chapter.js";

/** Those that come with the lesson's script. */
export const definitions = { data, diagonal, interaction, psd, samples, spectrum };

/** Those with scripts of their own, which are loaded when they come near. */
export const loaders = {
  algorithm: () => import("./algorithm/chapter.js").then(({ algorithm }): Chapter => algorithm),
  break: () => import("./break/chapter.js").then(({ breaking }): Chapter => breaking),
  loophole: () => import("./loophole/chapter.js").then(({ loophole }): Chapter => loophole),
  matter: () => import("./matter/chapter.js").then(({ matter }): Chapter => matter),
  reach: () => import("./reach/chapter.js").then(({ reach }): Chapter => reach),
  vtec: () => import("./vtec/chapter.js").then(({ vtec }): Chapter => vtec),
} as const;

/** All of them, which homework needs. */
export async function all(): Promise<Readonly<Record<Id, Chapter>>> {
  const loaded = await Promise.all(Object.entries(loaders).map(async ([id, load]) => [id, await load()] as const));
  return { ...definitions, ...(Object.fromEntries(loaded) as Record<keyof typeof loaders, Chapter>) };
}
