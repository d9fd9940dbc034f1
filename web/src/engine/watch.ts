// Tells when a worker is gone that said nothing: one that closed itself, or that
// the browser ended for want of memory. A call may keep a worker busy for long, so
// that it cannot be asked. But what it has made or holds goes with it.
import type { Sign } from "./messages.js";

const EVERY = 1500; // ms between two looks

/**
 * Looks whether a worker lives, as long as `wanted` says, and tells once it does
 * not. Where its picture cannot be shown while it lives, because a policy forbids
 * that, there is no look: no worker is taken for gone that is not.
 */
export class Watch {
  private readonly shows: Promise<boolean>;
  private readonly image = new Image();
  private looks = 0;
  private looking = false;

  constructor(
    private readonly sign: Sign,
    private readonly wanted: () => boolean,
    private readonly gone: () => void,
  ) {
    this.shows = sign.held ? Promise.resolve(false) : this.look();
    if (sign.held) void navigator.locks.request(sign.picture, gone); // granted when the worker is gone
  }

  /** Looks from now on, until it is not wanted. */
  async on(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    for (let missed = 0; this.wanted() && (await this.shows); ) {
      await new Promise((resolve) => setTimeout(resolve, EVERY));
      missed = !this.wanted() || (await this.look()) ? 0 : missed + 1;
      if (missed === 2 && this.wanted()) this.gone(); // one could be chance: a page that is left shows no picture
    }
    this.looking = false;
  }

  /** Looks no more, now that the worker is ended. */
  off(): void {
    this.image.removeAttribute("src"); // or the browser complains of a picture that is on its way
  }

  private look(): Promise<boolean> {
    return new Promise((resolve) => {
      this.image.onload = () => resolve(true);
      this.image.onerror = () => resolve(false);
      this.image.src = `${this.sign.picture}#${++this.looks}`; // always another, or the browser shows what it has from before
    });
  }
}
