// The charts over cluster time, drawn by uPlot in the colours of the page. Values are said under the pointer, and by
// keyboard: arrow keys move, Enter chooses the minute.

import { attribute, el, text } from "./dom.js";
import { axes, KINDS } from "./kinds.js";
import { behind, front } from "./drawing.js";
import { fitted, keyed, listen } from "./zoom.js";
import { dayAndTime, isKnown, number } from "./words.js";

export const HOW_TO_ZOOM = "Drag, pinch, or turn the wheel with Ctrl to zoom; drag to pan; + − 0 on the keyboard.";

const DARK = matchMedia("(prefers-color-scheme: dark)");
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity };

/** A chart over cluster time whose vertical axis starts at zero. */
export class Chart {
  /**
   * A chart that has no data yet.
   *
   * @param said the element for the values under the pointer
   * @param onPick receives the time of a minute that is chosen
   * @param onZoom receives the part of the time axis that is to be shown, [from, to], or null for all of it; without it
   *     the chart shows that part itself
   * @param queues the names of the areas that a chart of cards stacks, from below
   */
  constructor(parent, said, kind, height, onPick, onZoom = null, queues = []) {
    this.queues = queues;
    this.onZoom = onZoom ?? ((window) => this.draw(this.columns, this.marks, this.unit, window));
    this.window = null;
    this.whole = el("button", { type: "button", class: "quiet", id: "whole-" + kind, hidden: true, onclick: () => this.onZoom(null) }, "Reset zoom");
    this.parent = parent;
    this.said = said;
    this.pointed = null;
    this.kind = kind;
    this.height = height;
    this.onPick = onPick;
    this.marks = {};
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(parent);
    parent.addEventListener("keydown", (event) => this.key(event));
    parent.addEventListener("blur", () => this.point(null));
    this.recolour = () => this.rebuild();
    DARK.addEventListener("change", this.recolour);
  }

  close() {
    this.observer.disconnect();
    DARK.removeEventListener("change", this.recolour);
    this.plot?.destroy();
  }

  /**
   * Draws the columns; marks are times: now, leadEnd, picked, and newest for the newest minute that is over, and happened,
   * a list of marks. Of the time axis a window is shown, or all of it; without one, what was shown before.
   */
  draw(columns, marks, unit, window = this.window && fitted(...this.window, columns[0][0], columns[0].at(-1))) {
    this.window = window;
    this.whole.hidden = window === null;
    const isNew = unit !== this.unit || marks.capacity !== this.marks.capacity;
    Object.assign(this, { columns, marks, unit });
    if (isNew && this.plot) {
      this.rebuild();
    } else if (this.plot) {
      this.plot.cursor.drag.x = window === null;
      this.plot.setData(columns);
    } else {
      this.build();
    }
    if (document.activeElement === this.parent && this.pointed !== null) {
      this.point(this.pointed); // the minutes have moved under the keyboard's cursor
    } else {
      this.say();
    }
  }

  /** Points at a time; at none with null, and then the newest minute is said. */
  point(time) {
    this.pointed = time;
    const u = this.plot;
    u?.setCursor(time === null ? { left: -10, top: -10 } : { left: u.valToPos(time, "x"), top: 0 }, false);
    this.say();
  }

  say() {
    if (!this.columns) {
      return;
    }
    const times = this.columns[0];
    const at = this.pointed === null ? this.marks.newest : this.pointed;
    const index = Math.max(0, Math.min(times.length - 1, Math.round((at - times[0]) / this.step())));
    const values = KINDS[this.kind].said(this.queues)
      .filter(([column]) => isKnown(this.columns[column][index]))
      .map(([column, name]) => `${name} ${this.value(column, index)}`);
    const words = `${dayAndTime(times[index])} UTC: ${values.join(", ") || "nothing is known"}`;
    text(this.said, words);
    attribute(this.parent, "aria-valuemax", times.length - 1);
    attribute(this.parent, "aria-valuenow", index);
    attribute(this.parent, "aria-valuetext", words);
  }

  step() {
    return this.columns[0][1] - this.columns[0][0] || 60;
  }

