import { mount } from "svelte";
import Page from "./page.svelte";

const target = document.querySelector("#page");
if (target) mount(Page, { target, props: { lab: new URLSearchParams(location.search).get("lab") ?? "" } });
