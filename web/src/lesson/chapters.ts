// The chapters of the lesson, as far as its script has them.
import type { Chapter as Id } from "../state/view.js";
import type { Chapter } from "./chapter/definition.js";
import { interaction } from "./interaction/chapter.js";
import { spectrum } from "./spectrum/chapter.js";

export const definitions: Readonly<Partial<Record<Id, Chapter>>> = { interaction, spectrum };
