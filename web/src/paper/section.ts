import { html, type TemplateResult } from "lit";
import { Panel } from "../panel.js";
import type { Pool } from "../pool.js";
import type { View } from "../view.js";
import "./algorithm.js";
import "./figure1.js";
import "./lines.js";
import "./moments.js";
import "./samples.js";
import { section as strings } from "./strings.js";

/** The paper's experiments, loaded when they come near the screen. */
class Paper extends Panel {
  static override properties = { pool: { attribute: false }, view: { attribute: false } };

  declare pool: Pool;
  declare view: View;

  protected override render(): TemplateResult {
    const { pool, view } = this;
    return html`
      <h2>${strings.title}</h2>
      <p class="lead">${strings.lead}</p>
      <p class="note words">${strings.words}</p>
      <ifm-figure1 id="figure-1" .pool=${pool} .view=${view}></ifm-figure1>
      <ifm-algorithm id="algorithm-1" .pool=${pool} .view=${view}></ifm-algorithm>
      <ifm-moments id="moments" .pool=${pool} .view=${view}></ifm-moments>
      <ifm-samples id="samples" .pool=${pool} .view=${view}></ifm-samples>
    `;
  }
}

customElements.define("ifm-paper", Paper);
