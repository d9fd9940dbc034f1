// The words of homework's door.
export const homework = {
  title: "Homework",
  lab: "iFM Lab is a short lesson on factorization machines, models that predict from pairs of features. Each chapter asks a question: guess, let your browser run the experiment, and read why.",
  lead: "Students: hand in what you guessed and found, as a link or a file. Teachers: mark hand-ins by running them again.",
  parts: { give: "Hand in", set: "Set an assignment", mark: "Mark hand-ins" },
  nothing: "Nothing is stored or sent: links and files go only where you take them.",
};
