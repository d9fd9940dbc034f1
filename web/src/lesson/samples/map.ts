// The map of a sweep: in how many trials the truth was found, a cell a point.
import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Savable, Sheet } from "../../charts/sheet.js";
import type { Point } from "../../engine/protocol.js";
import { heads, Panel } from "../../panel/panel.js";
import { titles } from "../../state/chapters.gen.js";
import { parse } from "../../state/spec.js";
import { isFrame, writeLink, type View } from "../../state/view.js";
import { cell, count } from "../../text/format.js";
import { counted } from "../../text/strings.js";
import { pointAt } from "../chapter/points.js";

const words = {
  data: { n: "n ÷ dk", over: "runs", found: "found" },
};

/** The trials at a point. */
export interface Cell {
  readonly point: Point;
  readonly over: number; // came to an end
  readonly valid: number; // of them, those that found the truth or missed it
  readonly successes: number;
}

export interface Grid {
  readonly caption: string;
  readonly along: "k" | "tau"; // upright
  readonly rows: readonly number[]; // ranks or τ, rising
  readonly ratios: readonly number[]; // n ÷ dk, rising
  readonly trials: number;
  readonly cells: readonly Cell[]; // in the order of the sweep's points; none before a run
}

/** A row of the map in a sentence. */
export function rowName({ along }: Pick<Grid, "along">, row: number): string {
  return `${{ k: "k", tau: "τ" }[along]} = ${cell(row)}`;
}

export function cellAt({ along, cells }: Pick<Grid, "along" | "cells">, row: number, ratio: number): Cell | undefined {
  return cells[pointAt(cells.map(({ point }) => point), ratio, along, row)];
}

class SuccessMap extends Panel implements Savable {
  @property({ attribute: false }) accessor grid!: Grid;
  @property({ attribute: false }) accessor view!: View; // the links of the cells keep it
  @property() accessor says = ""; // what the run says, in words

  protected override render(): TemplateResult {
    const { caption, along, rows, ratios, trials } = this.grid;
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${caption}>
        <table class="phase" style="--columns:${ratios.length};--least:${trials < 10 ? 2.2 : 3.2}rem">
          <caption>${caption}</caption>
          ${heads([`${{ k: "k", tau: "τ" }[along]} ↑ n ÷ dk →`, ...ratios.map(cell)])}
          <tbody>
            ${[...rows].reverse().map((row) => html`<tr><th scope="row">${cell(row)}</th>${ratios.map((ratio) => this.cell(row, ratio))}</tr>`)}
          </tbody>
        </table>
      </div>
      <ifm-save .of=${this} heading=${titles.samples}></ifm-save>`;
  }

  /** How many of the trials found the truth, and a link to that run; "–" where all failed otherwise. */
  private cell(row: number, ratio: number): TemplateResult {
    const found = cellAt(this.grid, row, ratio);
    if (!found?.valid) return html`<td class="none" data-cell="${row} ${ratio}">${found?.over ? "–" : "·"}</td>`;
    const { point: { query, n, clipped }, valid, successes } = found;
    const name = `${rowName(this.grid, row)}, n = ${cell(ratio)} dk`;
    const link = writeLink(parse(query).spec, { ...this.view, sample: "none", chapter: "none", embed: "0" });
    return html`<td data-cell="${row} ${ratio}" data-found=${successes} data-over=${valid} style="--share:${((100 * successes) / valid).toFixed(0)}%">
      <a href="${location.pathname}${link}#figure" target=${isFrame(this.view) ? "_blank" : nothing} aria-label=${`${clipped ? `${name}, clipped at ${counted(n, "row")}` : name}: found in ${count(successes)} of ${counted(valid, "trial")}; open this run in the figure`} @click=${(event: MouseEvent) => this.open(event, query)}>${successes}/${valid}${clipped ? "*" : ""}</a>
    </td>`;
  }

  /** Opens a run in the figure, unless the reader asks for a tab of its own or the chapter stands alone in a frame. */
  private open(event: MouseEvent, query: string): void {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || isFrame(this.view)) return;
    event.preventDefault();
    this.tell("ifm-open", parse(query).spec);
  }

  sheet(): Sheet | null {
    const { caption, along, cells } = this.grid;
    const ended = cells.filter(({ valid }) => valid > 0);
    const picture = this.querySelector<HTMLTableElement>("table.phase");
    if (!picture || ended.length === 0) return null;
    return {
      what: "map",
      title: caption,
      described: `${caption}. ${this.says}`,
      notes: [],
      legend: [],
      columns: [
        { name: { k: "k", tau: "τ" }[along], values: ended.map(({ point }) => point[along]) },
        { name: words.data.n, values: ended.map(({ point }) => point.ratio) },
        { name: "n", values: ended.map(({ point }) => point.n) },
        { name: words.data.over, values: ended.map(({ valid }) => valid) },
        { name: words.data.found, values: ended.map(({ successes }) => successes) },
      ],
      picture,
    };
  }
}

customElements.define("ifm-success-map", SuccessMap);
