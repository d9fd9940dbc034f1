// What is said of a file that is not what it was. It comes with the page: what is in
// strings.ts is loaded when it is needed.

const again = "Drop the file again to use its new content";

export const changed = {
  other: (name: string) => `The rows of ${name} have changed since it was read.`,
  gone: (name: string) => `${name} has changed or can no longer be read, and the engine has lost its rows. ${again}.`,
  stale: (name: string) => `${name} has changed or can no longer be read. All models of this run use the rows read before. ${again}.`,
};
