// What a lead asks of all workloads at once: whether forecasts are trusted and right, budgets kept, and replicas placed.

import { $, attribute, el, keyed, text } from "./dom.js";
import { budgetUsed } from "./trouble.js";
import { countedSince, isKnown, number, percent, seconds } from "./words.js";

const count = (items, applies) => items.filter(applies).length;
const inState = (state) => (item) => item.state === state;

function median(values) {
  const sorted = values.filter(isKnown).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length === 0 ? null : sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const typical = (items, score) => percent(median(items.map((it) => it.scores[score])), 1);

function trusted(items) {
  const others = [
    ["not trusted", count(items, inState("DISTRUSTED"))],
    ["learning", count(items, inState("LEARNING"))],
    ["not deciding or without demand", count(items, (it) => it.state === "BROKEN" || it.state === "BLIND")],
  ];
  const words = others.filter(([, n]) => n > 0).map(([what, n]) => `${number(n)} ${what}`);
  return [`${number(count(items, inState("TRUSTED")))} of ${number(items.length)}`, words.join(", ") || "no breaker is open", others[0][1] > 0];
}

/** How many were short for too long, of those that Prescale scales and that were seen. */
function missed(items, now) {
  const seen = items.filter((it) => budgetUsed(it) !== null);
  if (seen.length === 0) {
    return ["–", items.some((it) => it.active) ? "nothing is known yet" : "every workload is in Shadow mode"];
  }
  const many = count(seen, (it) => budgetUsed(it) > 1);
  const when = countedSince(Math.min(...seen.map((it) => seconds(it.since))), now) ?? "in the last day";
  const others = items.length > seen.length ? `, of ${number(seen.length)} that ${seen.length === 1 ? "was" : "were"} seen` : "";
  return [number(many), `short for longer than a day allows, ${when}${others}`, many > 0];
}

/** Each figure: its label, its value, what it means, and whether it is a warning. */
function figures(items, now) {
  const unplaced = items.reduce((sum, it) => sum + it.unplaced, 0);
  return [
    ["Forecasts trusted", ...trusted(items)],
    ["Budgets missed", ...missed(items, now)],
    ["Replicas without room", number(unplaced), "that no node has room for", unplaced > 0],
    ["Typical error", typical(items, "error"), "of the mean demand, one lead time ahead; the median workload"],
    ["P90 held", typical(items, "coverage90"), "of the windows, ideally 90\u00a0%; the median workload"],
    ["P95 held", typical(items, "coverage95"), "of the windows, ideally 95\u00a0%; the median workload"],
  ];
}

/** A figure by its label. */
export function make([label]) {
  const value = el("dd", {});
  const small = el("dd", { class: "small" });
  return Object.assign(el("div", {}, el("dt", {}, label), value, small), { value, small });
}

export function update(element, [, value, small, warned = false]) {
  text(element.value, value);
  text(element.small, small);
  attribute(element, "class", warned ? "warned" : null);
}

/** Shows the newest state of the workloads. */
export function show(items, now) {
  $("health").hidden = items.length === 0;
  keyed($("health-figures"), figures(items, now), ([label]) => label, make, update);
}