  value(column, index) {
    const { capacity } = this.marks;
    const below = this.kind === "cards" && column > 1 ? this.columns[column - 1][index] : 0;
    const it = this.columns[column][index] - below;
    if (!capacity) {
      return number(it);
    }
    const replicas = Math.ceil(it / capacity - 1e-9);
    return `${number(it)} (${number(replicas)} replica${replicas === 1 ? "" : "s"})`;
  }

  key(event) {
    if (!this.columns || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const times = this.columns[0];
    const step = STEPS[event.key];
    const zoomed = keyed(event.key, this.shown(), this.pointed ?? this.marks.picked ?? this.marks.newest);
    if (zoomed) {
      this.show(...zoomed);
    } else if (step !== undefined) {
      const next = (this.pointed ?? this.marks.picked ?? this.marks.newest) + this.step() * step;
      this.point(Math.max(times[0], Math.min(times.at(-1), next)));
    } else if (event.key === "Enter" && this.pointed !== null) {
      this.pick(this.pointed);
    } else if (event.key === "Escape") {
      this.point(null);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Decisions are only of minutes that are over. */
  pick(time) {
    this.onPick(Math.min(time, this.marks.newest));
  }

  /** The part of the time axis that is shown. */
  shown() {
    return this.window ?? [this.columns[0][0], this.columns[0].at(-1)];
  }

  /** Asks for a part of the time axis. */
  show(from, to) {
    const times = this.columns[0];
    this.onZoom(fitted(Math.max(times[0] - 1e6, from), Math.min(times.at(-1) + 1e6, to), times[0], times.at(-1)));
  }

  /** Zooms and pans as the pointer, the fingers and the wheel say. */
  zoomable() {
    const { over } = this.plot;
    over.style.touchAction = "pan-y";
    listen(over, {
      shown: () => this.shown(),
      isZoomed: () => this.window !== null,
      show: (from, to) => this.show(from, to),
      focused: () => document.activeElement === this.parent,
      timeAt: (x) => this.plot.posToVal(x - over.getBoundingClientRect().left, "x"),
    });
  }

  /** The mouse has dragged out a span of an axis that is not zoomed. */
  selected(u) {
    const { left, width } = u.select;
    if (width > 0) {
      u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
      this.show(u.posToVal(left, "x"), u.posToVal(left + width, "x"));
    }
  }

  rebuild() {
    this.plot?.destroy();
    this.plot = null;
    if (this.columns) {
      this.build();
    }
  }

  build() {
    const width = this.parent.clientWidth;
    if (width === 0) {
      return;
    }
    this.plot = new window.uPlot(
      {
        width,
        height: this.height,
        padding: [10, 22, 0, 0],
        legend: { show: false },
        cursor: { y: false, drag: { x: this.window === null, y: false, setScale: false, dist: 5 }, points: { show: false } },
        scales: { x: { time: false, range: (_, min, max) => this.window ?? [min, max] }, y: { range: (_, __, max) => [0, Math.max(1, max * 1.08)] } },
        axes: axes(this.kind, this.unit, this.marks.capacity),
        series: [{}, ...KINDS[this.kind].lines(this.queues).map((line) => ({ points: { show: false }, ...line }))],
        bands: KINDS[this.kind].bands(this.queues),
        hooks: { setSelect: [(u) => this.selected(u)], setCursor: [(u) => this.moved(u)], drawClear: [(u) => behind(u, this.marks)], draw: [(u) => front(u, this.marks)] },
      },
      this.columns,
      this.parent,
    );
    this.zoomable();
    this.plot.over.addEventListener("click", () => {
      const index = this.plot.cursor.idx;
      if (index !== null && index !== undefined) {
        this.pick(this.columns[0][index]);
      }
    });
  }

  /** Says what the pointer is at; one that leaves the chart leaves the newest minute. */
  moved(u) {
    const index = u.cursor.idx;
    this.pointed = index === null || index === undefined ? null : this.columns[0][index];
    this.say();
  }

  resize() {
    if (!this.plot) {
      if (this.columns) {
        this.build();
      }
    } else if (this.parent.clientWidth > 0 && this.parent.clientWidth !== this.plot.width) {
      this.plot.setSize({ width: this.parent.clientWidth, height: this.height });
    }
  }
}
