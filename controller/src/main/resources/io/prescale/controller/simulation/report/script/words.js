// Formats times and numbers, and creates elements with text.

const zone = (() => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: data.zone });
    return data.zone;
  } catch {
    return "UTC"; // the browser does not know the zone; every time shown names its zone
  }
})();

function clock(fields) {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: zone, hourCycle: "h23", ...fields });
  return (seconds) => format.format(seconds * 1000);
}

const hourMinute = clock({ hour: "2-digit", minute: "2-digit" });
const dayMonth = clock({ day: "numeric", month: "short" });
const year = clock({ year: "numeric" });
const weekday = clock({ weekday: "short", day: "numeric", month: "short" });
const moment = (seconds) => weekday(seconds) + " " + hourMinute(seconds);
const period = (from, to) => moment(from) + " – " + moment(to) + " " + year(to) + ", " + zone;

const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 4 });
const number = (value) => (value == null ? "–" : digits.format(value));
const axisNumber = (value) => (Math.abs(value) < 1e5 ? digits : compact).format(value);

function duration(minutes) {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [hours && hours + " h", (rest || !hours) && rest + " min"].filter(Boolean).join(" ");
}

const counted = (count, noun) => count + " " + noun + (count === 1 ? "" : "s");

function element(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  return made;
}

function shape(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  return made;
}

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
