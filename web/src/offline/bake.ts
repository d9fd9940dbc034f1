// The page with all it needs in one file, which works without a network.
import { FILE, offer } from "../save/offer.js";
import { home, offlineFile } from "../state/site.js";
import { offline as strings } from "./strings.js";

/**
 * Saves the page as one file that starts from a query, written without its
 * "?". Rejects with an Error that says what to do.
 */
export async function saveOffline(query: string): Promise<void> {
  const text = await offlineFile().catch((reason: unknown) => {
    throw new Error(strings.lost, { cause: reason });
  });
  offer(FILE, new Blob([bake(text, query, home())], { type: "text/html" }));
}

/** The offline file, but that it starts from a query and knows the page's address on the web. */
export function bake(text: string, query: string, home: string): string {
  const place = /<meta name="ifm-lab" content="[^"]*"[^>]*>/;
  if (!place.test(text)) throw new Error(strings.lost); // an error's page, say
  return text.replace(place, () => `<meta name="ifm-lab" content="${escape(query)}" data-home="${escape(home)}" />`);
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
