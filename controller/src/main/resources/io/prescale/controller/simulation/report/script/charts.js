// The appearance of the two charts: lines, axes and backgrounds.

const TIME_STEPS = [1, 2, 5, 10, 15, 30]
  .map((minutes) => minutes * MINUTE)
  .concat([1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR))
  .concat([1, 2, 4, 7, 14, 28, 56, 112, 364].map((days) => days * DAY));
const COARSE_STEPS = [2, 5, 10, 15, 30, 60, 120, 240, 480, 1440];
const AXIS_WIDTH = 46; // minimum, so that the two charts align
const MINUTES_PER_PIXEL = 2.2; // more would blur into a solid area

const chosen = {
  run: Math.max(0, runs.findIndex((run) => run.policy === data.subject)),
  forecaster: Math.max(0, forecasters.findIndex((run) => run.policy === data.subject)),
};

// An entry is a line, an area or, without a label, the edge of a band. Its "of" selects how the
// minutes of a longer step are aggregated.
const demandChart = {
  id: "demand",
  steps: false,
  overloaded: () => [],
  entries: () => {
    const edges = [
      { of: "high", values: demand },
      { of: "low", values: demand },
    ];
    const lines = [
      { label: "Demand", values: demand, stroke: "muted", width: 1, swatch: "need" },
      { label: "Highest in " + data.window + " min", values: windowHighest, stroke: "ink", width: 1.2 },
    ];
    if (forecasters.length === 0) {
      return [...edges, ...lines];
    }
    const forecast = forecasters[chosen.forecaster];
    return [
      ...edges,
      { label: "P99", values: atWindow(forecast.p99), swatch: "fan-far" },
      { label: "P95", values: atWindow(forecast.p95), swatch: "fan-near" },
      { label: "P90", values: atWindow(forecast.p90), fixed: true },
      { label: "P50", values: atWindow(forecast.p50), stroke: "accent", width: 1.2 },
      ...lines,
      { label: "Served to the HPA", values: forecast.served, stroke: "served", width: 1.2, off: true },
    ];
  },
  bands: () => [
    { series: [1, 2], fill: color("need") },
    ...(forecasters.length === 0
      ? []
      : [
          { series: [3, 4], fill: color("fan-far") },
          { series: [4, 6], fill: color("fan-near") },
        ]),
  ],
  describe: () =>
    "Demand" + (forecasters.length === 0 ? "" : " and the forecast of " + forecasters[chosen.forecaster].policy),
  coarse: "the grey band spans the lowest to the highest demand.",
};

const replicasChart = {
  id: "replicas",
  steps: true,
  overloaded: () => runs[chosen.run].overloaded,
  entries: () => [
    { of: "high", values: needed },
    { of: "low", values: needed },
    { label: "Needed", values: needed, fill: "need", swatch: "need" },
    { label: "Clairvoyant", values: clairvoyant.desired, stroke: "best", width: 1, dash: [5, 3] },
    { label: "Desired", values: runs[chosen.run].desired, stroke: "accent", width: 1, dash: [2, 2] },
    { label: "Ready", values: runs[chosen.run].ready, stroke: "accent", width: 1.8 },
  ],
  bands: () => [{ series: [1, 2], fill: color("need-range") }],
  describe: () => "Replicas of " + runs[chosen.run].policy + " against the replicas that the demand needed",
  coarse: "the lighter grey spans the fewest to the most replicas needed.",
};

function timeLabels(u, splits, axis, space, step) {
  let day = "";
  return splits.map((split) => {
    const label = dayMonth(split);
    if (step >= DAY) {
      return label;
    }
    const sameDay = label === day;
    day = label;
    return hourMinute(split) + (sameDay ? "" : "\n" + label);
  });
}

// Starts at zero unless all visible values are far from it.
function range(u, low, high) {
  if (low == null || high == null) {
    return [0, 1];
  }
  const room = (high - low || Math.abs(high) || 1) * 0.06;
  return [low >= 0 && low < high * 0.7 ? 0 : low - room, high + room];
}

