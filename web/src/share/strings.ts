// The words of sharing.
import type { Chapter } from "../state/view.js";
import { count } from "../text/format.js";

/** Of the dialog that says how to show a piece of the lab elsewhere. */
export const sharing = {
  title: "Share",
  close: "Close",
  piece: "What",
  groups: { lab: "The page", figure: "The figure", table: "Your table", lesson: "The lesson" },
  pieces: { lab: "The whole lab", figure: "The figure", curve: "Its curves alone", maps: "Its heat maps alone", spectrum: "Its eigenvalues alone", table: "What training found" },
  chapters: { interaction: "What an interaction is", psd: "The PSD bias", spectrum: "The spectrum", diagonal: "The diagonal and τ", samples: "How many samples", algorithm: "Algorithm 1, as printed and as corrected", vtec: "vTEC: a net under the ionosphere", data: "Your data" } satisfies Record<Chapter, string>, // their own titles are beside their texts, where the page need not load them
  named: (piece: "lab" | "figure" | "curve" | "maps" | "spectrum" | "table") =>
    ({
      lab: "iFM Lab: factorization machines on drawn and on your own data",
      figure: "iFM Lab: FM and iFM learn the same data",
      curve: "iFM Lab: test RMSE of FM and iFM by iteration",
      maps: "iFM Lab: the interactions that FM and iFM have learnt",
      spectrum: "iFM Lab: the eigenvalues of what FM and iFM have learnt",
      table: "iFM Lab: FM, iFM and ridge regression on a table",
    })[piece],
  chapter: (title: string) => `${title}: a chapter of iFM Lab`,
  own: "Your own file stays with you: what was found in it is in no link. A link to the whole lab carries your settings, the names of your columns among them, and asks for the file.",
  link: "Link",
  copyLink: "Copy link",
  local: (host: string) => `This address works on this computer alone (${host}): others reach it once the page is on a server, or take the offline file.`,
  kept: (address: string) => `This file keeps the address ${address}, which works only on the computer that it came from: send the file itself.`,
  file: "This page is a file: a link to it works on this computer alone. Send the file itself.",
  form: "Where to",
  forms: { html: "Web page", course: "Course page", element: "Component", reveal: "Reveal", jupyter: "Jupyter", quarto: "Quarto", myst: "MyST", card: "Chat, forum", oembed: "oEmbed", offline: "Offline file" },
  notes: {
    html: "A frame for any HTML page. It starts when a reader scrolls to it, and shares nothing with your page.",
    course: "Choose “HTML” or “source” in the editor of Moodle, Canvas or another course page. No script, a fixed height, and a link in case the frame is taken out.",
    element: "An element that finds its own height, can be played and paused by your scripts, and tells them what it computes. Its script and its frame come from this lab. Where a page’s policy forbids the script, a link is seen instead; the policy that allows both:",
    reveal: "A slide of Reveal.js, which is 700 px high; it is loaded when it comes near. After a click into the frame the keys are the frame’s: the slides turn again after a click beside it. In Quarto’s slides take Quarto.",
    jupyter: "A cell of Jupyter, JupyterLab or Colab.",
    quarto: "For .qmd files, also of slides; PDF and Word get a link. Unpack the extension beside your document first:",
    myst: "For mystmd and Jupyter Book 2, which choose the height by themselves.",
    card: "A link that chats and forums show with a title and a picture. It leads to the whole page, not to this piece alone.",
    oembed: "WordPress makes a frame of a pasted link by itself, a sandboxed one, which is enough. Discourse and course systems do once their administrator allows this address. Notion, Medium and Teams know a list of their own and show the card at most. What they ask:",
    offline: "One HTML file of 1.9 MB with everything in it, this state too: it works without a network, from a memory stick or a course’s file area.",
  },
  policy: (host: string) => `script-src ${host}; frame-src ${host}`,
  open: "Open iFM Lab",
  fallback: "The height is the one that it has until the frame has told its own.",
  extension: "ifm-lab-quarto.zip",
  needsServer: "Needs the lab’s own server; a plain file server has no cards.",
  code: "To paste",
  copy: "Copy",
  copied: "Copied.",
  done: "Copied",
  selected: "The browser does not let this page copy. The text is selected: press Ctrl+C, or ⌘C.",
  save: "Save the file",
  saving: "Putting the file together …",
  saved: "Saved as ifm-lab.html.",
  perhaps: "The frame that this page is in may forbid downloads. If no file has come,",
  ownTab: "open the page in its own tab",
  notSaved: (reason: string) => `The file could not be saved${reason === "" ? "" : `: ${reason}`}.`,
  height: "Height, px",
  follow: "As high as it needs (adds a script)",
  shows: "It shows",
  around: { title: "Title", switch: "Switch", controls: "Controls", verdict: "Verdict", matrices: "Heat maps, eigenvalues" },
  theme: "Colours",
  preview: "Preview",
  widths: { desktop: "Desktop", phone: "Phone" },
  width: "Width of the preview",
  needs: (height: number) => `Here it needs ${count(height)} px.`,
  use: (height: number) => `Set the height to ${count(height)} px`,
  examples: "Every form, live",
};

/** Of the page of examples; its own text is web/embeds.html. */
export const examples = {
  code: "What is to be pasted",
  copy: "Copy",
  copied: "Copied.",
  selected: "The browser does not let this page copy. The text is selected: press Ctrl+C, or ⌘C.",
  noServer: "This server does not answer: the lab’s own does.",
};
