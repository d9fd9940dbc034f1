import type { Chapter } from "../state/view.js";
import type { Training } from "../training/training.js";

/** How the numbers of charts were made, in the words of the panel around them. */
export interface About {
  readonly name: string; // of the run, a part of its files' names
  readonly says: string; // rows, d, k, seed …, as a sentence
  readonly label?: string; // simulated, or whose data it is, where that stands beside the numbers
  readonly seed: number | null; // null where nothing is drawn at random
  readonly query: string | null; // the settings of the run or the chapter; null: those of the page's address
  readonly chapter?: Chapter;
  readonly run?: Training; // the whole of it, which can be saved too
}