// k scales everything up for print.
function axes(k) {
  const common = {
    font: 12 * k + "px system-ui, -apple-system, sans-serif",
    stroke: color("muted"),
    grid: { stroke: color("grid"), width: k },
    ticks: { stroke: color("line"), width: k, size: 5 * k },
    gap: 4 * k,
  };
  const widest = (u, labels) => {
    u.ctx.save();
    u.ctx.font = common.font;
    const width = Math.max(...labels.map((label) => u.ctx.measureText(label).width));
    u.ctx.restore();
    return width;
  };
  return [
    { ...common, size: 42 * k, space: 62 * k, incrs: TIME_STEPS, values: timeLabels },
    {
      ...common,
      space: 36 * k,
      size: (u, labels) => Math.max(AXIS_WIDTH * k, labels ? Math.ceil(widest(u, labels) + 14 * k) : 0),
      values: (u, splits) => splits.map(axisNumber),
    },
  ];
}

// The background: unscored history, and overload.
function backdrop(chart, k) {
  return (u) => {
    const { left, top, width, height } = u.bbox;
    const unit = devicePixelRatio * k;
    const x = (time) => Math.min(Math.max(u.valToPos(time, "x", true), left), left + width);
    u.ctx.save();
    history(u, x(scored) - left, unit);
    const flat = chart.overloaded();
    const stretches = [];
    for (let i = 0; i < flat.length; i += 2) {
      const [from, to] = [timeOf(flat[i]), timeOf(flat[i + 1])];
      if (to >= u.scales.x.min && from <= u.scales.x.max) {
        stretches.push({ begin: x(from), wide: Math.max(x(to) - x(from), 1.5 * unit) });
      }
    }
    u.ctx.fillStyle = color("overload-soft");
    for (const { begin, wide } of stretches) {
      if (stretches.length < 100) {
        u.ctx.fillRect(begin, top, wide, height);
      }
    }
    u.ctx.fillStyle = color("overload");
    stretches.forEach(({ begin, wide }) => u.ctx.fillRect(begin, top, wide, 6 * unit));
    u.ctx.restore();
  };
}

function history(u, width, unit) {
  if (width <= 0) {
    return;
  }
  u.ctx.fillStyle = color("history");
  u.ctx.fillRect(u.bbox.left, u.bbox.top, width, u.bbox.height);
  if (width > 140 * unit) {
    u.ctx.fillStyle = color("muted");
    u.ctx.font = 12 * unit + "px system-ui, -apple-system, sans-serif";
    u.ctx.textBaseline = "top";
    u.ctx.textAlign = "left";
    u.ctx.fillText("history, not scored", u.bbox.left + 8 * unit, u.bbox.top + 8 * unit);
  }
}

function options(chart, entries, width, height, k) {
  const lines = entries.map((entry) => ({
    show: !entry.off,
    stroke: entry.stroke && color(entry.stroke),
    fill: entry.fill && color(entry.fill),
    width: entry.stroke ? entry.width * k : 0,
    dash: entry.dash && entry.dash.map((length) => length * k),
    points: { show: false },
    ...(chart.steps ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}),
  }));
  return {
    width: width * k,
    height: height * k,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), zone === "UTC" ? "Etc/UTC" : zone),
    legend: { show: false },
    padding: [8 * k, 14 * k, 0, 0],
    cursor: {
      y: false,
      drag: { x: true, y: false },
      points: { show: false },
      sync: { key: "period", filters: { pub: (type) => type === "mousemove" || type === "mouseleave" } },
    },
    scales: { x: { time: true, range: (u, from, to) => [from ?? first, to ?? last] }, y: { range } },
    axes: axes(k),
    series: [{}, ...lines],
    bands: chart.bands(),
    hooks: { drawClear: [backdrop(chart, k)] },
  };
}

// The number of minutes per point for a number of minutes on a number of pixels.
function coarseness(minutes, pixels) {
  const perPixel = minutes / pixels;
  return perPixel <= MINUTES_PER_PIXEL ? 1 : (COARSE_STEPS.find((step) => step >= 2 * perPixel) ?? 1440);
}

// Lines join the middles of longer steps; stepped lines start at the start of a step.
function columns(chart, entries, step) {
  const middle = chart.steps ? 0 : (step - 1) / 2;
  const times = Array.from({ length: Math.ceil(data.minutes / step) }, (_, i) => timeOf(i * step + middle));
  return [times, ...entries.map((entry) => coarsened(entry.values, step, entry.of ?? "mean"))];
}
