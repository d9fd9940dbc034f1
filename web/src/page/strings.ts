// The words around all rooms.
import { count } from "../text/format.js";

export const page = {
  skip: "Skip to the content",
  nav: { label: "Places", figure: "Figure", table: "Your table", lesson: "Lesson" },
  theme: { light: "Light colours", dark: "Dark colours" },
  homework: "Homework",
  title: { figure: "flip one sign and FM breaks" },
  notices: "About this link",
  more: (n: number) => `… ${count(n)} more`,
  dismiss: "Dismiss",
  undo: "Undo",
  unsaved: "The file could not be loaded. Check the connection and try again.",
  undone: "The last change was undone.",
  share: "Share",
  soon: "Opening the table …",
  noSample: "This frame shows a built-in table, but its address names none.",
  drop: "Drop the file anywhere. It stays in your browser.",
  footer: {
    offline: "This page as one file (3.4 MB)",
    live: "Everything is computed in your browser. No file you open leaves this machine.",
    embeds: "Use it in your own pages",
    licenses: "Licences",
    claim: "iFM was proposed by Lin et al., AAAI-19.",
  },
};
