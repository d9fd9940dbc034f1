import type { LitElement } from "lit";

/** Moves the focus to another element when what has it is taken out of a panel: it would be lost. */
export function bequeath(panel: LitElement, selector: string): void {
  let had: Element | null = null; // the focus, as long as nothing else has it
  panel.addController({
    hostUpdate() {
      const now = document.activeElement;
      if (now && now !== document.body) had = panel.contains(now) ? now : null; // a button that was disabled before it goes has lost it already
    },
    hostUpdated() {
      const heir = had && !had.isConnected ? document.querySelector<HTMLElement>(selector) : null; // which may come later
      if (!heir) return;
      had = null;
      heir.focus({ preventScroll: true });
    },
  });
}
