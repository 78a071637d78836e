// The panel that explains one decision, from the observation to the HPA's action.

import { el, legend, part } from "./dom.js";
import { clock, dayAndTime, duration, GATES, isKnown, number, percent, REASONS, seconds, signed } from "./words.js";

/** A row of a waterfall chart, from the running sum before it to the sum after it. */
function step(label, from, to, highest, kind, value) {
  const bar = el("span", { class: kind });
  part(bar, Math.min(from, to) / highest, "--from");
  part(bar, Math.abs(to - from) / highest, "--size");
  return [
    el("span", { class: kind === "total" ? "total" : null }, label),
    el("span", { class: "track", "aria-hidden": "true" }, bar),
    el("span", { class: kind === "total" ? "end total" : "end" }, value),
  ];
}

const MEMBERS = {
  "boosted above last value": "regression trees, from the newest value on",
  "boosted above recent peak": "regression trees, from the recent peak on",
  "seasonal-naive": "as it was a day or a week before",
  "recent peak": "the recent peak again",
  "borrowed above last value": "trees that learned from other services too, from the newest value on",
  "borrowed above recent peak": "trees that learned from other services too, from the recent peak on",
};

/** One of the forecasters that are combined: its share, its name and what it is. */
const member = ({ forecaster, share }) => el("li", {}, `${percent(share)} ${forecaster}${MEMBERS[forecaster] ? `: ${MEMBERS[forecaster]}` : ""}`);

function forecast(why) {
  const it = why.forecast;
  if (!it) {
    return el("div", {}, el("h3", {}, "Forecast"), el("p", {}, "None yet."));
  }
  const highest = Math.max(it.p99, why.served, it.level, it.level + it.season, it.p50) * 1.02 || 1;
  const rows = [step("Level", 0, it.level, highest, "", number(it.level))];
  let sum = it.level;
  const parts = [["Season", it.season], ["Correction", it.correction], ["Events", it.event]];
  for (const [label, value] of parts) {
    if (value !== 0 || label === "Season") {
      rows.push(step(label, sum, sum + value, highest, value < 0 ? "minus" : "", signed(value)));
      sum += value;
    }
  }
  rows.push(step("Median", 0, it.p50, highest, "total", number(it.p50)));
  if (why.reason === "FORECAST") {
    rows.push(...aboveMedian(why, highest));
  }
  rows.push(step("Served", 0, why.served, highest, "total", number(why.served)));
  return el(
    "div",
    {},
    el("h3", {}, `Forecast for the ${duration(it.windowSeconds)} from ${clock(seconds(it.from))} UTC`),
    el("div", { class: "steps", id: "why-parts" }, ...rows.flat()),
    legend(["p50", "adds, or a sum"], ["needed", "takes away"], ["rounded", "rounding"], ["served", "risk"]),
    el("p", { class: "muted" }, `P90 ${number(it.p90)}, P95 ${number(it.p95)}, including ${signed(it.calibration)} for recent errors.`),
    ...(it.weights.length ? [el("p", { class: "muted" }, "Combined from:"), el("ul", { class: "members muted", id: "why-members" }, ...it.weights.map(member))] : []),
  );
}

/** From the median to the value served: to whole replicas first, and then the replicas that the risk costs. */
function aboveMedian(why, highest) {
  const { p50 } = why.forecast;
  const capacity = why.capacityPerReplica;
  const whole = capacity * Math.max(1, Math.ceil(p50 / capacity - 1e-9));
  const replicas = Math.round((why.served - whole) / capacity);
  const words = `${signed(why.served - whole)} (${signed(replicas)} replica${Math.abs(replicas) === 1 ? "" : "s"})`;
  return [
    step("Whole replicas", p50, whole, highest, "rounded", signed(whole - p50)),
    step("For the risk", whole, why.served, highest, "uplift", replicas === 0 ? "none" : words),
  ];
}

const STAGES = [
  ["decision", "HPA decides"],
  ["schedule", "Placed"],
  ["pull", "Image pulled"],
  ["ready", "Model loaded"],
  ["hpa", "HPA's ramp"],
  ["scrape", "Age of sample"],
];
const SOURCES = { DEFAULT: "the default until a scale-up is observed", DECLARED: "declared" };

function lead(why) {
  const it = why.lead;
  const source = it.source === "MEASURED" ? `measured on ${it.samples} scale-up${it.samples === 1 ? "" : "s"}` : SOURCES[it.source];
  const longest = Math.max(1, it.seconds);
  let sum = 0;
  const rows = STAGES.filter(([name]) => it[name] > 0).map(([name, label]) => {
    const row = step(label, sum, sum + it[name], longest, "", duration(it[name]));
    sum += it[name];
    return row;
  });
  return el(
    "div",
    {},
    el("h3", {}, "Lead time"),
    el("p", { class: "big" }, duration(it.seconds)),
    el("p", { class: "muted" }, source),
    el("div", { class: "steps" }, ...rows.flat()),
  );
}

function outcome(why) {
  return el(
    "div",
    {},
    el("h3", {}, "Served value"),
    el("p", {}, el("span", { class: "big", id: "why-served" }, number(why.served)), `; observed in the step before: ${number(why.observed)}`),
    el("p", { class: "muted", id: "why-metric" }, `by ${why.metric}, the deciding metric`),
    el("p", { class: "muted" }, `${REASONS[why.reason]}${isKnown(why.shortageProbability) ? `; ${percent(why.shortageProbability, 1)} risk of a shortage` : ""}`),
    el("p", {}, el("span", { class: "big", id: "why-replicas" }, String(why.hpa.wanted)), ` replica${why.hpa.wanted === 1 ? "" : "s"} of ${number(why.capacityPerReplica)} each`),
    el("p", {}, el("span", { class: "gate" }, GATES[why.hpa.gate])),
    el("p", { class: "muted" }, why.hpa.message),
  );
}

/** Fills the panel with a decision, or with the reason why there is none. */
export function show(panel, why, problem) {
  if (!why) {
    panel.replaceChildren(el("p", { class: "muted" }, problem));
    return;
  }
  panel.replaceChildren(
    el("p", { class: "unseen" }, `Decision of ${dayAndTime(seconds(why.at))}`),
    el("ul", { class: "words", id: "why-words" }, ...why.sentences.map((it) => el("li", {}, it))),
    el("div", { class: "why" }, outcome(why), forecast(why), lead(why)),
  );
}
