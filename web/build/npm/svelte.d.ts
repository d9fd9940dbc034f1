import type { HTMLAttributes } from "svelte/elements";
import type { Attributes, IfmLab, IfmLabEventMap } from "./ifm-lab.js";

export * from "./ifm-lab.js";

/** What hears the element's events. */
export type Listeners = { [Name in keyof IfmLabEventMap as `on${Name}`]?: ((event: IfmLabEventMap[Name]) => void) | undefined };

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "ifm-lab": Omit<HTMLAttributes<IfmLab>, keyof Attributes> & Attributes & Listeners;
  }
}
