import { html, nothing, type TemplateResult } from "lit";
import { address, home } from "../state/site.js";
import { page } from "./strings.js";

/** Links lead to target. save is called for the offline file, and saved says what came of it. */
export function footer(target: string | typeof nothing, save: (event: Event) => void, saved: string): TemplateResult {
  const strings = page.footer;
  return html`<footer>
    <p>${strings.live}</p>
    <p>${strings.paper}</p>
    ${home() ? html`<p><a href=${new URL("embeds.html", home()).href} target=${target}>${strings.embeds}</a></p>` : nothing}
    <p><a href=${address("licenses.txt").href} target=${target}>${strings.licenses}</a></p>
    <p><a href="offline.html" download @click=${save}>${strings.offline}</a> <span role="status">${saved}</span></p>
  </footer>`;
}
