// The words of the guided paths.
import { count } from "../../text/format.js";
import { counted } from "../../text/strings.js";
import type { paths } from "../../state/chapters.gen.js";

export const guide = {
  title: "How much time do you have?",
  lead: "A path leads from chapter to chapter. All others stay where they are, below.",
  names: { short: (minutes: number) => `${count(minutes)} minutes`, lesson: () => "A lesson", all: () => "All of it" } satisfies Record<(typeof paths)[number], (minutes: number) => string>,
  holds: (chapters: number, minutes: number) => `${counted(chapters, "chapter")}, about ${counted(minutes, "minute")}`,
  answered: (done: number, of: number) => `${count(done)} of ${counted(of, "chapter")} answered`,
  begin: (title: string) => `Begin: ${title}`,
  goOn: (title: string) => `Go on: ${title}`,
  through: "Every chapter of this path is answered.",
  state: { answered: "answered", guessed: "guessed, not run yet", none: "" },
  takes: (minutes: number) => counted(minutes, "minute"),
  off: "not on your path",
  along: (title: string) => `The way on from “${title}”`,
  at: (i: number, of: number, chosen: boolean) => `Chapter ${count(i)} of ${count(of)}${chosen ? " on your path" : ""}`,
  beside: "This chapter is not on your path",
  back: (title: string) => `Back: ${title}`,
  next: (title: string) => `Next: ${title}`,
  start: "To the start of the lesson",
  end: "Here the path ends",
};
