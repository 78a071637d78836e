// The view of workloads: all of them, or one in detail, as the address says.

import { keep, link } from "./address.js";
import * as api from "./api.js";
import * as detail from "./detail.js";
import { $, el } from "./dom.js";
import * as fleet from "./fleet.js";
import * as health from "./health.js";
import { isKnown, RANGES, seconds } from "./words.js";

const USUAL_RANGE = 180;
const VIEW = "workloads";
const A_PAUSE = 200; // milliseconds

let known = null;
let now = 0;
let id = null;
let shown = { range: USUAL_RANGE, at: null, metric: null, next: null, window: null };
let series = null;
let active = false;
let remembering = 0;

/** The workload that actions are about: the one shown, or else the first. */
export const current = () => id ?? known?.[0]?.id ?? null;

fleet.changed(() => remember());

const minute = (at) => (at === null ? "" : new Date(1000 * at).toISOString().slice(0, 16) + "Z");

function remember() {
  if (!active) {
    return;
  }
  const range = shown.range === USUAL_RANGE ? "" : String(shown.range);
  keep(VIEW, id, id ? { range, from: minute(shown.window?.[0] ?? null), to: minute(shown.window?.[1] ?? null), at: minute(shown.at), metric: shown.metric, next: shown.next } : fleet.shown());
}

/** Takes what the address says; called when it has changed. */
export function route(item, query) {
  active = true;
  const isOther = item !== id;
  id = item;
  if (item === null) {
    fleet.take(query);
  } else {
    const [at, from, to] = [query.at, query.from, query.to].map((text) => Date.parse(text ?? "") / 1000);
    const range = Number(query.range);
    shown = {
      range: RANGES.some(([length]) => length === range) ? range : USUAL_RANGE,
      at: isKnown(at) ? 60 * Math.floor(at / 60) : null,
      metric: query.metric ?? null,
      next: query.next === "day" ? "day" : null,
      window: to - from >= 600 ? [from, to].map((time) => 60 * Math.floor(time / 60)) : null,
    };
  }
  $(VIEW).classList.toggle("home", id === null);
  if (isOther) {
    series = null;
    detail.clear();
  }
  draw();
}

/** Another view is shown. */
export function leave() {
  active = false;
}

/** Takes the newest state of all workloads, and the time of the cluster. */
export function update(items, time) {
  known = items;
  now = time;
  draw();
}

function draw() {
  if (!known) {
    return;
  }
  fleet.update(known, id);
  if (id === null) {
    health.show(known, now);
    return;
  }
  const item = known.find((it) => it.id === id);
  if (!item) {
    detail.absent(el("p", { class: "problem", role: "alert" }, `There is no workload ${id}.`), el("p", {}, el("a", { href: link(VIEW) }, "All workloads")));
    return;
  }
  if (shown.metric && !item.metrics.includes(shown.metric)) {
    shown.metric = null;
  }
  detail.figures(item, shown, now, change);
}

/** Reads the series of the workload; called once a second while the view is visible. */
export async function refresh() {
  const item = known?.find((it) => it.id === id);
  if (!item) {
    return;
  }
  const asked = { minutes: shown.range, ...(shown.metric ? { metric: shown.metric } : {}) };
  const fresh = await api.get([VIEW, item.id, "series"], asked);
  if (item.id === id && asked.minutes === shown.range && (asked.metric ?? null) === shown.metric) {
    series = fresh.time.length ? fresh : null;
    if (series && widen()) {
      return refresh();
    }
    await detail.draw(item.id, series, shown);
  }
}

/** Widens the range until it holds the moment and the window; returns whether it did. */
function widen() {
  const longer = RANGES.find(([length]) => length > shown.range);
  const earliest = Math.min(shown.at ?? Infinity, shown.window?.[0] ?? Infinity);
  if (earliest >= series.time[0]) {
    return false;
  }
  if (!longer) {
    shown.window = null; // what was zoomed into is too old to be known
    return false;
  }
  shown.range = longer[0];
  detail.range(shown.range);
  remember();
  return true;
}

/** What a person chose in the detail. */
async function change(what) {
  if (Object.entries(what).every(([key, value]) => shown[key] === value)) {
    return; // the page opened what the address says
  }
  shown = { ...shown, ...what };
  if (what.range !== undefined && series && shown.at < seconds(series.now) - 60 * shown.range) {
    shown.at = null; // the moment is not in the new range
  }
  if (what.range !== undefined) {
    shown.window = null;
  }
  if (what.window === undefined) {
    remember();
  } else {
    clearTimeout(remembering);
    remembering = setTimeout(remember, A_PAUSE); // browsers limit how often an address may change
  }
  if (what.at !== undefined || what.next !== undefined || what.window !== undefined) {
    await detail.draw(id, series, shown);
  } else {
    detail.range(shown.range);
    await refresh();
  }
}
