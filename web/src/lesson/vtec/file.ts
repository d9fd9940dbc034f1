import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { EngineFailure } from "../../engine/engine.js";
import { turn } from "../../engine/pending.js";
import type { OpenedSky, Pool } from "../../engine/pool.js";
import type { EngineError } from "../../engine/protocol.js";
import { Panel, touches } from "../../panel/panel.js";
import { facts, notices, places, problem } from "../../panel/problem.js";
import { bytes } from "../../text/format.js";
import { counted } from "../../text/strings.js";
import { inputs } from "./inputs.js";
import { encode, type Ionosphere } from "./settings.js";
import { vtecLabels as labels } from "./strings.js";

const words = {
  title: "Your own sky",
  lead: (touch: boolean) => `${touch ? "Choose" : "Drop"} an IONEX file (.i, .inx); a table of pierce points: time, sat, station, lat, lon, zenith, azimuth, tec; or line-of-sight TEC as Madrigal exports it, as CSV or text: ut1_unix, gps_site, sat_id, los_tec, azm, elm, gdlat, glon, and what else it has. Each may be packed by gzip. The buttons under the map write the first two, so you can see what they look like.`,
  asks: { maps: "This link is about IONEX maps. Choose that file to repeat the run.", points: "This link is about a table of pierce points or of line-of-sight TEC. Choose that file to repeat the run." },
  dropTitle: (touch: boolean) => (touch ? "Choose a file" : "Drop a file here"),
  browse: "Choose a file",
  private: "It stays in your browser: nothing is uploaded.",
  several: "More than one file was dropped; the first was taken.",
  reading: (name: string, loaded: number, total: number) => `Reading ${name}: ${bytes(loaded)} of ${bytes(total)}`,
  cancel: "Cancel",
  cancelled: (name: string) => `Reading ${name} was cancelled.`,
  unusable: "This file could not be used:",
  kept: (name: string) => `${name} is still in use.`,
  open: (name: string) => `${name} is still open; what it lacks stands below.`,
  replaced: (before: string, now: string) => `${now} has taken the place of ${before}.`,
  simulate: "Use the simulated sky",
  again: "Read it again",
  found: { maps: (name: string, size: string) => `${name}: IONEX maps, ${size}`, points: (name: string, size: string) => `${name}: pierce points, ${size}`, sight: (name: string, size: string) => `${name}: line-of-sight TEC, ${size}` },
  bad: (n: number) => `${counted(n, "line")} could not be read and ${n === 1 ? "is" : "are"} left out`,
  use: "What the experiment runs on",
  uses: { maps: "These maps", disturbed: "These maps, with simulated disturbances on top", points: "These pierce points", sight: "The change of this TEC", simulated: "The simulated sky" },
  place: "Where the net stands under your maps:",
  middle: "as the file says, or in the middle",
  close: "Put the file away",
};

/** What is done to the reader's file: another is read, or it is read otherwise, or another use is made of it. */
export interface Change {
  readonly opened?: OpenedSky | null;
  readonly settings: Partial<Ionosphere>;
}

/** What a table of pierce points may leave open: which stations are joined, too. */
const READING = ["unit", "mapping", "edge"] as const satisfies readonly (keyof Ionosphere)[];
const PLACE = ["latitude", "longitude"] as const satisfies readonly (keyof Ionosphere)[];

/** A reader's own sky: a file that stays in the browser, what was read of it, and what is done with it. */
class SkyFile extends Panel {
  @property({ attribute: false }) accessor pool!: Pool;
  @property({ attribute: false }) accessor settings!: Ionosphere;
  @property({ attribute: false }) accessor opened: OpenedSky | null = null;
  @property({ attribute: false }) accessor dropped: File | null = null; // elsewhere on the page
  @property({ attribute: false }) accessor stations: readonly string[] = []; // of the survey under these settings
  @property({ attribute: false }) accessor notices: readonly string[] = []; // of what was assumed beyond the file's
  @property({ attribute: false }) accessor trouble: EngineError | null = null; // why there is no experiment on it
  @state() private accessor reading: { readonly name: string; readonly loaded: number; readonly total: number } | null = null;
  @state() private accessor failed: { readonly file: File; readonly error: EngineError } | null = null;
  @state() private accessor note = "";

