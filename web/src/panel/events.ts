// What panels tell the page.
import type { ModelFile } from "../engine/protocol.js";
import type { Second } from "../engine/messages.js";
import type { Piece } from "../state/piece.js";
import type { Notice, Spec } from "../state/spec.js";
import type { Chapter, Parts, View } from "../state/view.js";
import type { PostStudy } from "../training/study.js";
import type { Command, Run } from "../training/training.js";
import type { Chosen } from "./choice.js";

/** What becomes of a file whose columns are those of the open table. */
export type Joining = "instead" | Second["as"] | "leave" | "alone"; // alone: without the second file

export interface Events {
  "ifm-spec": Partial<Spec>;
  "ifm-train": Partial<Spec>; // settings with which the table is to be trained, as soon as it can be
  "ifm-open": Spec; // a run to show in the figure
  "ifm-view": Partial<View>;
  "ifm-part": { readonly chapter: Chapter; readonly query: string; readonly notices: readonly Notice[] }; // a chapter's own settings
  "ifm-answered": Chapter; // its run has said what there is to say
  "ifm-parts": { readonly parts: Parts; readonly how: "push" | "replace" }; // settings of chapters, and of the homework, at once
  "ifm-run": { readonly run: Run; readonly command: Command };
  "ifm-file": File;
  "ifm-second": Joining;
  "ifm-choose": Chosen; // of several tables in the file that is open, or was to be
  "ifm-sample": string;
  "ifm-cancel": null;
  "ifm-study": { readonly what: PostStudy; readonly go: boolean }; // of the table
  "ifm-class": number; // of the table, of more than two: whose interactions are shown
  "ifm-look": boolean; // whether the figure's predictions are looked at
  "ifm-kept": ModelFile["bytes"]; // a model that was saved in some form
  "ifm-model": null; // closes the saved one
  "ifm-share": Piece;
  "ifm-swept": null; // closes the sweep that was opened
  "ifm-savable": null; // there is a chart to save
}
