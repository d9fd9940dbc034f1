import { createApp } from "vue";
import Page from "./page.vue";

createApp(Page, { lab: new URLSearchParams(location.search).get("lab") ?? "" }).mount("#page");
