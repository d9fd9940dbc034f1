import { sharing as strings } from "../strings.js";
import { chapterOf, isChapter, type Piece } from "./piece.js";

/** What a frame with the piece is called. */
export function titleOf(piece: Piece): string {
  return isChapter(piece) ? strings.chapter(strings.chapters[chapterOf(piece)]) : strings.named(piece);
}
