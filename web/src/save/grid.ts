// A table with coloured cells, drawn as the page has it.
import { colour, element, type Drawn, type Ink } from "./ink.js";

export function gridded(table: HTMLTableElement, ink: Ink): Drawn {
  const cells = Array.from(table.querySelectorAll<HTMLElement>("th, td"));
  const boxes = cells.map((cell) => cell.getBoundingClientRect());
  const [west, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  const node = element("g", { "font-family": ink.family });
  cells.forEach((cell, at) => {
    const box = boxes[at] ?? cell.getBoundingClientRect();
    const [x, y] = [box.left - west, box.top - top];
    const style = getComputedStyle(cell);
    const letters = getComputedStyle(cell.querySelector(":scope > :not(.seen-not)") ?? cell);
    const ground = colour(style.backgroundColor).hex;
    if (ground !== "none") node.append(element("rect", { x, y, width: box.width, height: box.height, rx: 3, fill: ground }));
    const size = Number.parseFloat(letters.fontSize);
    const right = style.textAlign === "right" || style.textAlign === "end";
    const left = style.textAlign === "left" || style.textAlign === "start";
    const within = right ? Number.parseFloat(style.paddingRight) : left ? Number.parseFloat(style.paddingLeft) : 0;
    const lines = ink.wrapped(seen(cell), box.width - within, size, Number(letters.fontWeight));
    const underlined = style.textDecorationLine.includes("underline");
    lines.forEach((line, i) => {
      const down = y + box.height / 2 + (i - (lines.length - 1) / 2) * 1.2 * size;
      const across = right ? x + box.width - within : left ? x + within : x + box.width / 2;
      node.append(element("text", { x: across, y: down, dy: "0.35em", "text-anchor": right ? "end" : left ? "start" : "middle", "font-size": size, "font-weight": letters.fontWeight, ...(underlined ? { "text-decoration": "underline" } : {}), fill: colour(letters.color).hex }, line));
    });
  });
  return { node, width: Math.max(...boxes.map((box) => box.right)) - west, height: Math.max(...boxes.map((box) => box.bottom)) - top };
}

/** A cell's text without what is there for screen readers alone. */
function seen(cell: HTMLElement): string {
  return Array.from(cell.childNodes, (node) => (node instanceof Comment || (node instanceof Element && node.classList.contains("seen-not")) ? "" : (node.textContent ?? ""))).join("");
}
