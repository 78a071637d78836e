// What Prescale saved against a reactive HPA: over the last day, which both went through, as far as it was seen; and over
// the last week, which the server replays by itself, or in Shadow mode would have saved.

import * as api from "./api.js";
import { $, keyed, text } from "./dom.js";
import { make, update } from "./health.js";
import { countedSince, number, seconds } from "./words.js";

const BETWEEN_QUESTIONS = 5000; // milliseconds

let items = [];
let about = null;
let week = null;
let readAt = 0;

/** Takes the workloads, the time, and what an hour of a card costs. */
export function offer(workloads, newest) {
  items = workloads;
  about = newest;
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

/**
 * The last day of the workloads whose HPAs follow Prescale; of the others it says nothing of Prescale. It counts since the
 * first was seen: those that began to follow later had saved nothing before.
 */
function lastDay() {
  const active = items.filter((it) => it.active);
  const sum = (value) => active.reduce((all, it) => all + value(it), 0);
  const usage = (of) => ({ overloadedMinutes: sum((it) => of(it).shortSeconds) / 60, replicaHours: sum((it) => of(it).replicaHours) });
  const since = Math.min(...active.filter((it) => it.since).map((it) => seconds(it.since)));
  return { counted: Number.isFinite(since) ? active.length : 0, when: countedSince(since, seconds(about.now)) ?? "last day", prescale: usage((it) => it), reactive: usage((it) => it.reactive) };
}

function draw() {
  if (!about) {
    return;
  }
  const day = lastDay();
  text($("saved"), words(day));
  const all = [...(day.counted ? figures(day, day.when, "") : []), ...(week?.counted ? [...figures(week, "last week", would()), ...money(week)] : [])];
  keyed($("saved-figures"), all, ([label]) => label, make, update);
}

/** Of workloads in Shadow mode nothing was saved. */
const inShadow = () => items.some((it) => !it.active);
const would = () => (inShadow() ? "Prescale would have " : "");

function words(day) {
  return [
    "Compared on the same load; the reactive HPA has a target of 80 %.",
    day.counted || week?.counted ? "" : about.doing ? "Time has not begun, so there is nothing to compare yet." : "There is nothing to compare yet.",
    day.counted && inShadow() ? `What was saved ${day.when === "last day" ? "in the last day" : day.when} is that of ${workloads(day.counted)}, without those in Shadow mode.` : "",
    week?.workloads ? `The last week is from replays in the background: ${workloads(week.counted)} of ${number(items.length)}${inShadow() ? ", in Shadow mode too" : ""}.` : "",
    week?.partOfAWeek ? `${number(week.partOfAWeek)} with less than two weeks of history, of which the second half counts.` : "",
    week?.tooShort ? `${number(week.tooShort)} with less than three days of history, which allow no verdict.` : "",
    week?.failed ? `${number(week.failed)} could not be replayed; Replay says why.` : "",
    about.cardHourPrice !== null && week?.takenForOneCard ? "A replica whose cards are not known counts as one card." : "",
  ]
    .filter((it) => it)
    .join(" ");
}

/** A figure: its label, its value and what it means. */
const figure = (label, [less, more], saved, small) => [label.replace("saved", saved >= 0 ? less : more), number(Math.abs(saved)), small];

const figures = ({ prescale, reactive }, when, would) =>
  [
    ["Overloaded minutes", "overloadedMinutes"],
    ["Replica-hours", "replicaHours"],
  ].map(([what, of]) => figure(`${what} ${would}saved, ${when}`, ["saved", "added"], Math.round(reactive[of]) - Math.round(prescale[of]), `${number(Math.round(prescale[of]))} instead of ${number(Math.round(reactive[of]))}`));

const money = ({ prescale, reactive }) => {
  const price = about.cardHourPrice;
  return price === null ? [] : [figure(`Money ${would()}saved, last week`, ["saved", "spent more"], (reactive.cardHours - prescale.cardHours) * price, `at ${number(price)} an hour of a card`)];
};
