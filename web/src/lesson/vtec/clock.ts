const MINUTES = 1440; // of a day

/** 06:20 of a minute of the day, or of the days beside it. */
export function clock(minute: number): string {
  const held = ((Math.round(minute) % MINUTES) + MINUTES) % MINUTES;
  return `${String(Math.floor(held / 60)).padStart(2, "0")}:${String(held % 60).padStart(2, "0")}`;
}
