// Where the page has its other files from when it is the offline file: out of
// itself. Stands in for state/site.ts there.

/** The files that were in it, which its first script (start.ts) leaves for the page's. */
export interface Parts {
  readonly page: ReadonlyMap<string, Blob>; // all but the engine, by their names
  readonly engine: Promise<Blob>;
}

declare global {
  var ifmLabParts: Parts;
}

export function start(): string {
  return location.search || state().query;
}

/** A file with a query of its own says so when its reader has gone back to the settings that no address names. */
export function search(query: string): string {
  return query || (state().query ? "?embed=0" : "");
}

export function home(): string {
  return state().home;
}

export function served(): boolean {
  return state().served;
}

const addresses = new Map<string, URL>();

export function address(name: string): URL {
  const known = addresses.get(name) ?? new URL(URL.createObjectURL(part(name)));
  addresses.set(name, known);
  return known;
}

export function program(_name: string): Promise<string | Blob> {
  return ifmLabParts.engine;
}

export function file(name: string, _signal: AbortSignal): Promise<Response> {
  return Promise.resolve(new Response(part(name)));
}

/** The page as the build made it, without what the page or extensions have added since. */
export function offlineFile(): Promise<string> {
  const copy = document.implementation.createHTMLDocument();
  copy.documentElement.lang = document.documentElement.lang;
  copy.head.replaceChildren(...[...document.head.children].filter(ours).map((element) => element.cloneNode(true)));
  copy.body.replaceChildren(...[...document.body.children].filter(ours).map((element) => element.cloneNode(element.localName !== "ifm-app")));
  copy.querySelector("#unstarted")?.removeAttribute("hidden"); // where the copy does not start
  return Promise.resolve(`<!doctype html>\n${copy.documentElement.outerHTML}\n`);
}

function ours(element: Element): boolean {
  return element.hasAttribute("data-part") || element.matches("meta, title, link[rel=icon]");
}

function part(name: string): Blob {
  const found = ifmLabParts.page.get(name);
  if (!found) throw new TypeError(`the file holds no ${name}`);
  return found;
}

/** What was baked into the file: a query, the page that it was saved from, and whether a server makes cards there. */
function state(): { readonly query: string; readonly home: string; readonly served: boolean } {
  const element = document.querySelector<HTMLMetaElement>("meta[name=ifm-lab]");
  const query = element?.content ?? "";
  return { query: query && `?${query}`, home: element?.dataset["home"] ?? "", served: element?.dataset["served"] !== undefined };
}
