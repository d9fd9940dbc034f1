import { turn } from "../engine/pending.js";

const SLICE = 20; // ms at work before the page has its turn

/** Long work in slices that tells how far it is and can be stopped. */
export class Turns {
  private until = performance.now() + SLICE;

  constructor(
    private readonly signal: AbortSignal,
    private readonly tell: (share: number) => void,
  ) {}

  get due(): boolean {
    return performance.now() > this.until;
  }

  get over(): boolean {
    return this.signal.aborted;
  }

  /** Gives the page its turn; share is how much is done. Throws an AbortError once the signal says so. */
  async pass(share?: number): Promise<void> {
    if (share !== undefined) this.tell(share);
    await turn();
    this.signal.throwIfAborted();
    this.until = performance.now() + SLICE;
  }
}
