// The page of examples: each section says in its data- attributes what it shows
// and how; what is to be pasted is written as the Share dialog writes it, and
// what runs beside it is made of that very text.
import { frame } from "../state/heights.gen.js";
import { heightOf } from "../state/heights.js";
import { around, embedded, isChart, linked, type Piece, type State } from "../state/piece.js";
import { readLink, type View } from "../state/view.js";
import { card, course, docusaurus, element, html, hugo, jupyter, myst, quarto, question, reveal, titleOf, vitepress, type Shown, type Writer } from "./snippet.js";
import { examples as strings } from "./strings.js";

const writers: Readonly<Record<string, Writer>> = { html, course, element, vitepress, docusaurus, reveal, jupyter, quarto, myst, hugo, card };
const EVENTS = ["ifm-ready", "ifm-state", "ifm-record", "ifm-verdict", "ifm-height", "ifm-error"];
const WIDTH = 1000; // px of a frame on this page, where there is room
const LONGEST = 160; // characters of a detail that are shown

const page = new URL("./", location.href).href;

function shown({ dataset }: HTMLElement, settings = dataset["settings"] ?? ""): Shown {
  const link = readLink(settings);
  const state: State = { ...link, tableSpec: link.spec };
  const piece = (dataset["piece"] ?? "figure") as Piece;
  const theme: View["theme"] = "auto";
  const look = { theme, hide: isChart(piece) ? around.chart : (["matrices"] as const) };
  const pairs = embedded(state, piece, look);
  return { page, settings: pairs, link: linked(state, piece, look), title: titleOf(piece), height: dataset["form"] === "reveal" ? frame.slide : heightOf(pairs, WIDTH) };
}

/** The text of a section, and what it makes. */
function fill(section: HTMLElement): void {
  const { form = "", sandbox, second, still } = section.dataset;
  const write = writers[form];
  if (!write) return;
  const boxed = (text: string): string => (sandbox === undefined ? text : text.replace("<iframe ", `<iframe sandbox="${sandbox}" `));
  const one = boxed(write(shown(section)));
  const text = second === undefined ? one : `${one}\n${write(shown(section, second)).replace(/^<script.*\n/, "")}`;
  const said = section.appendChild(snippet(text));
  section.querySelector("h2")?.after(...section.querySelectorAll(":scope > p:not(:has(button))"), said);
  if (still !== undefined) return;
  const live = document.createElement("div");
  live.className = second === undefined ? "live" : "live pair";
  const made = document.createElement("template");
  made.innerHTML = text;
  made.content.querySelectorAll("script").forEach((script) => script.remove()); // the page has it
  live.append(made.content);
  said.after(live);
}

function snippet(text: string): HTMLElement {
  const box = document.createElement("div");
  const [pre, button, said] = [document.createElement("pre"), document.createElement("button"), document.createElement("p")];
  box.className = "snippet";
  pre.textContent = text;
  pre.tabIndex = 0;
  pre.setAttribute("role", "group");
  pre.setAttribute("aria-label", strings.code);
  button.textContent = strings.copy;
  said.setAttribute("role", "status");
  button.addEventListener("click", () => void copy(pre).then((copied) => (said.textContent = copied ? strings.copied : strings.selected)));
  box.append(pre, button, said);
  return box;
}

/** Copies a text, or leaves it selected where the browser does not allow that. */
async function copy(pre: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(pre.textContent ?? "");
    return true;
  } catch {
    getSelection()?.selectAllChildren(pre);
    return document.execCommand("copy");
  }
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
    const row = document.createElement("tr");
    const [head, times, detail] = [document.createElement("th"), document.createElement("td"), document.createElement("td")];
    Object.assign(head, { scope: "row", textContent: name });
    times.textContent = "0";
    row.dataset["event"] = name;
    row.append(head, times, detail);
    rows.append(row);
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
    const tell = (text: string): void => {
      if (!answer) return;
      answer.hidden = false;
      answer.textContent = `${address}\n\n${text}`;
    };
    fetch(address)
      .then(async (response) => tell(response.ok ? JSON.stringify(await response.json(), null, 2) : strings.noServer))
      .catch(() => tell(strings.noServer));
  });
}

const sections = Array.from(document.querySelectorAll<HTMLElement>(".examples section"));
sections.forEach(fill);
sections.filter((section) => section.querySelector(".remote")).forEach(connect);
sections.filter((section) => section.querySelector("[data-ask]")).forEach(asks);

const list = document.createElement("ul");
for (const { id, firstElementChild } of sections) {
  const [item, link] = [document.createElement("li"), document.createElement("a")];
  Object.assign(link, { href: `#${id}`, textContent: firstElementChild?.textContent ?? "" });
  item.append(link);
  list.append(item);
}
document.querySelector(".examples nav")?.append(list);
