// What is said of a file that is not what it was. It comes with the page: what is in
// strings.ts is loaded when it is needed.

const again = "drop it again to go on with what is in it now";

export const changed = {
  other: (name: string) => `${name} holds other rows now than it did when it was read.`,
  gone: (name: string) => `${name} has changed since it was read, or cannot be read any more, and the engine that held what was read of it is gone. Nothing of it can be trained; ${again}.`,
  stale: (name: string) => `${name} has changed since it was read, or cannot be read any more. All models of this run are trained on what was read of it then; ${again}.`,
};
