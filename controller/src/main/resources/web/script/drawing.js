// What a chart marks on its plot, in the coordinates of uPlot.

import { colour } from "./kinds.js";

/** Shades the lead time, at whose end current decisions take effect, and declared events. */
export function behind(u, { now, leadEnd, events = [] }) {
  for (const [begin, end] of [[now, leadEnd], ...events]) {
    const from = Math.max(u.valToPos(begin, "x", true), u.bbox.left);
    const to = Math.min(u.valToPos(end, "x", true), u.bbox.left + u.bbox.width);
    if (to > from) {
      u.ctx.fillStyle = colour("--lead");
      u.ctx.fillRect(from, u.bbox.top, to - from, u.bbox.height);
    }
  }
}

/** Draws over the lines: bounds, what has happened, the minute that is now, and the chosen one. */
export function front(u, { bounds = [], happened = [], now, picked }) {
  for (const [begin, end, demand] of bounds) {
    bound(u, begin, end, demand);
  }
  for (const mark of happened) {
    triangle(u, mark);
  }
  line(u, now, colour("--muted"), [4, 4]);
  if (picked) {
    line(u, picked, colour("--accent"), []);
  }
}

/** A floor or a ceiling: a level line for as long as it is in force. */
function bound(u, begin, end, demand) {
  const from = Math.max(u.valToPos(begin, "x", true), u.bbox.left);
  const to = Math.min(u.valToPos(end, "x", true), u.bbox.left + u.bbox.width);
  const y = u.valToPos(demand, "y", true);
  if (to <= from || y < u.bbox.top) {
    return;
  }
  u.ctx.save();
  u.ctx.strokeStyle = colour("--accent");
  u.ctx.lineWidth = 2 * devicePixelRatio;
  u.ctx.setLineDash([]);
  u.ctx.beginPath();
  u.ctx.moveTo(from, y);
  u.ctx.lineTo(to, y);
  u.ctx.stroke();
  u.ctx.restore();
}

/** Something that happened: a small triangle on the time axis. */
function triangle(u, mark) {
  const x = u.valToPos(mark.time, "x", true);
  const bottom = u.bbox.top + u.bbox.height;
  const size = 5 * devicePixelRatio;
  if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) {
    return;
  }
  u.ctx.fillStyle = colour(`--mark-${mark.kind.toLowerCase()}`);
  u.ctx.beginPath();
  u.ctx.moveTo(x, bottom - 2 * size);
  u.ctx.lineTo(x - size, bottom);
  u.ctx.lineTo(x + size, bottom);
  u.ctx.fill();
}

function line(u, time, stroke, dash) {
  const x = Math.round(u.valToPos(time, "x", true));
  if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) {
    return;
  }
  u.ctx.save();
  u.ctx.strokeStyle = stroke;
  u.ctx.lineWidth = devicePixelRatio;
  u.ctx.setLineDash(dash.map((it) => it * devicePixelRatio));
  u.ctx.beginPath();
  u.ctx.moveTo(x, u.bbox.top);
  u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
  u.ctx.stroke();
  u.ctx.restore();
}
