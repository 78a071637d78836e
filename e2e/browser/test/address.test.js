// The address keeps what is shown, and the charts say their values.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, assertAccessible, close, open, shoot, startBrowser, startDemo } from "../browser.js";

let demo;
let browser;

before(async () => {
  demo = await startDemo("--speed", "240");
  browser = await startBrowser();
  await demo.event("time_begins");
  await new Promise((later) => setTimeout(later, 6_000));
});

after(async () => {
  await browser?.close();
  await demo?.stop();
});

const hash = (page) => page.evaluate(() => location.hash);

test("a link shows the same workload, range and moment", async () => {
  const page = await open(browser, demo, { hash: "#/workloads/speech" });
  await page.click(".ranges button:has-text('12 h')");
  await page.focus("#moment");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => /range=720&at=/.test(location.hash));
  const label = await page.textContent("label[for=moment]");
  const same = await open(browser, demo, { hash: await hash(page) });
  await same.waitForFunction((text) => document.querySelector("label[for=moment]")?.textContent === text, label);
  assert.equal(await same.textContent(".detail h2"), "speech");
  assert.equal(await same.textContent(".ranges [aria-pressed=true]"), "12 h");
  assert.equal(await same.getAttribute("#follow", "aria-pressed"), "false");
  await same.click("#follow");
  assert.equal(await hash(same), "#/workloads/speech?range=720");
  await close(same);
  await close(page);
});

test("a moment before the range widens it", async () => {
  const { now } = (await ask(demo, "overview")).about;
  const at = new Date(Date.parse(now) - 5 * 3600e3).toISOString().slice(0, 16) + "Z";
  const page = await open(browser, demo, { hash: `#/workloads/speech?range=60&at=${at}` });
  await page.waitForFunction(() => document.querySelector(".ranges [aria-pressed=true]").textContent === "12 h");
  assert.match(await page.textContent("label[for=moment]"), new RegExp(at.slice(11, 16)));
  await close(page);
});

test("an unknown workload is said to be unknown", async () => {
  const page = await open(browser, demo, { hash: "#/workloads/team%2Fnothing" });
  assert.match(await page.textContent("#detail"), /There is no workload team\/nothing\./);
  await assertAccessible(page, "unknown");
  await page.click("#detail a");
  await page.waitForSelector(".home #list li");
  await close(page);
});

test("a link leads to the replay of a workload, and the address keeps the one that is chosen", async () => {
  const page = await open(browser, demo, { hash: "#/replay/chat-8b" });
  assert.equal(await page.inputValue("#subject"), "chat-8b");
  await page.selectOption("#subject", "speech");
  assert.equal(await hash(page), "#/replay/speech");
  await page.click("nav a[data-view=workloads]");
  await page.waitForSelector("#list li");
  await page.click("nav a[data-view=replay]");
  await page.waitForFunction(() => location.hash === "#/replay/speech");
  assert.equal(await page.inputValue("#subject"), "speech");
  await page.goto(demo.page + "#/replay/team%2Fnothing");
  await page.waitForFunction(() => document.querySelector("#job").textContent === "There is no workload team/nothing.");
  await page.selectOption("#subject", "chat-70b");
  await page.waitForFunction(() => location.hash === "#/replay/chat-70b" && document.querySelector("#job").textContent === "");
  await close(page);
});

test("the list is found, filtered and sorted, and says when it is empty", async () => {
  const page = await open(browser, demo, { hash: "#/workloads?find=chat&sort=name" });
  assert.deepEqual(await page.locator("#list .name").allTextContents(), ["chat-70b", "chat-8b"]);
  assert.equal(await page.textContent("#found"), "2 of 5 workloads");
  await page.fill("#find", "xyz");
  assert.equal(await page.textContent("#found"), "No workload matches.");
  assert.equal(await hash(page), "#/workloads?find=xyz&sort=name");
  await shoot(page, "nothing-found", false);
  await page.click("#all");
  assert.equal(await page.textContent("#found"), "5 workloads");
  await page.selectOption("#only", "BROKEN");
  assert.equal(await page.textContent("#found"), "No workload matches.");
  await close(page);
});

test("the next day is forecast when it is asked for, and the address keeps it open", { timeout: 120_000 }, async () => {
  const page = await open(browser, demo, { hash: "#/workloads/chat-8b" });
  await page.waitForSelector("#tomorrow");
  await page.click("#tomorrow summary");
  await page.waitForFunction(() => location.hash === "#/workloads/chat-8b?next=day");
  await page.waitForSelector("#chart-tomorrow canvas", { timeout: 60_000 });
  assert.match(await page.textContent("#tomorrow-words"), /The highest demand by chat-8b-demand is expected at \w{3} \d\d:\d\d UTC: [\d,.]+ half the time, which needs \d+ replicas on [\d.]+ cards; .*, which needs \d+ replicas on [\d.]+ cards\. .* No event is declared\./);
  await page.focus("#chart-tomorrow");
  await page.keyboard.press("Home");
  assert.match(await page.getAttribute("#chart-tomorrow", "aria-valuetext"), /P50 [\d.,]+ \(\d+ replicas?\)/);
  await assertAccessible(page, "tomorrow");
  await shoot(page, "tomorrow");
  await close(page);
});

test("a chart says its values under the pointer and by keyboard", async () => {
  const page = await open(browser, demo, { hash: "#/workloads/chat-8b" });
  await page.waitForSelector("#chart-demand canvas");
  const said = () => page.textContent("#values-demand");
  const box = await page.locator("#chart-demand .u-over").boundingBox();
  const newest = await said();
  await page.mouse.move(box.x + box.width / 4, box.y + 40);
  await page.waitForFunction((before) => document.querySelector("#values-demand").textContent !== before, newest);
  assert.match(await said(), /^\w{3} \d\d:\d\d UTC: .*demand [\d.,]+/);
  await page.mouse.move(2, 2);
  await page.focus("#chart-demand");
  await page.keyboard.press("Home");
  const { time, demand } = await ask(demo, "workloads/chat-8b/series?minutes=180");
  await page.keyboard.press("PageUp");
  const minute = (await said()).slice(4, 9);
  const index = time.findIndex((at) => new Date(1000 * at).toISOString().slice(11, 16) === minute);
  assert.ok((await said()).includes(`demand ${demand[index].toLocaleString("en", { minimumFractionDigits: demand[index] >= 100 ? 0 : 1, maximumFractionDigits: demand[index] >= 100 ? 0 : 1 })}`), await said());
  assert.equal(await page.getAttribute("#chart-demand", "aria-valuetext"), await said());
  await page.keyboard.press("Enter");
  await page.waitForFunction((at) => document.querySelector("label[for=moment]").textContent.includes(at), minute);
  assert.match(await hash(page), new RegExp(`at=.*${minute.replace(":", "%3A")}`));
  await close(page);
});
