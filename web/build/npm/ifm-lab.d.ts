{{types}}{{details}}/** The element's events; all of them bubble. */
export interface IfmLabEventMap {
{{events}}}

export type Chapter = {{chapters}};

/** What can be set of an element; null or undefined takes it away. A list may be a text, with commas. */
export interface Attributes {
{{attributes}}  /** A chapter's own setting: "psd.d". */
  [own: `${Chapter}.${string}`]: unknown;
}

/** <ifm-lab>: the lab in a page. Every property reflects the attribute of its name, and is null where there is none. */
export class IfmLab extends HTMLElement {
  /** Where the lab is of an element that has no src; "" until you say so. */
  static home: string;
{{accessors}}  /** All records of the run that is shown, or was last. */
  get records(): readonly Iteration[];
  /** What was not used of the settings as it stood. */
  get notices(): readonly Notice[];
{{methods}}  addEventListener<Name extends keyof IfmLabEventMap>(type: Name, listener: (this: IfmLab, event: IfmLabEventMap[Name]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener<Name extends keyof HTMLElementEventMap>(type: Name, listener: (this: IfmLab, event: HTMLElementEventMap[Name]) => unknown, options?: boolean | AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<Name extends keyof IfmLabEventMap>(type: Name, listener: (this: IfmLab, event: IfmLabEventMap[Name]) => unknown, options?: boolean | EventListenerOptions): void;
  removeEventListener<Name extends keyof HTMLElementEventMap>(type: Name, listener: (this: IfmLab, event: HTMLElementEventMap[Name]) => unknown, options?: boolean | EventListenerOptions): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "ifm-lab": IfmLab;
  }
}
