// The words of the lesson.
export const section = {
  title: "The lesson",
  lead: "The paper’s main claims, in eleven chapters. Each asks you first, then runs in your browser, then explains what happened with the numbers of that run; what was recorded in advance, the paper’s Table 1 above all, is marked as quoted. Where a claim is narrower than its words, the chapter shows it.",
  contents: "Chapters",
  present: "Present it: a chapter a screen (P)",
  homework: "Homework: hand in, set an assignment, mark",
  due: "Your homework: what is done, and the way to hand it in",
  words: "U and V have a row for each of the d features and k columns, the rank. κ and φ are the means of x³ and x⁴ of a standardized column. PSD (positive semidefinite) means: no negative eigenvalue.",
};

export const homework = {
  title: "Homework",
  lead: "What was guessed and found can be handed in as one link or one file, and the hand-ins of a class be marked by running them all anew.",
  parts: { give: "Hand in", set: "Set an assignment", mark: "Mark hand-ins" },
  nothing: "Nothing is stored and nothing is sent: links and files go only where you take them.",
};
