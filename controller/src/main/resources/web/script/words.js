// Formats numbers, times and shares. An unknown value is a dash, never zero.

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const two = (n) => String(n).padStart(2, "0");

export const isKnown = (value) => typeof value === "number" && Number.isFinite(value);

/** Three significant digits, and all digits before the decimal point. */
export function number(value) {
  if (!isKnown(value)) {
    return "–";
  }
  const size = Math.abs(value);
  const digits = size >= 100 || value === Math.round(value) ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A short form for axes. */
export const brief = (value) =>
  Math.abs(value) < 10_000 ? number(value) : value.toLocaleString("en", { notation: "compact", maximumFractionDigits: 1 });

export const signed = (value) => (value < 0 ? "− " : "+ ") + number(Math.abs(value));

/** Such as 1 replica, 2 replicas. */
export const counted = (value, noun) => `${number(value)} ${noun}${value === 1 ? "" : "s"}`;

export const percent = (share, digits = 0) =>
  isKnown(share) ? (100 * share).toFixed(digits) + " %" : "–";

/** A share of what is allowed: so many percent of it, or so many times as much where it is far more. */
export const timesOrPercent = (share) => (share < 10 ? percent(share) : `${number(Math.round(share))} times`);

/** Converts thousandths of a card to cards. */
export const cards = (milli) => number(milli / 1000);

export function clock(seconds) {
  const at = new Date(1000 * seconds);
  return `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;
}

export const day = (seconds) => DAYS[new Date(1000 * seconds).getUTCDay()];
export const dayAndTime = (seconds) => `${day(seconds)} ${clock(seconds)}`;
export const seconds = (instant) => Date.parse(instant) / 1000;

const NEARLY_A_DAY = 23 * 3600;

/** Since when the figures of the last day count, where less than a day of them is known; else null. */
export const countedSince = (since, now) => (now - since < NEARLY_A_DAY ? `since ${clock(since)} UTC` : null);

export function duration(total) {
  if (!isKnown(total)) {
    return "–";
  }
  if (total < 90) {
    return `${Math.round(total)}\u00a0s`;
  }
  const [days, hours, least] = [Math.floor(total / 86400), Math.floor(total / 3600), Math.floor(total / 60)];
  if (days >= 2) {
    return `${days}\u00a0d ${hours % 24}\u00a0h`;
  }
  if (hours >= 2) {
    return `${hours}\u00a0h ${least % 60}\u00a0min`;
  }
  const minutes = `${least}\u00a0min`; // keeps the unit next to its number
  const rest = Math.round(total % 60);
  return rest === 0 ? minutes : `${minutes} ${rest}\u00a0s`;
}

export const STATES = {
  LEARNING: "learning",
  TRUSTED: "forecasting",
  DISTRUSTED: "reactive",
  BLIND: "no metric",
  BROKEN: "not working",
};

export const GATES = {
  NO_HPA: "no HPA",
  INACTIVE: "inactive",
  FAILING_METRIC: "metric unavailable: replicas kept",
  NOT_READ_YET: "metric not read yet",
  TOLERANCE: "within tolerance",
  OTHER_METRIC: "another metric asks for more",
  STABILIZATION: "held by stabilization window",
  POLICY: "held by scaling policy",
  MAXIMUM: "at maxReplicas",
  MINIMUM: "at minReplicas",
  NONE: "not limited",
};

export const REASONS = {
  FORECAST: "the replicas with the lowest sum of cost and risk",
  NEVER_BELOW_OBSERVED: "the newest value, which is above the forecast's",
  KEPT: "replicas that are likely enough to be needed again",
  STARTED_AHEAD: "what was started for demand that was forecast earlier, and is still to come",
  NO_FORECAST: "the newest value and its headroom, because there is no forecast",
  NOT_TRUSTED: "the newest value and its headroom, because forecasts are not followed",
  DAY_BEFORE: "the highest demand a day before, because forecasts are not followed and that was a better guide than the newest value",
  HANDED_OVER: "what the leader before served, until this one knows as much",
  IDLE: "0, because there is no demand and none is forecast",
  SCHEDULED_FLOOR: "the minimum of a schedule",
  SCHEDULED_CEILING: "the maximum of a schedule",
  NOTHING_KNOWN: "nothing, because the demand is unknown",
};

/** A metric with its unit, where that is known. */
export const withUnit = (metric, units) => (units[metric] ? `${metric}, ${units[metric]}` : metric);

/** The lengths that charts can show: minutes and words. */
export const RANGES = [
  [60, "1 h"],
  [180, "3 h"],
  [720, "12 h"],
  [1440, "24 h"],
];
