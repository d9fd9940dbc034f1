import type { EmitFn, HTMLAttributes, PublicProps } from "vue";
import type { Attributes, IfmLab, IfmLabEventMap } from "./ifm-lab.js";

export * from "./ifm-lab.js";

/** The element as a template's types know it. */
export type IfmLabComponent = new () => IfmLab & {
  $props: Omit<HTMLAttributes, keyof Attributes> & Attributes & PublicProps;
  $emit: EmitFn<{ [Name in keyof IfmLabEventMap]: (event: IfmLabEventMap[Name]) => void }>;
};

declare module "vue" {
  interface GlobalComponents {
    "ifm-lab": IfmLabComponent;
  }
}
