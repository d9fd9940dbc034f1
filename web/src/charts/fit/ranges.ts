import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Intervals } from "../../engine/protocol.js";
import { Panel } from "../../panel/panel.js";
import { problem } from "../../panel/problem.js";
import type { Model } from "../../training/series.js";
import type { Studied } from "../../training/study.js";
import type { Predictor } from "./rows.js";
import { ranges as strings } from "./strings.js";

/** How many test rows lie within the prediction intervals of a model, or how far these are. */
class Ranges extends Panel {
  @property({ attribute: false }) accessor study!: Studied<Intervals>;
  @property() accessor whose: Predictor = "ifm";
  @property() accessor split: "random" | "time" | "group" = "random"; // of the rows
  @property({ type: Boolean }) accessor over = false; // the run is: what is not begun never will be

  protected override render(): TemplateResult {
    return html`<section class="ranges" aria-label=${strings.title} data-ranges=${this.study.state}>${this.says()}</section>`;
  }

  private says(): TemplateResult | typeof nothing {
    const { state, error, seconds, answers } = this.study;
    const own = rangesOf(answers, this.whose);
    if (own) return this.found(own);
    switch (state) {
      case "going": {
        const going = [...answers.values()].find(({ done }) => !done) ?? [...answers.values()].at(-1);
        return html`<p class="acts"><label for="ranging">${strings.stages[going?.stage ?? "training"](going?.step ?? 0, going?.steps ?? 0, going?.model ?? "ifm")}</label> <progress id="ranging" max=${Math.max(1, going?.steps ?? 1)} value=${going?.step ?? 0}></progress> <button title=${strings.stopHelp} @click=${() => this.go(false)}>${strings.stop}</button></p>`;
      }
      case "failed":
        return html`<p>${error ? strings.failed(problem(error)) : ""}</p>`;
      case "offered":
      case "stopped":
        return html`<p class="acts"><span>${state === "offered" ? strings.offered(seconds) : strings.stopped}</span> <button @click=${() => this.go(true)}>${strings.make}</button></p>`;
      case "done":
        return html`<p class="note">${strings.ridge}</p>`;
      default:
        return this.over ? nothing : html`<p class="note">${strings.soon}</p>`;
    }
  }

  private go(go: boolean): void {
    this.tell("ifm-study", { what: "intervals", go });
  }

  private found({ covered, share, low, from, to, level, width, folds, rows }: Intervals): TemplateResult {
    return html`<p role="status" data-covered=${covered} data-rows=${low.length}>${strings.covers(covered, low.length, share, from, to, level, width)}</p>
      <p class="note">${folds > 0 ? strings.folds(rows, folds) : strings.later(rows)} ${strings.holds[this.split]}</p>`;
  }
}

/** The intervals of a model, once they are there. */
export function rangesOf(answers: ReadonlyMap<number, Intervals>, whose: Predictor): Intervals | undefined {
  return [...answers.values()].find(({ done, model }: { readonly done: boolean; readonly model: Model }) => done && model === whose);
}

customElements.define("ifm-ranges", Ranges);
