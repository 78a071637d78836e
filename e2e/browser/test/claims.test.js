// What the page must not claim: that Prescale scales in Shadow mode or where no HPA does, and numbers that are not known.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, close, open, shootInEverySize, SIZES, startBrowser, startDemo } from "../browser.js";

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

/** The overview with the first workload changed, and the others without shortage. */
const withFirst = (change) => (page) =>
  page.route("**/api/v1/overview", async (route) => {
    const response = await route.fetch();
    const all = await response.json();
    const about = { ...all.about, now: "2026-11-21T15:00:00Z" };
    all.workloads.forEach((it, i) => Object.assign(it, { state: "TRUSTED", note: "Forecasts are followed.", unplaced: 0, since: "2026-11-20T15:00:00Z", shortSeconds: 0, budget: 0.005 }, i === 0 ? change : {}));
    await route.fulfill({ response, json: { ...all, about } });
  });

/** The texts of the first workload in the list, then its figures, each with what it means. */
async function firstInDetail(page) {
  const { workloads } = await ask(demo, "overview");
  const row = await page.locator(`#list li:has-text("${workloads[0].id}")`).first().locator("a > span").allTextContents();
  await page.goto(`${demo.page}#/workloads/${workloads[0].id}`);
  await page.waitForSelector("#chart-demand canvas");
  return { row, figures: await page.locator(".detail .figures > div").evaluateAll((all) => all.map((it) => [...it.children].map((part) => part.textContent))) };
}

test("in Shadow mode nothing is said to be asked for, short by Prescale's fault, or served to an HPA", async () => {
  const served = { state: "UNKNOWN", value: null, ageSeconds: 0, reason: "" };
  const shadow = { active: false, ready: 2, wanted: 6, served, since: "2026-11-21T13:05:00Z", shortSeconds: 7200 };
  const page = await open(browser, demo, { hash: "#/workloads?sort=name", prepare: withFirst(shadow) });
  await page.waitForFunction(() => document.querySelector("#calm").textContent === "Nothing: no workload is in trouble.");
  const missed = await page.locator("#health-figures > div").nth(1).locator("dd").allTextContents();
  assert.deepEqual(missed, ["0", "short for longer than a day allows, in the last day, of 4 that were seen"]);
  await shootInEverySize(page, "shadow-home");
  await page.setViewportSize(SIZES.desktop);
  const { row, figures } = await firstInDetail(page);
  assert.deepEqual([row[2], row[4]], ["2 ready, would be 6", "Shadow mode"]);
  assert.equal(await page.textContent(".detail .badge"), "Shadow mode");
  assert.deepEqual(figures.slice(1, 3), [["Served value", "unknown", "the metrics API answers an error"], ["Replicas ready", "2", "it would ask for 6"]]);
  assert.deepEqual(figures[4], ["Budget used", "–", "short for 2\u00a0h 0\u00a0min since 13:05 UTC, while Prescale did not scale it"]);
  assert.doesNotMatch(await page.textContent(".detail"), /others starting|served to the HPA|keeps its replicas/i);
  await shootInEverySize(page, "shadow");
  await close(page);
});

test("a workload that no HPA scales is to be looked at, and says why", async () => {
  const notScaling = "HPA other scales Deployment chat, too; delete one of them.";
  const page = await open(browser, demo, { hash: "#/workloads?sort=name", prepare: withFirst({ notScaling, ready: 2, wanted: 6 }) });
  await page.waitForFunction(() => / its HPA does not scale as it should\.$/.test(document.querySelector("#urgent").textContent));
  await shootInEverySize(page, "not-scaling-home");
  await page.setViewportSize(SIZES.desktop);
  const { figures } = await firstInDetail(page);
  assert.equal(await page.textContent(".detail .note"), `Trouble: its HPA does not scale as it should. ${notScaling} Forecasts are followed.`);
  assert.deepEqual(figures[2], ["Replicas ready", "2 of 6", "the others may not start"]);
  await shootInEverySize(page, "not-scaling");
  await close(page);
});

test("what is not known yet is a dash and never zero, and what was counted for less than a day says since when", async () => {
  const unknown = { ready: null, wanted: null, leadSeconds: null, demand: null, since: null, state: "LEARNING", note: "Nothing has been decided yet." };
  const page = await open(browser, demo, { hash: "#/workloads?sort=name", prepare: withFirst(unknown) });
  await page.waitForSelector("#list li");
  const { row, figures } = await firstInDetail(page);
  assert.deepEqual(row.slice(2, 5), ["– ready", "demand unknown", "budget used –"]);
  assert.deepEqual(figures.map(([, value]) => value).filter((_, i) => i !== 1), ["unknown", "–", "–", "–", "–"]);
  await shootInEverySize(page, "unknown-figures");
  await close(page);
  const young = await open(browser, demo, { hash: "#/workloads?sort=name", prepare: withFirst({ since: "2026-11-21T13:05:00Z", shortSeconds: 43 }) });
  await young.waitForSelector("#list li");
  assert.deepEqual((await firstInDetail(young)).figures[4], ["Budget used", "10 %", "short for 43\u00a0s since 13:05 UTC; a day may have 7\u00a0min 12\u00a0s"]);
  await close(young);
});
