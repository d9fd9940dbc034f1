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
export const definitions: Readonly<Partial<Record<Id, Chapter>>> = { data, diagonal, interaction, psd, samples, spectrum };

/** Those with scripts of their own, which are loaded when they come near. */
export const loaders: Readonly<Partial<Record<Id, () => Promise<Chapter>>>> = {
  algorithm: () => import("./algorithm/chapter.js").then(({ algorithm }) => algorithm),
  reach: () => import("./reach/chapter.js").then(({ reach }) => reach),
  loophole: () => import("./loophole/chapter.js").then(({ loophole }) => loophole),
  vtec: () => import("./vtec/chapter.js").then(({ vtec }) => vtec),
  break: () => import("./break/chapter.js").then(({ breaking }) => breaking),
};

/** All of them, which homework needs. */
export async function all(): Promise<Readonly<Record<Id, Chapter>>> {
  const loaded = await Promise.all(Object.entries(loaders).map(async ([id, load]) => [id, await load()] as const));
  return { ...definitions, ...Object.fromEntries(loaded) } as Readonly<Record<Id, Chapter>>;
}
