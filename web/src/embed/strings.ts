// The words of a frame.

/** What a frame tells the page around it. */
export const embed = {
  unused: (key: string) => `This frame has no use for the setting ${key}.`,
  guarded: "The reader has opened a file, so the page around the frame can no longer change anything.",
};
