// More than two classes: each has a score, and interactions that it is made of.
import { html, type TemplateResult } from "lit";
import { pick } from "../../panel/inputs.js";

/** What the interactions of one class are in. */
export function score(target: string, classes: readonly string[], shown: number): string {
  return `score of ${target} = ${classes[shown] ?? ""}`;
}

/** The choice of a class. */
export function choice(target: string, classes: readonly string[], shown: number, show: (shown: number) => void): TemplateResult {
  return html`<p>${pick(`Interactions for ${target}`, classes.map((_, i) => String(i)), String(shown), (i) => classes[Number(i)] ?? "", (i) => show(Number(i)), "class")}</p>`;
}
