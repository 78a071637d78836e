// Actions by keyboard alone, each after a confirmation.

import assert from "node:assert/strict";
import { get } from "node:https";
import { after, before, test } from "node:test";
import { ask, assertAccessible, assertNoSidewaysScroll, close, open, shoot, shootInEverySize, startBrowser, startDemo } from "../browser.js";

let demo;
let browser;

before(async () => {
  demo = await startDemo("--speed", "480");
  browser = await startBrowser();
  await demo.event("time_begins");
});

after(async () => {
  await browser?.close();
  await demo?.stop();
});

/** Presses Tab until a matching element has the focus. */
async function tabTo(page, selector) {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((it) => document.activeElement?.matches(it), selector)) {
      return;
    }
  }
  assert.fail(`the keyboard does not reach ${selector}`);
}

test("every view and explanation can be reached by keyboard", async () => {
  const page = await open(browser, demo);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the content");
  await tabTo(page, "nav a[data-view=gpus]");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#gpus:not([hidden])");
  await tabTo(page, ".gpu-node .title");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#node[open]");
  await page.keyboard.press("Escape");
  await page.waitForSelector("#node:not([open])", { state: "attached" });
  await page.goto(demo.page + "#/workloads");
  await page.waitForSelector("#list li");
  await tabTo(page, "#sort");
  await page.keyboard.press("ArrowDown"); // from trouble to name
  await page.waitForFunction(() => document.querySelector("#list li:nth-child(2) a").textContent.includes("chat-8b"));
  await tabTo(page, "#list li:nth-child(2) a");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".detail h2")?.textContent === "chat-8b");
  await tabTo(page, "#moment");
  await page.keyboard.press("Home");
  await page.waitForFunction(() => document.querySelector("#why")?.textContent.includes("No decision was made in that minute: it precedes the first one"));
  await close(page);
});

test("a spike asks for confirmation, can be cancelled, and happens once confirmed", async () => {
  const page = await open(browser, demo, { hash: "#/workloads/chat-8b" });
  await page.click("#act");
  await page.click("text=Spike the load of chat-8b");
  assert.match(await page.textContent("#happen-body"), /Nearly double the load of chat-8b/);
  await page.click("#happen-body >> text=Cancel");
  assert.deepEqual((await ask(demo, "overview")).events, []);
  await page.click("text=Spike the load of chat-8b");
  await page.click("#happen-body button:has-text('Spike the load')");
  await page.waitForFunction(() => document.querySelector("#news").textContent.includes("chat-8b nearly doubles"));
  assert.equal((await ask(demo, "overview")).events[0].text, "The load of chat-8b nearly doubles.");
  await close(page);
});

/** The status with which the metrics API answers; its certificate is of its own making. */
const answered = () =>
  new Promise((done, fail) => get(demo.metrics + "chat-8b-demand", { rejectUnauthorized: false }, (response) => done(response.resume().statusCode)).on("error", fail));

/** The same on a phone: nothing wider than the window, and no serious fault. */
async function shootOnPhone(name, hash, shown) {
  const page = await open(browser, demo, { size: "phone", hash });
  await page.waitForSelector(shown);
  await shoot(page, `${name}-phone`);
  await assertAccessible(page, name);
  await assertNoSidewaysScroll(page, name);
  await close(page);
}

test("in an outage the page shows what the metrics API answers, and no demand", { timeout: 120_000 }, async () => {
  const page = await open(browser, demo, { hash: "#/workloads/chat-8b?range=60" });
  demo.type("stop-prometheus");
  await page.waitForFunction(() => document.querySelector("#detail .state")?.textContent === "no metric", null, { timeout: 15_000 });
  assert.equal(await page.textContent("#f-demand"), "unknown");
  await page.waitForFunction(() => document.querySelector("#f-served + dd")?.textContent.startsWith("last known good"), null, { timeout: 15_000 });
  await shoot(page, "no-metric", false);
  await page.waitForFunction(() => document.querySelector("#f-served").textContent === "unknown", null, { timeout: 30_000 });
  assert.equal(await page.textContent("#f-served + dd"), "the HPA keeps its replicas");
  assert.equal(await answered(), 503);
  const series = await ask(demo, "workloads/chat-8b/series?minutes=60");
  const last = series.time.indexOf(Date.parse(series.now) / 1000);
  assert.deepEqual([series.demand[last], series.served[last]], [null, null]);
  assert.match(await page.textContent("#why"), /No decision was made in that minute/);
  await shootOnPhone("outage", "#/workloads/chat-8b", "#f-served");
  await page.click(".back a");
  await page.waitForFunction(() => document.querySelector("#urgent").textContent.includes("chat-8b: the metrics API answers an error"));
  await page.check("#trouble");
  assert.equal(await page.textContent("#found"), "5 workloads");
  await shoot(page, "fleet-in-trouble", false);
  await page.click("#list a:has-text('chat-8b')");
  await page.waitForSelector("#f-served");
  demo.type("start-prometheus");
  await page.waitForFunction(() => document.querySelector("#detail .state")?.textContent !== "no metric", null, { timeout: 15_000 });
  await close(page);
});

