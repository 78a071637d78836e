// The plan view: which cards services will need within a day, what of it may not fit, and what would help.

import * as api from "./api.js";
import { link } from "./address.js";
import { $, el, text } from "./dom.js";
import { clock, day, dayAndTime, duration, number, seconds } from "./words.js";

const BETWEEN_QUESTIONS = 10_000; // milliseconds
const HOUR = 3600;

const MOST_SHORTAGES = 20;

let readAt = 0;
let drawn = "";
let now = 0;

/** Takes the time of the cluster. */
export const setTime = (time) => (now = time);

/** Reads the plan when what is shown may be old; called once a second. */
export async function refresh() {
  if (Date.now() - readAt < BETWEEN_QUESTIONS) {
    return;
  }
  const plan = await api.get(["plan"]);
  readAt = Date.now();
  const state = JSON.stringify(plan);
  if (state !== drawn) {
    drawn = state;
    draw(plan);
  }
  const age = plan?.madeAt ? now - seconds(plan.madeAt) : 0;
  $("plan-old").hidden = age < HOUR;
  text($("plan-old"), `This plan is ${duration(60 * Math.round(age / 60))} old. Does a controller lead?`);
}

function draw(plan) {
  $("no-plan").hidden = plan !== null;
  $("with-plan").hidden = plan === null;
  if (plan === null) {
    return;
  }
  text($("plan-summary"), plan.summary);
  const isMade = plan.madeAt !== null;
  $("plan-made").hidden = !isMade;
  if (!isMade) {
    return;
  }
  text($("plan-words"), `Made at ${dayAndTime(seconds(plan.madeAt))} UTC, to suffice with a probability of ${number(plan.percent)} % in each step. It changes nothing.`);
  $("plan-axis").replaceChildren(axis(plan), ...lanes(plan));
  text($("plan-calm"), plan.shapes.length === 0 && plan.unplanned.length === 0 ? "No service asks for cards." : "");
  $("plan-short").hidden = plan.shortages.length === 0;
  $("plan-shortages").replaceChildren(...plan.shortages.map(shortage));
  $("plan-shapes").replaceChildren(...plan.shapes.map((it) => shape(it, plan.percent)));
  $("plan-unplanned").replaceChildren(...plan.unplanned.map((sentence) => el("li", {}, sentence)));
  text($("plan-scored"), plan.scored || "No earlier statement has been scored yet.");
}

/** Where a time lies on the axis, from 0 to 1; before it what should have begun already. */
const at = (plan, time) => Math.max(0, Math.min(1, (seconds(time) - seconds(plan.from)) / (seconds(plan.until) - seconds(plan.from))));

function placed(element, from, to = null) {
  element.style.setProperty("--from", `${(100 * from).toFixed(2)}%`);
  if (to !== null) {
    element.style.setProperty("--size", `${(100 * (to - from)).toFixed(2)}%`);
  }
  return element;
}

/** Every third full hour; the first after midnight with its day. */
function axis(plan) {
  const [from, until] = [seconds(plan.from), seconds(plan.until)];
  const hours = [];
  for (let time = Math.ceil(from / (3 * HOUR)) * 3 * HOUR; time < until; time += 3 * HOUR) {
    const share = (time - from) / (until - from);
    if (share < 0.95) {
      hours.push(placed(el("span", {}, time % (24 * HOUR) === 0 ? day(time) : clock(time)), share));
    }
  }
  return el("div", { class: "lane", "aria-hidden": "true" }, el("p", {}, "UTC"), el("div", { class: "hours" }, ...hours));
}

/** A lane for each group that may be short, then one for each other shape. */
function lanes(plan) {
  const group = (it) => [it.shape, ...it.workloads].join();
  const groups = Map.groupBy(plan.shortages, group);
  const short = [...groups.values()].map((all) => lane(all[0].workloads, all[0].shape, all.flatMap((it) => marks(plan, it)), all.map((it) => `${need(it)} from ${dayAndTime(seconds(it.from))} to ${clock(seconds(it.until))} UTC`).join("; ")));
  // Of more shortages than these the plan keeps the likeliest.
  const fit = plan.shortages.length < MOST_SHORTAGES ? "; all fit" : "";
  const calm = plan.shapes
    .filter((it) => !groups.has(group(it)))
    .map((it) => {
      const peak = peakOf(it, plan.percent);
      const mark = peak ? [placed(el("span", { class: "peak" }), at(plan, peak.at))] : [];
      return lane(it.workloads, it.shape, mark, peak ? `${number(peak.replicas)} at most, at ${dayAndTime(seconds(peak.at))} UTC${fit}` : "no forecast");
    });
  return [...short, ...calm];
}

const lane = (workloads, shape, marks, words) => el("div", { class: "lane" }, el("p", {}, el("b", {}, workloads.join(", ")), ` ${shape}: ${words}`), el("div", { class: "track", "aria-hidden": "true" }, ...marks));

const need = (it) => `${number(it.needed)} needed, ${number(it.fits)} fit`;

function marks(plan, it) {
  const notice = it.asks.length ? [placed(el("span", { class: "begin notice" }), at(plan, it.asks[0].notice))] : [];
  const order = it.orderBy ? [placed(el("span", { class: "begin order" }), at(plan, it.orderBy))] : [];
  return [placed(el("span", { class: "short" }), at(plan, it.from), at(plan, it.until)), placed(el("span", { class: "peak" }), at(plan, it.at)), ...notice, ...order];
}

function shortage(it) {
  return el(
    "li",
    {},
    el("p", {}, el("b", {}, `${dayAndTime(seconds(it.from))} to ${dayAndTime(seconds(it.until))} UTC: `), ...workloads(it.workloads), `, ${need(it)} of ${it.shape}; with a probability of ${number(it.percent)} % more are needed than fit.`),
    el("ul", { class: "words" }, ...helps(it).map((sentence) => el("li", {}, sentence))),
  );
}

const workloads = (names) => names.flatMap((name, i) => [i > 0 ? ", " : "", el("a", { href: link("workloads", name) }, name)]);

/** What would help, a sentence each. */
function helps(it) {
  const rest = it.needed - it.fits - it.askedFit;
  const asks = it.asks.length ? [`${number(it.askedFit)} more would fit if pods on borrowed cards are asked to leave: ${it.asks.map((ask) => `${ask.pod}, notice from ${clock(seconds(ask.notice))}`).join("; ")}.`] : [];
  const nodes = it.nodes ? [`${it.nodes} would hold ${asks.length ? "the rest" : "what is missing"}; to be ordered by ${dayAndTime(seconds(it.orderBy))} UTC.`] : [];
  return [...asks, ...(nodes.length || rest <= 0 ? nodes : [`For ${number(rest)}, no kind of node in the cluster has room.`])];
}

const peakOf = (it, percent) => it.peaks.find((peak) => peak.percent === percent);

function shape(it, percent) {
  const cards = (quantile) => el("td", { class: "end" }, peakOf(it, quantile)?.cards ?? "–");
  const peak = peakOf(it, percent) ?? it.peaks.at(-1);
  return el(
    "tr",
    {},
    el("td", {}, it.shape),
    el("td", {}, ...workloads(it.workloads)),
    el("td", { class: "end" }, number(it.running)),
    cards(50),
    cards(90),
    cards(95),
    el("td", {}, peak ? `${dayAndTime(seconds(peak.at))} UTC` : "–"),
  );
}
