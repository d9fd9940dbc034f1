// A table whose cells have colours, as a drawing: each cell where the page has
// it, in the colours that it has there.
import { colour, element, type Drawn, type Ink } from "./ink.js";

export function gridded(table: HTMLTableElement, ink: Ink): Drawn {
  const cells = Array.from(table.querySelectorAll<HTMLElement>("th, td"));
  const boxes = cells.map((cell) => cell.getBoundingClientRect());
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  const node = element("g", { "font-family": ink.family });
  cells.forEach((cell, at) => {
    const box = boxes[at] ?? cell.getBoundingClientRect();
    const [x, y] = [box.left - left, box.top - top];
    const style = getComputedStyle(cell);
    const letters = getComputedStyle(cell.firstElementChild ?? cell);
    const ground = colour(style.backgroundColor).hex;
    if (ground !== "none") node.append(element("rect", { x, y, width: box.width, height: box.height, rx: 3, fill: ground }));
    const size = Number.parseFloat(letters.fontSize);
    const right = style.textAlign === "right" || style.textAlign === "end";
    const within = Number.parseFloat(style.paddingRight);
    const lines = ink.wrapped(cell.textContent ?? "", box.width - (right ? within : 0), size, Number(letters.fontWeight));
    lines.forEach((line, i) => {
      const down = y + box.height / 2 + (i - (lines.length - 1) / 2) * 1.2 * size;
      const across = right ? x + box.width - within : x + box.width / 2;
      node.append(element("text", { x: across, y: down, dy: "0.35em", "text-anchor": right ? "end" : "middle", "font-size": size, "font-weight": letters.fontWeight, fill: colour(letters.color).hex }, line));
    });
  });
  return { node, width: Math.max(...boxes.map((box) => box.right)) - left, height: Math.max(...boxes.map((box) => box.bottom)) - top };
}
