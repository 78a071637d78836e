// What those perceive who do not see the page on a desktop: the accessibility tree, values by keyboard, a phone.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, assertAccessible, assertNoSidewaysScroll, close, open, shoot, SIZES, startBrowser, startDemo } from "../browser.js";

let demo;
let browser;

before(async () => {
  demo = await startDemo("--speed", "240");
  browser = await startBrowser();
  await demo.event("time_begins");
});

after(async () => {
  await browser?.close();
  await demo?.stop();
});

const tree = (page, selector) => page.locator(selector).ariaSnapshot();

test("assistive programs read the list: name, state and figures of each workload", async () => {
  const page = await open(browser, demo, { hash: "#/workloads?sort=name" });
  await page.waitForSelector("#list li");
  const list = await tree(page, "#list");
  assert.equal(list.match(/- listitem/g).length, 5, list);
  assert.match(list, /link "chat-70b (learning|forecasting|reactive)[^"]*"/);
  assert.match(await tree(page, "#controls"), /searchbox|textbox/);
  await close(page);
});

/** A decision by the forecast, whose steps are named whatever the demo has just decided. */
const byForecast = (page) =>
  page.route("**/why?*", async (route) => {
    const response = await route.fetch();
    const why = await response.json();
    const forecast = { windowSeconds: 300, from: why.at, level: 90, season: 5, correction: 0, event: 0, p50: 95, p90: 110, p95: 120, p99: 130, calibration: 1, weights: [] };
    await route.fulfill({ response, json: { ...why, reason: "FORECAST", forecast, capacityPerReplica: 24, served: 144 } });
  });

test("assistive programs read a chart as a slider whose value is a sentence, and Why as sentences before figures", async () => {
  const page = await open(browser, demo, { hash: "#/workloads/chat-8b", prepare: byForecast });
  await page.waitForSelector("#chart-demand canvas");
  await page.focus("#chart-demand");
  await page.keyboard.press("Home");
  await page.keyboard.press("PageUp");
  assert.match(await tree(page, ".detail"), /- slider "[^"]*UTC[^"]*"/);
  assert.match(await page.getAttribute("#chart-demand", "aria-valuetext"), /^\w{3} \d\d:\d\d UTC: /);
  await page.waitForSelector("#why-parts");
  const why = await tree(page, "#why");
  const [sentence, figure] = ["- listitem: ", "Whole replicas"].map((it) => why.indexOf(it));
  assert.ok(sentence >= 0 && sentence < figure, `words before figures: ${why}`);
  assert.match(why, /- heading "Forecast for the [^"]* UTC"/);
  await close(page);
});

test("every chart says its values under the pointer and by keyboard", { timeout: 120_000 }, async () => {
  const page = await open(browser, demo, { hash: "#/workloads/chat-8b?next=day" });
  for (const chart of ["demand", "replicas", "tomorrow"]) {
    await page.waitForSelector(`#chart-${chart} canvas`, { timeout: 60_000 });
    await page.locator(`#chart-${chart}`).scrollIntoViewIfNeeded();
    const box = await page.locator(`#chart-${chart} .u-over`).boundingBox();
    const said = () => page.textContent(`#values-${chart}`);
    await page.mouse.move(box.x + box.width / 3, box.y + 30);
    await page.waitForFunction((id) => /UTC: .*\d/.test(document.querySelector(id).textContent), `#values-${chart}`);
    const third = await said();
    await page.mouse.move(box.x + (2 * box.width) / 3, box.y + 30);
    await page.waitForFunction(([id, before]) => document.querySelector(id).textContent !== before, [`#values-${chart}`, third]);
    await page.mouse.move(2, 2);
    await page.focus(`#chart-${chart}`);
    await page.keyboard.press("Home");
    const first = await page.getAttribute(`#chart-${chart}`, "aria-valuetext");
    await page.keyboard.press("PageUp");
    assert.notEqual(await page.getAttribute(`#chart-${chart}`, "aria-valuetext"), first, chart);
  }
  await close(page);
});

const KINDS = {
  REFIT: ["Models fitted", "Models were fitted to 14 days."],
  BREAKER: ["Breaker", "The breaker opened: forecasts are not followed."],
  DEPLOY: ["Deployed", "Revision 5f6c is rolled out."],
  INCIDENT: ["Incident", "No series answers the query."],
  RECOVERY: ["Incident over", "Every metric was read."],
  EVENT: ["Event", "The load nearly doubles."],
  NOTICE: ["Notice", "train-7 has notice."],
};

/** The series of the demo, with a mark of each kind. */
const withMarks = (page) =>
  page.route("**/series?*", async (route) => {
    const response = await route.fetch();
    const series = await response.json();
    const at = (i) => new Date(1000 * series.time[Math.floor((series.time.length * (i + 1)) / 9)]).toISOString();
    const marks = Object.entries(KINDS).map(([kind, [, text]], i) => ({ at: at(i), kind, text }));
    await route.fulfill({ response, json: { ...series, marks } });
  });

for (const size of Object.keys(SIZES)) {
  test(`a mark of every kind is listed, ${size}`, async () => {
    const page = await open(browser, demo, { size, hash: "#/workloads/chat-8b", prepare: withMarks });
    await page.waitForFunction(() => document.querySelectorAll("#marks li").length === 7);
    const listed = await page.locator("#marks li").evaluateAll((all) => all.map((it) => [it.className, it.querySelector("strong").textContent, it.lastChild.textContent]));
    assert.deepEqual(
      listed.reverse(),
      Object.entries(KINDS).map(([kind, words]) => [kind.toLowerCase(), ...words]),
    );
    await page.locator("#marks").scrollIntoViewIfNeeded();
    await shoot(page, `marks-${size}`);
    await assertAccessible(page, "marks");
    await assertNoSidewaysScroll(page, "marks");
    await close(page);
  });

  test(`an unknown workload, an empty list and a plan that is not made, ${size}`, async () => {
    for (const [name, hash] of [
      ["unknown", "#/workloads/team%2Fnothing"],
      ["nothing-found", "#/workloads?find=xyz"],
      ["plan-none", "#/plan"],
      ["replay", "#/replay"],
    ]) {
      const page = await open(browser, demo, { size, hash });
      await shoot(page, `${name}-${size}`, false);
      await assertAccessible(page, name);
      await assertNoSidewaysScroll(page, name);
      await close(page);
    }
  });
}

/** Figures that put the five services in another order for each criterion. */
const sortable = (page) =>
  page.route("**/api/v1/overview", async (route) => {
    const response = await route.fetch();
    const all = await response.json();
    all.workloads.sort((a, b) => a.id.localeCompare(b.id)).forEach((it, i) => Object.assign(it, { demand: [3, 1, 5, 2, 4][i], wanted: [2, 5, 1, 4, 3][i], shortSeconds: [40, 30, 20, 10, 50][i], budget: 0.005, since: all.about.now }));
    await route.fulfill({ response, json: all });
  });

test("the list is sorted by what is asked for", async () => {
  const names = (await ask(demo, "overview")).workloads.map((it) => it.id).sort();
  const orders = { name: [0, 1, 2, 3, 4], demand: [2, 4, 0, 3, 1], replicas: [1, 3, 4, 0, 2], budget: [4, 0, 1, 2, 3] };
  for (const [order, expected] of Object.entries(orders)) {
    const page = await open(browser, demo, { hash: `#/workloads?sort=${order}`, prepare: sortable });
    await page.waitForSelector("#list li");
    assert.deepEqual(await page.locator("#list .name").allTextContents(), expected.map((i) => names[i]), order);
    await close(page);
  }
});
