// What queues held over the last day, one above the other, and the notices that were given.

import { Chart } from "./chart.js";
import { $, attribute, el, legend } from "./dom.js";
import { queueColour } from "./kinds.js";
import { Marks, within } from "./marks.js";
import { cards, dayAndTime } from "./words.js";

const LISTED = 3; // notices
const STEP = 300; // seconds

let shown = null;

/** Shows it from the second point on; before that there is no course. */
export function show(course, all) {
  $("with-course").hidden = course.time.length < 2;
  if (course.time.length < 2) {
    return;
  }
  const names = course.lines.map((it) => it.queue);
  if (shown?.key !== names.join("\n")) {
    build(names);
  }
  const newest = course.time.at(-1);
  const happened = within(course, [course.time[0], newest + STEP]).map((mark) => ({ ...mark, time: begin(course, mark.time) }));
  shown.chart.draw([course.time, ...stacked(course.lines)], { now: newest, leadEnd: newest, picked: null, newest, happened }, "cards");
  shown.marks.show(happened);
  const now = course.lines.map((it) => `${it.queue} ${cards(it.usedMilli.at(-1) ?? 0)}`).join(", ");
  attribute(shown.box, "aria-label", `Cards that queues hold since ${dayAndTime(course.time[0])} UTC; now ${now} of ${all}.`);
}

/** Where the five minutes begin in which a time lies: what was held then is one point. */
const begin = (course, time) => course.time[0] + STEP * Math.floor((time - course.time[0]) / STEP);

/** Each line with what is below it; unknown where any of them is. */
function stacked(lines) {
  let below = lines[0]?.usedMilli.map(() => 0) ?? [];
  return lines.map((line) => (below = line.usedMilli.map((it, i) => (it === null || below[i] === null ? null : below[i] + it / 1000))));
}

function build(names) {
  shown?.chart.close();
  const box = el("div", { class: "chart", id: "chart-cards", role: "slider", tabindex: "0", "aria-valuemin": "0" });
  const values = el("p", { class: "readout", id: "values-cards" });
  const key = legend(...names.map((name) => ["queue", name]));
  [...key.querySelectorAll(".swatch")].forEach((it, i) => it.style.setProperty("--queue", `var(${queueColour(i)})`));
  const chart = new Chart(box, values, "cards", 200, () => {}, null, names);
  const marks = new Marks((at) => chart.point(at), "notices-given", LISTED);
  shown = { key: names.join("\n"), box, chart, marks };
  $("with-course").replaceChildren(el("header", {}, el("h3", {}, "Cards over the last day"), chart.whole), key, values, box, marks.box);
}
