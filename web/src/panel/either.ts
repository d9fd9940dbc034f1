// A choice between a few options that are all in sight.
import { html, type TemplateResult } from "lit";

/** Radio buttons; name tells them from others on the page. */
export function either<Option extends string>(name: string, label: string, options: Readonly<Record<Option, string>>, chosen: string, choose: (option: Option) => void): TemplateResult {
  return html`<fieldset class="switch either">
    <legend>${label}</legend>
    <div class="options">
      ${Object.entries<string>(options).map(
        ([option, text]) => html`<label>
          <input type="radio" name=${name} value=${option} .checked=${option === chosen} @change=${() => choose(option as Option)} />
          <span class="face"><b>${text}</b></span>
        </label>`,
      )}
    </div>
  </fieldset>`;
}
