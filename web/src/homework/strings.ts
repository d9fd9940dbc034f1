// The words of homework: of what a student hands in, what a lecturer asks for and
// what the grades say.
import type { Chapter } from "../state/view.js";
import { titles } from "../state/chapters.gen.js";
import { count, number, percent } from "../text/format.js";
import { counted, short } from "../text/strings.js";

const names = (list: readonly Chapter[]): string => list.map((chapter) => `“${titles[chapter]}”`).join(", ");
const of = (whose: string): string => (whose in short ? ` (${short[whose as keyof typeof short]})` : "");
const value = (found: number | null): string => (found === null ? "none" : number(found, 6));
const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];

export const faults = {
  noJSON: "not a hand-in: its JSON is broken; ask for the original file or the link",
  other: "not a hand-in: another kind of file",
  format: (found: string) => `written in format ${found}, which this page does not read; open it on the page that made it`,
  field: (name: string) => `not a hand-in: ${name} is missing or damaged; ask for the original file`,
  chapter: (found: string) => `names a chapter that this page does not have: ${found}`,
  twice: (chapter: Chapter) => `names the chapter ${names([chapter])} twice`,
  hidden: "its name is too long or had hidden characters, which were removed",
  large: "too large for a hand-in",
  damaged: "damaged: it could not be unpacked",
  cut: "the zip is damaged or incomplete; the files that could be read are listed separately",
  empty: "the zip is empty",
  nested: "a zip within the zip: unpack it and drop its files",
  unreadable: "could not be read; if it is a folder, drop its files or a zip of it",
  noLink: "not a hand-in and no link to one",
  link: "its link is damaged or incomplete; ask for the file",
  line: (file: string, line: number) => `${file}, line ${line}`,
  many: (most: number, others: number) => `${count(others)} more than the ${count(most)} that are marked at once; drop them in smaller lots`,
  counts: (handed: number, found: number) => `${counted(handed, "number")} handed in, ${count(found)} when repeated`,
  number: (at: number, who: string, was: number | null, whose: string, is: number | null) => `${ORDINALS[at - 1] ?? `${count(at)}th`} number: ${value(was)}${of(who)} handed in, ${value(is)}${of(whose)} when repeated`,
};

export const grades = {
  unplayed: "not repeated",
  stopped: "stopped before its end",
  long: (time: string) => `not run again: its settings differ from the assignment’s and would take ${time} of one processor`,
  memory: (cells: number) => `refused: a table of ${count(Math.round(cells / 1e6))} million numbers, which the assignment does not ask for`,
  otherRuns: (handed: number, found: number) => `${counted(handed, "run")} handed in; these settings give ${count(found)} other ${found === 1 ? "run" : "runs"}`,
  digests: (off: number, of: number) => `${count(off)} of ${counted(of, "run")} gave other curves when repeated`,
  answer: (handed: string, found: string) => `answer: ${handed} handed in, ${found} when repeated`,
  none: "none",
  several: (n: number) => `one of ${n} hand-ins under this name`,
  nameless: (who: string) => (who === "" ? "no name in it" : "no name in it; the file’s path says whose it is"),
  version: (handed: string, here: string) => `made by version ${handed}, repeated by version ${here}`,
  assignment: (title: string) => (title === "" ? "of another assignment" : `of another assignment: “${title}”`),
  unassigned: "made without the assignment’s link",
  missing: (list: readonly Chapter[]) => `without ${names(list)}`,
  unasked: "not asked for",
  unused: (keys: readonly string[]) => `settings that the chapter cannot use: ${keys.slice(0, 5).join(", ").slice(0, 80)}`,
  seed: (theirs: string, ours: string) => `seed ${theirs}; this student’s is ${ours}`,
  settings: (theirs: string, ours: string) => `settings: ${theirs || "the initial ones"}; the assignment’s: ${ours || "the initial ones"}`,
  columns: {
    student: "student",
    file: "file",
    version: "version",
    remarks: "remarks",
    look: "look at it",
    yes: "yes",
    no: "no",
    guess: (chapter: Chapter) => `${chapter}: first guess`,
    then: (chapter: Chapter) => `${chapter}: changed to`,
    right: (chapter: Chapter) => `${chapter}: last guess`,
    replay: (chapter: Chapter) => `${chapter}: replay`,
    why: (chapter: Chapter) => `${chapter}: why`,
    words: (chapter: Chapter) => `${chapter}: words`,
  },
};

export const strip = {
  back: (title: string) => (title === "" ? "Your assignment" : `Assignment: ${title}`),
  done: (done: number, of: number) => `${count(done)} of ${counted(of, "chapter")} done.`,
  others: (others: readonly Chapter[]) => (others.length > 0 ? `Then: ${names(others)}.` : ""),
  lacks: {
    name: "First type your name in the assignment: it sets your seed.",
    guess: "In this chapter: choose an answer.",
    run: "In this chapter: press “Run all” and let all runs end.",
    settings: "In this chapter: the settings are not the assignment’s. Put them back in the assignment.",
  },
};

export const copying = {
  copy: "Copy",
  copied: "Copied.",
  selected: "The browser does not let this page copy. The text is selected: press Ctrl+C or ⌘C.",
};