test("a lost card is red, and its pods are listed", async () => {
  const page = await open(browser, demo, { hash: "#/gpus" });
  demo.type("lose-card");
  await page.waitForSelector(".cards li.UNHEALTHY");
  await page.selectOption("#show", "sick");
  await page.waitForFunction(() => document.querySelectorAll(".gpu-node").length === 1);
  assert.match(await page.textContent(".cards li.UNHEALTHY"), /unhealthy \(XID 79\)/);
  assert.match(await page.textContent("#decisions"), /the best of [0-9]+ nodes on the shortlist|the only node that fits/);
  await shoot(page, "lost-card", false);
  demo.type("repair-cards");
  await page.waitForFunction(() => document.querySelector("#t-sick").textContent === "0");
  await close(page);
});

test("replicas move off a worn card", async () => {
  const page = await open(browser, demo, { hash: "#/gpus" });
  demo.type("wear-card");
  await page.waitForSelector("#moves tr:has-text('a card of it is sick')", { timeout: 60_000 });
  await shoot(page, "moves", false);
  demo.type("repair-cards");
  await close(page);
});

test("a replay that runs shows its share, and one that failed says why", async () => {
  let job = { workload: "speech", state: "RUNNING", done: 0.42 };
  const prepare = (it) => it.route("**/api/v1/workloads/speech/replay", (route) => route.fulfill({ json: job }));
  const page = await open(browser, demo, { hash: "#/replay/speech", prepare });
  await page.waitForFunction(() => document.querySelector("#job output")?.textContent === "42 %");
  assert.equal(await page.isDisabled("#start"), true);
  await shootInEverySize(page, "replay-running");
  job = { ...job, state: "FAILED", history: "A history of 2 h is too short for a pattern.", problem: "Prometheus is away." };
  await page.waitForSelector("#job .problem");
  assert.equal(await page.textContent("#job"), "A history of 2 h is too short for a pattern.Prometheus is away.");
  assert.equal(await page.isDisabled("#start"), false);
  await shootInEverySize(page, "replay-failed");
  await close(page);
});

test("a replay runs with progress and ends in a report", { timeout: 300_000 }, async () => {
  const page = await open(browser, demo, { hash: "#/replay" });
  await page.selectOption("#subject", "speech");
  await page.click("#start");
  await page.waitForSelector("#job progress");
  await page.waitForSelector("#job table", { timeout: 280_000 });
  const job = await ask(demo, "workloads/speech/replay");
  const shown = await page.locator("#job tbody tr").allTextContents();
  assert.equal(shown.length, job.rows.length);
  assert.deepEqual(await page.locator("#verdicts li").allTextContents(), job.verdicts);
  assert.match(job.verdicts.join(" "), /The budget of 0\.5 % was (met|exceeded)\./);
  job.rows.forEach((row, i) => {
    assert.ok(shown[i].startsWith(row.policy), shown[i]);
    assert.ok(shown[i].includes((100 * row.overloadedShare).toFixed(2) + " %"), shown[i]);
    assert.ok(shown[i].endsWith(`${row.cost.toFixed(2)}${Math.round(row.scaleEventsPerDay)}${Math.round(row.reversalsPerDay)}`), shown[i]);
  });
  await shoot(page, "replay-finished");
  const [report] = await Promise.all([page.context().waitForEvent("page"), page.click("#job a")]);
  await report.waitForSelector("html[data-drawn=yes]");
  await shoot(report, "replay-report", false);
  await close(page);
});

test("the page reports that the demo has stopped", async () => {
  const gone = await startDemo();
  const page = await open(browser, gone);
  await gone.stop();
  await page.waitForSelector("#lost:not([hidden])", { timeout: 15_000 });
  assert.match(await page.textContent("#lost"), /does not respond/);
  await shootInEverySize(page, "demo-stopped");
  await page.context().close();
});
