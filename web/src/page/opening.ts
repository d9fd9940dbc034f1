// The opening: a page without settings shows +UUᵀ first. The sign flips after two seconds,
// or once the run is over. Settings and address are those of −UUᵀ all the while.
import { after } from "../engine/pending.js";
import { pairs } from "../state/spec.js";
import type { Training } from "../training/training.js";

const DWELL = 2000; // ms from when the curves begin to fall until the sign flips at the earliest

/** They change how the figure stands, not what it shows. */
const NEUTRAL = ["embed", "theme"];

function isPlain(query: string): boolean {
  return query === "" || pairs(query).every(([key, value]) => NEUTRAL.includes(key) && !["0", "slide"].includes(value)); // embed=0 stands there where its reader went back to it; on a slide the speaker flips it
}

export class Opening {
  /** With reduced motion, +UUᵀ at its end, beside which −UUᵀ stands. */
  before: Training | null = null;

  private on: boolean; // +UUᵀ is shown, though nobody has asked for it
  private waiting: (() => void) | undefined; // takes the time that it lasts back
  private passed = false; // that time has
  private over = false; // and the run is

  /** flip shows −UUᵀ once the opening has ended. */
  constructor(
    query: string,
    private readonly flip: () => void,
  ) {
    this.on = isPlain(query);
  }

  get staged(): boolean {
    return this.on;
  }

  /** Flips the sign after a while, or, with reduced motion, once the end of +UUᵀ can be kept. */
  follow(training: Training, still: boolean): void {
    const { phase } = training;
    this.over = phase === "done" || phase === "failed";
    if (!this.on || (phase !== "running" && !this.over)) return;
    if (phase === "failed") this.turn(null);
    else if (still && this.over) this.turn(training);
    else if (!still && this.passed) this.ripen();
    else if (!still) {
      this.waiting ??= after(DWELL, () => {
        this.passed = true;
        this.ripen();
      });
    }
  }

  private ripen(): void {
    if (this.over) this.turn(null);
  }

  /** Ends the opening. Reports whether it was still running. */
  end(): boolean {
    const was = this.on;
    this.waiting?.();
    Object.assign(this, { on: false, before: null, waiting: undefined });
    return was;
  }

  private turn(before: Training | null): void {
    this.end();
    this.before = before;
    this.flip();
  }
}
