// XML in pieces: a workbook's parts may be longer than a browser's strings.
import { Fault } from "./piece.js";

/** Hears each tag and text, by names without a namespace. A text may come in parts. */
export interface Listener {
  open(name: string, attributes: string): void;
  close(name: string): void;
  text(text: string): void;
}

const TAG = /^<(\/?)((?:[^\s:/<>"'&=]+:)?)([^\s:/<>"'&=]+)([^]*?)(\/?)>$/; // of one: on much that is none it would try for ever
const NAME = /^[\p{L}_][\p{L}\p{M}\p{Nd}_.-]*$/u;
const NO_TEXT = /[^\t\n\r\x20-\uffef\ufffd]|\]\]>/; // in UTF-16
const LONGEST = 1 << 20; // characters of a tag or a text

export class Xml {
  private rest = "";
  private readonly path: string[] = []; // of the elements that are open

  constructor(
    private readonly listener: Listener,
    private readonly damaged: string,
  ) {}

  push(piece: string): void {
    const text = this.rest + piece;
    let at = 0;
    for (;;) {
      const tag = text.indexOf("<", at);
      if (tag < 0) break;
      if (tag - at > LONGEST) break;
      if (tag > at) this.listener.text(this.decoded(text.slice(at, tag)));
      at = tag;
      const end = this.tag(text, at);
      if (end < 0) break;
      at = end;
    }
    this.rest = text.slice(at);
    if (this.rest.length > LONGEST) throw new Fault(this.damaged);
  }

  end(): void {
    if (this.rest.includes("<") || this.path.length > 0) throw new Fault(this.damaged);
    this.decoded(this.rest);
  }

  /** Where the tag ends, after telling of it; -1 where its end has not come yet. */
  private tag(text: string, at: number): number {
    const until = (start: string, end: string): number => {
      const found = text.indexOf(end, at + start.length);
      return found < 0 ? -1 : found + end.length;
    };
    if (text.startsWith("<?", at)) return until("<?", "?>");
    if (text.startsWith("<!", at)) {
      if (text.length - at < 9) return -1; // it cannot be told yet what it is
      if (text.startsWith("<!--", at)) return until("<!--", "-->");
      if (!text.startsWith("<![CDATA[", at)) throw new Fault(this.damaged); // a document type, which no workbook has
      const end = until("<![CDATA[", "]]>");
      if (end >= 0) this.listener.text(text.slice(at + 9, end - 3));
      return end;
    }
    const end = endOf(text, at);
    if (end < 0) return -1;
    const [whole, closing, prefix = "", name = "", attributes = "", empty] = TAG.exec(text.slice(at, end)) ?? [];
    const sound = whole !== undefined && NAME.test(name) && (prefix === "" || NAME.test(prefix.slice(0, -1))) && (closing ? !empty && attributes.trim() === "" : areAttributes(attributes));
    if (!sound) throw new Fault(this.damaged);
    if (!closing) {
      this.path.push(prefix + name);
      this.listener.open(name, attributes);
    }
    if (closing || empty) {
      if (this.path.pop() !== prefix + name) throw new Fault(this.damaged);
      this.listener.close(name);
    }
    return end;
  }

  private decoded(text: string): string {
    const plain = NO_TEXT.test(text) ? null : decoded(text);
    if (plain === null) throw new Fault(this.damaged);
    return plain;
  }
}

function endOf(text: string, tag: number): number {
  const marks = /[>"']/g;
  for (marks.lastIndex = tag; ; ) {
    const mark = marks.exec(text);
    if (!mark) return -1;
    if (mark[0] === ">") return marks.lastIndex;
    const closing = text.indexOf(mark[0], marks.lastIndex);
    if (closing < 0) return -1;
    marks.lastIndex = closing + 1;
  }
}

const NAMED = new Map([["lt", "<"], ["gt", ">"], ["amp", "&"], ["quot", '"'], ["apos", "'"]]);

/** The text with its characters for their names; null where one has no such name. */
function decoded(text: string): string | null {
  let known = true;
  const plain = text.replace(/&(?:(?:#x([0-9a-f]+)|#(\d+)|(\w+));)?/gi, (_, hex?: string, decimal?: string, name?: string) => {
    const code = hex ? parseInt(hex, 16) : decimal ? Number(decimal) : -1;
    const character = code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : NAMED.get(name ?? "");
    known &&= character !== undefined;
    return character ?? "";
  });
  return known ? plain : null;
}

/** Whether there is nothing between a tag's name and its end but attributes. */
function areAttributes(text: string): boolean {
  const rest = text.replace(/\s+(?:([^\s:=]+):)?([^\s:=]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g, (all, prefix: string | undefined, name: string, double?: string, single?: string) => {
    const value = double ?? single ?? "";
    return NAME.test(name) && (prefix === undefined || NAME.test(prefix)) && !NO_TEXT.test(value) && decoded(value) !== null ? "" : all;
  });
  return rest.trim() === "";
}

const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

export function attributesOf(text: string): Readonly<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const [, name = "", double, single] of text.matchAll(ATTRIBUTE)) all[name.replace(/^.*:/, "")] = decoded(double ?? single ?? "") ?? "";
  return all;
}