  private stop: AbortController | null = null;

  protected override updated(changed: PropertyValues): void {
    if (changed.has("dropped") && this.dropped) void this.read(this.dropped);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop?.abort();
  }

  protected override render(): TemplateResult {
    const { opened, reading, settings } = this;
    const wanted = settings.sky !== "simulated" && !opened;
    return html`<section class="own-sky" aria-labelledby="own-sky-title">
      <h4 id="own-sky-title" tabindex="-1">${words.title}</h4>
      <p class="about">${words.lead(touches())}</p>
      <div class="door small drops" @dragover=${this.over} @drop=${this.drop}>
        ${wanted ? html`<p class="asks">${words.asks[settings.sky === "points" ? "points" : "maps"]} <button data-simulated @click=${this.simulate}>${words.simulate}</button></p>` : nothing}
        ${reading
          ? html`<div class="reading">
              <label for="sky-reading">${words.reading(reading.name, reading.loaded, reading.total)}</label>
              <progress id="sky-reading" max=${Math.max(1, reading.total)} .value=${reading.loaded}></progress>
              <button @click=${() => this.stop?.abort()}>${words.cancel}</button>
            </div>`
          : html`<div class="drop">
              <p class="big">${words.dropTitle(touches())}</p>
              <p class="ways">
                <label class="button primary">
                  <input type="file" class="seen-not" data-file="sky" @change=${this.pick} />
                  <span>${words.browse}</span>
                </label>
                <span class="private">${words.private}</span>
              </p>
            </div>`}
        <p class="note" role="status">${this.note}</p>
      </div>
      ${this.failure()} ${opened ? this.found(opened) : nothing}
    </section>`;
  }

  private failure(): TemplateResult | typeof nothing {
    const { failed, opened } = this;
    if (!failed) return nothing;
    return html`<div class="error" role="alert" data-error="sky">
      <p class="what"><b>${words.unusable}</b> ${failed.file.name}</p>
      <p>${problem(failed.error)}</p>
      ${facts(failed.error)} ${opened ? html`<p>${this.runs ? words.kept(opened.sky.name) : words.open(opened.sky.name)}</p>` : nothing}
      <button data-again @click=${() => void this.read(failed.file)}>${words.again}</button>
    </div>`;
  }

  /** How a table of pierce points is to be read. */
  private readingInputs(): TemplateResult {
    return inputs(READING, this.settings, (key, value) => this.change({ [key]: value }), "sky-reading");
  }

  private found({ sky, file }: OpenedSky): TemplateResult {
    const { settings, stations } = this;
    const maps = sky.kind === "maps";
    const sight = sky.facts.some(([what]) => what === "arcs"); // of line-of-sight TEC
    return html`<div class="found" data-sky=${sky.name}>
      <h5 tabindex="-1">${words.found[sight ? "sight" : sky.kind](sky.name, bytes(file.size))}</h5>
      <dl class="facts">${sky.facts.map(([what, found]) => html`<div><dt>${what}</dt><dd>${found}</dd></div>`)}</dl>
      ${notices([...sky.notices, ...(settings.sky === "simulated" ? [] : this.notices)])} ${places(words.bad(sky.badCount), sky.bad, sky.badCount)}
      <fieldset class="uses">
        <legend>${words.use}</legend>
        ${(maps ? (["maps", "disturbed", "simulated"] as const) : (["points", "simulated"] as const)).map(
          (use) => html`<label class="check"><input type="radio" name="sky-use" value=${use} .checked=${settings.sky === use} @change=${() => this.change({ sky: use })} /> <span>${words.uses[sight && use === "points" ? "sight" : use]}</span></label>`,
        )}
      </fieldset>
      ${this.trouble && settings.sky !== "simulated" ? html`<div class="error" role="alert" data-error="survey"><p>${problem(this.trouble)}</p>${facts(this.trouble)}</div>` : nothing}
      ${maps
        ? settings.sky === "simulated"
          ? nothing
          : html`<p class="note">${words.place}</p>
              ${inputs(PLACE, settings, (key, value) => this.change({ [key]: value }), "sky-place")}`
        : html`${this.readingInputs()}
            <label class="pick">
              <span>${labels.keys["station"]}</span>
              <select data-key="station" @change=${(e: Event) => this.change({ station: (e.target as HTMLSelectElement).value })}>
                ${[...new Set(["", settings.station, ...stations])].map((name) => html`<option value=${name} .selected=${name === settings.station}>${name === "" ? words.middle : name}</option>`)}
              </select>
            </label>`}
      <button data-close @click=${this.close}>${words.close}</button>
    </div>`;
  }

