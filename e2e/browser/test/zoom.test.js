// The time axis of the charts: zoomed, panned, reset, kept in the address; and what is marked on it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible, close, open, startBrowser, startDemo } from "../browser.js";

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
  await page.waitForSelector("#whole:not([hidden])");
  assert.deepEqual(await window(page), closer);
  await page.click("#whole");
  assert.equal(await window(page), null);
  assert.ok(await page.isHidden("#whole"));
  await close(page);
});

test("keys zoom too, and two fingers", async () => {
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

test("the last week against a reactive HPA is worked out when it is asked for, in hours and money", { timeout: 300_000 }, async () => {
  const page = await open(browser, demo, { hash: "#/workloads" });
  await page.click("#work-out");
  await page.waitForSelector("#saved-figures dt", { timeout: 280_000 });
  const labels = await page.locator("#saved-figures dt").allTextContents();
  assert.match(labels.join(), /^Overloaded minutes saved,Replica-hours (saved|added),Money (saved|spent more)$/);
  assert.match(await page.textContent("#saved"), /1 workload of 1/);
  await assertAccessible(page, "savings");
  await close(page);
});
