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
    [["?"], "keys"],
  ] as readonly (readonly [keys: readonly string[], does: string])[],
  list: [
    [["→", "Page Down"], "next slide"],
    [["←", "Page Up"], "previous slide"],
    [["1–9"], "choose an answer"],
    [["Space"], "show what comes next; in the figure, play or pause"],
    [["F"], "full screen"],
    [["P", "Esc"], "leave"],
    [["?"], "show or hide this list"],
  ] as readonly (readonly [keys: readonly string[], does: string])[],
  place: (at: number, of: number) => `${count(at)} of ${count(of)}`,
  steps: { "1": "the question", run: "the run", answer: "the answer" },
};
