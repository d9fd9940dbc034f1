// The words of a frame.

/** What a frame tells the page around it. */
export const embed = {
  unused: (key: string) => `${key} is no setting of what this frame shows, and was not used.`,
  guarded: "The reader has opened a file, and the page around the frame can change nothing any more.",
};
