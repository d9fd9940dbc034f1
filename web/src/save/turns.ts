import { turn } from "../engine/pending.js";

const SLICE = 20; // ms at work before the page has its turn

/** Long work in slices: it tells how far it is and can be stopped between two of them. */
export class Turns {
  private until = performance.now() + SLICE;

  constructor(
    private readonly signal: AbortSignal,
    private readonly tell: (share: number) => void,
  ) {}

  /** Whether the page has waited long enough. */
  get due(): boolean {
    return performance.now() > this.until;
  }

  /** Whether it was stopped. */
  get over(): boolean {
    return this.signal.aborted;
  }

  /** Gives the page its turn, after so large a share of the work where that is known. Throws an AbortError once the signal says so. */
  async pass(share?: number): Promise<void> {
    if (share !== undefined) this.tell(share);
    await turn();
    this.signal.throwIfAborted();
    this.until = performance.now() + SLICE;
  }
}
