// What stands in the place of a study's findings until they are there.
import { html, nothing, type TemplateResult } from "lit";
import { problem } from "../../panel/problem.js";
import type { Studied } from "../../training/study.js";

interface Words {
  readonly soon: string;
  readonly stop: string;
  readonly stopHelp: string;
  readonly stopped: string;
  readonly begin: string;
  offered(seconds: number): string;
  failed(reason: string): string;
}

/** How far it is, in words and in numbers. */
interface Progress {
  readonly says: string;
  readonly step: number;
  readonly steps: number;
}

/** The progress of a study with a button that stops it, or why it does not go on with one that begins it; over: the run is, and nothing will begin by itself. */
export function pending({ state, error, seconds }: Studied<unknown>, words: Words, { says, step, steps }: Progress, over: boolean, go: (go: boolean) => void): TemplateResult | typeof nothing {
  switch (state) {
    case "going":
      return html`<p class="acts"><progress aria-label=${says} max=${Math.max(1, steps)} value=${step}></progress> <button title=${words.stopHelp} @click=${() => go(false)}>${words.stop}</button></p>
        <p class="first note">${says}</p>`;
    case "failed":
      return html`<p class="first">${error ? words.failed(problem(error)) : ""}</p>`;
    case "offered":
    case "stopped":
      return html`<p class="first">${state === "offered" ? words.offered(seconds) : words.stopped}</p>
        <p class="acts"><button @click=${() => go(true)}>${words.begin}</button></p>`;
    case "idle":
    case "done":
      return over ? nothing : html`<p class="first note">${words.soon}</p>`;
  }
}
