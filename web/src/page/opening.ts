// The opening: a page without settings shows +UUᵀ first. Untouched, the sign flips a while
// after that run is over. Settings and address are those of −UUᵀ all the while.
import { after } from "../engine/pending.js";
import { pairs } from "../state/spec.js";
import type { Training } from "../training/training.js";

const DWELL = 3000; // ms from the end of the run until the sign flips

/** They change how the figure stands, not what it shows. */
const NEUTRAL = ["embed", "theme"];

function isPlain(query: string): boolean {
  return query === "" || pairs(query).every(([key, value]) => NEUTRAL.includes(key) && !["0", "slide"].includes(value)); // embed=0 stands there where its reader went back to it; on a slide the speaker flips it
}

export class Opening {
  private on: boolean; // +UUᵀ is shown, though nobody has asked for it
  private waiting: (() => void) | undefined; // takes the time that it lasts back

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

  /** Flips the sign a while after the run is over, or, with reduced motion, at once. */
  follow({ phase }: Pick<Training, "phase">, still: boolean): void {
    if (!this.on || (phase !== "done" && phase !== "failed")) return;
    if (still || phase === "failed") this.turn();
    else this.waiting ??= after(DWELL, () => this.turn());
  }

  /** Ends the opening. Reports whether it was still running. */
  end(): boolean {
    const was = this.on;
    this.waiting?.();
    Object.assign(this, { on: false, waiting: undefined });
    return was;
  }

  private turn(): void {
    this.end();
    this.flip();
  }
}
