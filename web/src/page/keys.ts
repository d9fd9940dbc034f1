// The keys that are the whole page's.
import { TYPED } from "../panel/player.js";
import type { Lab } from "./lab.js";

/** Listens to Tab, Undo and P. */
export function listen(lab: Lab, undo: () => void): void {
  addEventListener("keydown", (event) => {
    const { key, target, shiftKey, altKey } = event;
    if (key === "Tab") void lab.sections.load("table"); // or it would be passed over
    if (target instanceof Element && target.closest(TYPED)) return;
    const command = event.ctrlKey || event.metaKey;
    if (key === "z" && command && !shiftKey && !altKey && lab.page.canUndo) {
      event.preventDefault();
      undo();
    }
    const { embed, present } = lab.page.view;
    if (key === "p" && !command && !altKey && embed === "0" && present === "0") lab.changeView({ present: "1" });
  });
}
