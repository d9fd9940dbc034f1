import { html, nothing, type TemplateResult } from "lit";
import { number } from "../text/format.js";
import { plain, quantity, say, type Phrase } from "../text/phrase.js";
import { short } from "../text/strings.js";
import type { Model } from "../training/series.js";
import type { Run, Training } from "../training/training.js";
import { sentence } from "./panel.js";
import { problem } from "./problem.js";

interface Words {
  readonly phrase: Phrase;
  readonly note: string;
  readonly live: string;
  readonly write?: (text: string) => TemplateResult | string; // how the sentence is shown, where its words open
}

/** Each model's test error in large figures, and one sentence once the run is over. Models have a place until they come. */
export function verdictPanel(run: Run, { lines, phase, error }: Pick<Training, "lines" | "phase" | "error">, models: readonly Model[], { phrase, note, live, write }: Words): TemplateResult {
  const all = phase === "done" || phase === "failed" ? lines.map((line) => line.model) : models;
  const spoken = (phase === "done" || phase === "stopped") && plain(phrase) !== "";
  const row = (model: Model): TemplateResult => {
    const line = lines.find((one) => one.model === model);
    const value = line && (line.done ? line.kept : (line.error.at(-1) ?? Number.NaN));
    return value === undefined
      ? html`<div class="blank" aria-hidden="true"><dt>${short[model]}</dt><dd><b class="num">0</b></dd></div>`
      : html`<div class=${model}><dt>${short[model]}</dt><dd>${sentence(say`${quantity(model, value, number(value))}`)}</dd></div>`;
  };
  return html`<ifm-verdict>
    <div class="verdict" data-phase=${phase}>
      <dl class="stand">${all.map(row)}</dl>
      <p class="says" role="status" data-verdict=${run}>${spoken ? sentence(phrase, write) : nothing}</p>
      ${error ? html`<p class="error" role="alert">${problem(error)}</p>` : nothing}
      ${live ? html`<p class="live">${live}</p>` : nothing}
      <p class="note">${note}</p>
    </div>
  </ifm-verdict>`;
}