export const giving = {
  title: (title: string | null) => (title === null ? "What you have done" : title === "" ? "Your assignment" : `Your assignment: ${title}`),
  lost: "The link should hold an assignment, but names no chapter of this page. Ask for the link again.",
  none: "No assignment is open. You can hand in every chapter that you have answered.",
  empty: "You have answered no chapter yet.",
  name: "Your name or student number",
  seed: (seed: number) => `Your seed is ${seed}. It comes from your name and is in the settings of each chapter.`,
  seedless: "Type your name first: it determines your seed.",
  table: "What will be handed in",
  heads: ["Chapter", "Your guess", "State", "Its numbers", "A few words"],
  guess: (first: string, then: string) => (then === "" ? `“${first}”` : `“${first}”, then “${then}”`),
  late: (guess: string) => `“${guess}”, after the run`,
  guessless: "none yet",
  states: {
    idle: (isAnswered: boolean) => (isAnswered ? "answered; press “Run” or “Run all” in the chapter" : "not answered yet"),
    ran: (n: number) => (n === 0 ? "run" : `run: ${counted(n, "run")}`),
    other: "run, but with other settings than assigned: run it again",
    changed: "its settings are not the assigned ones",
  },
  restore: "Put the settings back",
  numbers: (n: number) => counted(n, "number"),
  words: (chapter: Chapter) => `Your words on ${names([chapter])}`,
  ask: "What happened, and why?",
  make: "Make the link and the file",
  nameless: "Type your name or number first.",
  making: "Packing …",
  failed: "This browser cannot make the link. Use the file.",
  link: "Your link",
  save: "Save the file",
  made: (file: string, link: string) => `The file (${file}) and the link (${link}) have the same content. Hand in either. Open the link to continue later.`,
  stale: "Your work has changed since the link was made. Make it again.",
  opened: (student: string) => `This is what ${student === "" ? "somebody without a name" : student} handed in. Its guesses, settings and words are on the page now.`,
  broken: "The link of this hand-in is damaged or incomplete. Open it again from the message, or open the file under “Mark hand-ins”.",
};

export const setting = {
  lead: "Choose the chapters. Their current settings on this page are used.",
  title: "Title of the assignment",
  chapters: "Chapters to hand in",
  own: (own: string) => `with your settings: ${own.replaceAll("&", ", ")}`,
  seeds: "A seed for each student",
  each: "Each student’s seed is made from the name and this number",
  seed: "The number",
  words: "Ask for a few words on each chapter",
  link: "The assignment’s link",
  empty: "Choose at least one chapter.",
  about: "Students open it, answer these chapters, type a name and hand in. The link contains the whole assignment.",
  list: "The class, one name per line (not in the link)",
  table: "Seeds of the class",
  heads: ["Student", "Seed"],
  clash: (list: readonly string[]) => `These students share a seed with somebody above: ${list.join(", ")}. Choose another number to separate them.`,
  how: "The seed depends on the name’s spelling; capitals and spaces do not count.",
};

export const marking = {
  forged: "Marking repeats every run and compares the result with the one handed in. It cannot tell who did the work.",
  lead: "Drop the hand-ins of a class: files, the zip of a learning platform (Moodle, Canvas), or a text or CSV with the links.",
  choose: "Choose files …",
  drop: "or drop them here",
  own: "Hand-ins are compared with this page’s assignment.",
  ownless: "No assignment is open. Each hand-in names its assignment. All hand-ins are compared with the assignment that most of them name.",
  reading: "Reading the files …",
  progress: (done: number, of: number, left: string) => `${count(done)} of ${counted(of, "run")} repeated${left === "" ? "" : `, ${left} left`}`,
  stop: "Stop",
  done: (n: number, equal: number, look: number) => `${counted(n, "hand-in")}: ${count(equal)} confirmed, ${count(look)} to check.`,
  none: "There was nothing to mark.",
  failed: (reason: string) => `Nothing could be marked: ${reason}`,
  save: "Save the grades, CSV",
  name: "ifm-lab-grades.csv",
  look: "to check",
  flag: "⚑",
  grades: "Grades",
  heads: { student: "Student", file: "File", remarks: "Remarks" },
  chapter: (guess: string, then: string, right: string) => (guess === "" ? "No guess" : `Guess: ${[guess, then].filter(Boolean).map((one) => `“${one}”`).join(" → ")}${right}`),
  right: { right: " – right", wrong: " – wrong", undecided: " – not decided", "": "" },
  outcome: { equal: "Numbers confirmed", differs: "Differs when repeated", "not replayed": "Not repeated", "not run": "Not run", missing: "Missing" },
  guesses: (chapter: Chapter) => `First guesses: ${titles[chapter]}`,
  guessHeads: ["Answer", "First", "Last", "Of the last, correct"],
  without: "no guess",
  share: (n: number, of: number) => `${count(n)} (${percent(of > 0 ? n / of : 0)})`,
  curves: (chapter: Chapter) => `Test error of every student: ${titles[chapter]}`,
  x: "iteration",
  y: "test RMSE ÷ the training mean’s",
  at: (x: number) => `Iteration ${count(x)}`,
  waiting: "Nothing has been repeated.",
  about: "Each line is the mean of one hand-in’s runs, computed here. Hand-ins with the same settings share a line.",
};
