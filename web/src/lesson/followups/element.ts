import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { EngineError } from "../../engine/protocol.js";
import type { About } from "../../panel/about.js";
import { segments } from "../../panel/inputs.js";
import { sentence } from "../../panel/panel.js";
import { RunsPanel } from "../chapter/progress.js";
import { over, Runner, shareOf } from "../chapter/runner.js";
import type { Phase } from "../chapter/session.js";
import { chapter as shared, waiting } from "../chapter/strings.js";
import type { Around, Followup, Measured, Rounds } from "./followup.js";

const words = {
  of: (what: string, title: string) => `${what}: ${title}`,
  stopped: "Stopped before its end.",
  idle: "Press Run.",
};

type Settings = ReturnType<Followup["settings"]>;

/** Shows a follow-up: what it asks, its runs, its picture, and what they say. */
class FollowupElement extends RunsPanel {
  @property({ attribute: false }) accessor definition!: Followup;
  @property({ attribute: false }) accessor around!: Around;

  private measured: Pick<Measured<Settings>, "settings" | "rounds"> | null = null;
  private made: Runner | null = null;
  private failed: EngineError | null = null;
  private behind = 0; // runs of the rounds that are over
  private total = 0; // runs in all rounds

  private get runner(): Runner {
    this.made ??= new Runner(this.around.pool, this.invalidate);
    return this.made;
  }

  private get choice(): string {
    return String(this.around.values[this.definition.choice?.key ?? ""] ?? "");
  }

  private get phase(): Phase {
    return this.made?.phase ?? "idle";
  }

  /** Runs all rounds, and shows what each adds. An error that is no result ends them. */
  private async start(choice = this.choice): Promise<void> {
    if (this.phase === "running") return;
    const { definition, runner } = this;
    const settings = definition.settings(this.around.values);
    let rounds: Rounds = [];
    Object.assign(this, { failed: null, behind: 0, total: definition.runs(settings) });
    this.remaining.reset();
    await runner.begin(async (signal) => {
      while (this.behind < this.total) {
        this.requestUpdate();
        const tracks = await runner.train(definition.jobs(settings, rounds, choice), signal);
        if (signal.aborted) return;
        rounds = [...rounds, tracks];
        this.behind += tracks.length;
        this.failed = tracks.find(({ error }) => error && !definition.expects?.(error))?.error ?? null;
        if (this.failed) return runner.stop();
        this.measured = { settings, rounds: { ...(this.isStale(settings) ? {} : this.measured?.rounds), [choice]: rounds } };
      }
    });
    this.requestUpdate();
  }

  private stop(): void {
    this.made?.stop();
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  private isStale(settings: Settings): boolean {
    return this.measured !== null && JSON.stringify(this.measured.settings) !== JSON.stringify(settings);
  }

  /** Once one choice has been measured, another is measured when it is chosen. */
  private choose(key: string, choice: string): void {
    this.around.change(key, choice);
    if (this.measured && !this.measured.rounds[choice]) void this.start(choice);
  }

  protected override render(): TemplateResult {
    const { definition, around, phase, measured, choice } = this;
    const { title, lead, choice: either } = definition;
    const id = `${definition.chapter}-${definition.name}`;
    const settings = definition.settings(around.values);
    const numbers = definition.read({ settings, rounds: {}, ...measured, choice });
    const going = phase === "running";
    const run = measured ? shared.again : shared.run;
    const told = measured && !going ? definition.told(numbers) : [];
    return html`<section class="experiment" data-phase=${phase} aria-labelledby=${id}>
      <h3 id=${id}>${title}</h3>
      ${lead.map((paragraph) => html`<p class="about">${paragraph}</p>`)}
      ${either ? segments(`${definition.name}-${either.key}`, either.label, either.options, choice, (option) => this.choose(either.key, option), { isShown: true }) : nothing}
      <div class="go">
        <button class="measure" aria-disabled=${going} aria-label=${words.of(run, title)} @click=${() => void this.start()}>${run}</button>
        <button class="halt" aria-disabled=${!going} aria-label=${words.of(shared.stop, title)} @click=${() => this.stop()}>${shared.stop}</button>
        <p class="takes">${this.status(settings)}</p>
      </div>
      ${this.trouble(this.failed ? [this.failed] : [])} ${definition.picture(numbers, phase === "idle" ? words.idle : waiting[phase])}
      <p class="found" role="status">${sentence(told)}</p>
      <p class="made">${measured ? shared.live(definition.live(measured.settings)) : shared.idle}</p>
    </section>`;
  }

  /** How far the runs are, or what the next will take. */
  private status(settings: Settings): TemplateResult | string {
    const { phase, behind, total, runner, definition } = this;
    if (phase === "stopped") return words.stopped;
    if (phase === "running") {
      const tracks = runner.tracks.every(over) ? [] : runner.tracks; // those of a round that is over are behind
      return this.progress({ over: behind + tracks.filter(over).length, of: total, share: (behind + shareOf(tracks) * tracks.length) / total, seconds: runner.seconds });
    }
    const cost = definition.cost(definition.runs(settings));
    return this.isStale(settings) ? shared.stale : cost;
  }

  /** For what is saved of it. */
  override get about(): About | undefined {
    const { measured, definition: { chapter, name, live } } = this;
    return measured ? { name: `${chapter}-${name}`, says: shared.live(live(measured.settings)), seed: measured.settings.seed, chapter, query: this.around.own } : undefined;
  }
}

customElements.define("ifm-followup", FollowupElement);
