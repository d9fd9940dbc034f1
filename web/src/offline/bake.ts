// The page with all it needs in one file, which works without a network.
import { FILE, offer } from "../save/offer.js";
import { home, offlineFile, served } from "../state/site.js";
import { offline as strings } from "./strings.js";

/**
 * Saves the page as one file that starts from a query, written without its
 * "?". Rejects with an Error that says what to do.
 */
export async function saveOffline(query: string): Promise<void> {
  const text = await offlineFile().catch((reason: unknown) => {
    throw new Error(strings.lost, { cause: reason });
  });
  offer(FILE, new Blob([bake(text, query, home(), served())], { type: "text/html" }));
}

/** The offline file, but that it starts from a query and knows the page's address on the web, and whether a server makes cards there. */
export function bake(text: string, query: string, home: string, served: boolean): string {
  const place = /<meta name="ifm-lab" content="[^"]*"[^>]*>/;
  if (!place.test(text)) throw new Error(strings.lost); // an error's page, say
  return text.replace(place, () => `<meta name="ifm-lab" content="${escape(query)}" data-home="${escape(home)}"${served ? " data-served" : ""} />`);
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
