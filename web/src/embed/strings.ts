// The words of a frame.

/** What a frame tells the page around it. */
export const embed = {
  unused: (key: string) => `This frame does not use the setting ${key}.`,
  guarded: "The reader has opened a file, so the surrounding page can no longer change this frame.",
};
