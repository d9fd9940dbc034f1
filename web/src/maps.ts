// What the models have learnt, drawn, and the settings that are folded away: a
// script of its own, so that the page is there before it.
import "./shared.js";
import "./matrix.js";
import "./settings.js";
import "./spectrum.js";
