/** Resolves with whether the text is copied; where the browser does not allow that to a page, as in some frames, it is left selected. */
export async function copyText(text: string, select: () => void): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    select();
    return document.execCommand("copy");
  }
}
