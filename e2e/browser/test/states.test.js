// What the demo shows at other times, or not by itself: every state of a workload, learning, a next day with an event and
// a floor, and Jobs beside services.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, assertAccessible, assertNoSidewaysScroll, close, open, shoot, shootInEverySize, SIZES, startBrowser, startDemoWithJobs } from "../browser.js";

let demo;
let browser;

before(async () => {
  demo = await startDemoWithJobs("--speed", "480");
  browser = await startBrowser();
  await demo.event("time_begins");
});

after(async () => {
  await browser?.close();
  await demo?.stop();
});

const STATES = {
  LEARNING: ["learning", "Learning: 12 of 30 forecasts were settled."],
  TRUSTED: ["forecasting", "Forecasts are followed."],
  DISTRUSTED: ["reactive", "Forecasts were no better than the newest value."],
  BLIND: ["no metric", "No series answers the query."],
  BROKEN: ["not working", "The Deployment chat is not there; create it."],
};

/** One service in each state. */
const inEveryState = (about = {}) => async (page) =>
  page.route("**/api/v1/overview", async (route) => {
    const response = await route.fetch();
    const all = await response.json();
    Object.entries(STATES).forEach(([state, [, note]], i) => Object.assign(all.workloads[i], { state, note }));
    await route.fulfill({ response, json: { ...all, about: { ...all.about, ...about } } });
  });

test("what was saved is said since when, and of workloads in Shadow mode that it would have been", async () => {
  const usage = (hours) => ({ overloadedMinutes: 10, replicaHours: hours, cardHours: hours });
  const prepare = async (page) => {
    await page.route("**/api/v1/overview", async (route) => {
      const response = await route.fetch();
      const all = await response.json();
      const about = { ...all.about, now: "2026-11-21T15:00:00Z", cardHourPrice: 2 };
      all.workloads.forEach((it, i) => Object.assign(it, { active: i > 0, since: i > 0 ? "2026-11-21T13:05:00Z" : "2026-11-21T09:00:00Z" }));
      await route.fulfill({ response, json: { ...all, about } });
    });
    await page.route("**/api/v1/savings", (route) => route.fulfill({ json: { workloads: 4, counted: 1, tooShort: 0, failed: 0, partOfAWeek: 1, takenForOneCard: 0, prescale: usage(12), reactive: usage(340) } }));
  };
  const page = await open(browser, demo, { hash: "#/workloads", prepare });
  await page.waitForFunction(() => document.querySelectorAll("#saved-figures > div").length === 5);
  const labels = await page.locator("#saved-figures dt").allTextContents();
  assert.match(labels.join("; "), /^Overloaded minutes (saved|added), since 13:05 UTC; Replica-hours (saved|added), since 13:05 UTC; /);
  assert.deepEqual(labels.slice(2), ["Overloaded minutes Prescale would have saved, last week", "Replica-hours Prescale would have saved, last week", "Money Prescale would have saved, last week"]);
  assert.match(await page.textContent("#saved"), /without those in Shadow mode\. The last week .*, in Shadow mode too\. 1 with less than two weeks of history, of which the second half counts\./);
  await close(page);
});

