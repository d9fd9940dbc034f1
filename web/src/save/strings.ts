// The words of saving.

export const saving = {
  title: "Save, data",
  label: (chart: string) => `Save, data: ${chart}`,
  kinds: { svg: "Picture, SVG", png: "Picture, PNG", csv: "Data, CSV", json: "The whole run, JSON", tex: "Table, LaTeX", md: "Table, Markdown" },
  nothing: "There is nothing to save yet.",
  making: (done: string) => `Making the file: ${done}`,
  failed: (reason: string) => `The file could not be made${reason === "" ? "" : `: ${reason}`}.`,
  feature: "feature",
  other: "other feature",
  share: "Link and embed",
  negative: "negative",
  positive: "positive",
  source: "source",
  link: "link",
};
