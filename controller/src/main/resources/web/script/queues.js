// The queues of the GPU view: what each has and is owed, who waits, which pods have notice, and what was done.

import { $, el, keyed, part, text } from "./dom.js";
import { cards, dayAndTime, duration, number, seconds } from "./words.js";

// As many of each as the server tells.
const MOST = 500;

/** Shows them; without any there is nothing to see. */
export function show(queues, notices, steps, now) {
  $("with-queues").hidden = queues.length === 0;
  keyed($("queues"), inTreeOrder(queues), ({ queue, depth }) => [queue.name, depth].join(), make, (row, it) => update(row, it, now));
  $("some-queues").hidden = queues.length < MOST && notices.length < MOST;
  text($("no-notices"), notices.length === 0 ? "No pod has notice to give its cards back." : "");
  $("with-notices").hidden = notices.length === 0;
  keyed($("notices"), notices, (it) => [it.pod, it.queue, it.until, it.claim].join(), makeNotice, (row, it) => text(row.until, until(it, now)));
  $("with-steps").hidden = steps.length === 0;
  keyed($("steps"), steps, (it) => [it.at, it.object, it.sentence].join(), makeStep, () => {});
}

/** Each queue after its parent; those whose parent is unknown, or that are their own ancestors, stand at the top too. */
function inTreeOrder(queues) {
  const names = new Set(queues.map((it) => it.name));
  const done = new Set();
  const rows = [];
  const add = (queue, depth) => {
    if (!done.has(queue.name)) {
      done.add(queue.name);
      rows.push({ queue, depth });
      queues.filter((it) => it.parent === queue.name).forEach((it) => add(it, depth + 1));
    }
  };
  queues.filter((it) => !names.has(it.parent)).forEach((it) => add(it, 0));
  queues.forEach((it) => add(it, 0));
  return rows;
}

function make({ queue, depth }) {
  const cell = () => el("td", { class: "end" });
  const it = { used: cell(), guarantee: cell(), limit: cell(), owed: cell(), borrowed: cell(), waiting: el("td"), bar: el("span", { class: "has" }), fault: el("span", { class: "problem" }) };
  const name = el("th", { scope: "row" }, el("span", { class: "depth" }), queue.name, el("span", { class: "shares", "aria-hidden": "true" }, it.bar), it.fault);
  name.firstChild.style.setProperty("--depth", depth);
  return Object.assign(el("tr", {}, name, it.used, it.guarantee, it.limit, it.owed, it.borrowed, it.waiting), { it });
}

function update(row, { queue }, now) {
  const { it } = row;
  text(it.used, cards(queue.usedMilli));
  text(it.guarantee, cards(queue.guaranteeMilli));
  text(it.limit, queue.limitMilli === null ? "none" : cards(queue.limitMilli));
  text(it.owed, cards(queue.owedMilli));
  text(it.borrowed, cards(Math.max(0, queue.usedMilli - queue.guaranteeMilli)));
  text(it.waiting, waiting(queue, now));
  text(it.fault, queue.fault && `Not in force: ${queue.fault}.`);
  part(it.bar, queue.usedMilli / Math.max(1, queue.owedMilli, queue.usedMilli));
}

function waiting(queue, now) {
  const since = queue.waitingSince === null ? "" : `, the oldest for ${duration(Math.max(0, now - seconds(queue.waitingSince)))}`;
  return queue.waiting === 0 ? "none" : `${number(queue.waiting)} pod${queue.waiting === 1 ? "" : "s"}${since}`;
}

function makeNotice(it) {
  const until = el("td");
  return Object.assign(el("tr", {}, el("td", {}, it.pod), el("td", {}, it.queue), until, el("td", {}, it.claim)), { until });
}

function makeStep(it) {
  return el("tr", {}, el("td", {}, `${dayAndTime(seconds(it.at))} UTC`), el("td", {}, it.object), el("td", {}, it.sentence));
}

function until(it, now) {
  const left = seconds(it.until) - now;
  return `${dayAndTime(seconds(it.until))} UTC, ${left > 0 ? `in ${duration(left)}` : "which has passed"}`;
}
