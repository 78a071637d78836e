// The page: the period shown by both charts, and the controls.

const NARROWEST = 10 * MINUTE;
const charts = [demandChart, replicasChart];
const view = { from: scored, to: last };
const byId = (id) => document.getElementById(id);
const plotOf = (chart) => document.querySelector("#" + chart.id + " .plot");
const printing = () => document.documentElement.classList.contains("printing");

/* ---- the period ---- */

function show(from, to) {
  const length = Math.min(Math.max(to - from, NARROWEST), Math.max(last - first, NARROWEST));
  view.from = Math.max(first, Math.min(from, last - length));
  view.to = view.from + length;
  charts.forEach(bringIntoView);
  byId("period").textContent = period(view.from, view.to);
}

function bringIntoView(chart) {
  const step = stepOf(chart);
  if (step !== chart.step) {
    chart.step = step;
    chart.columns = columns(chart, chart.shown, step);
    chart.plot.setData(chart.columns, false);
    chart.plot.setCursor({ left: -10, top: -10 });
    read(chart, null);
  }
  chart.plot.setScale("x", { min: view.from, max: view.to });
}

function zoom(factor, around) {
  show(around - (around - view.from) * factor, around + (view.to - around) * factor);
}

function move(share) {
  const distance = (view.to - view.from) * share;
  show(view.from + distance, view.to + distance);
}

function showSpan(name) {
  const spans = { all: [first, last], scored: [scored, last] };
  const middle = (view.from + view.to) / 2;
  show(...(spans[name] ?? [middle - Number(name) / 2, middle + Number(name) / 2]));
}

/* ---- building ---- */

const stepOf = (chart) => coarseness((view.to - view.from) / MINUTE, plotOf(chart).clientWidth - AXIS_WIDTH);
const sizeOf = (host) => ({ width: Math.max(host.clientWidth, 240), height: host.clientWidth < 560 ? 260 : 330 });

function build(chart) {
  const host = plotOf(chart);
  const { width, height } = sizeOf(host);
  chart.shown = chart.entries().map((entry) => ({ ...entry, off: chart.off.get(entry.label) ?? entry.off }));
  const settings = options(chart, chart.shown, width, height, 1);
  settings.hooks.setCursor = [(u) => read(chart, u.cursor.idx)];
  // After a drag, data can be replaced only once the chart has applied the new period.
  settings.hooks.setScale = [
    (u, scale) => {
      const { min, max } = u.scales.x;
      if (scale === "x" && chart.plot === u && (min !== view.from || max !== view.to)) {
        queueMicrotask(() => show(min, max));
      }
    },
  ];
  settings.cursor.bind = { dblclick: () => () => (show(first, last), null) };
  chart.plot?.destroy();
  host.replaceChildren();
  chart.step = stepOf(chart);
  chart.columns = columns(chart, chart.shown, chart.step);
  chart.plot = new uPlot(settings, chart.columns, host);
  chart.plot.ctx.canvas.setAttribute("aria-hidden", "true");
  host.setAttribute("aria-label", chart.describe() + ". Arrow keys read values, plus and minus zoom.");
  listen(chart.plot);
  let pressedAt = 0;
  chart.plot.over.addEventListener("pointerdown", (event) => (pressedAt = event.clientX));
  chart.plot.over.addEventListener("click", (event) => {
    if (Math.abs(event.clientX - pressedAt) < 4) {
      explain(chart.plot.posToVal(chart.plot.cursor.left, "x")); // not the end of a drag
    }
  });
  legend(chart);
  bringIntoView(chart);
}

function swatch(entry) {
  const svg = shape("svg", { class: "swatch", "aria-hidden": "true" });
  if (entry.swatch) {
    svg.append(shape("rect", { width: 18, height: 12, fill: color(entry.swatch) }));
  }
  if (entry.stroke) {
    const dash = entry.dash ? { "stroke-dasharray": entry.dash.join(" ") } : {};
    svg.append(shape("line", { x2: 18, y1: 6, y2: 6, stroke: color(entry.stroke), "stroke-width": 2, ...dash }));
  }
  return svg;
}

function legend(chart) {
  chart.when = element("span", "", { class: "when" });
  chart.values = new Map();
  const items = chart.shown.flatMap((entry, i) => (entry.label ? [legendItem(chart, entry, i)] : []));
  document.querySelector("#" + chart.id + " .legend").replaceChildren(chart.when, ...items);
  read(chart, null);
}

function legendItem(chart, entry, index) {
  const value = element("b", "");
  chart.values.set(index, value);
  if (entry.fixed) {
    const item = element("span", entry.label, { class: "entry" });
    item.append(value);
    return item;
  }
  const item = element("button", "", { type: "button", "aria-pressed": String(!entry.off) });
  item.append(swatch(entry), entry.label, value);
  item.addEventListener("click", () => {
    entry.off = !entry.off;
    item.setAttribute("aria-pressed", String(!entry.off));
    chart.off.set(entry.label, entry.off);
    chart.plot.setSeries(index + 1, { show: !entry.off });
  });
  return item;
}

/* ---- reading values ---- */

const coarsely = (chart) => (chart.step === 1 ? "" : "Means over " + duration(chart.step) + "; " + chart.coarse);

