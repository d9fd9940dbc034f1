// The button that flips the sign of the truth, and where it stands.
import { html, type TemplateResult } from "lit";
import type { Spec } from "../state/spec.js";
import { drawn } from "../state/strings.js";
import { figure as strings } from "./strings.js";
import { worded } from "./term.js";

type Scenario = Spec["scenario"];

const SCENARIOS: readonly Scenario[] = ["psd", "flipped", "mixed"];

/** While it is staged the sign flips by itself; flipped says that it has. */
export function signs(now: Scenario, staged: boolean, flipped: boolean, choose: (scenario: Scenario) => void): TemplateResult {
  return html`<div class="switch">
    <button class="main flip" ?disabled=${staged} @click=${() => choose(now === "flipped" ? "psd" : "flipped")}><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M5 2 1.5 5.5 5 9V6.5h6v-2H5zm6 5v2.5H5v2h6V14l3.5-3.5z" /></svg><span>${staged ? strings.staged : strings.flip}</span></button>
    <div class="options" role="radiogroup" aria-label=${strings.switch}>
      ${SCENARIOS.map(
        (scenario) => html`<label class=${scenario}>
          <input type="radio" name="scenario" value=${scenario} .checked=${scenario === now} @change=${() => choose(scenario)} />
          <span class="face"><b>${drawn.scenario[scenario]}</b> <span class="formula">${drawn.formula[scenario]}</span><span class="sign">${strings.sign[scenario]}</span></span>
        </label>`,
      )}
    </div>
    <p class="note">${worded(strings.signs)}</p>
    <p class="seen-not" role="status">${flipped ? strings.flipped : ""}</p>
  </div>`;
}
