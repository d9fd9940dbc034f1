// Why the engine did not start, in words.

/** Why the engine did not start. */
export const unstarted = {
  worker: "the web worker that the engine runs in",
  wasm: "WebAssembly, which the engine is written in",
  fetch: "this page to fetch its engine",
  forbidden: (what: string, directive: string, sources: string) => `The engine could not be started: the Content-Security-Policy under which this page is served forbids ${what}. Whoever runs the server can allow it: ${directive} needs ${sources}`,
  missing: (file: string, status: number) => `The engine could not be started: the server has no ${file} (${status}). It belongs to the folder that this page lies in; reload the page, or ask whoever runs the server to copy the whole folder.`,
  unreachable: (file: string) => `The engine could not be started: ${file} could not be fetched, perhaps because the connection was lost; reload the page.`,
  reason: (reason: string) => `The engine could not be started: ${reason}. This page needs WebAssembly and web workers.`,
};
