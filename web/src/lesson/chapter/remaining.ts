// How long a run will take yet, told steadily: the time counts down, and is
// measured anew only where the runs that are over have moved it clearly.

const LEAST = 0.3; // s at work, before which nothing is known
const CLEAR = 0.25; // of the time left, by which a new measure has to differ
const SECOND = 1; // s, and by so much

/** How far some runs have come. */
export interface Progress {
  readonly over: number; // runs
  readonly of: number;
  readonly share: number; // of the work that is done, from 0 to 1
  readonly seconds: number; // at work
}

export class Remaining {
  private end = Number.NaN; // s at work, at which all will be over
  private share = 0; // when that was measured

  /** The time left, s, after so many at work on a share of it, from 0 to 1; NaN before anything is known. */
  left(elapsed: number, share: number): number {
    const told = this.end - elapsed;
    if (elapsed < LEAST || share <= 0) return told;
    if (share === this.share && told > 0) return told; // nothing has come of it since
    const measured = (elapsed * (1 - share)) / share;
    if (!(Math.abs(measured - told) <= CLEAR * Math.max(measured, told) + SECOND)) this.end = elapsed + measured;
    this.share = share;
    return Math.max(0, this.end - elapsed);
  }

  /** Begins anew. */
  reset(): void {
    Object.assign(this, { end: Number.NaN, share: 0 });
  }
}
