// Numbers, times and shares as people read them. Unknown is a dash, never zero.

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const two = (n) => String(n).padStart(2, "0");

export const isKnown = (value) => typeof value === "number" && Number.isFinite(value);

/** Three digits, more only before the point. */
export function number(value) {
  if (!isKnown(value)) {
    return "–";
  }
  const size = Math.abs(value);
  const digits = size >= 100 || value === Math.round(value) ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The same in few letters, as at an axis. */
export const brief = (value) =>
  Math.abs(value) < 10_000 ? number(value) : value.toLocaleString("en", { notation: "compact", maximumFractionDigits: 1 });

export const signed = (value) => (value < 0 ? "− " : "+ ") + number(Math.abs(value));

export const percent = (share, digits = 0) =>
  isKnown(share) ? (100 * share).toFixed(digits) + " %" : "–";

/** Thousandths of a card as cards. */
export const cards = (milli) => number(milli / 1000);

export function clock(seconds) {
  const at = new Date(1000 * seconds);
  return `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;
}

export const day = (seconds) => DAYS[new Date(1000 * seconds).getUTCDay()];
export const dayAndTime = (seconds) => `${day(seconds)} ${clock(seconds)}`;
export const seconds = (instant) => Date.parse(instant) / 1000;

export function duration(total) {
  if (!isKnown(total)) {
    return "–";
  }
  if (total < 90) {
    return `${Math.round(total)}\u00a0s`;
  }
  const minutes = `${Math.floor(total / 60)}\u00a0min`; // a unit stays beside its number
  const rest = Math.round(total % 60);
  return rest === 0 ? minutes : `${minutes} ${rest}\u00a0s`;
}

export const STATES = {
  LEARNING: "learning",
  TRUSTED: "forecasting",
  DISTRUSTED: "reactive",
  BLIND: "no metric",
  BROKEN: "not at work",
};

export const GATES = {
  NO_HPA: "no HPA",
  INACTIVE: "inactive",
  FAILING_METRIC: "metric fails: keeps its replicas",
  NOT_READ_YET: "not read yet",
  TOLERANCE: "within its tolerance",
  OTHER_METRIC: "another metric asks for more",
  STABILIZATION: "held by stabilization window",
  POLICY: "held by scaling policy",
  MAXIMUM: "at maxReplicas",
  MINIMUM: "at minReplicas",
  NONE: "nothing holds it",
};

export const REASONS = {
  FORECAST: "the replicas whose cost and risk are least together",
  NEVER_BELOW_OBSERVED: "the newest observation, which is above the forecast's value",
  NO_FORECAST: "the newest observation, as there is no forecast",
  NOT_TRUSTED: "the newest observation, as forecasts are not trusted",
  NOTHING_KNOWN: "nothing is known",
};
