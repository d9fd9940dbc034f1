// Three features as triangles: the truth, whose signs are buttons, what FM and iFM
// make of it, and the eight patterns of signs.
import { html, nothing, svg, type TemplateResult } from "lit";
import { icon } from "../panel/icons.js";
import { fmNumbers, fmSigns, ifmNumbers, PAIRS, PATTERNS, product, type Sign, type Three } from "./signs.js";
import { three as strings } from "./strings.js";

type Kind = "truth" | "given" | "fm" | "ifm";

/** Where the corners are, and the middles of the edges, in percent. */
const CORNERS: Three<readonly [number, number]> = [[50, 0], [0, 100], [100, 100]];

const PICTURES: Three<string> = [
  "M5 9h11v5.5a4.5 4.5 0 0 1-4.5 4.5h-2A4.5 4.5 0 0 1 5 14.5zM16 10.5h1.5a2.5 2.5 0 0 1 0 5H16M8.5 6V3.5M12.5 6V3.5",
  "M9.5 3h5v4.5l2 3.5v10h-9v-10l2-3.5zM7.5 14h9",
  "M4 12.5c0-4 3.5-7 8-7s8 3 8 7-3.5 7-8 7-8-3-8-7zM19.5 10.5l2.5-2M4.5 14.5l-2.5 2M10 10.5h.01M13.5 13h.01M9.5 14.5h.01",
];

const sign = (value: Sign): string => (value > 0 ? "+" : "−");
const look = (value: Sign): "plus" | "minus" => (value > 0 ? "plus" : "minus");

function edge(pair: readonly [number, number], value: Sign): TemplateResult {
  const [[x1, y1], [x2, y2]] = [CORNERS[pair[0]] ?? [0, 0], CORNERS[pair[1]] ?? [0, 0]];
  return svg`<line class=${look(value)} x1="${x1}%" y1="${y1}%" x2="${x2}%" y2="${y2}%" />`;
}

function middle([i, j]: readonly [number, number]): string {
  const [[x1, y1], [x2, y2]] = [CORNERS[i] ?? [0, 0], CORNERS[j] ?? [0, 0]];
  return `left:${(x1 + x2) / 2}%;top:${(y1 + y2) / 2}%`;
}

/** One number of iFM: the first is filled, the second outlined. */
function chip(value: Sign, at: number): TemplateResult {
  return html`<span class="chip ${at === 0 ? "filled" : ""}">${sign(value)}1</span>`;
}

export function triangle(kind: Kind, signs: Three<Sign>, inside: (feature: number) => unknown, mark: (pair: number) => TemplateResult): TemplateResult {
  return html`<div class="triangle ${kind}">
    <div class="corners">
      <svg aria-hidden="true">${PAIRS.map((pair, at) => edge(pair, signs[at] ?? 1))}</svg>
      ${CORNERS.map(([x, y], at) => html`<span class="node" style="left:${x}%;top:${y}%"><svg class="picture" viewBox="0 0 24 24" aria-hidden="true"><path d=${PICTURES[at]} /></svg>${inside(at)}</span>`)}
      ${PAIRS.map((_, at) => mark(at))}
    </div>
  </div>`;
}

/** The signs that a model gives, a ring around the one that is wrong. */
export function signed(signs: Three<Sign>, truth: Three<Sign>): (pair: number) => TemplateResult {
  return (pair) => {
    const value = signs[pair] ?? 1;
    return html`<span class="dot ${look(value)} ${value === truth[pair] ? "" : "wrong"}" style=${middle(PAIRS[pair] ?? [0, 1])}>${icon(look(value))}</span>`;
  };
}

function model(kind: "fm" | "ifm", picture: TemplateResult, right: boolean): TemplateResult {
  return html`<figure class="model">
    ${picture}
    <figcaption><b class=${kind}>${strings[kind]}</b>: ${strings.numbers[kind]}<br />${icon(right ? "right" : "wrong")} ${right ? strings.right : strings.wrong}</figcaption>
  </figure>`;
}

/** The truth and what either model makes of it. */
export function triangles(signs: Three<Sign>, flip: (pair: number) => void): TemplateResult {
  const names = strings.features;
  const button = (pair: number): TemplateResult => {
    const [i, j] = PAIRS[pair] ?? [0, 1];
    const value = signs[pair] ?? 1;
    return html`<button class="sign ${look(value)}" style=${middle([i, j])} aria-label=${strings.flip(names[i] ?? "", names[j] ?? "", value > 0)} @click=${() => flip(pair)}>${icon(look(value))}</button>`;
  };
  const one = fmNumbers(signs);
  const two = ifmNumbers(signs);
  const [[u = 1, v = 1], [p = 1, q = 1]] = two;
  return html`<div class="triangles">
    ${triangle("truth", signs, (at) => names[at], button)}
    ${model("fm", triangle("fm", fmSigns(signs), (at) => html`<b>${sign(one[at] ?? 1)}1</b>`, signed(fmSigns(signs), signs)), product(signs) > 0)}
    ${model("ifm", triangle("ifm", signs, (at) => html`<span class="chips">${(two[at] ?? []).map(chip)}</span>`, signed(signs, signs)), true)}
    <p class="worked">${names[0]} · ${names[1]} = (${chip(u, 0)} · ${chip(q, 1)}) + (${chip(v, 1)} · ${chip(p, 0)}) = <b>${sign((u * q) as Sign)}2</b></p>
  </div>`;
}

/** The eight patterns as buttons, and which of them either model can have. */
export function patterns(signs: Three<Sign>, choose: (signs: Three<Sign>) => void): TemplateResult {
  const corners = [[22, 6], [6, 32], [38, 32]] as const;
  const small = (pattern: Three<Sign>): TemplateResult => html`<svg viewBox="0 0 44 38" aria-hidden="true">
    ${PAIRS.map(([i, j], at) => svg`<line class=${look(pattern[at] ?? 1)} x1=${corners[i]?.[0] ?? 0} y1=${corners[i]?.[1] ?? 0} x2=${corners[j]?.[0] ?? 0} y2=${corners[j]?.[1] ?? 0} />`)}
    ${corners.map(([x, y]) => svg`<circle cx=${x} cy=${y} r="3" />`)}
  </svg>`;
  return html`<div class="patterns" role="group" aria-label=${strings.patterns}>
    ${PATTERNS.map((pattern) => html`<button class="bare" aria-pressed=${String(pattern) === String(signs)} aria-label=${strings.pattern(pattern.map(sign).join(" "))} @click=${() => choose(pattern)}>${small(pattern)}</button>`)}
    <span class="bracket fm">${strings.four}</span><span class="bracket none"></span>
    <span class="bracket ifm">${strings.eight}</span>
  </div>`;
}

/** Why FM has a wrong sign, in one line. */
export function reason(signs: Three<Sign>): TemplateResult {
  const plus = html`<b class="plus">+</b>`;
  return html`<p class="reason">${strings.multiply} ${product(signs) > 0 ? html`${plus}${strings.can}` : html`<b class="fm">${strings.fm}</b> ${strings.always} ${plus}.`}</p>`;
}

/** What stands where the run after the flip will be. */
export function invitation(flip: () => void): TemplateResult {
  return html`<div class="invite">
    <p>${strings.what}</p>
    <button class="primary" @click=${flip}>${icon("swap")}${strings.invite}</button>
  </div>`;
}

export function head(worded: TemplateResult | typeof nothing): TemplateResult {
  return html`<div class="head"><h1>${strings.title.map((part) => html`<span>${part}</span> `)}</h1>${worded}</div>`;
}
