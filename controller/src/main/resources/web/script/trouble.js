// What is wrong with a workload, the worst first.

import { duration, number, timesOrPercent } from "./words.js";

const DAY = 24 * 3600;

/** The share of a day's shortage budget that the last day used; null where nothing is known, and in Shadow mode, where the shortage is others'. */
export const budgetUsed = (item) => (item.active && item.since ? item.shortSeconds / (DAY * item.budget) : null);

export const dayBudget = (item) => DAY * item.budget;

const isUnknown = (item) => item.served.state === "UNKNOWN";

const RULES = [
  [(it) => it.state === "BROKEN", () => "nothing is decided"],
  [(it) => it.active && isUnknown(it) && it.state !== "LEARNING", (it) => `the metrics API answers an error${it.notScaling === null ? ", so the HPA keeps its replicas" : ""}`],
  [(it) => it.notScaling !== null && !isUnknown(it), () => "its HPA does not scale as it should"],
  [(it) => it.state === "BLIND", (it) => (it.served.state === "LAST_KNOWN_GOOD" ? `demand is not observed; the value served is ${duration(it.served.ageSeconds)} old` : "demand is not observed")],
  [(it) => it.unplaced > 0, (it) => `${number(it.unplaced)} replica${it.unplaced === 1 ? " has" : "s have"} no room`],
  [(it) => budgetUsed(it) > 1, (it) => `${timesOrPercent(budgetUsed(it))}${budgetUsed(it) < 10 ? " of" : ""} the shortage budget is used`],
  [(it) => it.state === "DISTRUSTED", (it) => `forecasts are not trusted, so it ${it.active ? "follows" : "would follow"} the demand`],
];

/** What is wrong in words; empty where nothing is. */
export const troubles = (item) => RULES.filter(([applies]) => applies(item)).map(([, words]) => words(item));

/** How bad it is: 0 where nothing is wrong, more for worse. */
export function severity(item) {
  const worst = RULES.findIndex(([applies]) => applies(item));
  return worst < 0 ? 0 : RULES.length - worst;
}
