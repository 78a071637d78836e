// What Prescale saved against a reactive HPA: over the last day, which both went through, and over the last week, which
// the server replays by itself.

import * as api from "./api.js";
import { $, keyed, text } from "./dom.js";
import { make, update } from "./health.js";
import { number } from "./words.js";

const BETWEEN_QUESTIONS = 5000; // milliseconds

let items = [];
let price = null;
let week = null;
let readAt = 0;

/** Takes the workloads, and what an hour of a card costs. */
export function offer(workloads, cardHourPrice) {
  items = workloads;
  price = cardHourPrice;
  $("savings").hidden = items.length === 0;
  draw();
}

/** Reads what the last week saved; called once a second. */
export async function refresh() {
  if (Date.now() - readAt >= BETWEEN_QUESTIONS) {
    readAt = Date.now();
    week = await api.get(["savings"]);
    draw();
  }
}

const workloads = (count) => `${number(count)} workload${count === 1 ? "" : "s"}`;

/** The last day of the workloads whose HPAs follow Prescale; of the others it says nothing of Prescale. */
function lastDay() {
  const active = items.filter((it) => it.active);
  const sum = (value) => active.reduce((all, it) => all + value(it), 0);
  const usage = (of) => ({ overloadedMinutes: sum((it) => of(it).shortSeconds) / 60, replicaHours: sum((it) => of(it).replicaHours) });
  return { counted: active.length, prescale: usage((it) => it), reactive: usage((it) => it.reactive) };
}

function draw() {
  const day = lastDay();
  text($("saved"), words(day));
  const all = [...(day.counted ? figures(day, "last day") : []), ...(week?.counted ? [...figures(week, "last week"), ...money(week)] : [])];
  keyed($("saved-figures"), all, ([label]) => label, make, update);
}

function words(day) {
  return [
    "On the same load, with a target of 80 %.",
    day.counted < items.length ? `The last day is that of ${workloads(day.counted)}; ${number(items.length - day.counted)} in Shadow mode.` : "",
    week ? `The last week is from replays in the background: ${workloads(week.counted)} of ${number(items.length)}.` : "",
    week?.tooShort ? `${number(week.tooShort)} with less than three days of history, which allow no verdict.` : "",
    week?.failed ? `${number(week.failed)} could not be replayed; Replay says why.` : "",
    price !== null && week?.takenForOneCard ? "A replica whose cards are not known counts as one card." : "",
  ]
    .filter((it) => it)
    .join(" ");
}

/** A figure: its label, its value and what it means. */
const figure = (label, [less, more], saved, small) => [label.replace("saved", saved >= 0 ? less : more), number(Math.abs(saved)), small];

const figures = ({ prescale, reactive }, when) =>
  [
    ["Overloaded minutes", "overloadedMinutes"],
    ["Replica-hours", "replicaHours"],
  ].map(([what, of]) => figure(`${what} saved, ${when}`, ["saved", "added"], Math.round(reactive[of]) - Math.round(prescale[of]), `${number(Math.round(prescale[of]))} instead of ${number(Math.round(reactive[of]))}`));

const money = ({ prescale, reactive }) =>
  price === null ? [] : [figure("Money saved, last week", ["saved", "spent more"], (reactive.cardHours - prescale.cardHours) * price, `at ${number(price)} an hour of a card`)];
