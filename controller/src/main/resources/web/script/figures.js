// The figures at the top of a workload, and what they mean in words.

import { attribute, el, text } from "./dom.js";
import { budgetUsed, dayBudget, troubles } from "./trouble.js";
import { countedSince, duration, isKnown, number, seconds, STATES, timesOrPercent } from "./words.js";

const LABELS = {
  demand: "Demand now",
  served: "Served value",
  replicas: "Replicas ready",
  lead: "Lead time",
  budget: "Budget used",
  reactive: "Reactive HPA short",
};

/** A figure by its name in LABELS. */
export function figure(name) {
  const value = el("dd", { id: "f-" + name });
  const small = el("dd", { class: "small" });
  return { box: el("div", {}, el("dt", {}, LABELS[name]), value, small), value, small };
}

const SERVED = {
  FRESH: (item) => item.metric,
  LAST_KNOWN_GOOD: (item) => `last known good, ${duration(item.served.ageSeconds)} old`,
  UNKNOWN: (item) => (item.active && item.notScaling === null ? "the HPA keeps its replicas" : "the metrics API answers an error"),
};

/** How many replicas are ready of how many that are asked for. */
export const readyOf = (item) => (isKnown(item.ready) || isKnown(item.wanted) ? `${number(item.ready)} of ${number(item.wanted)}` : "–");

/** What of those that are not ready. */
function others(item) {
  if (item.unplaced) {
    return `${number(item.unplaced)} not placed`;
  }
  if (!isKnown(item.ready) || !isKnown(item.wanted)) {
    return "";
  }
  if (item.ready >= item.wanted) {
    return item.wanted === 0 ? "none needed" : "all ready";
  }
  return item.notScaling === null ? "others starting" : "the others may not start";
}

/** The same, and what of the others. */
function replicas(item) {
  if (!item.active) {
    return [number(item.ready), item.wanted === null ? "nothing is decided yet" : `it would ask for ${number(item.wanted)}`];
  }
  return [readyOf(item), others(item)];
}

/** How long capacity fell short, and since when that is known. */
function shortage(item, now) {
  if (!item.since) {
    return "nothing is known yet";
  }
  const since = countedSince(seconds(item.since), now);
  const short = `short for ${duration(item.shortSeconds)}`;
  if (!item.active) {
    return `${short} ${since ?? "in the last day"}, while Prescale did not scale it`;
  }
  return since ? `${short} ${since}; a day may have ${duration(dayBudget(item))}` : `${short} of the day's ${duration(dayBudget(item))}`;
}

function more(ratio) {
  if (!isKnown(ratio)) {
    return "as many";
  }
  const change = Math.round(100 * (ratio - 1));
  return change === 0 ? "as many" : `${Math.abs(change)} % ${change > 0 ? "more" : "fewer"}`;
}

function values(item, now) {
  return [
    [item.demand === null ? "unknown" : number(item.demand), item.demand === null ? "it is not observed" : `one replica carries ${number(item.capacityPerReplica)}`],
    [item.served.value === null ? "unknown" : number(item.served.value), SERVED[item.served.state](item)],
    replicas(item),
    [duration(item.leadSeconds), "until a new replica serves"],
    [timesOrPercent(budgetUsed(item)), shortage(item, now)],
    item.since === null ? ["–", "nothing is known yet"] : [duration(item.reactive.shortSeconds), `at a target of 80 %, with ${more(item.reactive.replicaHours / item.replicaHours)} replica-hours`],
  ];
}

/** Writes the newest state of a workload. */
export function showFigures(parts, item, now) {
  text(parts.state, STATES[item.state]);
  attribute(parts.state, "class", "state " + item.state);
  const wrong = troubles(item);
  const words = wrong.length && item.served.reason ? `The error says that ${item.served.reason.replace(/[.?]$/, "")}.` : item.note;
  parts.shadow.hidden = item.active;
  text(parts.note, [wrong.length ? `Trouble: ${wrong.join("; ")}.` : "", item.notScaling ?? "", words].filter((it) => it).join(" "));
  values(item, now).forEach(([value, small], i) => {
    text(parts.figures[i].value, value);
    text(parts.figures[i].small, small);
  });
  attribute(parts.figures[1].box, "class", item.served.state === "FRESH" ? null : "warned");
}
