// The time axis of the charts: zoomed, panned, reset, kept in the address; and what is marked on it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ask, assertAccessible, close, open, shoot, startBrowser, startDemo } from "../browser.js";

let demo;
let browser;

before(async () => {
  demo = await startDemo("--workloads", "1", "--speed", "480", "--card-hour-price", "2.5");
  browser = await startBrowser();
  await demo.event("time_begins");
});

after(async () => {
  await browser?.close();
  await demo?.stop();
});

const WINDOW = /from=([^&]+)&to=([^&]+)/;

/** The window in the address in minutes, or null; it is kept there a moment after it changed. */
async function window(page) {
  await page.waitForTimeout(400);
  const found = WINDOW.exec(await page.evaluate(() => location.hash));
  return found && found.slice(1).map((it) => Date.parse(decodeURIComponent(it)) / 60_000);
}

const length = ([from, to]) => to - from;

async function charts(options = {}) {
  const page = await open(browser, demo, { hash: "#/workloads/chat-70b", ...options });
  await page.waitForSelector("#why-parts");
  const box = await page.locator("#chart-demand .u-over").boundingBox();
  return { page, x: (share) => box.x + share * box.width, y: box.y + box.height / 2 };
}

async function drag(page, from, to, y) {
  await page.mouse.move(from, y);
  await page.mouse.down();
  await page.mouse.move((from + to) / 2, y, { steps: 4 });
  await page.mouse.move(to, y, { steps: 4 });
  await page.mouse.up();
}

test("a drag zooms in, the next one pans, Ctrl and the wheel zoom, a link shows the same, a button resets", async () => {
  const { page, x, y } = await charts();
  assert.equal(await window(page), null);
  await drag(page, x(0.3), x(0.6), y);
  const zoomed = await window(page);
  assert.ok(length(zoomed) > 40 && length(zoomed) < 70, String(zoomed));
  await drag(page, x(0.3), x(0.8), y);
  const panned = await window(page);
  assert.equal(length(panned), length(zoomed));
  assert.ok(panned[0] < zoomed[0] - 15, `${panned} after ${zoomed}`);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
  const closer = await window(page);
  assert.ok(length(closer) < length(panned));
  assert.equal(await page.getAttribute("#follow", "aria-pressed"), "true", "a drag chooses no moment");

  await page.reload();
  await page.waitForSelector("#whole-demand:not([hidden])");
  assert.deepEqual(await window(page), closer);
  await page.click("#whole-demand");
  assert.equal(await window(page), null);
  assert.ok(await page.isHidden("#whole-demand"));
  await close(page);
});

test("keys and two fingers zoom; one finger and the wheel sideways pan", async () => {
  const { page, x, y } = await charts();
  await page.focus("#chart-demand");
  await page.keyboard.press("+");
  const once = await window(page);
  await page.keyboard.press("+");
  assert.ok(length(await window(page)) < length(once));
  await page.keyboard.press("0");
  assert.equal(await window(page), null);

  const touch = await page.context().newCDPSession(page);
  const fingers = (type, ...shares) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: shares.map((share, id) => ({ x: x(share), y, id })) });
  await fingers("touchStart", 0.45, 0.55);
  await fingers("touchMove", 0.35, 0.65);
  await fingers("touchMove", 0.2, 0.8);
  await fingers("touchEnd");
  const pinched = await window(page);
  assert.ok(pinched && length(pinched) < 60, String(pinched));

  await fingers("touchStart", 0.3);
  await fingers("touchMove", 0.5);
  await fingers("touchMove", 0.7);
  await fingers("touchEnd");
  const dragged = await window(page);
  assert.ok(dragged[0] < pinched[0] && length(dragged) === length(pinched), `one finger pans: ${dragged} after ${pinched}`);
  await page.mouse.move(x(0.5), y);
  await page.mouse.wheel(100, 0);
  const turned = await window(page);
  assert.ok(turned[0] > dragged[0] && length(turned) === length(dragged), `a wheel sideways pans: ${turned} after ${dragged}`);
  await close(page);
});

test("fits and events are marked and listed, and a listed one is explained", async () => {
  demo.type("spike chat-70b");
  const { page } = await charts();
  await page.waitForSelector("#marks .event");
  assert.match(await page.textContent("#marks .event"), /The load of chat-70b nearly doubles\./);
  await page.waitForTimeout(1500); // its minute passes
  await page.click("#marks .event button");
  await page.waitForFunction(() => /at=/.test(location.hash));
  await assertAccessible(page, "marks");
  await close(page);
});

const saved = (page) => page.locator("#saved-figures > div").evaluateAll((all) => Object.fromEntries(all.map((it) => [it.children[0].textContent, it.children[1].textContent + " " + it.children[2].textContent])));

test("the home adds up at once what was saved so far, and the last week when the server has replayed it by itself", { timeout: 300_000 }, async () => {
  const page = await open(browser, demo, { hash: "#/workloads" });
  assert.match(Object.keys(await saved(page)).join(), /^Overloaded minutes (saved|added), since \d\d:\d\d UTC,Replica-hours (saved|added), since \d\d:\d\d UTC/);
  await page.waitForFunction(() => document.querySelectorAll("#saved-figures > div").length === 5, null, { timeout: 280_000 });
  assert.match(await page.textContent("#saved"), /The last week is from replays in the background: 1 workload of 1\./);
  const { prescale, reactive } = await ask(demo, "savings");
  const whole = (value) => Math.round(value).toLocaleString("en");
  const [minutes, hours, money] = Object.entries(await saved(page)).slice(2);
  assert.ok(prescale.overloadedMinutes < reactive.overloadedMinutes);
  assert.deepEqual(minutes, ["Overloaded minutes saved, last week", `${whole(Math.round(reactive.overloadedMinutes) - Math.round(prescale.overloadedMinutes))} ${whole(prescale.overloadedMinutes)} instead of ${whole(reactive.overloadedMinutes)}`]);
  assert.ok(hours[1].endsWith(` ${whole(prescale.replicaHours)} instead of ${whole(reactive.replicaHours)}`), String(hours));
  const cardHours = reactive.cardHours - prescale.cardHours;
  const price = Math.abs(2.5 * cardHours);
  assert.equal(money[0], `Money ${cardHours >= 0 ? "saved" : "spent more"}, last week`);
  assert.ok(Math.abs(Number(money[1].split(" ")[0].replaceAll(",", "")) - price) <= 0.005 * price + 0.05, `${money} for ${price}`);
  assert.match(money[1], / at 2\.50 an hour of a card$/);
  await shoot(page, "savings", false);
  await assertAccessible(page, "savings");
  await close(page);
});

test("the chart of the next day zooms too, and keeps that to itself", { timeout: 120_000 }, async () => {
  const { page } = await charts({ hash: "#/workloads/chat-70b?next=day" });
  await page.waitForSelector("#chart-tomorrow canvas", { timeout: 100_000 });
  await page.locator("#chart-tomorrow").scrollIntoViewIfNeeded();
  const box = await page.locator("#chart-tomorrow .u-over").boundingBox();
  await drag(page, box.x + 0.3 * box.width, box.x + 0.6 * box.width, box.y + 60);
  await page.waitForSelector("#whole-tomorrow:not([hidden])");
  await page.waitForTimeout(1500); // a beat of the page changes nothing
  await shoot(page, "zoomed-tomorrow", false);
  assert.equal(await window(page), null, "the address is that of the other charts");
  await page.click("#whole-tomorrow");
  await page.waitForSelector("#whole-tomorrow", { state: "hidden" });
  await close(page);
});