for (const size of Object.keys(SIZES)) {
  test(`every state is a word in the list and a sentence in the detail, ${size}`, async () => {
    const page = await open(browser, demo, { size, hash: "#/workloads?sort=name", prepare: inEveryState() });
    await page.waitForSelector("#list li");
    const words = await page.locator("#list .state").allTextContents();
    assert.deepEqual(words.sort(), Object.values(STATES).map(([word]) => word).sort());
    assert.match(await page.textContent("#urgent"), /: nothing is decided\./);
    await shoot(page, `states-${size}`);
    await assertAccessible(page, "states");
    await assertNoSidewaysScroll(page, "states");
    const { workloads } = await ask(demo, "overview");
    for (const [i, [state, [word, note]]] of Object.entries(STATES).entries()) {
      await page.goto(`${demo.page}#/workloads/${workloads[i].id}`);
      await page.waitForFunction((it) => document.querySelector(".detail .state")?.textContent === it, word);
      assert.ok((await page.textContent(".detail .note")).includes(note));
      await page.waitForSelector("#chart-demand canvas");
      await shoot(page, `state-${state.toLowerCase()}-${size}`, false);
      await assertAccessible(page, state);
      await assertNoSidewaysScroll(page, state);
    }
    await close(page);
  });

  test(`what is done before time begins is said with its share, ${size}`, async () => {
    const doing = { text: "Learning the two weeks of history of 5 services; 2 learned. Then time begins.", done: 0.4 };
    const page = await open(browser, demo, { size, prepare: inEveryState({ doing }) });
    assert.match(await page.textContent("#doing"), /2 learned\. Then time begins\.\s+40 %$/);
    assert.equal(await page.getAttribute("#doing progress", "value"), "0.4");
    await shoot(page, `learning-${size}`, false);
    await assertAccessible(page, "learning");
    await assertNoSidewaysScroll(page, "learning");
    await close(page);
  });

  test(`the next day is shown with its event and its floor, ${size}`, async () => {
    const page = await open(browser, demo, { size, hash: "#/workloads/chat-8b?next=day", prepare: withEvent });
    await page.waitForSelector("#chart-tomorrow canvas");
    const words = await page.textContent("#tomorrow-words");
    assert.match(words, /expected at Tue 14:00 UTC: 200 half the time, which needs 9 replicas on 18 cards; 19 times in 20 no more than 250, which needs 11 replicas on 22 cards, more than maxReplicas, 10\./);
    assert.match(words, /Declared: launch, Tue 13:00 to Tue 15:00 UTC, 2 times the usual\./);
    assert.match(words, /Schedule mornings: at least 6 replicas, at most 8 from Tue 07:00 to Tue 09:00 UTC\./);
    await shoot(page, `tomorrow-event-${size}`);
    await assertAccessible(page, "tomorrow");
    await assertNoSidewaysScroll(page, "tomorrow");
    await close(page);
  });
}

test("a next day that is being made, or fails, shows no chart of another metric", async () => {
  let tokens = { state: "COMPUTING" };
  const prepare = async (page) => {
    await withEvent(page);
    await page.route("**/tomorrow?metric=tokens", (route) => route.fulfill({ json: tokens }));
    await page.route("**/api/v1/overview", async (route) => {
      const response = await route.fetch();
      const all = await response.json();
      all.workloads[0].metrics.push("tokens");
      await route.fulfill({ response, json: all });
    });
    await page.route("**/series?*", (route) => route.continue({ url: route.request().url().replace("&metric=tokens", "") }));
  };
  const { workloads } = await ask(demo, "overview");
  const page = await open(browser, demo, { hash: `#/workloads/${workloads[0].id}?next=day`, prepare });
  await page.waitForSelector("#chart-tomorrow canvas");
  await page.selectOption("#metric", "tokens");
  await page.waitForFunction(() => document.querySelector("#tomorrow-words").textContent.startsWith("The forecast is being made"));
  assert.equal(await page.isVisible("#chart-tomorrow"), false);
  await shootInEverySize(page, "tomorrow-being-made");
  tokens = { state: "FAILED", problem: "Prometheus is away." };
  await page.waitForFunction(() => document.querySelector("#tomorrow-words").textContent === "Prometheus is away.");
  assert.equal(await page.isVisible("#chart-tomorrow"), false);
  await shootInEverySize(page, "tomorrow-failed");
  await page.selectOption("#metric", "");
  await page.waitForSelector("#chart-tomorrow canvas");
  await close(page);
});

