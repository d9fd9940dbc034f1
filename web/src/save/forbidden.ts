import { html, nothing, render } from "lit";
import { copyText } from "./copy.js";
import { home } from "../state/site.js";
import { saving as strings } from "./strings.js";

const ABOVE = 200; // px, that the dialog begins above the button in a frame that may be much higher than what is seen of it

/** Offers a file's text to copy, in a frame that may forbid downloads. Of a picture it offers the page's address. */
export async function offerText(name: string, content: Blob): Promise<void> {
  const text = /^text\/|json|xml/.test(content.type) ? await content.text() : "";
  show(strings.perhaps(name), `${strings.forbidden} ${text === "" ? strings.noText : strings.text(name)}`, name, text === "" ? home() : text);
}

/** Offers the address of a link that the frame may not open. */
export function offerAddress(address: string): void {
  show(strings.unopened, strings.noTabs, strings.address, address);
}

function show(title: string, says: string, label: string, text: string): void {
  const pressed = document.activeElement?.getBoundingClientRect();
  const dialog = document.createElement("dialog");
  const box = (): HTMLTextAreaElement | null => dialog.querySelector("textarea");
  const draw = (said: string): void => {
    render(
      html`<h2 id="forbidden-title" tabindex="-1">${title}</h2>
        <p>${says}</p>
        <textarea readonly rows="8" aria-label=${label} .value=${text}></textarea>
        <p class="acts"><button class="copy" @click=${() => void copy()}>${strings.copy}</button> <button class="close" @click=${() => dialog.close()}>${strings.close}</button></p>
        <p role="status">${said === "" ? nothing : said}</p>`,
      dialog,
    );
  };
  const copy = async (): Promise<void> => {
    const copied = await copyText(box()?.value ?? "", () => {
      box()?.focus();
      box()?.select();
    });
    draw(copied ? strings.copied : strings.selected);
  };
  dialog.className = "forbidden";
  dialog.setAttribute("aria-labelledby", "forbidden-title");
  dialog.style.marginTop = `${Math.max(0, (pressed?.top ?? 0) - ABOVE)}px`;
  dialog.addEventListener("close", () => dialog.remove());
  draw("");
  document.body.append(dialog);
  dialog.showModal();
}
