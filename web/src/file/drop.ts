// Files that are dropped anywhere on the page.
import { opening as strings } from "./strings.js";

interface Drops {
  over(some: boolean): void;
  take(file: File, all: readonly File[]): void;
  refuse(name: string, message: string): void;
}

export function catchDrops({ over, take, refuse }: Drops): void {
  const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
  const elsewhere = ({ target }: DragEvent): boolean => target instanceof Element && target.closest(".drops") !== null; // there they are for something else
  addEventListener("dragover", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    over(!elsewhere(event));
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) over(false);
  });
  addEventListener("drop", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    over(false);
    if (elsewhere(event)) return;
    const { files, items } = event.dataTransfer ?? {};
    const file = files?.[0];
    if (items?.[0]?.webkitGetAsEntry()?.isDirectory) refuse(file?.name ?? "", strings.folder);
    else if (file) take(file, [...(files ?? [])]);
  });
}