/** A day from Tuesday midnight whose demand doubles during an event. */
async function withEvent(page) {
  const begin = Date.parse("2026-01-20T00:00:00Z") / 1000;
  const time = Array.from({ length: 288 }, (_, i) => begin + 300 * i);
  const instant = (hour) => new Date(1000 * (begin + 3600 * hour)).toISOString();
  const usual = (i) => 80 + 20 * Math.sin((2 * Math.PI * (i - 96)) / 288);
  const during = time.map((_, i) => (i === 168 ? 200 : i >= 156 && i < 180 ? 190 : usual(i)));
  const found = {
    state: "FORECAST",
    madeAt: instant(0),
    history: "A history of 14 d is long enough for a daily and a weekly pattern.",
    metric: "chat-8b-demand",
    capacityPerReplica: 24,
    cardsPerReplica: 2,
    minReplicas: 1,
    maxReplicas: 10,
    time,
    dayBefore: time.map((_, i) => usual(i)),
    p50: during,
    p90: during.map((it) => 1.2 * it),
    p95: during.map((it) => 1.25 * it),
    events: [{ name: "launch", start: instant(13), end: instant(15), factor: 2 }],
    schedules: [{ schedule: "mornings", start: instant(7), end: instant(9), floor: 6, ceiling: 8 }],
  };
  await page.route("**/tomorrow?*", (route) => route.fulfill({ json: found }));
}

/** An outage of eleven hours and a half: demand is not observed, and the budget of a day was missed before it began. */
const inAnOutage = async (page) =>
  page.route("**/api/v1/overview", async (route) => {
    const response = await route.fetch();
    const all = await response.json();
    const since = new Date(Date.parse(all.about.now) - 24 * 3600e3).toISOString();
    all.workloads.forEach((it) => Object.assign(it, { state: "BLIND", demand: null, since, shortSeconds: 41_370, budget: 0.005, served: { state: "LAST_KNOWN_GOOD", value: 96, ageSeconds: 31_200, reason: "" } }));
    const events = [{ at: new Date(Date.parse(all.about.now) - 3700e3).toISOString(), text: "Prometheus is stopped." }];
    await route.fulfill({ response, json: { ...all, events } });
  });

test("in a long outage large numbers are readable, and old news has gone", async () => {
  const page = await open(browser, demo, { hash: "#/workloads/chat-8b", prepare: inAnOutage });
  await page.waitForSelector("#f-budget");
  assert.equal(await page.textContent("#f-budget"), "96 times");
  assert.equal(await page.textContent("#f-budget + dd"), "short for 11\u00a0h 29\u00a0min of the day's 7\u00a0min 12\u00a0s");
  assert.equal(await page.textContent("#f-served + dd"), "last known good, 8\u00a0h 40\u00a0min old");
  assert.match(await page.textContent(".detail .note"), /; 96 times the shortage budget is used\./);
  assert.equal(await page.textContent("#news"), "");
  await shoot(page, "outage", false);
  await page.click("#act");
  assert.match(await page.textContent("#happen .happened"), /Prometheus is stopped\./);
  await close(page);
});

test("while histories are learned, the bar moves and nothing is compared", async () => {
  const prepare = async (page) => {
    await page.route("**/api/v1/overview", async (route) => {
      const response = await route.fetch();
      const all = await response.json();
      all.workloads.forEach((it) => Object.assign(it, { since: null, shortSeconds: 0, replicaHours: 0 }));
      await route.fulfill({ response, json: { ...all, about: { ...all.about, doing: { text: "Learning; 0 learned.", done: 0 } } } });
    });
    await page.route("**/api/v1/savings", (route) => route.fulfill({ json: { workloads: 0, counted: 0, tooShort: 0, failed: 0, takenForOneCard: 0 } }));
  };
  const page = await open(browser, demo, { hash: "#/workloads", prepare });
  assert.equal(await page.getAttribute("#doing progress", "value"), null);
  assert.equal((await page.textContent("#doing")).trim(), "Learning; 0 learned.");
  assert.equal(await page.textContent("#saved"), "Compared on the same load; the reactive HPA has a target of 80 %. Time has not begun, so there is nothing to compare yet.");
  await shoot(page, "learning-nothing", false);
  await close(page);
});

