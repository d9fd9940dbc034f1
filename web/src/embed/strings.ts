// The words of a frame.

/** What a frame tells the page around it. */
export const embed = {
  guarded: "The reader has opened a file, and the page around the frame can change nothing any more.",
};
