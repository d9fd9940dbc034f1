// What every chart shares.
import { html, nothing, type TemplateResult } from "lit";
import { after } from "../engine/pending.js";
import { Panel } from "../panel/panel.js";
import type { Savable, Sheet } from "./sheet.js";
import { lost } from "./strings.js";

/** A panel with a picture. It is drawn in a task of its own, so that several of them never hold up the reader together. */
export abstract class Chart extends Panel implements Savable {
  private open = false; // its table is
  protected due = false; // it is to be drawn anew
  private saves = false; // it has told that there is something to save

  /** All that a file of it is made of; null while there is nothing to see. */
  abstract sheet(): Sheet | null;

  protected abstract draw(): void;

  /** What stands where there is no picture: nothing, or that it cannot be drawn. All else works without it. */
  protected instead = "";

  protected lost = (is: boolean): void => {
    this.instead = is ? lost : "";
    this.drawSoon();
  };

  /** What saves it, and the table of its data once that is asked for. */
  protected saving(heading: string, data: string, table: () => TemplateResult | typeof nothing): TemplateResult {
    const turn = async (): Promise<void> => {
      this.open = !this.open;
      this.requestUpdate();
      await this.updateComplete;
      this.querySelector<HTMLElement>(this.open ? ".under .scroll" : ".save")?.focus();
    };
    return html`<ifm-save .of=${this} heading=${heading} data=${data} ?opened=${this.open} @table=${turn}></ifm-save>
      ${this.open ? html`<div class="under">${table()}</div>` : nothing}`;
  }

  protected drawSoon(): void {
    if (this.due) return;
    this.due = true;
    after(0, () => {
      this.due = false;
      this.draw();
      if (this.saves || !this.sheet()) return;
      this.saves = true;
      this.tell("ifm-savable", null);
    });
  }
}
