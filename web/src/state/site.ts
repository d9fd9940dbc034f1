// Where the page has its other files from: the folder that it is in. The
// offline file has them in itself: there, offline/site.ts stands in for this.

/** The query that the page starts from, with its "?" unless it is empty. */
export function start(): string {
  return location.search;
}

/** A query as the address has it. */
export function search(query: string): string {
  return query;
}

/** The page's address on the web, without its settings; "" where it has none. */
export function home(): string {
  return /^https?:$/.test(location.protocol) ? `${location.origin}${location.pathname}` : "";
}

/** Whether a server makes cards here and answers oEmbed: it says so in the page's head. */
export function served(): boolean {
  return document.querySelector('head > link[type="application/json+oembed"]') !== null;
}

export function address(name: string): URL {
  return new URL(name, document.baseURI);
}

/** What a worker compiles: the address of a file, or the file. */
export function program(name: string): Promise<string | Blob> {
  return Promise.resolve(address(name).href);
}

export function file(name: string, signal: AbortSignal): Promise<Response> {
  return fetch(address(name), { signal });
}

/** The offline file, with no state of its own in it. */
export async function offlineFile(): Promise<string> {
  const response = await fetch(address("offline.html"));
  if (!response.ok) throw new TypeError(String(response.status));
  return response.text();
}
