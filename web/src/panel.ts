// What every panel shares. Panels render into the page itself, not into shadow
// roots: one style sheet, one tree for screen readers, find-in-page and tests.
import { LitElement, html, type PropertyDeclarations, type TemplateResult } from "lit";
import { after, during } from "./engine/pending.js";
import type { About, Savable, Sheet } from "./export/sheet.js";
import { plain, type Phrase } from "./phrase.js";
import type * as plot from "./plot.js";
import type { Piece } from "./share/piece.js";
import type { Notice, Spec } from "./spec.js";
import { charts } from "./strings.js";
import type { Chapter, View } from "./view.js";

/** What panels tell app.ts, by the event's name. */
export interface Events {
  "ifm-spec": Partial<Spec>;
  "ifm-open": Spec; // a run to show in the figure
  "ifm-walk": string; // the query of a run to show in the section for tables
  "ifm-view": Partial<View>;
  "ifm-part": { readonly chapter: Chapter; readonly query: string; readonly notices: readonly Notice[] }; // a chapter's own settings
  "ifm-run": { readonly run: "figure" | "table"; readonly command: "play" | "pause" | "step" | "again" | "stop" };
  "ifm-file": File;
  "ifm-sample": string;
  "ifm-cancel": null;
  "ifm-look": boolean; // whether the figure's predictions are looked at
  "ifm-model": null; // closes the saved one
  "ifm-share": Piece;
}

export abstract class Panel extends LitElement {
  protected override createRenderRoot(): this {
    return this;
  }

  /** How the numbers in it were made, for what is saved of them: in the words of the nearest panel around it that has any. */
  get about(): About | undefined {
    let around = this.parentElement;
    while (around && !(around instanceof Panel)) around = around.parentElement;
    return around?.about;
  }

  protected tell<Name extends keyof Events>(name: Name, detail: Events[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

/** A panel with a picture. It is drawn in a task of its own, so that several of them never hold up the reader together. */
export abstract class Chart extends Panel implements Savable {
  private due = false;

  private saves = false; // what defines ifm-save was asked for

  /** All that a file of it is made of; null while there is nothing to see. */
  abstract sheet(): Sheet | null;

  protected abstract draw(): void;

  /** What stands where there is no picture: nothing, or that it cannot be drawn. All else works without it. */
  protected instead = "";

  protected lost = (): void => {
    this.instead = charts.lost;
    this.drawSoon();
  };

  protected drawSoon(): void {
    if (this.due) return;
    this.due = true;
    after(0, () => {
      this.due = false;
      this.draw();
      if (this.saves || !this.sheet()) return;
      this.saves = true; // there is something to save
      during(import("./export/save.js")).catch(() => undefined); // then nothing can be
    });
  }
}

/** A chart that Plot draws, as wide as its .frame, with its data in a table that opens. */
export abstract class Plotted extends Chart {
  static override properties: PropertyDeclarations = { plot: { state: true }, width: { state: true }, open: { state: true } };

  protected declare plot: typeof plot | null; // null: still on its way
  protected declare width: number;
  protected declare open: boolean; // the table is

  private observer: ResizeObserver | undefined;

  constructor() {
    super();
    this.plot = null;
    this.width = 0;
    this.open = false;
    void painted()
      .then(() => during(import("./plot.js")))
      .then((plot) => (this.plot = plot))
      .catch(this.lost);
  }

  /** The drawing of what there is now. */
  protected picture(): SVGSVGElement | null {
    this.draw();
    return this.querySelector<SVGSVGElement>(".plot > svg");
  }

  protected override firstUpdated(): void {
    const frame = this.querySelector(".frame");
    if (frame) this.observer = observeWidth(frame, (width) => (this.width = width));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer?.disconnect();
  }
}

/** A sentence whose numbers stand out and can be read by a program: data-of, data-value. */
export function sentence(phrase: Phrase): TemplateResult {
  return html`${phrase.map((piece) => (typeof piece === "string" ? piece : html`<b class="num ${piece.whose}" data-of=${piece.whose} data-value=${piece.value}>${piece.text}</b>`))}`;
}

/** Whether the reader has nothing to point with: a finger touches and cannot drop. */
export function touches(): boolean {
  return matchMedia("(hover: none)").matches;
}

export { plain };

/** Resolves once what is on the page has been seen, or cannot be: what the first sight does not need can be loaded then. */
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

/** Calls back with the width of an element, at once and whenever it changes. */
export function observeWidth(element: Element, callback: (width: number) => void): ResizeObserver {
  let last = -1;
  const observer = new ResizeObserver(([entry]) => {
    const width = Math.round(entry?.contentRect.width ?? 0);
    if (width > 0 && width !== last) {
      last = width;
      callback(width);
    }
  });
  observer.observe(element);
  return observer;
}