  private readonly over = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  };

  /** As if it had been chosen, which the page learns of too. */
  private readonly drop = (event: DragEvent): void => {
    const input = this.querySelector<HTMLInputElement>("input[data-file]");
    const files = event.dataTransfer?.files;
    if (!files || files.length === 0) return;
    event.preventDefault();
    if (!input) return;
    this.note = files.length > 1 ? words.several : "";
    input.files = files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  };

  private readonly pick = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = ""; // so that the same file can be chosen again
    if (file) void this.read(file);
  };

  /** Reads a file while what was read before stays. */
  private async read(file: File, settings = this.settings): Promise<void> {
    this.stop?.abort();
    const stop = new AbortController();
    this.stop = stop;
    const current = (): boolean => this.stop === stop;
    Object.assign(this, { reading: { name: file.name, loaded: 0, total: file.size }, failed: null });
    try {
      const opened = await this.pool.openSky(file, encode(settings), (progress) => current() && (this.reading = { name: file.name, ...progress }), stop.signal);
      if (!current() || !this.isConnected) return this.pool.close(opened);
      const { kind } = opened.sky;
      const before = this.opened?.sky.name;
      const sky = kind === "points" ? "points" : settings.sky === "disturbed" ? "disturbed" : "maps";
      this.change({ sky }, opened);
      if (before !== undefined) this.note = words.replaced(before, opened.sky.name);
      await this.updateComplete;
      this.querySelector<HTMLElement>(".found h5")?.focus({ preventScroll: true });
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      if (!current()) return;
      if (reason.detail.kind === "Cancelled") this.note = words.cancelled(file.name);
      else this.failed = { file, error: reason.detail };
    } finally {
      if (current()) Object.assign(this, { reading: null, stop: null });
    }
  }

  /** The reader stays in this section, whose end is gone. */
  private readonly close = async (): Promise<void> => {
    this.failed = null;
    this.change({ sky: "simulated" }, null);
    await this.rest();
  };

  private readonly simulate = async (): Promise<void> => {
    this.failed = null;
    this.change({ sky: "simulated" });
    await this.rest();
  };

  /** The button is not there any more: its section has the focus instead. */
  private async rest(): Promise<void> {
    await turn(); // the chapter has drawn itself anew
    await this.updateComplete;
    const title = this.querySelector<HTMLElement>("h4");
    title?.focus({ preventScroll: true });
    title?.scrollIntoView({ block: "nearest" });
  }

  /** Whether there is an experiment on the file that is open. */
  private get runs(): boolean {
    return this.trouble === null;
  }

  /** Tells the chapter. */
  private change(settings: Partial<Ionosphere>, opened?: OpenedSky | null): void {
    this.note = "";
    const detail: Change = opened === undefined ? { settings } : { settings, opened };
    this.dispatchEvent(new CustomEvent<Change>("sky-change", { detail }));
  }
}

customElements.define("ifm-skyfile", SkyFile);
