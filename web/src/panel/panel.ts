// What every panel shares. Panels render into the page itself, not into shadow
// roots: one style sheet, one tree for screen readers, find-in-page and tests.
import { html, LitElement, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { during } from "../engine/pending.js";
import type { Phrase } from "../text/phrase.js";
import type { About } from "./about.js";
import type { Events } from "./events.js";

/** Declares a property that is set by the panel around, and by no attribute. */
export const prop = property({ attribute: false });

export abstract class Panel extends LitElement {
  protected override createRenderRoot(): this {
    return this;
  }

  /** How the numbers in it were made: what the nearest panel around it says. */
  get about(): About | undefined {
    let around = this.parentElement;
    while (around && !(around instanceof Panel)) around = around.parentElement;
    return around?.about;
  }

  protected tell<Name extends keyof Events>(name: Name, detail: Events[Name]): void {
    tell(this, name, detail);
  }
}

export function tell<Name extends keyof Events>(from: EventTarget | null, name: Name, detail: Events[Name]): void {
  from?.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
}

/** A sentence whose numbers a program can read: data-of, data-value. */
export function sentence(phrase: Phrase): TemplateResult {
  return html`${phrase.map((piece) => (typeof piece === "string" ? piece : html`<b class="num ${piece.whose}" data-of=${piece.whose} data-value=${piece.value}>${piece.text}</b>`))}`;
}

export function heads(names: readonly string[]): TemplateResult {
  return html`<thead>
    <tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr>
  </thead>`;
}

/** A table that scrolls sideways by itself where it is wider than the page. */
export function scrolling(label: string, table: TemplateResult | typeof nothing): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>${table}</div>`;
}

/** A table of numbers under its caption, which scrolls sideways. kind is a class of the table, note stands below it. */
export function table(caption: string, columns: readonly string[], rows: readonly TemplateResult[], { kind = "", note = nothing }: { readonly kind?: string; readonly note?: TemplateResult | typeof nothing } = {}): TemplateResult {
  return scrolling(
    caption,
    html`<table class="numbers ${kind}">
        <caption>${caption}</caption>
        ${heads(columns)}
        <tbody>
          ${rows}
        </tbody>
      </table>
      ${note}`,
  );
}

/** Whether this is a frame in a page whose reader has not come to it yet. */
export function isGuest(): boolean {
  return parent !== window && !navigator.userActivation?.hasBeenActive;
}

/** Whether the reader has only fingers, which cannot drop. */
export function touches(): boolean {
  return matchMedia("(hover: none)").matches;
}

/** Resolves once what is on the page has been painted, or cannot be. */
export function painted(): Promise<void> {
  return during(
    new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(resolve));
      setTimeout(resolve, 1000); // nothing is painted in a tab behind others
    }),
  );
}

/** Resolves once an element has been on the screen, or within a margin around it. */
export function seen(element: Element, margin = "0px"): Promise<void> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        resolve(painted());
      },
      { rootMargin: margin },
    );
    observer.observe(element);
  });
}

/** Calls back with the size of an element in whole px, at once and whenever it changes; not while it is not shown. */
export function observeSize(element: Element, callback: (width: number, height: number) => void): ResizeObserver {
  let [wide, high] = [0, 0];
  const observer = new ResizeObserver(([entry]) => {
    const [width, height] = [Math.round(entry?.contentRect.width ?? 0), Math.round(entry?.contentRect.height ?? 0)];
    if (width === 0 || (width === wide && height === high)) return;
    [wide, high] = [width, height];
    callback(width, height);
  });
  observer.observe(element);
  return observer;
}
