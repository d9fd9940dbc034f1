import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { Attributes, IfmLab, IfmLabEventMap } from "./ifm-lab.js";

export * from "./ifm-lab.js";

/** What hears the element's events. */
export type Listeners = { [Name in keyof IfmLabEventMap as `on${Name}`]?: ((event: IfmLabEventMap[Name]) => void) | undefined };

/** What the element takes in JSX. */
export type IfmLabProps = Omit<DetailedHTMLProps<HTMLAttributes<IfmLab>, IfmLab>, keyof Attributes> & Attributes & Listeners; // out here, since React has Attributes of its own

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "ifm-lab": IfmLabProps;
    }
  }
}
