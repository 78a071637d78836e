// Explains why a policy served a value in a minute, on a click or the Enter key.

const REASONS = {
  FORECAST: "the number of replicas with the lowest sum of cost and risk",
  NEVER_BELOW_OBSERVED: "the newest value, which is above the forecast's",
  KEPT: "replicas that are likely enough to be needed again",
  STARTED_AHEAD: "what was started for demand that was forecast earlier, and was still to come",
  NO_FORECAST: "the newest value and its headroom, because there was no forecast yet",
  NOT_TRUSTED: "the newest value and its headroom, because forecasts were not trusted",
  DAY_BEFORE: "the highest demand a day before, because forecasts were not trusted and that had been a better guide than the newest value",
  IDLE: "0, because there was no demand and none was forecast",
  SCHEDULED_FLOOR: "the minimum of a schedule",
  SCHEDULED_CEILING: "the maximum of a schedule",
  NOTHING_KNOWN: "nothing, because the demand was unknown; the HPA keeps its replicas",
};

const explained = forecasters.filter((run) => run.why !== undefined);

function decodedWhy(run) {
  if (typeof run.why.reason === "string") {
    for (const name of ["reason", "risk", "level", "season", "event", "calibration"]) {
      run.why[name] = decode(run.why[name]);
    }
    Object.entries(run.why.shares).forEach(([name, column]) => (run.why.shares[name] = decode(column)));
  }
  return run.why;
}

const signed = (value) => (value < 0 ? " − " : " + ") + number(Math.abs(value));

function partsOf(run, why, minute) {
  const median = run.p50[minute];
  const [level, season, event] = [why.level[minute], why.season[minute], why.event[minute]];
  const correction = median - level - season - event;
  const parts = [
    "level " + number(level),
    signed(season) + " season",
    signed(correction) + " correction by the models",
    ...(event === 0 ? [] : [signed(event) + " declared event"]),
  ];
  return "Median " + number(median) + " = " + parts.join("") + ".";
}

function sharesOf(why, minute) {
  const shares = Object.entries(why.shares)
    .map(([name, column]) => [name, column[minute]])
    .filter(([, share]) => share > 0)
    .sort(([, a], [, b]) => b - a);
  return "Forecasters: " + shares.map(([name, share]) => name + " " + share + " %").join(", ") + ".";
}

function sentencesWhy(run, minute) {
  const why = decodedWhy(run);
  const reason = why.reasons[why.reason[minute]];
  const replicas = run.desired[minute];
  const sentences = [
    run.policy + " served " + number(run.served[minute]) + " to the HPA, which then wanted "
      + counted(replicas, "replica") + ": " + REASONS[reason] + ".",
  ];
  if (why.level[minute] !== null && run.p50[minute] !== null) {
    sentences.push(
      "Forecast of the highest demand in the " + data.window + " min from " + hourMinute(timeOf(minute + data.lead))
        + " on: " + partsOf(run, why, minute),
      "P95 " + number(run.p95[minute]) + ", including" + signed(why.calibration[minute])
        + " for recent errors. Risk of a shortage: " + number(why.risk[minute]) + " %.",
      sharesOf(why, minute),
    );
  }
  return sentences;
}

function explain(time) {
  const run = forecasters[chosen.forecaster];
  if (!run || run.why === undefined) {
    return;
  }
  const minute = minuteOf(time);
  const panel = document.getElementById("why");
  const when = element("strong", moment(timeOf(minute)) + ", " + zone + ". ");
  const words = element("p", "");
  words.append(when, sentencesWhy(run, minute).join(" "));
  panel.replaceChildren(words);
}
