// The words around all rooms.
import { count } from "../text/format.js";
import { themes } from "../state/strings.js";

export const page = {
  skip: "Skip to the figure",
  nav: { label: "Page", figure: "The figure", table: "Your table", lesson: "The lesson" },
  theme: { label: "Colours", options: themes },
  notices: "About this link",
  more: (n: number) => `… ${count(n)} more`,
  dismiss: "Dismiss",
  undo: "Undo",
  unsaved: "It could not be fetched, perhaps because the connection was lost; try again.",
  undone: "The last change is undone.",
  share: "Share",
  soon: "The table is being opened …",
  noSample: "This frame shows a built-in table; its address names none.",
  drop: "Drop the file anywhere: it stays in your browser",
  footer: {
    offline: "This page as one file (2.7 MB) that works without a network",
    live: "Every curve, matrix and number on this page is computed in your browser, while you watch, by the same Go code that the tests run; what is not, such as the paper’s own table, is marked as quoted. No file you open leaves this machine.",
    embeds: "This in your own pages",
    licenses: "Licences of what this page contains",
    paper: "The claim is that of Lin et al., “Which Factorization Machine Modeling is Better: A Theoretical Answer with Optimal Guarantee” (AAAI-19); this page runs it, and says where it is narrower than its words.",
  },
};
