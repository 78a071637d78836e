// The workload view: the list, and one workload in detail.

import * as api from "./api.js";
import { Chart } from "./chart.js";
import { $, attribute, el, keyed, part, text } from "./dom.js";
import * as why from "./why.js";
import { clock, dayAndTime, duration, isKnown, number, percent, seconds, STATES } from "./words.js";

const RANGES = [[60, "1 h"], [180, "3 h"], [720, "12 h"], [1440, "24 h"]];
const MANY = 12;
const DAY = 24 * 3600;

let known = [];
let selected = null;
let minutes = 180;
let picked = null;
let metric = null; // the one that decides
let series = null;
let parts = null;
let filter = "";

export const current = () => selected;

$("find").addEventListener("input", (event) => {
  filter = event.target.value.trim().toLowerCase();
  drawList();
});

/** The share of a day's shortage budget that the last day used. */
const budgetUsed = (item) => item.shortSeconds / (DAY * item.budget);

// The list.

function makeItem(item) {
  const it = {
    name: el("span", { class: "name" }, item.id),
    state: el("span", { class: "state" }),
    sub: el("span", { class: "sub" }),
    gauge: el("div", { class: "gauge", "aria-hidden": "true" }, el("span")),
  };
  const link = el(
    "a",
    { href: "#/workloads/" + encodeURIComponent(item.id) },
    el("span", { class: "row" }, it.name, it.state),
    it.sub,
    it.gauge,
  );
  return Object.assign(el("li", {}, link), { it, link });
}

function updateItem(element, item) {
  const { it, link } = element;
  text(it.state, STATES[item.state]);
  attribute(it.state, "class", "state " + item.state);
  text(it.sub, `${item.ready} of ${item.wanted} ready · ${number(item.demand)} requests`);
  const used = budgetUsed(item);
  part(it.gauge.firstElementChild, used);
  attribute(it.gauge, "class", used > 1 ? "gauge over" : "gauge");
  attribute(link, "aria-current", item.id === selected ? "true" : null);
}

export function list(items) {
  known = items;
  $("find-box").hidden = items.length < MANY;
  drawList();
}

function drawList() {
  const shown = known.filter((item) => item.id.includes(filter));
  keyed($("list"), shown, (item) => item.id, makeItem, updateItem);
}

// The detail.

function figure(id, label) {
  const value = el("dd", { id });
  const small = el("dd", { class: "small" });
  return { box: el("div", {}, el("dt", {}, label), value, small), value, small };
}

const legend = (...entries) =>
  el("ul", { class: "legend" }, ...entries.map(([swatch, words]) => el("li", {}, el("span", { class: "swatch " + swatch }), words)));

function build(id) {
  parts?.charts.forEach((chart) => chart.close());
  const it = {
    state: el("span", { class: "state" }),
    note: el("p", { class: "note" }),
    demand: figure("f-demand", "Demand now"),
    served: figure("f-served", "Served to the HPA"),
    replicas: figure("f-replicas", "Replicas ready"),
    lead: figure("f-lead", "Lead time"),
    budget: figure("f-budget", "Budget used"),
    reactive: figure("f-reactive", "Reactive HPA short"),
    demandChart: el("div", { class: "chart", role: "img", id: "chart-demand" }),
    replicaChart: el("div", { class: "chart", role: "img", id: "chart-replicas" }),
    slider: el("input", { type: "range", id: "moment", min: "0", max: "0", step: "1", oninput: slide }),
    momentLabel: el("label", { for: "moment" }),
    follow: el("button", { type: "button", class: "quiet", id: "follow", onclick: () => pick(null) }, "Follow now"),
    why: el("div", { id: "why" }),
    metric: el("select", { id: "metric", onchange: (event) => choose(event.target.value || null) }),
  };
  it.metricBox = el("label", { hidden: true }, "Metric ", it.metric);
  const ranges = RANGES.map(([length, label]) =>
    el("button", { type: "button", class: "quiet", "aria-pressed": String(length === minutes), onclick: () => range(length) }, label),
  );
  $("detail").replaceChildren(
    el("div", { class: "head" }, el("h2", {}, id), it.state, it.note),
    el("dl", { class: "figures" }, ...[it.demand, it.served, it.replicas, it.lead, it.budget, it.reactive].map((f) => f.box)),
    el(
      "section",
      { class: "panel", "aria-label": "Demand and forecast" },
      el("header", {}, el("h3", {}, "Demand and forecast"), it.metricBox, el("div", { class: "ranges", role: "group", "aria-label": "Range" }, ...ranges)),
      legend(["line demand", "demand"], ["fan", "forecast, P50 to P95, made one lead time earlier"], ["line served", "served"], ["leadtime", "lead time"]),
      it.demandChart,
      el("h3", {}, "Replicas"),
      legend(["line ready", "ready"], ["line wanted", "desired"], ["needed", "needed"], ["line reactive", "ready with a reactive HPA"]),
      it.replicaChart,
    ),
    el(
      "section",
      { class: "panel", "aria-label": "Why" },
      el("header", {}, el("h3", {}, "Why"), el("span", { class: "muted" }, "Click a chart, or move the slider")),
      el("div", { class: "moment" }, it.momentLabel, it.slider, it.follow),
      it.why,
    ),
  );
  it.ranges = ranges;
  it.charts = [new Chart(it.demandChart, "demand", 260, pick), new Chart(it.replicaChart, "replicas", 170, pick)];
  parts = it;
}

