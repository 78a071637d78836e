// Every view on desktop and phone, in light and dark.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, assertAccessible, assertNoSidewaysScroll, close, open, shoot, SIZES, startBrowser, startDemo } from "../browser.js";

let demo;
let browser;

before(async () => {
  demo = await startDemo("--speed", "480");
  browser = await startBrowser();
  await demo.event("time_begins");
  await new Promise((later) => setTimeout(later, 12_000)); // an hour and a half of the cluster's
});

after(async () => {
  await browser?.close();
  await demo?.stop();
});

const VIEWS = {
  workloads: (page) => page.waitForSelector("#list li"),
  "workloads/chat-8b": async (page) => {
    await page.waitForSelector("#chart-demand canvas");
    await page.waitForSelector("#why-parts");
  },
  gpus: (page) => page.waitForSelector(".gpu-node .cards li"),
  replay: (page) => page.waitForSelector("#subject option", { state: "attached" }),
};

for (const size of Object.keys(SIZES)) {
  for (const scheme of ["light", "dark"]) {
    for (const [view, shown] of Object.entries(VIEWS)) {
      test(`${view}, ${size}, ${scheme}`, async () => {
        const page = await open(browser, demo, { size, scheme, hash: "#/" + view });
        await shown(page);
        await shoot(page, `${view.replace("/", "-")}-${size}-${scheme}`);
        await assertAccessible(page, view);
        await assertNoSidewaysScroll(page, view);
        await close(page);
      });
    }
  }
}

for (const size of Object.keys(SIZES)) {
  test(`the dialogs are accessible too, ${size}`, async () => {
    const page = await open(browser, demo, { size, hash: "#/gpus" });
    for (const [name, opens] of [["node", ".gpu-node .title"], ["actions", "#act"]]) {
      await page.click(opens);
      await shoot(page, `${name}-dialog-${size}`, false);
      await assertAccessible(page, name);
      await assertNoSidewaysScroll(page, name);
      await page.keyboard.press("Escape");
    }
    await close(page);
  });
}

test("every kind of bar and line has a legend", async () => {
  const page = await open(browser, demo, { hash: "#/workloads" });
  const legend = (selector) => page.locator(selector).allTextContents();
  await page.waitForSelector("#bars:not([hidden])");
  assert.deepEqual(await legend("#bars li"), ["part of the shortage budget used in the last day", "all of it, and more"]);
  await page.goto(demo.page + "#/workloads/chat-8b");
  await page.waitForSelector("#why-parts");
  assert.deepEqual(await legend(".why .legend li"), ["adds, or a sum", "takes away", "rounding", "risk"]);
  assert.deepEqual(await legend("[aria-label='Demand and forecast'] .legend li"), ["demand", "forecast, P50 to P95, made one lead time earlier", "served value", "lead time", "ready", "desired", "needed", "ready with a reactive HPA"]);
  await page.goto(demo.page + "#/gpus");
  await page.waitForSelector(".gpu-node");
  assert.deepEqual(await legend("#gpus .bar .legend li"), ["allocated", "used", "unhealthy"]);
  await close(page);
});

test("the page explains a past decision as the API does", async () => {
  const page = await open(browser, demo, { hash: "#/workloads/chat-8b" });
  await page.waitForSelector("#why-parts");
  await page.focus("#moment");
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press("ArrowLeft");
  }
  await page.waitForFunction(() => document.querySelector("#follow").getAttribute("aria-pressed") === "false");
  await page.waitForTimeout(1500);
  const label = (await page.textContent("label[for=moment]")).replace(" UTC", "");
  const id = await page.textContent(".detail h2");
  const series = await ask(demo, `workloads/${id}/series?minutes=1440`);
  const at = series.time.find((time) => label.endsWith(new Date(1000 * time).toISOString().slice(11, 16)) && time > series.time.at(-1) - 6 * 3600);
  const why = await ask(demo, `workloads/${id}/why?at=${at}`);
  const words = (value) => value.toLocaleString("en", { maximumFractionDigits: value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2, minimumFractionDigits: value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2 });
  assert.equal(await page.textContent("#why-served"), words(why.served));
  assert.equal(await page.textContent("#why-replicas"), String(why.hpa.wanted));
  assert.ok((await page.textContent("#why-parts")).includes(words(why.forecast.p50)));
  assert.deepEqual(await page.locator("#why-words li").allTextContents(), why.sentences);
  assert.equal(await page.evaluate(() => document.querySelector("#why").firstElementChild.nextElementSibling.id), "why-words", "words before numbers");
  await page.click("#follow");
  await close(page);
});

