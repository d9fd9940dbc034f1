// The words of the presenter mode.
import { count } from "../text/format.js";

export const present = {
  name: "Presentation",
  figure: "Figure",
  back: "Back",
  next: "Next",
  full: "Full screen",
  leave: "Leave",
  keys: [
    [["←", "→"], "slide"],
    [["1–9"], "answer"],
    [["Space"], "reveal"],
    [["F"], "full screen"],
    [["P"], "leave"],
  ] as readonly (readonly [keys: readonly string[], does: string])[],
  place: (at: number, of: number) => `${count(at)} of ${count(of)}`,
  steps: { "1": "the question", run: "the run", answer: "the answer" },
};
