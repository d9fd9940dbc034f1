// The words of the contents, and of the guided paths.
import { count } from "../../text/format.js";
import { counted } from "../../text/strings.js";

export const contents = {
  name: "Chapters",
  forPaper: "For readers of the paper",
  homework: "Homework",
  present: "Present",
  at: (i: number, of: number, title: string) => `${count(i)} of ${count(of)}: ${title}`,
  state: { answered: "answered", guessed: "guessed" },
  path: (chapters: number) => `On a path of ${counted(chapters, "chapter")}: leave it`,
  back: (title: string) => `Previous: ${title}`,
  next: (title: string) => `Next: ${title}`,
  skip: "Skip",
};
