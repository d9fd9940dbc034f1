const AWAY = 6; // px, from what it belongs to, and from the window's edges

/** Places an open popover below an element, or above it where there is more room, with one side along it. Does nothing while it is closed. */
export function placeBeside(element: Element, popover: HTMLElement | null, side: "left" | "right"): void {
  if (!popover?.matches(":popover-open")) return;
  const at = element.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popover;
  const isAbove = at.bottom + AWAY + height > innerHeight && at.top > height + AWAY;
  const wanted = side === "left" ? at.left : at.right - width;
  const left = Math.max(AWAY, Math.min(wanted, document.documentElement.clientWidth - width - AWAY));
  Object.assign(popover.style, { left: `${left + scrollX}px`, top: `${scrollY + (isAbove ? at.top - AWAY - height : at.bottom + AWAY)}px` });
}
