// The way in: a file, pasted rows, a saved model or a built-in table.
import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { during } from "../engine/pending.js";
import { awaited, type Loaded } from "../file/loaded.js";
import { builtIn } from "../file/strings.js";
import { keeping } from "../model/strings.js";
import { tables } from "../packed/kinds.js";
import { choose, chooser, type Chosen } from "../panel/choice.js";
import { bequeath } from "../panel/heir.js";
import { Panel, prop, touches } from "../panel/panel.js";
import { problem } from "../panel/problem.js";
import { choices, files } from "../panel/strings.js";
import type { Spec } from "../state/spec.js";
import { samples, type Sample, type View } from "../state/view.js";
import { door as strings } from "./strings.js";

class Door extends Panel {
  @prop accessor spec!: Spec;
  @prop accessor view!: View;
  @prop accessor loaded!: Loaded;
  @property({ type: Boolean }) accessor small = false; // beside an open table
  @state() private accessor pasting = false;

  constructor() {
    super();
    bequeath(this, "ifm-door input");
  }

  private readonly take = (file: File): void => this.tell("ifm-file", file);

  protected override render(): TemplateResult {
    const { loaded, spec, view, small } = this;
    const { reading } = loaded;
    return html`<div class="door ${small ? "small" : ""}">
      ${reading
        ? html`<div class="zone reading">
            <label for="reading">${files.reading(reading.name, reading.loaded, reading.total)}</label>
            <progress id="reading" max=${Math.max(1, reading.total)} value=${reading.loaded < reading.total ? reading.loaded : nothing}></progress>
            <button @click=${() => this.tell("ifm-cancel", null)}>${files.cancel}</button>
          </div>`
        : html`<div class="zone">
            ${awaited(spec, view, loaded) ? html`<p class="asks">${strings.asks(spec.target)}</p>` : nothing}
            ${small ? nothing : html`<svg class="sheet" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 2h8l4 4v16H6zM14 2v4h4" /></svg><p class="lead">${strings.drop(touches())}</p>`}
            <p class="ways">
              ${chooser(strings.browse, tables, this.take, "table", "primary")}
              <button aria-expanded=${String(this.pasting)} @click=${this.turn}>${strings.paste}</button>
              ${chooser(keeping.open, ".json,.libfm,.model,.txt,application/json", this.take, "model", "bare")}
            </p>
            ${this.pasting ? this.rows() : nothing}
            <p class="note">${strings.kinds}</p>
          </div>`}
      <div class="samples">
        <h2>${strings.samples}</h2>
        ${samples.map((name) => this.sample(name))}
        ${small ? nothing : html`<p class="note">${strings.level} <a href="?chapter=data">${strings.why}</a></p>`}
      </div>
    </div>`;
  }

  private sample(name: Sample): TemplateResult {
    const { loaded, view } = this;
    return html`<button data-sample=${name} aria-pressed=${String(view.sample === name && loaded.table !== null)} ?disabled=${loaded.reading !== null} @click=${() => this.tell("ifm-sample", name)}>
      <span><b>${builtIn.sample[name]}</b> <small>${builtIn.sampleOf[name]}</small></span> <small>${builtIn.sampleSize[name]}</small>
    </button>`;
  }

  private readonly turn = (): void => {
    this.pasting = !this.pasting;
    if (this.pasting) void this.updateComplete.then(() => this.querySelector("textarea")?.focus());
  };

  private rows(): TemplateResult {
    return html`<div class="pasting">
      <label for="pasted">${strings.pasted}</label>
      <textarea id="pasted" rows="5" spellcheck="false"></textarea>
      <button @click=${this.submit}>${strings.take}</button>
    </div>`;
  }

  private readonly submit = (): void => {
    const file = pastedFile(this.querySelector("textarea")?.value ?? "");
    if (!file) return;
    this.pasting = false;
    this.take(file);
  };
}

customElements.define("ifm-door", Door);

/** Rows that are pasted are a file; null without any. */
export function pastedFile(rows: string): File | null {
  return rows.trim() === "" ? null : new File([rows], "pasted.csv", { type: "text/csv" });
}

/** A model file that is taken as it is now, though it was changed since it was saved. */
async function withoutDigest(file: File): Promise<File> {
  return new File([(await file.text()).replace(/,\s*"digest":\s*"[^"]*"/, "")], file.name, { type: file.type });
}

/** Why the last file could not be used, beside the door. */
export function refused({ failed, table }: Loaded, take: (change: Chosen) => void, open: (file: File) => void): TemplateResult | typeof nothing {
  if (!failed) return nothing;
  const { name, error, file } = failed;
  const { choice } = error;
  const says = problem(error);
  return html`<div class=${choice ? "question" : "error"} id="file-error" tabindex="-1" role="alert" data-error="file">
    <p>${choice ? html`<b>${choices.none[choice.key]}</b> ` : nothing}${says.includes(name) ? nothing : html`<b>${name}:</b> `}${strings.refused(says)} ${table ? strings.kept(table.name) : nothing}</p>
    ${choice ? choose(choice, take) : nothing}
    ${file && error.kind === "DigestError" ? html`<button @click=${async () => open(await during(withoutDigest(file)))}>${strings.edited}</button>` : nothing}
  </div>`;
}
