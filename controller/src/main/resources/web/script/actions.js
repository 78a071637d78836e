// The demo's actions: lists them, asks for confirmation, and performs them.

import * as api from "./api.js";
import { $, el, text } from "./dom.js";
import { clock, seconds } from "./words.js";
import { current } from "./workloads.js";

const NEWS = 3600; // seconds of the cluster's time

let offered = [];
let events = [];

$("act").addEventListener("click", () => {
  choose();
  $("happen").showModal();
});

/** Takes what can be done, and what happened up to now. */
export function offer(actions, newest, now) {
  offered = actions;
  events = newest;
  $("act").hidden = actions.length === 0;
  const last = events.find((it) => now - seconds(it.at) < NEWS);
  text($("news"), last ? `${clock(seconds(last.at))}  ${last.text}` : "");
}

const target = (action) => (action.ofWorkload ? (current() ?? "") : "");
const named = (words, action) => words.replace("%s", target(action));

function choose(problem) {
  $("happen-body").replaceChildren(
    problem ? el("p", { class: "problem", role: "alert" }, problem) : el("p", { class: "muted" }, "These actions affect the simulated cluster. Each asks for confirmation first."),
    el(
      "div",
      { class: "choices" },
      ...offered.map((action) =>
        el("button", { type: "button", class: "quiet", onclick: () => ask(action) }, action.title + (action.ofWorkload ? ` of ${target(action)}` : "")),
      ),
    ),
    el("ul", { class: "happened" }, ...events.slice(0, 5).map((it) => el("li", {}, `${clock(seconds(it.at))}  ${it.text}`))),
    el("div", { class: "buttons" }, el("button", { type: "button", class: "quiet", onclick: () => $("happen").close() }, "Close")),
  );
}

function ask(action) {
  const yes = el("button", { type: "button", onclick: () => perform(action) }, action.title);
  $("happen-body").replaceChildren(
    el("p", {}, named(action.question, action)),
    el("div", { class: "buttons" }, yes, el("button", { type: "button", class: "quiet", onclick: () => choose() }, "Cancel")),
  );
  yes.focus();
}

async function perform(action) {
  try {
    const { done } = await api.post(["actions", action.id], { workload: target(action) });
    text($("news"), done);
    $("happen").close();
  } catch (problem) {
    choose(problem.message);
  }
}
