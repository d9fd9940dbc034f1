// The words of homework's door.
export const homework = {
  title: "Homework",
  lead: "Hand in what you guessed and found, as a link or a file. Mark hand-ins by running them again.",
  parts: { give: "Hand in", set: "Set an assignment", mark: "Mark hand-ins" },
  nothing: "Nothing is stored or sent: links and files go only where you take them.",
};
