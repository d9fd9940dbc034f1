// Chapter "break": a matrix that the reader paints, and the fits of FM and iFM.
import { html } from "lit";
import { form, type Input, type Value } from "../../panel/form.js";
import { quote } from "../../state/spec.js";
import { sentences, type Phrase } from "../../text/phrase.js";
import { chapter, formulary, type Run } from "../chapter/definition.js";
import { formulas } from "../chapter/formulas.gen.js";
import { labels } from "../chapter/strings.js";
import "./board.js";
import { Contests, tallied, type Scores } from "./contests.js";
import { fields, type Break } from "./fields.gen.js";
import { read as readPairs, write } from "./pairs.js";
import { breaking as words } from "./strings.js";

const PER_MATRIX = 0.2; // s of one engine, at most

type Settings = { readonly [Key in keyof Break]: Break[Key] };

type Numbers = ReturnType<typeof read>;

const inputs = fields.flatMap(({ key, kind, min, max }): Input[] => (kind === "int" ? [{ key, kind, min, max }] : []));
const initial = fields.find(({ key }) => key === "m")?.default ?? "";

export function read({ plan }: Run<Settings, Scores>) {
  const { drawn = [], of = 0, painted = null } = plan ?? {};
  return { drawn, of, painted, tally: tallied(drawn) };
}

/** Which model is ahead on most of the matrices. */
export function answer({ of, tally }: Numbers): string | null {
  return of === 0 ? null : tally.ifm > of / 2 ? "ifm" : tally.fm > of / 2 ? "fm" : "alike";
}

function told({ tally, drawn, painted }: Numbers): Phrase {
  return sentences([words.tally(tally), ...(painted ? [words.yours(painted.score, drawn.filter((score) => score < painted.score).length, drawn.length)] : [])]);
}

export const breaking = chapter<Settings, Scores, Numbers>({
  id: "break",
  words,
  settings: { fields, inputs },
  display: ["m"], // what is painted is compared with the run
  work: (pool, notify) => new Contests(pool, notify),
  repair(settings) {
    const pairs = readPairs(settings.m);
    return pairs ? { settings: { ...settings, m: write(pairs) }, notices: [] } : { settings: { ...settings, m: initial }, notices: [{ key: "m", found: settings.m, message: words.bad(quote(settings.m)) }] };
  },
  read,
  answer,
  reason: (numbers) => (answer(numbers) === null ? [] : [...(answer(numbers) === "ifm" ? words.signs : []), ...words.brief(numbers.tally)]),
  told,
  explains: (numbers) => (["fm", "alike"].includes(answer(numbers) ?? "") ? [words.design] : []),
  cost: ({ values }) => words.cost(values.draws),
  seconds: ({ draws }) => draws * PER_MATRIX,
  live: ({ settings: { draws, seed } }) => words.live(draws, seed),
  picture: (_, { values: { m, seed }, work, change }) => html`<ifm-contest .contests=${work} .initial=${initial} .m=${m} .seed=${seed} .change=${change}></ifm-contest>`,
  form: ({ values: { draws, seed }, change }) => html`<div class="settings">${form(inputs, { draws, seed }, { ...labels, keys: { ...labels.keys, draws: words.draws } }, (key: string, value: Value) => change(key, value), "break")}</div>`,
  details: () => formulary(formulas.population, formulas.score),
});
