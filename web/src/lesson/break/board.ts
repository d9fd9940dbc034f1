import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { after } from "../../engine/pending.js";
import type { Contest } from "../../engine/protocol.js";
import { Panel, seen } from "../../panel/panel.js";
import { problem } from "../../panel/problem.js";
import type { Contests } from "./contests.js";
import "./editor.js";
import type { Painted } from "./editor.js";
import { levels, reached, starts, type Level } from "./levels.js";
import { fitted } from "./map.js";
import { read, write, type Pairs } from "./pairs.js";
import "./stems.js";
import { board as strings, breaking, goals, score as scores, stems } from "./strings.js";

const REST = 700; // ms without a change before the score is read out
const MODELS = ["fm", "ifm"] as const;

/** The reader's matrix, its fits by FM and iFM, their score, and the levels. */
class Board extends Panel {
  @property({ attribute: false }) accessor contests!: Contests;
  @property({ attribute: false }) accessor change!: (key: "m", value: string) => void;
  @property({ attribute: false }) accessor initial!: string; // the matrix to start over with
  @property({ attribute: false }) accessor m!: string;
  @property({ attribute: false }) accessor seed!: number;
  @state() private accessor draft: Pairs | null = null; // while it is painted
  @state() private accessor near = false; // it has been on the screen, or nearly
  @state() private accessor spoken = ""; // read out

  private readonly reachedBefore = new Set<Level>();
  private contest: Contest | null = null; // that is shown
  private given = 0; // matrices drawn at random so far
  private resting: (() => void) | undefined;

  protected override firstUpdated(): void {
    void seen(this, "20% 0px").then(() => (this.near = true));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resting?.();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("contests")) this.contests.listener = () => this.requestUpdate();
    if (changed.has("m")) this.draft = null; // Undo, or another link
    if (this.near) void this.contests.fit(this.pairs);
    const { painted } = this.contests;
    if (painted && painted !== this.contest) this.take(painted);
  }

  /** Shows a contest, and reads it out once nothing has changed for a while. */
  private take(contest: Contest): void {
    this.contest = contest;
    if (this.draft === null) for (const level of levels) if (reached(level, contest)) this.reachedBefore.add(level);
    this.resting?.();
    this.resting = after(REST, () => {
      this.resting = undefined;
      const { score, fm, ifm } = this.contest ?? contest;
      this.spoken = scores.told(score, fm.share, ifm.share);
    });
  }

  /** M as it is shown. */
  private get pairs(): Pairs {
    return this.draft ?? read(this.m) ?? [];
  }

  private readonly paint = ({ detail }: CustomEvent<Painted>): void => {
    if (detail.rests) this.accept(detail.pairs);
    else this.draft = detail.pairs;
  };

  /** Makes a matrix the chapter's setting. */
  private accept(pairs: Pairs): void {
    this.draft = null;
    if (write(pairs) !== write(this.pairs)) this.change("m", write(pairs));
  }

  private async random(): Promise<void> {
    const pairs = await this.contests.drawn(this.seed, this.given++);
    if (pairs) this.accept(pairs);
  }

  protected override render(): TemplateResult {
    const { contest } = this;
    const { trouble } = this.contests;
    return html`<section class="painted" aria-labelledby="break-board">
      <h2 class="seen-not" id="break-board">${strings.title}</h2>
      ${trouble ? html`<div class="error" role="alert"><p>${problem(trouble)}</p></div>` : nothing}
      <div class="easels">
        <div class="easel own">
          <p class="title"><b>${strings.heading}</b></p>
          <ifm-editor .pairs=${this.pairs} @paint=${this.paint}></ifm-editor>
          ${this.score(contest)}
          <div class="row">
            <button class="reset" @click=${() => this.accept(read(this.initial) ?? [])}>${breaking.reset}</button>
            <button class="random" @click=${() => void this.random()}>${breaking.random}</button>
          </div>
        </div>
        ${MODELS.map((key) => this.fit(key, contest))}
        ${MODELS.map((key) => (contest && contest[key].hidden.length > 0 ? html`<p class="note limit">${scores.hidden([...contest[key].hidden])}</p>` : nothing))}
      </div>
      <div class="folds">
        <details class="fold" data-part="eigenvalues">
          <summary>${stems.title}</summary>
          <ifm-stems .contest=${contest} @paint=${this.paint}></ifm-stems>
        </details>
        <details class="fold" data-part="levels">
          <summary>${goals.heading}</summary>
          ${this.levels(contest)}
        </details>
      </div>
    </section>`;
  }

  private fit(key: (typeof MODELS)[number], contest: Contest | null): TemplateResult {
    const fit = contest?.[key];
    return html`<div class="easel ${key}">
      <p class="title"><b>${strings.names[key]}</b> <span class="num" data-share=${fit?.share ?? ""}>${fit ? scores.leaves(fit.share) : scores.waiting}</span></p>
      <p class="bar" aria-hidden="true"><span style="inline-size:${100 * Math.min(1, fit?.share ?? 0)}%"></span></p>
      ${fitted(strings.names[key], key, fit ? [...fit.pairs] : null, [...(fit?.hidden ?? [])])}
    </div>`;
  }

  private score(contest: Contest | null): TemplateResult {
    const empty = contest?.pairs.every((v) => v === 0) ?? false;
    return html`<div class="scored">
        <p><b>${scores.heading}</b></p>
        <p class="large num" data-score=${contest?.score ?? ""}>${contest ? contest.score.toFixed(2) : "–"}</p>
        <p class="note">${empty ? scores.nothing : scores.about}</p>
      </div>
      <p class="seen-not" role="status">${this.spoken}</p>`;
  }

  private levels(contest: Contest | null): TemplateResult {
    return html`<ol class="levels" aria-label=${goals.heading}>
        ${levels.map((level) => {
          const now = contest !== null && reached(level, contest);
          const before = this.reachedBefore.has(level);
          return html`<li data-level=${level} data-reached=${now ? "now" : before ? "before" : "no"}>
            <p class="title"><b>${goals.titles[level]}</b> <span class="state">${now ? goals.done : before ? goals.before : goals.open}</span></p>
            <p>${goals.texts[level]}</p>
            <p class="note why">${before ? goals.because[level] : goals.hints[level]}</p>
            <button class="begin" @click=${() => this.accept(starts[level])} aria-label="${goals.start}: ${goals.titles[level]}">${goals.start}</button>
          </li>`;
        })}
      </ol>`;
  }
}

customElements.define("ifm-contest", Board);
