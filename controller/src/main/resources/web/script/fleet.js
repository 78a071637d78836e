// The list of workloads: found, filtered, sorted, and drawn as far as it is seen.

import { link } from "./address.js";
import { $, attribute, el, keyed, part, text } from "./dom.js";
import { readyOf } from "./figures.js";
import { budgetUsed, severity, troubles } from "./trouble.js";
import { isKnown, number, STATES, timesOrPercent } from "./words.js";

const AT_ONCE = 60;
const MOST_URGENT = 5;

const ORDERS = {
  trouble: ["trouble", (a, b) => severity(b) - severity(a) || budgetUsed(b) - budgetUsed(a)],
  name: ["name", (a, b) => a.id.localeCompare(b.id)],
  demand: ["demand", (a, b) => (b.demand ?? -1) - (a.demand ?? -1)],
  replicas: ["replicas", (a, b) => (b.wanted ?? -1) - (a.wanted ?? -1)],
  budget: ["budget used", (a, b) => (budgetUsed(b) ?? -1) - (budgetUsed(a) ?? -1)],
};

const FIRST = { find: "", state: "", trouble: "", sort: "trouble" };

let known = null;
let selected = null;
let wanted = { ...FIRST };
let atMost = AT_ONCE;
let onChange = () => {};

$("only").append(el("option", { value: "" }, "any"), ...Object.entries(STATES).map(([state, words]) => el("option", { value: state }, words)));
$("sort").append(...Object.entries(ORDERS).map(([key, [words]]) => el("option", { value: key }, words)));
$("find").addEventListener("input", () => want({ find: $("find").value.trim() }));
$("only").addEventListener("change", () => want({ state: $("only").value }));
$("trouble").addEventListener("change", () => want({ trouble: $("trouble").checked ? "only" : "" }));
$("sort").addEventListener("change", () => want({ sort: $("sort").value }));
$("all").addEventListener("click", () => want(FIRST, true));
$("more").addEventListener("click", () => more());
$("controls").addEventListener("submit", (event) => event.preventDefault());
new IntersectionObserver((seen) => seen.some((it) => it.isIntersecting) && more(), { rootMargin: "400px" }).observe($("more"));

/** What the address keeps of the list. */
export const shown = () => Object.fromEntries(Object.entries(wanted).map(([key, value]) => [key, value === FIRST[key] ? "" : value]));

export function changed(listener) {
  onChange = listener;
}

/** Takes what an address says. */
export function take(shown) {
  want(Object.fromEntries(Object.keys(FIRST).map((key) => [key, shown[key] ?? FIRST[key]])), true);
}

function want(changes, fromElsewhere = false) {
  wanted = { ...wanted, ...changes };
  wanted.sort = Object.hasOwn(ORDERS, wanted.sort) ? wanted.sort : FIRST.sort;
  atMost = AT_ONCE;
  if (fromElsewhere) {
    $("find").value = wanted.find;
    $("only").value = wanted.state;
    $("trouble").checked = wanted.trouble !== "";
    $("sort").value = wanted.sort;
  }
  draw();
  onChange();
}

function more() {
  if (!$("more").hidden) {
    atMost += AT_ONCE;
    draw();
  }
}

/** Shows the newest state of the workloads. */
export function update(items, id) {
  known = items;
  selected = id;
  draw();
}

const matches = (item) =>
  item.id.toLowerCase().includes(wanted.find.toLowerCase()) &&
  (wanted.state === "" || item.state === wanted.state) &&
  (wanted.trouble === "" || severity(item) > 0);

function draw() {
  if (!known) {
    return;
  }
  const found = known.filter(matches).sort(ORDERS[wanted.sort][1]);
  keyed($("list"), found.slice(0, atMost), (item) => item.id, makeItem, updateItem);
  $("more").hidden = found.length <= atMost;
  $("bars").hidden = found.length === 0;
  $("all").hidden = found.length > 0 || known.length === 0;
  text($("found"), foundWords(found));
  drawUrgent();
}

function foundWords(found) {
  if (known.length === 0) {
    return "No workload is scaled: there is no PredictiveHPA.";
  }
  if (found.length === 0) {
    return wanted.trouble && !wanted.find && !wanted.state ? "No workload is in trouble." : "No workload matches.";
  }
  const all = `${number(known.length)} workload${known.length === 1 ? "" : "s"}`;
  return found.length === known.length ? all : `${number(found.length)} of ${all}`;
}

function drawUrgent() {
  const troubled = known.filter((item) => severity(item) > 0).sort(ORDERS.trouble[1]);
  keyed($("urgent"), troubled.slice(0, MOST_URGENT), (item) => item.id, makeUrgent, updateUrgent);
  const others = troubled.length - MOST_URGENT;
  text($("calm"), troubled.length === 0 ? "Nothing: no workload is in trouble." : others > 0 ? `And ${number(others)} more; choose Trouble only to see all.` : "");
  $("calm").hidden = $("calm").textContent === "";
}

function makeUrgent(item) {
  const what = el("span", {});
  return Object.assign(el("li", {}, el("a", { href: link("workloads", item.id) }, item.id), what), { what });
}

const updateUrgent = (element, item) => text(element.what, ": " + troubles(item).join("; ") + ".");

function makeItem(item) {
  const it = {
    state: el("span", { class: "state" }),
    ready: el("span", { class: "sub" }),
    demand: el("span", { class: "sub" }),
    used: el("span", { class: "sub" }),
    wrong: el("span", { class: "wrong" }),
    gauge: el("span", { class: "gauge", "aria-hidden": "true" }, el("span")),
  };
  const parts = [el("span", { class: "name" }, item.id), it.state, it.ready, it.demand, it.used, it.gauge, it.wrong];
  const spaced = parts.flatMap((each) => [each, " "]); // a name for screen readers has its spaces
  const anchor = el("a", { href: link("workloads", item.id) }, ...spaced);
  return Object.assign(el("li", {}, anchor), { it, anchor });
}

function updateItem(element, item) {
  const { it, anchor } = element;
  const used = budgetUsed(item);
  text(it.state, STATES[item.state]);
  attribute(it.state, "class", "state " + item.state);
  text(it.ready, item.active ? `${readyOf(item)} ready` : `${number(item.ready)} ready${isKnown(item.wanted) ? `, would be ${number(item.wanted)}` : ""}`);
  text(it.demand, item.demand === null ? "demand unknown" : `demand ${number(item.demand)}`);
  text(it.used, item.active ? `budget used ${timesOrPercent(used)}` : "Shadow mode");
  attribute(it.used, "class", item.active ? "sub" : "badge");
  it.gauge.hidden = used === null;
  text(it.wrong, troubles(item)[0] ?? "");
  part(it.gauge.firstElementChild, used);
  attribute(it.gauge, "class", used > 1 ? "gauge over" : "gauge");
  attribute(anchor, "aria-current", item.id === selected ? "true" : null);
}
