/** Copies a text; where the browser does not allow that to a page, as in some frames, the text is left selected. Resolves with whether it is copied. */
export async function copyText(text: string, select: () => void): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    select();
    return document.execCommand("copy");
  }
}
