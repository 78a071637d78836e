// What happened beside the demand: fits of models, changes of the breaker, deploys, incidents and events.

import { el, text } from "./dom.js";
import { dayAndTime, seconds } from "./words.js";

const KINDS = { REFIT: "Models fitted", BREAKER: "Breaker", DEPLOY: "Deployed", INCIDENT: "Incident", RECOVERY: "Incident over", EVENT: "Event", NOTICE: "Notice" };
const MOST = 12;

/** The marks of a series within a time, with their times in seconds. */
export const within = (series, [from, to]) =>
  series.marks.map((mark) => ({ ...mark, time: seconds(mark.at) })).filter((mark) => mark.time >= from && mark.time <= to);

/** A list of marks, the newest first; a click on a time chooses it. */
export class Marks {
  constructor(onPick, id = "marks", most = MOST) {
    this.most = most;
    this.list = el("ul", { class: "marks", id });
    this.rest = el("p", { class: "muted" });
    this.box = el("section", { "aria-label": "What happened", hidden: true }, el("h3", {}, "What happened"), this.list, this.rest);
    this.onPick = onPick;
  }

  show(marks) {
    const shown = marks.slice(-this.most).reverse();
    const key = shown.map((mark) => mark.at + mark.text).join();
    this.box.hidden = shown.length === 0;
    text(this.rest, marks.length > this.most ? `And ${marks.length - this.most} earlier.` : "");
    if (key !== this.key) {
      this.key = key;
      this.list.replaceChildren(...shown.map((mark) => this.item(mark)));
    }
  }

  item(mark) {
    const minute = 60 * Math.floor(mark.time / 60);
    return el(
      "li",
      { class: mark.kind.toLowerCase() },
      el("button", { type: "button", class: "quiet", onclick: () => this.onPick(minute) }, dayAndTime(mark.time)),
      el("span", { class: "swatch mark" }),
      el("strong", {}, KINDS[mark.kind]),
      el("span", {}, mark.text),
    );
  }
}