function range(length) {
  minutes = length;
  parts.ranges.forEach((button, i) => attribute(button, "aria-pressed", String(RANGES[i][0] === length)));
  refresh();
}

function choose(name) {
  metric = name;
  refresh();
}

/** Lists the metrics of a workload with several. */
function offerMetrics(item) {
  const names = ["", ...item.metrics];
  parts.metricBox.hidden = item.metrics.length < 2;
  if (parts.metric.options.length !== names.length || names.some((name, i) => parts.metric.options[i].value !== name)) {
    parts.metric.replaceChildren(...names.map((name) => el("option", { value: name })));
  }
  names.forEach((name, i) => text(parts.metric.options[i], name || `deciding: ${item.metric}`));
  metric = names.includes(metric) ? metric : null;
  parts.metric.value = metric ?? "";
}

function pick(time) {
  picked = time;
  drawSeries();
  explain();
}

function slide(event) {
  pick(series.time[0] + 60 * Number(event.target.value));
}

/** Shows a workload; by default the first. */
export function select(id) {
  const next = id ?? selected ?? known[0]?.id ?? null;
  if (next !== selected || (next && !parts)) {
    selected = next;
    picked = null;
    metric = null;
    series = null;
    if (next) {
      build(next);
    }
    drawList();
  }
  refresh();
}

export function figures(items) {
  const item = items.find((it) => it.id === selected);
  if (!item || !parts) {
    return;
  }
  offerMetrics(item);
  text(parts.state, STATES[item.state]);
  attribute(parts.state, "class", "state " + item.state);
  text(parts.note, item.note);
  text(parts.demand.value, number(item.demand));
  text(parts.demand.small, `one replica carries ${number(item.capacityPerReplica)}`);
  text(parts.served.value, number(item.served));
  text(parts.served.small, item.metric);
  text(parts.replicas.value, `${item.ready} of ${item.wanted}`);
  text(parts.replicas.small, item.unplaced ? `${item.unplaced} not placed` : item.ready < item.wanted ? "others starting" : "all ready");
  text(parts.lead.value, duration(item.leadSeconds));
  text(parts.lead.small, "until a new replica serves");
  text(parts.budget.value, percent(budgetUsed(item)));
  text(parts.budget.small, `short for ${duration(item.shortSeconds)} of the day's ${duration(DAY * item.budget)}`);
  text(parts.reactive.value, duration(item.reactive.shortSeconds));
  text(parts.reactive.small, `at a target of 80 %, with ${more(item.reactive.replicaHours / item.replicaHours)} replica-hours`);
}

function more(ratio) {
  if (!isKnown(ratio)) {
    return "as many";
  }
  const change = Math.round(100 * (ratio - 1));
  return change === 0 ? "as many" : `${Math.abs(change)} % ${change > 0 ? "more" : "fewer"}`;
}

/** Reads the data of the charts; called once a second while they are visible. */
export async function refresh() {
  const id = selected;
  if (!id) {
    return;
  }
  const asked = metric;
  const fresh = await api.get(["workloads", id, "series"], asked ? { minutes, metric: asked } : { minutes });
  if (id === selected && asked === metric) {
    series = fresh.time.length ? fresh : null;
    drawSeries();
    await explain();
  }
}

function drawSeries() {
  if (!series) {
    return;
  }
  const now = seconds(series.now) + 60;
  const marks = { now, leadEnd: now + series.leadSeconds, picked };
  const needed = series.demand.map((it) => (it === null ? null : Math.ceil(it / series.capacityPerReplica - 1e-9)));
  const [demand, replicas] = parts.charts;
  demand.draw([series.time, series.demand, series.p50, series.p90, series.p95, series.served], marks);
  replicas.draw([series.time, needed, series.wanted, series.ready, series.reactiveReady], marks);
  const last = Math.round((seconds(series.now) - series.time[0]) / 60);
  const newest = series.demand.findLast((it) => it !== null);
  attribute(
    parts.demandChart,
    "aria-label",
    `Demand by ${series.metric} from ${dayAndTime(series.time[0])} to ${clock(series.time[last])}, now ${number(newest)}; forecast median ${number(series.p50.at(-1))}, P95 ${number(series.p95.at(-1))} at ${clock(series.time.at(-1))}.`,
  );
  attribute(
    parts.replicaChart,
    "aria-label",
    `Replicas at ${clock(series.time[last])}: ${number(series.ready[last])} ready, ${number(needed[last])} needed; a reactive HPA would have ${number(series.reactiveReady[last])}.`,
  );
  attribute(parts.slider, "max", last);
  const index = picked === null ? last : Math.round((picked - series.time[0]) / 60);
  parts.slider.value = String(Math.max(0, Math.min(last, index)));
  attribute(parts.slider, "aria-valuetext", dayAndTime(picked ?? series.time[last]));
  text(parts.momentLabel, `${dayAndTime(picked ?? series.time[last])}${picked === null ? ", now" : ""}`);
  attribute(parts.follow, "aria-pressed", String(picked === null));
}

async function explain() {
  const id = selected;
  if (!series) {
    why.show(parts.why, null, "No decision has been made yet.");
    return;
  }
  const at = picked ?? seconds(series.now);
  if (parts.why.shownAt === at && parts.why.shownFor === id) {
    return;
  }
  const found = await api.get(["workloads", id, "why"], { at });
  if (id === selected && at === (picked ?? seconds(series.now))) {
    why.show(parts.why, found, "No decision was made at that time; it precedes the first one.");
    Object.assign(parts.why, { shownAt: at, shownFor: id });
  }
}
