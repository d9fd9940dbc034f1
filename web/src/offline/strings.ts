// The words of the offline file.

export const offline = {
  lost: "The file could not be fetched, perhaps because the connection was lost; try again.",
  changed: "its script is not the one that was built into it",
  damaged: (reason: string) => `This file could not be unpacked: ${reason}. Perhaps it was cut short on its way; fetch it again. It needs a browser of 2023 or later.`,
  old: "This browser is too old to unpack this file: it has no DecompressionStream. Open it in a browser of 2023 or later, such as Firefox 113 or Safari 16.4.",
};
