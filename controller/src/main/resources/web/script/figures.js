// The figures at the top of a workload, and what they mean in words.

import { attribute, el, text } from "./dom.js";
import { budgetUsed, dayBudget, troubles } from "./trouble.js";
import { duration, isKnown, number, STATES, timesOrPercent } from "./words.js";

const LABELS = {
  demand: "Demand now",
  served: "Served to the HPA",
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
  UNKNOWN: () => "the HPA keeps its replicas",
};

function more(ratio) {
  if (!isKnown(ratio)) {
    return "as many";
  }
  const change = Math.round(100 * (ratio - 1));
  return change === 0 ? "as many" : `${Math.abs(change)} % ${change > 0 ? "more" : "fewer"}`;
}

function values(item) {
  return [
    [item.demand === null ? "unknown" : number(item.demand), item.demand === null ? "it is not observed" : `one replica carries ${number(item.capacityPerReplica)}`],
    [item.served.value === null ? "unknown" : number(item.served.value), SERVED[item.served.state](item)],
    [`${item.ready} of ${item.wanted}`, item.unplaced ? `${item.unplaced} not placed` : item.ready < item.wanted ? "others starting" : "all ready"],
    [duration(item.leadSeconds), "until a new replica serves"],
    [timesOrPercent(budgetUsed(item)), `short for ${duration(item.shortSeconds)} of the day's ${duration(dayBudget(item))}`],
    [duration(item.reactive.shortSeconds), `at a target of 80 %, with ${more(item.reactive.replicaHours / item.replicaHours)} replica-hours`],
  ];
}

/** Writes the newest state of a workload. */
export function showFigures(parts, item) {
  text(parts.state, STATES[item.state]);
  attribute(parts.state, "class", "state " + item.state);
  const wrong = troubles(item);
  const words = wrong.length && item.served.reason ? `The error says that ${item.served.reason.replace(/\.$/, "")}.` : item.note;
  text(parts.note, (wrong.length ? `Trouble: ${wrong.join("; ")}. ` : "") + words);
  values(item).forEach(([value, small], i) => {
    text(parts.figures[i].value, value);
    text(parts.figures[i].small, small);
  });
  attribute(parts.figures[1].box, "class", item.served.state === "FRESH" ? null : "warned");
}
