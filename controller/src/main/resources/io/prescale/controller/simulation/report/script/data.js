// The page's data: decoded values per minute, means over longer steps, and the runs of the replay.

const data = JSON.parse(document.getElementById("replay-data").textContent);
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const first = data.start;
const last = data.start + (data.minutes - 1) * MINUTE;
const scored = data.start + Math.min(data.scoredFrom, data.minutes - 1) * MINUTE;
const timeOf = (minute) => data.start + minute * MINUTE;
const minuteOf = (time) => Math.min(Math.max(Math.round((time - data.start) / MINUTE), 0), data.minutes - 1);

// "12x5,13,,14" means 12 for five minutes, then 13, unknown and 14 for one each.
function decode(column) {
  const values = [];
  for (const cell of column.split(",")) {
    const [text, count] = cell.split("x");
    const value = text === "" ? null : Number(text);
    for (let i = count === undefined ? 1 : Number(count); i > 0; i--) {
      values.push(value);
    }
  }
  return values;
}

const MEASURES = {
  mean: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  low: (values) => Math.min(...values),
  high: (values) => Math.max(...values),
};

// One value per step, aggregated over its known minutes.
function coarsened(values, step, measure) {
  if (step === 1) {
    return values;
  }
  const coarse = [];
  for (let i = 0; i < values.length; i += step) {
    const known = values.slice(i, i + step).filter((value) => value !== null);
    coarse.push(known.length === 0 ? null : MEASURES[measure](known));
  }
  return coarse;
}

const demand = decode(data.demand);
const needed = decode(data.needed);
const runs = data.runs;
const clairvoyant = runs[runs.length - 1];
const forecasters = runs.filter((run) => run.p50 !== undefined);
for (const run of runs) {
  for (const name of ["desired", "ready", "served", "p50", "p90", "p95", "p99"]) {
    if (run[name] !== undefined) {
      run[name] = decode(run[name]);
    }
  }
}

// A forecast is drawn at the middle of its window, this many minutes after it was made.
const beforeMiddle = Math.floor((data.window - 1) / 2);
const atWindow = (forecast) =>
  forecast.map((_, i) => (i < data.lead + beforeMiddle ? null : forecast[i - data.lead - beforeMiddle]));

// The highest demand in the window around each minute; unknown if part of it is.
const windowHighest = demand.map((_, i) => {
  const from = i - beforeMiddle;
  const values = demand.slice(Math.max(0, from), from + data.window);
  const whole = from >= 0 && values.length === data.window && !values.includes(null);
  return whole ? Math.max(...values) : null;
});
