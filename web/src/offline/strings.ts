// The words of the offline file.

export const offline = {
  lost: "The file could not be loaded. Check the connection and try again.",
  changed: "its script has been changed",
  damaged: (reason: string) => `This file could not be unpacked: ${reason}. It may be incomplete: download it again. It needs a browser from 2023 or later.`,
  old: "This browser is too old to unpack this file: it has no DecompressionStream. Use a browser from 2023 or later, such as Firefox 113 or Safari 16.4.",
};
