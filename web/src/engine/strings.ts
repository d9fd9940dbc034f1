// Why the engine did not start, or stopped, or a file could not be read, in words.

export const unstarted = {
  worker: "its web worker",
  wasm: "its WebAssembly",
  fetch: "fetching it",
  forbidden: (what: string, directive: string, sources: string) => `The engine could not start: this page’s Content-Security-Policy forbids ${what}. Ask the server’s administrator to allow it: ${directive} needs ${sources}`,
  missing: (file: string, status: number) => `The engine could not start: the server has no ${file} (${status}). Reload the page, or ask the server’s administrator to copy the page’s whole folder.`,
  unreachable: (file: string) => `The engine could not start: ${file} could not be loaded. Check the connection, then try again or reload the page.`,
  replaced: (file: string) => `The engine could not start: a web page came instead of ${file}. Log in to the network if it asks you to, then try again. If that does not help, ask the server’s administrator to copy the page’s whole folder.`,
  damaged: (file: string) => `The engine could not start: ${file} is damaged, even after a second download. Ask the server’s administrator to copy the page’s folder again.`,
  memory: "The engine could not start: the browser is out of memory. Close other tabs or programs, then reload the page.",
  reason: (reason: string) => `The engine could not start: ${reason}. This page needs WebAssembly and web workers.`,
};

export const over = {
  itself: "it ended",
  full: "the browser is out of memory",
};

/** Said where a script of the page did not come. */
export const partLost = "A part of this page could not be loaded. Check the connection, then try again or reload the page.";

/** Why a file cannot be read, by the name of the browser's error. */
export const unread = (name: string, reason: unknown): string => {
  const kind = reason instanceof Error ? reason.name : "";
  if (kind === "NotFoundError") return `${name} was moved, renamed or deleted. Drop it again.`;
  if (kind === "NotReadableError") return `${name} has changed since you chose it, or you lack the permission to read it. Drop it again.`;
  return `${name} could not be read completely (${String(reason)}). Was it moved or deleted?`;
};
