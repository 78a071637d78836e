// One workload in detail: its state in words and figures, its charts, and why it was scaled.

import * as api from "./api.js";
import { Chart, HOW_TO_ZOOM } from "./chart.js";
import { $, attribute, el, legend, text } from "./dom.js";
import { figure, showFigures } from "./figures.js";
import { Marks, within } from "./marks.js";
import { Tomorrow } from "./tomorrow.js";
import * as why from "./why.js";
import { clock, dayAndTime, number, RANGES, seconds, withUnit } from "./words.js";

let parts = null;
let change = () => {};

export function clear() {
  parts?.charts.forEach((chart) => chart.close());
  parts?.tomorrow.close();
  parts = null;
  $("detail").replaceChildren();
}

/** Says why there is nothing to show. */
export function absent(...words) {
  if (parts || !$("detail").firstElementChild) {
    clear();
    $("detail").replaceChildren(el("div", { class: "panel" }, ...words));
  }
}

/** A chart with its legend, and a line that says the values under the pointer. */
function chartBox(kind, height, title, entries) {
  const box = el("div", { class: "chart", id: "chart-" + kind, role: "slider", tabindex: "0", "aria-valuemin": "0" });
  const values = el("p", { class: "readout", id: "values-" + kind });
  const chart = new Chart(box, values, kind, height, (at) => change({ at }), (window) => change({ window }));
  return { box, chart, all: [...(title ? [el("h3", {}, title)] : []), legend(...entries), values, box] };
}

function build(item) {
  const it = {
    id: item.id,
    state: el("span", { class: "state" }),
    shadow: el("span", { class: "badge" }, "Shadow mode"),
    note: el("p", { class: "note" }),
    figures: ["demand", "served", "replicas", "lead", "budget", "reactive"].map(figure),
    slider: el("input", { type: "range", id: "moment", min: "0", max: "0", step: "1" }),
    momentLabel: el("label", { for: "moment" }),
    follow: el("button", { type: "button", class: "quiet", id: "follow", onclick: () => change({ at: null }) }, "Follow now"),
    why: el("div", { id: "why" }),
    metric: el("select", { id: "metric", onchange: (event) => change({ metric: event.target.value || null }) }),
    ranges: RANGES.map(([length, label]) => el("button", { type: "button", class: "quiet", onclick: () => change({ range: length }) }, label)),
  };
  it.marks = new Marks((at) => change({ at }));
  it.metricBox = el("label", { hidden: true }, "Metric ", it.metric);
  it.slider.addEventListener("input", () => change({ at: it.series.time[0] + 60 * Number(it.slider.value) }));
  const demand = chartBox("demand", 260, "", [
    ["line demand", "demand"],
    ["fan", "forecast, P50 to P95, made one lead time earlier"],
    ["line served", "served value"],
    ["leadtime", "lead time"],
  ]);
  const replicas = chartBox("replicas", 170, "Replicas", [
    ["line ready", "ready"],
    ["line wanted", "desired"],
    ["needed", "needed"],
    ["line reactive", "ready with a reactive HPA"],
  ]);
  it.tomorrow = new Tomorrow(item.id, (open) => change({ next: open ? "day" : null }));
  it.charts = [demand.chart, replicas.chart];
  it.boxes = [demand.box, replicas.box];
  $("detail").replaceChildren(
    el("p", { class: "back" }, el("a", { href: "#/workloads" }, "All workloads")),
    el("div", { class: "head" }, el("h2", {}, item.id), it.state, it.shadow, it.note),
    el("dl", { class: "figures" }, ...it.figures.map((each) => each.box)),
    el(
      "section",
      { class: "panel", "aria-label": "Demand and forecast" },
      el("header", {}, el("h3", {}, "Demand and forecast"), it.metricBox, el("div", { class: "ranges", role: "group", "aria-label": "Range" }, demand.chart.whole, ...it.ranges)),
      ...demand.all,
      ...replicas.all,
      el("p", { class: "muted hint" }, HOW_TO_ZOOM),
      it.marks.box,
    ),
    it.tomorrow.panel,
    el(
      "section",
      { class: "panel", "aria-label": "Why" },
      el("header", {}, el("h3", {}, "Why"), el("span", { class: "muted" }, "Click a chart or press Enter in it, or move the slider")),
      el("div", { class: "moment" }, it.momentLabel, it.slider, it.follow),
      it.why,
    ),
  );
  parts = it;
}

