// Which view is seen, and what is read for it once a second.

import * as actions from "./actions.js";
import * as api from "./api.js";
import { $, attribute, text } from "./dom.js";
import * as gpus from "./gpus.js";
import * as replay from "./replay.js";
import { dayAndTime, seconds } from "./words.js";
import * as workloads from "./workloads.js";

const EVERY = 1000;
const TITLES = { workloads: "Workloads", gpus: "GPUs", replay: "Replay" };

let view = "workloads";

/** The address after the hash: a view, and what of it. */
function route() {
  const [name, id] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  const before = view;
  view = TITLES[name] ? name : "workloads";
  for (const known of Object.keys(TITLES)) {
    $(known).hidden = known !== view;
  }
  for (const link of document.querySelectorAll("nav a")) {
    attribute(link, "aria-current", link.dataset.view === view ? "page" : null);
  }
  document.title = `${TITLES[view]} – Prescale`;
  if (before !== view) {
    scrollTo(0, 0);
  }
  return id;
}

async function look() {
  if (view === "workloads") {
    await workloads.refresh();
  } else if (view === "gpus") {
    await gpus.refresh();
  } else {
    await replay.refresh();
  }
}

async function read() {
  const all = await api.get(["overview"]);
  $("kind").hidden = !all.about.demo;
  text($("clock"), dayAndTime(seconds(all.about.now)));
  text($("speed"), all.about.speed === 1 ? "" : `${all.about.speed} × real time`);
  workloads.list(all.workloads);
  if (!workloads.current()) {
    workloads.select(location.hash.split("/")[2] ?? null);
  }
  workloads.figures(all.workloads);
  replay.offer(all.workloads);
  actions.offer(all.actions, all.events);
}

async function beat() {
  if (!document.hidden) {
    try {
      await read();
      await look();
      $("lost").hidden = true;
      document.documentElement.dataset.ready = "yes";
    } catch (problem) {
      $("lost").hidden = false;
      if (problem.status) {
        text($("lost"), problem.message);
      }
    }
  }
  setTimeout(beat, EVERY);
}

addEventListener("hashchange", async () => {
  const id = route();
  try {
    if (view === "workloads" && id) {
      workloads.select(id);
    } else {
      await look();
    }
  } catch {
    // The next beat says so.
  }
});

route();
beat();
