// Space plays and pauses. What plays has the attribute data-player, and its
// button, while that plays or pauses, data-plays.

/** Where keys are no commands of the page. */
export const TYPED = "input:not([type=range], [type=radio], [type=checkbox]), textarea, select";

/** Where arrow keys move something. */
export const STEERED = "input[type=range], input[type=radio], [role=application], [role=grid], [role=slider]";

/** Where Space has a use already. */
const OWN = "button, a, summary, select, textarea, input:not([type=range]), .scroll";

/** Lets Space play and pause what has the focus, where it would scroll the page. */
export function playBySpace(event: KeyboardEvent): void {
  const { target, key, repeat } = event;
  if (key !== " " || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (!(target instanceof Element) || target.closest(OWN)) return;
  const player = target.closest("[data-player]");
  if (!player) return;
  event.preventDefault();
  if (!repeat) player.querySelector<HTMLElement>("[data-plays]")?.click();
}