test("rounding to whole replicas and the price of the risk are rows apart", async () => {
  const decided = async (page) =>
    page.route("**/why?*", async (route) => {
      const response = await route.fetch();
      const why = await response.json();
      const forecast = { ...why.forecast, level: 90, season: 5, correction: 0, event: 0, p50: 95 };
      await route.fulfill({ response, json: { ...why, reason: "FORECAST", forecast, capacityPerReplica: 24, served: 144 } });
    });
  const page = await open(browser, demo, { hash: "#/workloads/chat-8b", prepare: decided });
  await page.waitForSelector("#why-parts");
  const rows = await page.locator("#why-parts > :not(.track)").allTextContents();
  assert.deepEqual(rows.slice(-8), ["Median", "95", "Whole replicas", "+ 1", "For the risk", "+ 48 (+ 2 replicas)", "Served", "144"]);
  await close(page);
});

test("the home sums up the forecasts, budgets and replicas of all workloads", async () => {
  const page = await open(browser, demo, { hash: "#/workloads" });
  await page.waitForSelector("#health-figures dt");
  const { workloads } = await ask(demo, "overview");
  const figures = await page.locator("#health-figures > div").evaluateAll((all) => Object.fromEntries(all.map((it) => [it.children[0].textContent, it.children[1].textContent])));
  assert.deepEqual(Object.keys(figures), ["Forecasts trusted", "Budgets missed", "Replicas without room", "Typical error", "P90 held", "P95 held"]);
  assert.match(figures["Forecasts trusted"], new RegExp(`^[0-9]+ of ${workloads.length}$`));
  const seconds = 24 * 3600;
  assert.equal(figures["Budgets missed"], String(workloads.filter((it) => it.shortSeconds > seconds * it.budget).length));
  assert.equal(figures["Replicas without room"], String(workloads.reduce((sum, it) => sum + it.unplaced, 0)));
  assert.match(figures["Typical error"], /^[0-9.]+ %$/);
  const [held90, held95] = [figures["P90 held"], figures["P95 held"]].map((text) => parseFloat(text));
  assert.ok(held90 > 60 && held90 <= held95 && held95 <= 100, `${held90} and ${held95}`);
  await assertAccessible(page, "health");
  await page.click("#list a");
  await page.waitForSelector(".detail h2");
  assert.equal(await page.isVisible("#health"), false);
  await close(page);
});

test("the list, the figures and the cards show what the API says", async () => {
  const page = await open(browser, demo, { hash: "#/gpus" });
  await page.waitForSelector(".gpu-node");
  const node = await page.evaluate(async () => {
    // Page and test see the same minute if the responses before and after are equal.
    for (;;) {
      const [first, shown, second] = [
        await (await fetch("/api/v1/gpus?limit=24")).text(),
        [...document.querySelectorAll(".gpu-node")].map((it) => it.textContent),
        await (await fetch("/api/v1/gpus?limit=24")).text(),
      ];
      const of = (text) => JSON.parse(text).nodes.map((it) => it.cards.map((card) => card.allocatedMilli).join());
      if (of(first).join() === of(second).join()) {
        return { shown, nodes: JSON.parse(first).nodes };
      }
    }
  });
  assert.equal(node.shown.length, 7);
  node.nodes.forEach((it, i) => assert.ok(node.shown[i].startsWith(it.name), node.shown[i]));
  assert.equal(await page.textContent("#t-cards"), "56");
  const { workloads } = await ask(demo, "overview");
  await page.click("nav a[data-view=workloads]");
  await page.selectOption("#sort", "name");
  assert.deepEqual(await page.locator("#list .name").allTextContents(), workloads.map((it) => it.id).sort());
  await page.click("#list a:has-text('speech')");
  await page.waitForSelector("#f-lead");
  assert.equal(await page.textContent("#f-lead + dd"), "until a new replica serves");
  await close(page);
});

