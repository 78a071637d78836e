// The kinds of charts: the lines and areas that each has, what it says of a minute, and its axes.

import { brief, clock, dayAndTime } from "./words.js";

const TICKS = [1, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => 60 * minutes);
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/** A colour of the page, by the name of its variable. */
export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The colours of queues; those of a cluster with more come again. */
const QUEUE_COLOURS = ["--accent", "--served", "--good", "--muted"];
const faint = (name) => `color-mix(in srgb, ${colour(name)} 32%, transparent)`;
export const queueColour = (i) => QUEUE_COLOURS[i % QUEUE_COLOURS.length];

/** A stepped line, for counts. */
const stepped = () => window.uPlot.paths.stepped({ align: 1 });

/** By kind: its lines; the columns that are said, in this order; and the areas between two lines. */
export const KINDS = {
  demand: {
    lines: () => [
      { label: "Demand", stroke: colour("--ink"), width: 1.6 },
      { label: "P50", stroke: colour("--accent"), width: 1.4 },
      ...fan(),
      { label: "Served", stroke: colour("--served"), width: 1.1, paths: stepped() },
    ],
    said: () => [[1, "demand"], [2, "P50"], [3, "P90"], [4, "P95"], [5, "served"]],
    bands: fanBands,
  },
  tomorrow: {
    lines: () => [
      { label: "The day before", stroke: colour("--ink"), width: 1.2 },
      { label: "P50", stroke: colour("--accent"), width: 1.6 },
      ...fan(),
    ],
    said: () => [[2, "P50"], [3, "P90"], [4, "P95"], [1, "the day before"]],
    bands: fanBands,
  },
  replicas: {
    lines: () => [
      { label: "Needed", stroke: colour("--muted"), width: 1, paths: stepped(), fill: colour("--lead") },
      { label: "Desired", stroke: colour("--accent"), width: 1, dash: [2, 3], paths: stepped() },
      { label: "Ready", stroke: colour("--accent"), width: 2, paths: stepped() },
      { label: "Reactive", stroke: colour("--reactive"), width: 1.6, dash: [6, 4], paths: stepped() },
    ],
    said: () => [[3, "ready"], [2, "desired"], [1, "needed"], [4, "with a reactive HPA"]],
    bands: () => [],
  },
  cards: {
    lines: (queues) => queues.map((label, i) => ({ label, stroke: colour(queueColour(i)), width: 1.4, paths: stepped(), fill: i === 0 ? faint(queueColour(i)) : undefined })),
    said: (queues) => queues.map((name, i) => [i + 1, name]),
    bands: (queues) => queues.slice(1).map((_, i) => ({ series: [i + 2, i + 1], fill: faint(queueColour(i + 1)) })),
  },
};

/** The upper quantiles of a forecast, columns 3 and 4 of a chart whose column 2 is its P50. */
function fan() {
  return [
    { label: "P90", width: 0 },
    { label: "P95", stroke: colour("--accent"), width: 0.6, dash: [3, 3] },
  ];
}

function fanBands() {
  return [
    { series: [4, 2], fill: colour("--fan-far") },
    { series: [3, 2], fill: colour("--fan-near") },
  ];
}

/** Where ticks of whole replicas stand on an axis of demand: no more than six above zero. */
function wholeReplicas(capacity, most) {
  const step = WHOLE.find((it) => most / capacity / it <= 6) ?? Math.ceil(most / capacity / 6);
  const ticks = Math.floor(most / capacity / step + 1e-9);
  return Array.from({ length: ticks + 1 }, (_, i) => i * step * capacity);
}

/** Beside demand stands what it means in replicas, where a capacity is given. */
export function axes(kind, unit, capacity) {
  const common = {
    stroke: colour("--muted"),
    grid: { stroke: colour("--grid"), width: 1 },
    ticks: { show: false },
    font: "12px system-ui, sans-serif",
    labelFont: "12px system-ui, sans-serif",
    labelSize: 18,
  };
  const times = (_, splits) => splits.map((t) => (t % 86400 === 0 ? dayAndTime(t) : clock(t)));
  return [
    { ...common, values: times, incrs: TICKS, space: 64, size: 28, label: "time in UTC" },
    { ...common, values: (_, splits) => splits.map(brief), size: 46, label: unit, ...(kind === "replicas" ? { incrs: WHOLE } : {}) },
    ...(capacity ? [{ ...common, side: 1, grid: { show: false }, splits: (_, __, ___, most) => wholeReplicas(capacity, most), values: (_, splits) => splits.map((it) => brief(Math.round(it / capacity))), size: 36, label: "replicas" }] : []),
  ];
}
