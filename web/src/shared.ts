// What is on the page before any of its later parts. Each part that is imported
// later begins with this module: the bundler makes a script for every set of
// parts that share something, so what all of them share is one script, and not
// many small ones that compress badly and are fetched one by one.
import "./axis.js";
import "./controls.js";
import "./curve.js";
import "./desk.js";
import "./engine.js";
import "./format.js";
import "./ghost.js";
import "./model.js";
import "./panel.js";
import "./phrase.js";
import "./place.js";
import "./problem.js";
import "./recovery.js";
import "./series.js";
import "./spec.js";
import "./standing.js";
import "./strings.js";
import "./verdict.js";
import "./view.js";
