import { during } from "../engine/pending.js";

/** Whether the frame that the page is in may forbid downloads. A sandbox tells nobody what it forbids. */
export function mayForbid(): boolean {
  return self.origin === "null" && location.protocol !== "file:";
}

/** Opens a link that leads to another tab. Where a frame forbids that, a dialog offers the address to copy. */
export function openOutside(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link?.target !== "_blank" || event.defaultPrevented || !mayForbid()) return;
  event.preventDefault();
  const tab = window.open(link.href, "_blank");
  if (tab) tab.opener = null;
  else void during(import("./forbidden.js")).then(({ offerAddress }) => offerAddress(link.href));
}