test("a link keeps the focus when the list's order changes", async () => {
  const page = await open(browser, demo, { hash: "#/workloads" });
  await page.waitForSelector("#list li");
  const seen = await page.evaluate(() => {
    const sort = (order) => {
      document.querySelector("#sort").value = order;
      document.querySelector("#sort").dispatchEvent(new Event("change"));
      return [...document.querySelectorAll("#list a")];
    };
    const byName = sort("name");
    const kept = byName.map((link) => {
      link.focus();
      const byDemand = sort("demand");
      return { moved: byDemand.indexOf(link) !== sort("name").indexOf(link), focused: document.activeElement === link };
    });
    return { moved: kept.some((it) => it.moved), focused: kept.every((it) => it.focused) };
  });
  assert.deepEqual(seen, { moved: true, focused: true });
  await close(page);
});

/** The demo's services have one metric each: adds a second metric, of a thousand times the value, to the first. */
async function withTokens(page) {
  await page.route("**/api/v1/overview", async (route) => {
    const response = await route.fetch();
    const all = await response.json();
    all.workloads[0].metrics.push("tokens");
    await route.fulfill({ response, json: all });
  });
  await page.route("**/series?*", async (route) => {
    const url = new URL(route.request().url());
    if (url.searchParams.get("metric") !== "tokens") {
      return route.continue();
    }
    url.searchParams.delete("metric");
    const response = await route.fetch({ url: url.href });
    const series = await response.json();
    const more = (column) => column.map((it) => (it === null ? null : 1000 * it));
    const columns = Object.fromEntries(["demand", "p50", "p90", "p95", "served"].map((name) => [name, more(series[name])]));
    return route.fulfill({ response, json: { ...series, ...columns, metric: "tokens", capacityPerReplica: 1000 * series.capacityPerReplica } });
  });
}

test("of several metrics, the chosen one is drawn and the deciding one is named", async () => {
  const page = await open(browser, demo, { hash: "#/workloads/chat-70b", prepare: withTokens });
  await page.waitForSelector("#why-parts");
  const shown = () => page.getAttribute("#chart-demand", "aria-label");
  assert.match(await shown(), /^Demand by chat-70b-demand, requests from/);
  assert.equal(await page.textContent("#why-metric"), "by chat-70b-demand, the deciding metric");
  await page.focus("#metric");
  await page.keyboard.press("t"); // the list's entry of that letter
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.querySelector("#chart-demand").getAttribute("aria-label").startsWith("Demand by tokens"));
  await page.waitForTimeout(1500); // a beat of the page changes nothing
  assert.match(await shown(), /^Demand by tokens from/);
  await shoot(page, "several-metrics", false);
  await assertAccessible(page, "several metrics");
  await page.click("#list a:has-text('chat-8b')");
  await page.waitForFunction(() => document.querySelector(".detail h2")?.textContent === "chat-8b");
  await page.waitForFunction(() => document.querySelector("#chart-demand").getAttribute("aria-label")?.startsWith("Demand by chat-8b-demand"));
  assert.equal(await page.isVisible("#metric"), false);
  await close(page);
});

test("cards without reported utilisation say so", async () => {
  const silent = (page) =>
    page.route("**/api/v1/gpus?*", async (route) => {
      const response = await route.fetch();
      const gpus = await response.json();
      gpus.totals.measuredCards = 0;
      gpus.nodes.forEach((node) => node.cards.forEach((card) => (card.usedMilli = null)));
      gpus.nodes[0].problems.push("card GPU-x is left out: it is registered twice.");
      await route.fulfill({ response, json: gpus });
    });
  const page = await open(browser, demo, { hash: "#/gpus", prepare: silent });
  await page.waitForSelector(".gpu-node");
  assert.equal(await page.textContent("#t-used"), "–");
  assert.match(await page.textContent(".gpu-node"), /allocated, – used; .*; 1 problem/);
  await page.click(".gpu-node .title");
  assert.match(await page.textContent("#node-body .problems"), /registered twice/);
  await shoot(page, "silent-cards", false);
  await close(page);
});

test("an extender that does not respond is reported, and the other views keep working", async () => {
  const gone = (page) =>
    page.route("**/api/v1/gpus?*", (route) => route.fulfill({ status: 502, json: { error: "The extender at http://gpus:8080 does not report its cards." } }));
  const page = await open(browser, demo, { prepare: gone });
  await page.click("nav a[data-view=gpus]");
  await page.waitForSelector("#lost:not([hidden])");
  assert.equal(await page.textContent("#lost"), "The extender at http://gpus:8080 does not report its cards.");
  await shoot(page, "no-extender", false);
  await page.click("nav a[data-view=workloads]");
  await page.waitForSelector("#lost", { state: "hidden" });
  page.faults = page.faults.filter((fault) => !fault.includes("status of 502"));
  await close(page);
});
