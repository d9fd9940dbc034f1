// The guided paths through the lesson, which links of a lecturer name: which
// chapters are on each, in the lesson's order, and what lies before and after one.
import { paths, stops } from "../../state/chapters.gen.js";
import { chapters, type Chapter, type View } from "../../state/view.js";

export { paths };

/** The chapters of a path: each holds those of the shorter ones. Where none is chosen, all of them. */
export function along(path: View["path"]): Chapter[] {
  const order: readonly string[] = paths;
  const reach = path === "none" ? order.length : order.indexOf(path);
  return chapters.filter((name) => order.indexOf(stops[name].path) <= reach);
}

/** The first of the chapters that only readers of the paper ask for, on the longest path alone. */
export const forPaper = chapters.find((name) => stops[name].path === paths.at(-1));

/** The chapter of a path that comes after one, or before it, which need not be on the path; null at its ends. */
export function neighbour(path: View["path"], of: Chapter, which: "next" | "back"): Chapter | null {
  const at = chapters.indexOf(of);
  const way = along(path);
  const found = which === "next" ? way.find((name) => chapters.indexOf(name) > at) : way.findLast((name) => chapters.indexOf(name) < at);
  return found ?? null;
}
