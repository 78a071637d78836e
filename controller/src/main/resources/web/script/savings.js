// What the last week would have cost with a reactive HPA: the sum of the workloads' newest replays.

import * as api from "./api.js";
import { $, el, text } from "./dom.js";
import { number } from "./words.js";

const BETWEEN_QUESTIONS = 3000; // milliseconds
const BY_NAME = (policy) => (row) => row.policy.startsWith(policy);

let ids = [];
let price = null;
let readAt = 0;
let queue = [];

$("work-out").addEventListener("click", () => {
  queue = [...ids];
  readAt = 0;
  refresh();
});

/** Takes the workloads, and what an hour of a card costs. */
export function offer(items, cardHourPrice) {
  ids = items.map((it) => it.id);
  price = cardHourPrice;
  $("savings").hidden = ids.length === 0;
}

/** Reads what has been replayed, and starts the next replay that was asked for; called once a second. */
export async function refresh() {
  if (Date.now() - readAt < BETWEEN_QUESTIONS) {
    return;
  }
  readAt = Date.now();
  let jobs = await api.get(["replays"]);
  if (queue.length > 0 && !jobs.some((it) => it.state === "RUNNING")) {
    const job = await begun(queue.shift());
    jobs = [...jobs.filter((it) => it.workload !== job.workload), job];
  }
  draw(jobs.filter((it) => ids.includes(it.workload)));
}

/** A replay that is refused counts as failed, so that the next one is begun. */
async function begun(workload) {
  try {
    return await api.post(["workloads", workload, "replay"]);
  } catch (problem) {
    return { workload, state: "FAILED", problem: problem.message };
  }
}

function draw(jobs) {
  const finished = jobs.filter((it) => it.state === "FINISHED");
  const running = jobs.find((it) => it.state === "RUNNING");
  const busy = running !== undefined || queue.length > 0;
  $("work-out").disabled = busy;
  text($("work-out"), finished.length ? "Work it out again" : `Replay the last week of ${workloads(ids.length)}`);
  const doing = busy ? `Replaying ${running?.workload ?? "the next one"}${queue.length ? `; ${number(queue.length)} more` : ""}. ` : "";
  text($("saved"), doing + (finished.length ? summary(finished) : busy ? "" : "The last week has not been replayed yet. That takes about half a minute for each workload and changes nothing."));
  $("saved-figures").replaceChildren(...(finished.length ? figures(total(finished)) : []));
}

const workloads = (count) => `${number(count)} workload${count === 1 ? "" : "s"}`;

function summary(finished) {
  const short = finished.filter((it) => it.history && !/weekly pattern\.$/.test(it.history)).map((it) => it.workload);
  return [
    `From the newest replays of ${workloads(finished.length)} of ${number(ids.length)}: Prescale against a reactive HPA with a target of 80 %.`,
    short.length ? `Little can be said of ${short.join(", ")}, whose history is short.` : "",
    price !== null && finished.some((it) => it.cardsPerReplica === null) ? "A replica whose cards are not known counts as one card." : "",
  ]
    .filter((it) => it)
    .join(" ");
}

/** Replica-hours, minutes of overload and money of all replays; positive where Prescale saved. */
function total(jobs) {
  const sum = { hours: 0, ofHours: 0, minutes: 0, ofMinutes: 0, money: 0 };
  for (const job of jobs) {
    const ours = job.rows.find(BY_NAME("Prescale"));
    const reactive = job.rows.find(BY_NAME("reactive")) ?? job.rows[0];
    const hours = reactive.replicaHours - ours.replicaHours;
    sum.hours += hours;
    sum.ofHours += reactive.replicaHours;
    sum.minutes += 60 * job.scoredHours * (reactive.overloadedShare - ours.overloadedShare);
    sum.ofMinutes += 60 * job.scoredHours * reactive.overloadedShare;
    sum.money += hours * (job.cardsPerReplica ?? 1) * (price ?? 0);
  }
  return sum;
}

const direction = (value, less, more) => (value >= 0 ? less : more);

function figures(sum) {
  const one = (label, value, small) => el("div", {}, el("dt", {}, label), el("dd", {}, value), el("dd", { class: "small" }, small));
  return [
    one(`Overloaded minutes ${direction(sum.minutes, "saved", "added")}`, number(Math.round(Math.abs(sum.minutes))), `of ${number(Math.round(sum.ofMinutes))}`),
    one(`Replica-hours ${direction(sum.hours, "saved", "added")}`, number(Math.round(Math.abs(sum.hours))), `of ${number(Math.round(sum.ofHours))}`),
    ...(price === null ? [] : [one(`Money ${direction(sum.money, "saved", "spent more")}`, number(Math.abs(sum.money)), `at ${number(price)} an hour of a card`)]),
  ];
}
