// The runs of the page: the figure's, one of the signs that are shown and one of those
// beside them, and the table's. They are begun, held while nobody sees them, and told of
// at a pace at which the page can be redrawn.
import { paced } from "../engine/pending.js";
import type { Opened, Pool } from "../engine/pool.js";
import type { Spec } from "../state/spec.js";
import { Trainer } from "./trainer.js";
import type { Command, Run, Training } from "./training.js";

export const REDRAW = 100; // ms between two redraws of the charts at the least

const ENOUGH = 100; // px: of what is higher than a screen so much is seen, however small its share
const LOOKS = 12; // shares, up to the one asked for, at which it is looked again

export interface Order {
  readonly query: string;
  readonly table: Opened | null; // whose rows it takes
  readonly rate: number; // iterations a second
}

type Scenario = Spec["scenario"];

export interface Stage {
  readonly isTableFrame: boolean;
  readonly scenario: Scenario; // of the figure
  readonly isPaired: boolean; // the figure shows the signs beside its own, too
  left(): void;
  /** What a run is to be; of the figure, with these signs. */
  order(run: Run, scenario?: Scenario): Order;
  redraw(): void;
}

export class Runs {
  readonly table: Trainer;
  /** As they were when the page was last redrawn. */
  now: Readonly<Record<Run | "other", Training>>;

  private readonly agreeing: Trainer; // on signs that are all +
  private readonly clashing: Trainer; // on others
  private contrast: Scenario | null = null; // those that were shown last; null: none yet
  private seen = false;
  private begun = false; // the figure has been started
  private waits = false; // what is shown is paused because nobody sees it
  private held: boolean | undefined; // the figure begins paused, or not, as the page around this frame wants it
  private watcher: IntersectionObserver | undefined;

  constructor(
    pool: Pool,
    private readonly stage: Stage,
  ) {
    const redraw = paced(REDRAW, () => {
      this.accompany();
      this.now = this.snapshots();
      this.stage.redraw();
    });
    this.agreeing = new Trainer(pool, "interaction", redraw);
    this.clashing = new Trainer(pool, "interaction", redraw);
    this.table = new Trainer(pool, "predictions", redraw);
    this.now = this.snapshots();
    document.addEventListener("visibilitychange", () => this.attend());
  }

  /** The run of the signs that the figure shows. */
  get figure(): Trainer {
    return this.stage.scenario === "psd" ? this.agreeing : this.clashing;
  }

  private get other(): Trainer {
    return this.stage.scenario === "psd" ? this.clashing : this.agreeing;
  }

  /** Follows whether that share of any of these elements can be seen, or enough of it; none of none can. */
  watch(parts: readonly Element[] | NodeListOf<Element>, share: number): void {
    const seen = new Set<Element>();
    this.watcher?.disconnect();
    if (parts.length === 0) {
      this.seen = false;
      this.attend();
    }
    this.watcher = new IntersectionObserver(
      (entries) => {
        for (const { intersectionRatio, intersectionRect, isIntersecting, target } of entries) {
          if (isIntersecting && (intersectionRatio >= share || intersectionRect.height >= ENOUGH)) seen.add(target);
          else seen.delete(target);
        }
        this.seen = seen.size > 0;
        this.attend();
      },
      { threshold: Array.from({ length: LOOKS + 1 }, (_, i) => (i * share) / LOOKS) },
    );
    for (const part of parts) this.watcher.observe(part);
  }

  command(run: Run, command: Command): void {
    if (run === "figure") this.waits = false;
    if (command !== "again") this[run][command]();
    else this.start(run, false);
  }

  /** Does what the page around this frame asks for, once it is seen. */
  steer(command: Exclude<Command, "stop">): void {
    const run = this.shown;
    const again = command === "again" || (command === "play" && ["done", "stopped", "failed"].includes(this[run].snapshot().phase));
    if (run === "figure" && !this.begun) this.held = command === "pause" || command === "step";
    else if (this.seen || command === "pause") this.command(run, again ? "again" : command);
    else if (run === "figure" && again) this.renew();
    else this.waits = command === "play";
  }

  /** Runs the figure anew, if it has begun, unless this very run is there; it waits while it is not seen. */
  renew(): void {
    if (!this.begun) return;
    const { phase, query } = this.figure.snapshot();
    const known = query === this.stage.order("figure").query && ["running", "starting", "paused", "done"].includes(phase);
    if (!known) this.start("figure", !this.seen, !this.seen);
    this.accompany();
    this.now = this.snapshots(); // no settings stand over the run before them
  }

  /** Keeps the other signs' run to the present settings, once somebody has seen it: it follows the run that is shown. */
  private accompany(): void {
    const { stage, other } = this;
    const beside = stage.scenario === "psd" ? this.contrast : "psd";
    const order = beside && stage.isPaired && this.begun ? stage.order("figure", beside) : null;
    const { phase, query } = other.snapshot();
    if (phase !== "idle" && query !== order?.query) other.reset();
    if (!order || other.snapshot().phase !== "idle" || !["done", "failed"].includes(this.figure.snapshot().phase)) return;
    void other.start(order.query, null, Number.POSITIVE_INFINITY, !this.seen);
  }

  /** Pauses a run until it is seen again. */
  rest(run: Run): void {
    if (!["running", "starting"].includes(this[run].snapshot().phase)) return;
    this.waits = true;
    this[run].pause();
  }

  pace(): void {
    for (const run of ["figure", "table"] as const) this[run].pace(this.stage.order(run).rate);
  }

  /** Starts the figure once it is seen, and lets it wait while it is not. */
  private attend(): void {
    const run = this.shown;
    if (!this.seen || document.hidden) {
      this.stage.left();
      this.rest(run);
      this.other.pause();
      return;
    }
    this.other.play();
    if (!this.begun && run === "figure") this.start(run, this.held ?? false);
    else if (this.waits) {
      this.waits = false;
      this[run].play();
    }
  }

  private get shown(): Run {
    return this.stage.isTableFrame ? "table" : "figure";
  }

  private start(run: Run, paused: boolean, waits = false): void {
    const { query, table, rate } = this.stage.order(run);
    const { scenario } = this.stage;
    if (run === "figure") Object.assign(this, { begun: true, waits, contrast: scenario === "psd" ? this.contrast : scenario });
    else if (!table) return;
    void this[run].start(query, table, rate, paused);
    if (table && this.stage.isTableFrame) this.attend();
  }

  private snapshots(): Record<Run | "other", Training> {
    return { figure: this.figure.snapshot(), other: this.other.snapshot(), table: this.table.snapshot() };
  }
}
