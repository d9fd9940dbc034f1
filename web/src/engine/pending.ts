// What the page has still to do: calls, timers, drawings, scripts and files. The root
// element has data-pending while there is any. Waiting for the reader is none.

/** Counts what is on its way, and tells when something is and when nothing has been for a while. */
class Pending {
  private count = 0;
  private begun = 0; // ever
  private told = true; // a page begins with its start
  private looking = false;

  /** root is the page's; without a page, as in a unit test, nobody is told. */
  constructor(private readonly root: HTMLElement | null) {}

  /** Begins something; what is returned ends it, once. */
  begin(): () => void {
    this.count++;
    this.begun++;
    this.say(true);
    let over = false;
    return () => {
      if (!over && --this.count === 0) void this.look();
      over = true;
    };
  }

  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    let seen: number;
    do {
      seen = this.begun;
      if (this.root) await twoFrames();
    } while (this.count === 0 && seen !== this.begun);
    this.looking = false;
    if (this.count === 0) this.say(false);
  }

  private say(pending: boolean): void {
    if (pending !== this.told) this.root?.toggleAttribute("data-pending", pending);
    this.told = pending;
  }
}

const here = new Pending("document" in globalThis ? document.documentElement : null);

/** Resolves when whatever has just come has had time to begin what it leads to: after two frames, in a tab that is not seen after a second. */
function twoFrames(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
    setTimeout(resolve, 1000);
  });
}

/** Returns a promise, pending until it is settled. */
export function during<T>(promise: Promise<T>): Promise<T> {
  const end = here.begin();
  promise.then(end, end);
  return promise;
}

/** Calls back after some ms, pending until then. Returns what takes that back. */
export function after(ms: number, callback: () => void): () => void {
  const end = here.begin();
  const timer = setTimeout(() => {
    try {
      callback();
    } finally {
      end();
    }
  }, ms);
  return () => {
    clearTimeout(timer);
    end();
  };
}

/** Lets the browser and the reader have their turn. */
export function turn(ms = 0): Promise<void> {
  return new Promise((resolve) => after(ms, resolve));
}

/** Returns what calls back soon, at most once in so many ms. */
export function paced(ms: number, callback: () => void): () => void {
  let [last, due] = [0, false];
  return () => {
    if (due) return;
    due = true;
    after(Math.max(0, last + ms - performance.now()), () => {
      [last, due] = [performance.now(), false];
      callback();
    });
  };
}
