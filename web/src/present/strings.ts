// The words of the presenter mode.
import { count } from "../text/format.js";

export const present = {
  name: "Presentation",
  back: "Back",
  next: "Next",
  freeze: "Freeze",
  thaw: "Go on",
  full: "Full screen",
  leave: "Leave",
  keys: "← → back and on · 1–9 guess · Space freeze · F full screen · P leave",
  place: (at: number, of: number, title: string, step: string) => `${count(at)} of ${count(of)}: ${title}${step && `, ${step}`}`,
  steps: { "1": "the question", run: "the run", answer: "the answer" },
  frozen: "Frozen: what is shown stands still, the run goes on behind it.",
};
