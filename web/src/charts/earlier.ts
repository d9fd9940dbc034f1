// What the faint lines of a chart are: the run before, told by what it had otherwise.
import { fields, parse, type Spec } from "../state/spec.js";
import { options, settings } from "../state/settings-strings.js";
import { curve as strings } from "./strings.js";

const MOST = 3; // settings that are named
const LONG = 32; // characters of a value

/** The settings of a query that another run had otherwise, as that one had them: Flipped; Seed: 7. */
export function unlike(query: string, before: string): string {
  const [now, then] = [parse(query).spec, parse(before).spec];
  const different = fields.filter(({ key }) => String(now[key as keyof Spec]) !== String(then[key as keyof Spec]));
  const said = different.slice(0, MOST).map(({ key, kind }) => {
    const value = then[key as keyof Spec];
    const text = (Array.isArray(value) ? value : [value]).map((v) => (kind === "choice" || kind === "set" ? (options[String(v)] ?? String(v)) : String(v))).join(", ");
    if (key === "scenario") return text;
    return strings.setting(settings[key as keyof Spec] ?? key, text.length > LONG ? `${text.slice(0, LONG)}…` : text);
  });
  return [...said, ...(different.length > MOST ? [strings.others(different.length - MOST)] : [])].join("; ");
}
