// What the models have learnt, drawn: a script of its own, so that the page is
// there before it.
import "./matrix.js";
import "./spectrum.js";