/** A decision whose numbers are as long as they get. */
const longNumbers = async (page) =>
  page.route("**/why?*", async (route) => {
    const response = await route.fetch();
    const why = await response.json();
    const weights = [{ forecaster: "boosted above last value", share: 0.43 }, { forecaster: "seasonal-naive", share: 0.57 }];
    const forecast = { ...why.forecast, level: 12_345, season: 1_234, correction: -321, event: 0, p50: 13_258, p90: 14_000, p95: 15_000, p99: 16_000, weights };
    await route.fulfill({ response, json: { ...why, reason: "FORECAST", forecast, capacityPerReplica: 64, served: 19_968 } });
  });

for (const width of [390, 700, 1100, 1280, 1360]) {
  test(`the columns of Why do not run over each other at ${width} px`, async () => {
    const page = await open(browser, demo, { hash: "#/workloads/chat-8b", prepare: longNumbers });
    await page.setViewportSize({ width, height: 900 });
    await page.waitForSelector("#why-parts");
    const over = await page.evaluate(() => {
      const range = document.createRange();
      const widest = (element) => {
        range.selectNodeContents(element);
        return range.getBoundingClientRect();
      };
      return [...document.querySelectorAll(".why > div")].flatMap((column) => {
        const right = column.getBoundingClientRect().right + 0.5;
        const cells = [...column.querySelectorAll(".steps > span")];
        const beyond = cells.filter((it) => widest(it).right > right).map((it) => `${it.textContent} leaves its column`);
        const covered = cells.filter((it, i) => i % 3 < 2 && it.getBoundingClientRect().right > cells[i + 1].getBoundingClientRect().left + 0.5);
        return [...beyond, ...covered.map((it) => `${it.textContent} runs into the next cell`)];
      });
    });
    assert.deepEqual(over, []);
    assert.deepEqual(await page.locator("#why-members li").allTextContents(), ["43 % boosted above last value: regression trees, from the newest value on", "57 % seasonal-naive: as it was a day or a week before"]);
    await assertNoSidewaysScroll(page, `why at ${width}`);
    await page.locator(".why").scrollIntoViewIfNeeded();
    await shoot(page, `why-${width}`, false);
    await close(page);
  });
}

test("the axis of the next day has whole replicas", async () => {
  const page = await open(browser, demo, { hash: "#/workloads" });
  const ticks = await page.evaluate(async () => {
    const { axes } = await import("/script/kinds.js");
    const right = (capacity, most) => {
      const axis = axes("tomorrow", "requests", capacity)[2];
      const splits = axis.splits(null, 2, 0, most);
      return [splits, axis.values(null, splits)];
    };
    return [right(40, 324), right(32, 20), right(1, 33_000)];
  });
  assert.deepEqual(ticks[0], [[0, 80, 160, 240, 320], ["0", "2", "4", "6", "8"]]);
  assert.deepEqual(ticks[1], [[0], ["0"]]);
  assert.deepEqual(ticks[2][1], ["0", "5,500", "11K", "16.5K", "22K", "27.5K", "33K"]);
  await close(page);
});

test("Jobs share the cards: queues, their course, and what is told of them", { timeout: 120_000 }, async () => {
  for (const size of Object.keys(SIZES)) {
    const page = await open(browser, demo, { size, hash: "#/gpus" });
    await page.waitForSelector("#chart-cards canvas", { timeout: 60_000 });
    const { queues } = await ask(demo, "gpus?limit=24");
    const shown = await page.locator("#queues th").allTextContents();
    assert.deepEqual(shown.map((it) => it.split(/\s/)[0]).sort(), queues.map((it) => it.name).sort());
    await shoot(page, `jobs-${size}`);
    await assertAccessible(page, "jobs");
    await assertNoSidewaysScroll(page, "jobs");
    await close(page);
  }
});
