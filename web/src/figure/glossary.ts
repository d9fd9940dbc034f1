import { html, type TemplateResult } from "lit";
import { Panel } from "../panel/panel.js";
import { words as strings } from "./glossary-strings.js";

/** What the words of the figure mean, for who knows linear regression. */
class Words extends Panel {
  protected override render(): TemplateResult {
    return html`<dl class="words">
      ${strings.all.map(([word, meaning]) => html`<div><dt>${word}</dt><dd>${meaning}</dd></div>`)}
    </dl>`;
  }
}

customElements.define("ifm-words", Words);