function whenOf(chart, index) {
  if (index == null) {
    return chart.step === 1 ? "Point at a minute to read its values." : coarsely(chart) + " Zoom in for single minutes.";
  }
  const begin = timeOf(index * chart.step);
  return chart.step === 1
    ? moment(begin) + ", " + zone
    : moment(begin) + ", " + zone + ": means over " + duration(chart.step);
}

function read(chart, index) {
  if (!chart.when || printing()) {
    return;
  }
  chart.at = index == null ? chart.at : chart.columns[0][index];
  chart.when.textContent = whenOf(chart, index);
  chart.values.forEach((value, i) => (value.textContent = index == null ? "" : number(chart.columns[i + 1][index])));
}

function readAloud(chart, time) {
  if (time < view.from || time > view.to) {
    const half = (view.to - view.from) / 2;
    show(time - half, time + half);
  }
  // Runs after the chart has applied the period.
  queueMicrotask(() => {
    const u = chart.plot;
    u.setCursor({ left: u.valToPos(time, "x"), top: u.over.clientHeight / 2 }, true, true);
    const index = Math.floor(minuteOf(time) / chart.step);
    const values = chart.shown.flatMap((entry, i) =>
      entry.label ? [entry.label + " " + number(chart.columns[i + 1][index])] : []);
    byId("spoken").textContent = whenOf(chart, index) + ": " + values.join(", ");
  });
}

/* ---- choices ---- */

function choice(id, list, selected, choose) {
  list.forEach((run, i) => byId(id).append(element("option", run.policy, { value: i })));
  byId(id).value = selected;
  byId(id).addEventListener("change", () => choose(Number(byId(id).value)));
}

// Lists the longest overloads of the selected policy; each zooms to itself.
function overloads() {
  const flat = runs[chosen.run].overloaded;
  const stretches = [];
  for (let i = 0; i < flat.length; i += 2) {
    stretches.push({ from: flat[i], minutes: flat[i + 1] - flat[i] });
  }
  if (stretches.length === 0) {
    const words = "No minute ended with demand above the capacity of the ready replicas.";
    byId("overloads").replaceChildren(element("p", words));
    return;
  }
  const all = stretches.reduce((sum, stretch) => sum + stretch.minutes, 0);
  stretches.sort((a, b) => b.minutes - a.minutes || a.from - b.from);
  const list = element("ol", "");
  for (const { from, minutes } of stretches.slice(0, 6)) {
    const button = element("button", moment(timeOf(from)) + " · " + duration(minutes), { type: "button" });
    const around = Math.max(90, minutes);
    button.addEventListener("click", () => show(timeOf(from - around), timeOf(from + minutes + around)));
    const item = element("li", "");
    item.append(button);
    list.append(item);
  }
  const words = duration(all) + " of overload in " + counted(stretches.length, "stretch").replace("hs", "hes");
  byId("overloads").replaceChildren(element("p", words + (stretches.length > 6 ? "; the longest:" : ":")), list);
}

/* ---- print: redraws in light colours at three dots per pixel ---- */

function print() {
  document.documentElement.classList.add("printing");
  const k = 3 / devicePixelRatio;
  for (const chart of charts) {
    legend(chart);
    chart.when.textContent = period(view.from, view.to) + ". " + coarsely(chart);
    const drawn = new uPlot(options(chart, chart.shown, 690, 260, k), chart.columns);
    drawn.setScale("x", { min: view.from, max: view.to });
    drawn.ctx.canvas.style.width = "100%";
    drawn.ctx.canvas.style.height = "auto";
    plotOf(chart).replaceChildren(drawn.ctx.canvas);
  }
}

function start() {
  for (const chart of charts) {
    const host = plotOf(chart);
    chart.off = new Map();
    host.tabIndex = 0;
    host.setAttribute("role", "application");
    host.setAttribute("aria-roledescription", "chart");
    host.addEventListener("keydown", (event) => press(chart, event));
  }
  charts.forEach(build);
  const resized = new ResizeObserver(() => {
    const changed = charts.filter((chart) => chart.plot.width !== sizeOf(plotOf(chart)).width);
    if (!printing() && changed.length > 0) {
      changed.forEach((chart) => chart.plot.setSize(sizeOf(plotOf(chart))));
      show(view.from, view.to);
    }
  });
  charts.forEach((chart) => resized.observe(plotOf(chart)));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => charts.forEach(build));
  addEventListener("beforeprint", print);
  addEventListener("afterprint", () => {
    document.documentElement.classList.remove("printing");
    charts.forEach(build);
  });
  choice("policy", runs, chosen.run, (index) => {
    chosen.run = index;
    byId("shown").textContent = runs[index].policy;
    build(replicasChart);
    overloads();
  });
  choice("forecaster", forecasters, chosen.forecaster, (index) => {
    chosen.forecaster = index;
    build(demandChart);
  });
  document.querySelector("#demand .choice").hidden = forecasters.length < 2;
  byId("why").hidden = explained.length === 0;
  document.querySelector(".toolbar").hidden = false;
  for (const button of document.querySelectorAll(".toolbar button")) {
    const { span, move: share } = button.dataset;
    button.addEventListener("click", () => (span ? showSpan(span) : move(Number(share))));
  }
  overloads();
  show(scored, last);
  const asked = /^#at=(\d{1,12})$/.exec(location.hash);
  if (asked) {
    const time = Math.min(Math.max(Number(asked[1]), first), last);
    show(time - HOUR, time + HOUR);
    explain(time);
  }
  document.documentElement.dataset.drawn = "yes";
}

start();