/** Lists the metrics of a workload with several. */
function offerMetrics(item, chosen) {
  const names = ["", ...item.metrics];
  parts.metricBox.hidden = item.metrics.length < 2;
  if (parts.metric.options.length !== names.length || names.some((name, i) => parts.metric.options[i].value !== name)) {
    parts.metric.replaceChildren(...names.map((name) => el("option", { value: name })));
  }
  names.forEach((name, i) => text(parts.metric.options[i], name || `deciding: ${item.metric}`));
  parts.metric.value = chosen ?? "";
}

/** Shows the newest state of a workload; what a person chooses goes to a listener. */
export function figures(item, shown, now, listener) {
  change = listener;
  if (parts?.id !== item.id) {
    clear();
    build(item);
  }
  offerMetrics(item, shown.metric);
  range(shown.range);
  parts.units = item.units;
  parts.tomorrow.show(shown.metric ?? item.metric, item.units);
  parts.tomorrow.open(shown.next === "day");
  showFigures(parts, item, now);
}

/** Marks the range that is shown. */
export function range(length) {
  parts?.ranges.forEach((button, i) => attribute(button, "aria-pressed", String(RANGES[i][0] === length)));
}

/** Draws a series, and explains the moment that is chosen; without one, the newest. */
export async function draw(id, series, shown) {
  if (parts?.id !== id) {
    return;
  }
  if (!series) {
    why.show(parts.why, null, "No decision has been made yet.");
    await parts.tomorrow.refresh();
    return;
  }
  parts.series = series;
  const { tomorrow } = parts;
  drawCharts(series, shown.at, shown.window);
  drawMoment(series, shown.at);
  await Promise.all([explain(id, shown.at ?? seconds(series.now)), tomorrow.refresh()]);
}

function drawCharts(series, picked, window) {
  const now = seconds(series.now) + 60;
  const happened = within(series, window ?? [series.time[0], series.time.at(-1)]);
  parts.marks.show(happened);
  const marks = { now, leadEnd: now + series.leadSeconds, picked, newest: seconds(series.now), happened };
  const needed = series.demand.map((it) => (it === null ? null : Math.ceil(it / series.capacityPerReplica - 1e-9)));
  const [demand, replicas] = parts.charts;
  const unit = withUnit(series.metric, parts.units);
  demand.draw([series.time, series.demand, series.p50, series.p90, series.p95, series.served], marks, unit, window);
  replicas.draw([series.time, needed, series.wanted, series.ready, series.reactiveReady], marks, "replicas", window);
  const from = dayAndTime(series.time[0]);
  attribute(parts.boxes[0], "aria-label", `Demand by ${unit} from ${from} to ${clock(series.time.at(-1))} UTC; forecast median ${number(series.p50.at(-1))}, P95 ${number(series.p95.at(-1))} at the end.`);
  attribute(parts.boxes[1], "aria-label", `Replicas from ${from} to ${clock(seconds(series.now))} UTC.`);
}

function drawMoment(series, picked) {
  const last = Math.round((seconds(series.now) - series.time[0]) / 60);
  const index = picked === null ? last : Math.round((picked - series.time[0]) / 60);
  const at = dayAndTime(picked ?? seconds(series.now)) + " UTC";
  attribute(parts.slider, "max", last);
  parts.slider.value = String(Math.max(0, Math.min(last, index)));
  attribute(parts.slider, "aria-valuetext", at);
  text(parts.momentLabel, picked === null ? `${at}, now` : index < 0 ? `${at}, before the first minute shown` : at);
  attribute(parts.follow, "aria-pressed", String(picked === null));
}

async function explain(id, at) {
  const panel = parts.why;
  panel.wanted = at;
  if (panel.shownAt === at) {
    return;
  }
  const found = await api.get(["workloads", id, "why"], { at });
  if (panel.wanted === at) {
    why.show(panel, found, "No decision was made in that minute: it precedes the first one that is kept, or the demand was not observed and the decision before stands.");
    panel.shownAt = at;
  }
}
