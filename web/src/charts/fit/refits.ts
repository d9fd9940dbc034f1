import { html, nothing, type TemplateResult } from "lit";
import type { Refits } from "../../engine/protocol.js";
import { heads, Panel } from "../../panel/panel.js";
import { problem } from "../../panel/problem.js";
import type { Model } from "../../training/series.js";
import type { Studied } from "../../training/study.js";
import { reached, told } from "./reach.js";
import { refits as strings } from "./strings.js";

/** What a model makes of pairs of columns, beside what its refits make of them and what permuted rows reach. */
class RefitPairs extends Panel {
  static override properties = { study: { attribute: false }, model: {}, rank: { type: Number }, phase: {} };

  declare study: Studied<Refits>;
  declare model: Model;
  declare rank: number; // of what leads; NaN: not known
  declare phase: "before" | "done" | "over"; // over: what is not there never will be

  private asked = false; // by the reader, who sees the list then: by itself it would move what stands below

  constructor() {
    super();
    this.model = "ifm";
    this.rank = Number.NaN;
    this.phase = "before";
  }

  protected override willUpdate(): void {
    if (this.study.state === "idle") this.asked = false; // of another run
  }

  protected override render(): TemplateResult {
    const [found] = this.study.answers.values();
    return html`<section class="pairs refits" aria-labelledby="refits" data-refits=${this.study.state}>
      <h4 id="refits">${strings.title(this.model)}</h4>
      ${this.study.state === "done" && found ? this.found(found) : this.waiting(found)}
    </section>`;
  }

  private waiting(found: Refits | undefined): TemplateResult | typeof nothing {
    const { state, error, seconds } = this.study;
    switch (state) {
      case "going":
        return html`<label class="first" for="refitting">${strings.stages[found?.stage ?? "training"](found?.step ?? 0, found?.steps ?? 0, this.model)}</label>
          <p class="acts"><progress id="refitting" max=${Math.max(1, found?.steps ?? 1)} value=${found?.step ?? 0}></progress> <button title=${strings.stopHelp} @click=${() => this.go(false)}>${strings.stop}</button></p>`;
      case "failed":
        return html`<p class="first">${error ? strings.failed(problem(error)) : ""}</p>`;
      case "offered":
      case "stopped":
        return html`<p class="first">${state === "offered" ? strings.offered(this.model, seconds) : strings.stopped}</p>
          <p class="acts"><button @click=${() => this.go(true)}>${strings.refit(this.model)}</button></p>`;
      default:
        return this.phase === "over" ? nothing : html`<p class="first note">${this.phase === "before" ? strings.soon : this.rank === 0 ? strings.ridge(this.model) : strings.wide}</p>`;
    }
  }

  private go(go: boolean): void {
    this.asked = go;
    this.tell("ifm-study", { what: "refits", go });
  }

  private found(all: Refits): TemplateResult {
    const names = strings.columns;
    const rows = told(all);
    const list = html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.list(all.model)}>
      <table class="numbers">
        ${heads([names.pair, names.share, names.range, names.above(all.threshold)])}
        <tbody>
          ${rows.map(({ name, share, range, above, pair }) => html`<tr data-pair=${name} data-share=${pair.share} data-above=${pair.above}>
            <th scope="row">${name}</th>
            <td>${share}</td>
            <td>${range}</td>
            <td>${above}</td>
          </tr>`)}
        </tbody>
      </table>
    </div>`;
    return html`<p class="first" role="status" data-reached=${all.above}>${reached(all)}</p>
      ${rows.length > 0
        ? html`<details class="under" ?open=${this.asked}>
            <summary>${strings.list(all.model)}</summary>
            ${list}
            <p class="note">${strings.about(all.model, all.resamples, all.permutations)}</p>
          </details>`
        : nothing}`;
  }
}

customElements.define("ifm-refits", RefitPairs);
