import { during } from "../engine/pending.js";

const FIRST_WAIT = 2000;
const LONGEST_WAIT = 60_000;

/**
 * Resolves once a script is there. Until then it asks again, at once when the network is
 * back. lost is told when it has not come, and when it has after all.
 */
export async function script<T>(load: () => Promise<T>, lost: (is: boolean) => void): Promise<T> {
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    try {
      const loaded = await during(load());
      if (wait > FIRST_WAIT) lost(false);
      return loaded;
    } catch {
      lost(true);
      await network(wait);
    }
  }
}

function network(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const back = (): void => {
      clearTimeout(timer);
      removeEventListener("online", back);
      resolve();
    };
    const timer = setTimeout(back, ms);
    addEventListener("online", back);
  });
}
