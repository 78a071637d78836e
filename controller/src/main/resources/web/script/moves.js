// The moves of the GPU view: pods that move to other cards, planned, under way and made.

import { $, el, keyed, text } from "./dom.js";
import { dayAndTime, duration, seconds } from "./words.js";

// As many as the server tells.
const MOST = 500;

const STATES = {
  planned: () => "planned",
  noticed: (it, left) => (left > 0 ? `leaves in ${duration(left)}` : "leaves now"),
  leaving: () => "its replacement is awaited",
  made: (it) => `made, ${dayAndTime(seconds(it.at))} UTC`,
  missed: (it) => `its replacement is elsewhere, ${dayAndTime(seconds(it.at))} UTC`,
};

/** Shows them; without any there is nothing to see. */
export function show(moves, now) {
  $("with-moves").hidden = moves.length === 0;
  $("some-moves").hidden = moves.length < MOST;
  keyed($("moves"), moves, (it) => [it.pod, it.from, it.to, it.reason].join(), make, (row, it) => text(row.state, state(it, now)));
}

function make(it) {
  const state = el("td");
  return Object.assign(el("tr", {}, el("td", {}, it.pod), el("td", {}, it.from), el("td", {}, it.to), el("td", {}, it.reason), state), { state });
}

function state(it, now) {
  const words = STATES[it.state];
  return words ? words(it, seconds(it.at) - now) : it.state;
}
