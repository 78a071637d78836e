// The next 24 hours of a workload: made by the server when a person asks for them.

import * as api from "./api.js";
import { Chart, HOW_TO_ZOOM } from "./chart.js";
import { attribute, el, legend, text } from "./dom.js";
import { clock, dayAndTime, number, seconds, withUnit } from "./words.js";

const BETWEEN_QUESTIONS = 5000; // milliseconds; the server makes a new one every hour of the cluster's time

/** A panel that is closed until a person opens it; onOpen receives whether it is open. */
export class Tomorrow {
  constructor(id, onOpen) {
    this.id = id;
    this.said = el("p", { id: "tomorrow-words", role: "status" });
    this.values = el("p", { class: "readout", id: "values-tomorrow" });
    this.box = el("div", { class: "chart", id: "chart-tomorrow", role: "slider", tabindex: "0", "aria-valuemin": "0", "aria-label": "Forecast of the next 24 hours" });
    this.chart = new Chart(this.box, this.values, "tomorrow", 240, () => {});
    const key = legend(["fan", "forecast, P50 to P95"], ["line demand", "the day before"], ["leadtime", "declared event"], ["line schedule", "floor or ceiling of a schedule"]);
    this.drawn = el("div", { hidden: true }, el("header", {}, key, this.chart.whole), this.values, this.box, el("p", { class: "muted hint" }, HOW_TO_ZOOM));
    this.panel = el("details", { class: "panel", id: "tomorrow" }, el("summary", {}, "The next 24 hours"), this.said, this.drawn);
    this.panel.addEventListener("toggle", () => onOpen(this.panel.open));
  }

  close() {
    this.chart.close();
  }

  open(isOpen) {
    if (this.panel.open !== isOpen) {
      this.panel.open = isOpen;
    }
  }

  /** Shows this metric from now on. */
  show(metric, units) {
    this.units = units;
    if (metric !== this.metric) {
      this.metric = metric;
      this.readAt = 0;
      this.drawn.hidden = true; // what is drawn is of another metric
    }
  }

  /** Asks for the forecast until it is there, and again when it is old; called once a second. */
  async refresh() {
    if (!this.panel.open || Date.now() - (this.readAt ?? 0) < BETWEEN_QUESTIONS) {
      return;
    }
    const metric = this.metric;
    const found = await api.get(["workloads", this.id, "tomorrow"], metric ? { metric } : {});
    if (metric !== this.metric) {
      return;
    }
    if (found.state === "FORECAST") {
      this.readAt = Date.now();
      this.draw(found);
    } else {
      this.drawn.hidden ||= found.state === "FAILED";
      text(this.said, found.state === "FAILED" ? found.problem : "The forecast is being made, which takes some seconds.");
    }
  }

  draw(it) {
    text(this.said, words(it));
    this.drawn.hidden = false;
    const newest = it.time[highest(it.p95)];
    const events = it.events.map((event) => [seconds(event.start), seconds(event.end)]);
    const marks = { now: it.time[0], leadEnd: it.time[0], picked: null, newest, capacity: it.capacityPerReplica, events, bounds: bounds(it) };
    this.chart.draw([it.time, it.dayBefore, it.p50, it.p90, it.p95], marks, withUnit(it.metric, this.units));
    attribute(this.box, "aria-label", words(it));
  }
}

const highest = (values) => values.indexOf(Math.max(...values));

const replicas = (count) => `${number(count)} replica${count === 1 ? "" : "s"}`;

/** The floors and ceilings of schedules as demand: begin, end and the demand that so many replicas carry. */
const bounds = (it) => it.schedules.flatMap((window) => [window.floor, window.ceiling].filter((count) => count !== null).map((count) => [seconds(window.start), seconds(window.end), count * it.capacityPerReplica]));

/** A window of a schedule in a sentence. */
function scheduled(window) {
  const limits = [window.floor === null ? [] : [`at least ${replicas(window.floor)}`], window.ceiling === null ? [] : [`at most ${number(window.ceiling)}`]].flat();
  return `Schedule ${window.schedule}: ${limits.join(", ")} from ${dayAndTime(seconds(window.start))} to ${dayAndTime(seconds(window.end))} UTC.`;
}

/** Replicas, and the cards they take where that is known. */
function withCards(it, count) {
  const cards = count * (it.cardsPerReplica ?? 0);
  return `${replicas(count)}${cards > 0 ? ` on ${number(cards)} card${cards === 1 ? "" : "s"}` : ""}`;
}

/** What the forecast means in replicas and cards. */
function words(it) {
  const needed = (demand) => Math.max(it.minReplicas, Math.ceil(demand / it.capacityPerReplica - 1e-9));
  const at = highest(it.p95);
  const most = needed(it.p95[at]);
  const least = needed(Math.min(...it.p50));
  const limit = most > it.maxReplicas ? `, more than maxReplicas, ${number(it.maxReplicas)}` : "";
  const events = it.events.map((event) => `${event.name}, ${dayAndTime(seconds(event.start))} to ${dayAndTime(seconds(event.end))} UTC${event.factor === null ? "" : `, ${number(event.factor)} times the usual`}`);
  return [
    it.history,
    `The highest demand by ${it.metric} is expected at ${dayAndTime(it.time[at])} UTC: ${number(it.p50[at])} half the time, which needs ${withCards(it, needed(it.p50[at]))}; 19 times in 20 no more than ${number(it.p95[at])}, which needs ${withCards(it, most)}${limit}.`,
    `At the quietest, ${withCards(it, least)} ${least === 1 ? "is" : "are"} expected to be enough${least === it.minReplicas ? ", which is minReplicas" : ""}.`,
    events.length ? `Declared: ${events.join("; ")}.` : "No event is declared.",
    ...it.schedules.map(scheduled),
    `Made at ${clock(seconds(it.madeAt))} UTC.`,
  ].join(" ");
}
