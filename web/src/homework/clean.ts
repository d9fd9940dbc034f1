// Texts that others wrote, as they can stand on the page and in a table.

// Controls but for line ends, what turns the direction of writing, and what is not seen at all.
const HIDDEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A text without hidden characters, of so many characters at most, and whether it had others. */
export function clean(text: string, most: number): { readonly text: string; readonly changed: boolean } {
  const lines = text.replace(/\r\n?/g, "\n").replaceAll("\t", " ");
  const seen = lines.replace(HIDDEN, "");
  const kept = [...seen].slice(0, most).join("");
  return { text: kept.trim(), changed: kept !== lines };
}

/** A name as two spellings of it have it in common: small letters, one space between words. */
export function plainName(name: string): string {
  return clean(name, 200).text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}
