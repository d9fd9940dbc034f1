import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { NamedPair, Pairs } from "../../engine/protocol.js";
import { heads, Panel } from "../../panel/panel.js";
import { problem } from "../../panel/problem.js";
import { percent } from "../../text/format.js";
import type { Studied } from "../../training/study.js";
import { effect } from "./effect.js";
import { pairs as strings } from "./strings.js";

/** The pairs of columns that a test names, each with its share of variance, and the effect of one of them. */
class NamedPairs extends Panel {
  @property({ attribute: false }) accessor study!: Studied<Pairs>;
  @property() accessor target = "";
  @property({ type: Boolean }) accessor over = false; // the run is: what is not begun never will be
  @state() private accessor chosen = ""; // by the reader; "": the first

  protected override render(): TemplateResult {
    const found = this.study.answers.get(0);
    return html`<section class="pairs" aria-labelledby="pairs" data-pairs=${this.study.state}>
      <h4 id="pairs">${strings.title}</h4>
      ${this.study.state === "done" && found ? this.found(found) : this.waiting(found)}
    </section>`;
  }

  private waiting(found: Pairs | undefined): TemplateResult | typeof nothing {
    const { state, error } = this.study;
    switch (state) {
      case "going":
        return html`<label class="first" for="testing">${strings.going(strings.stages[found?.stage ?? "columns"], found?.found ?? 0)}</label>
          <p class="acts"><progress id="testing" max=${Math.max(1, found?.steps ?? 1)} value=${found?.step ?? 0}></progress> <button title=${strings.stopHelp} @click=${() => this.go(false)}>${strings.stop}</button></p>`;
      case "failed":
        return html`<p class="first">${error ? strings.failed(problem(error)) : ""}</p>`;
      case "offered":
      case "stopped":
        return html`<p class="first">${state === "offered" ? strings.offered(this.study.seconds) : strings.stopped}</p>
          <p class="acts"><button @click=${() => this.go(true)}>${strings.test}</button></p>`;
      default:
        return this.over ? nothing : html`<p class="first note">${strings.soon}</p>`;
    }
  }

  private go(go: boolean): void {
    this.tell("ifm-study", { what: "pairs", go });
  }

  private found(all: Pairs): TemplateResult {
    const { named, tested, pairs, trained, alpha, full } = all;
    const chosen = named.find((pair) => this.name(all, pair) === this.chosen) ?? named[0];
    const untested = this.untested(all);
    return html`<p class="first" role="status" data-named=${named.length}>${strings.ended(named.length, tested, pairs)}</p>
      ${named.length > 0 ? this.list(all, chosen) : nothing} ${chosen ? effect(chosen, all.names, all.few, this.target) : nothing}
      <p class="note">${tested === 0 ? nothing : strings.about(trained, alpha)} ${full ? strings.full : nothing} ${untested.length > 0 ? html`<span data-untested>${strings.untested(untested)}</span>` : nothing}</p>`;
  }

  private list(all: Pairs, chosen: NamedPair | undefined): TemplateResult {
    const names = strings.columns;
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.list}>
      <table class="numbers">
        ${heads([names.pair, names.share, names.interval, names.p])}
        <tbody>
          ${all.named.map((pair) => {
            const name = this.name(all, pair);
            return html`<tr data-pair=${name} data-share=${pair.share} data-p=${pair.p}>
              <th scope="row"><button aria-pressed=${String(pair === chosen)} title=${name} @click=${() => (this.chosen = name)}>${name}</button></th>
              <td>${percent(pair.share)}</td>
              <td>${strings.interval(pair.low, pair.high)}</td>
              <td>${strings.p(pair.p)}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
  }

  private name({ names }: Pairs, { first, second }: { readonly first: number; readonly second: number }): string {
    return strings.name(names[first] ?? "", names[second] ?? "");
  }

  /** What was not tested, with its reasons. */
  private untested(all: Pairs): string[] {
    const reasons = [...new Set(all.skipped.map(({ why }) => why))];
    const out = [...all.out].map((column) => all.names[column] ?? "");
    return [...reasons.map((why) => strings.why[why](all.skipped.filter((pair) => pair.why === why).map((pair) => this.name(all, pair)))), ...(out.length > 0 ? [strings.out(out)] : [])];
  }
}

customElements.define("ifm-pairs", NamedPairs);
