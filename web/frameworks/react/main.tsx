import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Page } from "./page.js";

const root = document.querySelector("#page");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Page lab={new URLSearchParams(location.search).get("lab") ?? ""} />
    </StrictMode>,
  );
}
