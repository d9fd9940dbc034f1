// The page of examples. Data attributes of each section say what it shows and how;
// what is to be pasted, and what runs beside it, is written as the Share dialog does.
import { frame } from "../state/heights.gen.js";
import { heightOf } from "../state/heights.js";
import { around, embedded, isChart, linked, type Piece, type State } from "../state/piece.js";
import { placeOf, readLink } from "../state/view.js";
import { copyText } from "../save/copy.js";
import { card, course, docusaurus, element, html, hugo, jupyter, myst, quarto, question, reveal, titleOf, vitepress, type Shown, type Writer } from "./snippet.js";
import { examples as strings, sharing } from "./strings.js";

const writers: Readonly<Record<string, Writer>> = { html, course, element, vitepress, docusaurus, reveal, jupyter, quarto, myst, hugo, card };
const EVENTS = ["ifm-ready", "ifm-state", "ifm-record", "ifm-verdict", "ifm-height", "ifm-error"];
const WIDTH = 1000; // px of a frame on this page, where there is room
const LONGEST = 160; // characters of a detail that are shown

const page = new URL("./", location.href).href;

function make(name: string, attributes: Readonly<Record<string, string>> = {}, ...inner: readonly (Node | string)[]): HTMLElement {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inner);
  return made;
}

function shown({ dataset }: HTMLElement, settings = dataset["settings"] ?? ""): Shown {
  const link = readLink(settings);
  const state: State = { ...link, place: placeOf(link.spec, link.view, link.parts, ""), figureSpec: link.spec, tableSpec: link.spec };
  const piece = (dataset["piece"] ?? "figure") as Piece;
  const look = { theme: "auto", hide: isChart(piece) ? around.chart : (["matrices"] as const) } as const;
  const pairs = embedded(state, piece, look);
  return { page, settings: pairs, link: linked(state, piece, look), title: titleOf(piece), height: dataset["form"] === "reveal" ? frame.slide : heightOf(pairs, WIDTH) };
}

/** The text of a section, and what it makes. */
function fill(section: HTMLElement): void {
  const { form = "", sandbox, second, still } = section.dataset;
  const write = writers[form];
  if (!write) return;
  const one = write(shown(section)).replace("<iframe ", sandbox === undefined ? "$&" : `$&sandbox="${sandbox}" `);
  const text = second === undefined ? one : `${one}\n${write(shown(section, second)).replace(/^<script.*\n/, "")}`;
  const box = snippet(text);
  section.append(box);
  section.querySelector("h2")?.after(...section.querySelectorAll(":scope > p:not(:has(button))"), box);
  if (still !== undefined) return;
  const made = document.createElement("template");
  made.innerHTML = text;
  made.content.querySelectorAll("script").forEach((script) => script.remove()); // the page has it
  box.after(make("div", { class: second === undefined ? "live" : "live pair" }, made.content));
}

function snippet(text: string): HTMLElement {
  const pre = make("pre", { tabindex: "0", role: "group", "aria-label": strings.code }, text);
  const button = make("button", {}, sharing.copy);
  const said = make("p", { role: "status" });
  const select = (): void => getSelection()?.selectAllChildren(pre);
  button.addEventListener("click", () => void copyText(text, select).then((copied) => (said.textContent = copied ? sharing.copied : sharing.selected)));
  return make("div", { class: "snippet" }, pre, button, said);
}

/** Lets the buttons call the element's methods, and the table tell its events. */
function connect(section: HTMLElement): void {
  const lab = section.querySelector<HTMLElement & Record<string, unknown>>("ifm-lab");
  const rows = section.querySelector("tbody");
  if (!lab || !rows) return;
  for (const button of section.querySelectorAll<HTMLElement>("[data-call]")) {
    button.addEventListener("click", () => {
      const method = lab[button.dataset["call"] ?? ""];
      if (typeof method === "function") method.call(lab);
    });
  }
  for (const name of EVENTS) {
    const [times, detail] = [make("td", {}, "0"), make("td")];
    rows.append(make("tr", { "data-event": name }, make("th", { scope: "row" }, name), times, detail));
    lab.addEventListener(name, (event) => {
      const told = JSON.stringify((event as CustomEvent<unknown>).detail) ?? "";
      times.textContent = String(Number(times.textContent) + 1);
      detail.textContent = told.length > LONGEST ? `${told.slice(0, LONGEST)}…` : told;
    });
  }
}

/** Asks the server's oEmbed, as another page would. */
function asks(section: HTMLElement): void {
  const answer = section.querySelector<HTMLElement>(".answer");
  section.querySelector("[data-ask]")?.addEventListener("click", () => {
    const address = question(shown(section));
    const json = fetch(address).then(async (response) => (response.ok ? JSON.stringify(await response.json(), null, 2) : strings.noServer));
    void json.catch(() => strings.noServer).then((text) => answer && Object.assign(answer, { hidden: false, textContent: `${address}\n\n${text}` }));
  });
}

const sections = Array.from(document.querySelectorAll<HTMLElement>(".examples section"));
sections.forEach(fill);
sections.filter((section) => section.querySelector(".remote")).forEach(connect);
sections.filter((section) => section.querySelector("[data-ask]")).forEach(asks);
document.querySelector(".examples nav")?.append(make("ul", {}, ...sections.map(({ id, firstElementChild }) => make("li", {}, make("a", { href: `#${id}` }, firstElementChild?.textContent ?? "")))));
