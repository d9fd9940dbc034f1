// A table as text for a paper or a page.

export interface Cell {
  readonly text: string;
  readonly best: boolean; // of its row
}

interface Line {
  readonly title: string;
  readonly cells: readonly Cell[];
}

export interface Grid {
  readonly caption: string;
  readonly head: readonly string[]; // one more than cells: of the titles too
  readonly rows: readonly Line[];
  readonly foot: readonly Line[];
}

/** A table environment of LaTeX, the best in bold. How it was made and its address stand in comments. */
export function latex({ caption, head, rows, foot }: Grid, says: string, link: string): string {
  const line = ({ title, cells }: Line): string => `${[tex(title), ...cells.map(({ text, best }) => (best ? `\\textbf{${tex(text)}}` : tex(text)))].join(" & ")} \\\\`;
  return [
    ...[says, link].map((text) => `% ${flat(text)}`),
    "\\begin{table}",
    `\\caption{${tex(caption)}}`,
    "\\centering",
    `\\begin{tabular}{l${"r".repeat(Math.max(0, head.length - 1))}}`,
    "\\hline",
    `${head.map(tex).join(" & ")} \\\\`,
    "\\hline",
    ...rows.map(line),
    "\\hline",
    ...foot.map(line),
    "\\hline",
    "\\end{tabular}",
    "\\end{table}",
    "",
  ].join("\n");
}

/** A table of GitHub's Markdown, with the same in a line beneath. */
export function markdown({ caption, head, rows, foot }: Grid, says: string, link: string): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const line = ({ title, cells }: Line): string => row([plain(title), ...cells.map(({ text, best }) => (best ? `**${plain(text)}**` : plain(text)))]);
  return [plain(caption), "", row(head.map(plain)), row(head.map((_, i) => (i === 0 ? ":--" : "--:"))), ...rows.map(line), ...foot.map(line), "", `${plain(says)} <${flat(link).replace(/[<>\s]/g, encodeURIComponent)}>`, ""].join("\n");
}

/** One line: a comment that ends early would become part of the document. */
function flat(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}

const commands: Readonly<Record<string, string>> = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "–": "--", "λ": "$\\lambda$", "α": "$\\alpha$", "γ": "$\\gamma$", "°": "\\textdegree{}" };

/** Text that means in LaTeX what it says. */
function tex(text: string): string {
  return flat(text).replace(/[\\~^–λαγ°]|[&%$#_{}]/g, (c) => commands[c] ?? `\\${c}`);
}

/** Text that means in Markdown what it says. */
function plain(text: string): string {
  return flat(text).replace(/[\\`*_{}[\]<>|#]/g, (c) => `\\${c}`);
}
