// Selects the view and refreshes it once a second.

import * as actions from "./actions.js";
import { address } from "./address.js";
import * as api from "./api.js";
import { $, attribute, text } from "./dom.js";
import * as gpus from "./gpus.js";
import * as plan from "./plan.js";
import * as replay from "./replay.js";
import * as savings from "./savings.js";
import * as signIn from "./sign-in.js";
import { dayAndTime, percent, seconds } from "./words.js";
import * as workloads from "./workloads.js";

const EVERY = 1000;
const SILENCE = $("lost").textContent;
const TITLES = { workloads: "Workloads", gpus: "GPUs", plan: "Plan", replay: "Replay" };

let view = null;
let place = null;

/** Shows what the address says. */
function route() {
  const said = address();
  view = Object.hasOwn(TITLES, said.view) ? said.view : "workloads";
  for (const known of Object.keys(TITLES)) {
    $(known).hidden = known !== view;
  }
  for (const link of document.querySelectorAll("nav a")) {
    attribute(link, "aria-current", link.dataset.view === view ? "page" : null);
  }
  const item = view === "workloads" ? said.item : null;
  if (view === "workloads") {
    workloads.route(item, said.shown);
  } else {
    workloads.leave();
  }
  replay.route(view === "replay", said.item);
  document.title = `${item ?? TITLES[view]} – Prescale`;
  if (place !== view + item) {
    place = view + item;
    scrollTo(0, 0);
  }
}

async function look() {
  if (view === "workloads") {
    await Promise.all([workloads.refresh(), savings.refresh()]);
  } else if (view === "gpus") {
    await gpus.refresh();
  } else if (view === "plan") {
    await plan.refresh();
  } else {
    await replay.refresh();
  }
}

async function read() {
  const all = await api.get(["overview"]);
  $("kind").hidden = !all.about.demo;
  document.querySelector("nav a[data-view=plan]").hidden = all.about.demo; // which has none
  text($("clock"), dayAndTime(seconds(all.about.now)) + " UTC");
  text($("speed"), all.about.speed === 1 ? "" : `${all.about.speed} × real time`);
  doing(all.about.doing);
  workloads.update(all.workloads, seconds(all.about.now));
  gpus.setTime(seconds(all.about.now));
  plan.setTime(seconds(all.about.now));
  replay.offer(all.workloads);
  savings.offer(all.workloads, all.about);
  actions.offer(all.actions, all.events, seconds(all.about.now));
}

/** What has to be done before time passes. */
function doing(it) {
  const [words, bar, share] = $("doing").children;
  $("doing").hidden = !it;
  if (it) {
    text(words, it.text);
    attribute(bar, "value", it.done > 0 ? it.done : null); // without one the bar moves
    text(share, it.done > 0 ? percent(it.done) : "");
  }
}

function lost(problem) {
  if (problem.status === 401 || problem.status === 403) {
    $("lost").hidden = true;
    signIn.ask(problem.message);
    return;
  }
  text($("lost"), problem.status ? problem.message : SILENCE);
  $("lost").hidden = false;
}

async function beat() {
  if (!document.hidden && !signIn.isAsked()) {
    try {
      await read();
      await look();
      $("lost").hidden = true;
      document.documentElement.dataset.ready = "yes";
    } catch (problem) {
      lost(problem);
    }
  }
  setTimeout(beat, EVERY);
}

addEventListener("hashchange", async () => {
  route();
  try {
    await look();
  } catch {
    // The next beat reports the failure.
  }
});

route();
beat();
