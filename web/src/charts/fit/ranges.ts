import { html, nothing, type TemplateResult } from "lit";
import type { Intervals } from "../../engine/protocol.js";
import { problem } from "../../panel/problem.js";
import type { Studied } from "../../training/study.js";
import type { Predictor } from "./rows.js";
import { ranges as strings } from "./strings.js";

interface Options {
  readonly study: Studied<Intervals>;
  readonly whose: Predictor;
  readonly split: "random" | "time" | "group"; // of the rows
  readonly over: boolean; // the run is: what is not begun never will be
  readonly go: (go: boolean) => void; // makes ranges, or stops
}

/** How many test rows lie within the prediction intervals of a model, or how far these are. */
export function ranges(options: Options): TemplateResult {
  return html`<section class="ranges" aria-label=${strings.title} data-ranges=${options.study.state}>${says(options)}</section>`;
}

function says({ study: { state, error, seconds, answers }, whose, split, over, go }: Options): TemplateResult | typeof nothing {
  const own = rangesOf(answers, whose);
  if (own) {
    const { covered, share, low, from, to, level, width, folds, rows } = own;
    return html`<p role="status" data-covered=${covered} data-rows=${low.length}>${strings.covers(covered, low.length, share, from, to, level, width)}</p>
      <p class="note">${folds > 0 ? strings.folds(rows, folds) : strings.later(rows)} ${strings.holds[split]}</p>`;
  }
  switch (state) {
    case "going": {
      const { stage = "training", step = 0, steps = 0, model = "ifm" }: Partial<Intervals> = [...answers.values()].find(({ done }) => !done) ?? [...answers.values()].at(-1) ?? {};
      return html`<p class="acts"><label for="ranging">${strings.stages[stage](step, steps, model)}</label> <progress id="ranging" max=${Math.max(1, steps)} value=${step}></progress> <button title=${strings.stopHelp} @click=${() => go(false)}>${strings.stop}</button></p>`;
    }
    case "failed":
      return html`<p>${error ? strings.failed(problem(error)) : ""}</p>`;
    case "offered":
    case "stopped":
      return html`<p class="acts"><span>${state === "offered" ? strings.offered(seconds) : strings.stopped}</span> <button @click=${() => go(true)}>${strings.make}</button></p>`;
    case "done":
      return html`<p class="note">${strings.ridge}</p>`;
    default:
      return over ? nothing : html`<p class="note">${strings.soon}</p>`;
  }
}

/** The intervals of a model, once they are there. */
export function rangesOf(answers: ReadonlyMap<number, Intervals>, whose: Predictor): Intervals | undefined {
  return [...answers.values()].find(({ done, model }) => done && model === whose);
}
