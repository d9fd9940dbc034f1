// Why the engine did not start, or stopped, or a file could not be read, in words.

export const unstarted = {
  worker: "the web worker that the engine runs in",
  wasm: "WebAssembly, which the engine is written in",
  fetch: "this page to fetch its engine",
  forbidden: (what: string, directive: string, sources: string) => `The engine could not be started: the Content-Security-Policy under which this page is served forbids ${what}. Whoever runs the server can allow it: ${directive} needs ${sources}`,
  missing: (file: string, status: number) => `The engine could not be started: the server has no ${file} (${status}). It belongs to the folder that this page lies in; reload the page, or ask whoever runs the server to copy the whole folder.`,
  unreachable: (file: string) => `The engine could not be started: ${file} could not be fetched, perhaps because the connection was lost. Once it is back, try again or reload the page.`,
  damaged: (file: string) => `The engine could not be started: ${file} is damaged or cut off, and was so again when it was fetched anew. Try again later, or ask whoever runs the server to copy the folder that this page lies in once more.`,
  memory: "The engine could not be started: this browser gave it no memory. Close other tabs or programs, then reload the page.",
  reason: (reason: string) => `The engine could not be started: ${reason}. This page needs WebAssembly and web workers.`,
};

export const over = {
  itself: "it ended",
  full: "the browser gave it no more memory",
};

/** Why a file cannot be read, by the name of the browser's error. */
export const unread = (name: string, reason: unknown): string => {
  const kind = reason instanceof Error ? reason.name : "";
  if (kind === "NotFoundError") return `${name} is not where it was: it was moved, renamed or deleted; drop it again from where it is now.`;
  if (kind === "NotReadableError") return `${name} cannot be read: it has changed since it was chosen, or you may not read it; see who may, and drop it again to go on with what is in it now.`;
  return `${name} could not be read to its end (${String(reason)}); is it still where it was?`;
};
