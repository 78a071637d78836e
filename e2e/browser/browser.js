// Starts the demo and a browser, and checks what must hold for every page.

import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";
import assert from "node:assert/strict";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const ROOT = new URL("../../", import.meta.url).pathname;
const SHOTS = process.env.PRESCALE_SHOTS ?? new URL("shots/", import.meta.url).pathname;

// Runs as root in a container, and sends no requests to other servers.
const BROWSER = {
  executablePath: process.env.PRESCALE_CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};

export const SIZES = {
  desktop: { width: 1360, height: 900 },
  phone: { width: 390, height: 844 },
};

/** A demo of services alone, on a free port, in which nothing happens by itself; stop() ends it. */
export const startDemo = (...options) => startDemoWithJobs("--calm", "--no-jobs", ...options);

/** The demo as a newcomer starts it. */
export async function startDemoWithJobs(...options) {
  const program = process.env.PRESCALE ?? ROOT + "prescale";
  const demo = spawn(program, ["demo", "--json", "--port", "0", ...options], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: demo.stdout });
  const said = [];
  const waiting = [];
  lines.on("line", (line) => {
    said.push(JSON.parse(line));
    waiting.splice(0).forEach((wake) => wake());
  });
  const event = async (name) => {
    for (;;) {
      const found = said.find((it) => it.event === name);
      if (found) {
        return found;
      }
      await new Promise((wake, fail) => {
        waiting.push(wake);
        demo.once("exit", () => fail(new Error(`the demo ended before it said ${name}`)));
      });
    }
  };
  const { page, external_metrics: metrics } = await event("started");
  return {
    page,
    metrics,
    event,
    type: (line) => demo.stdin.write(line + "\n"),
    stop: () =>
      new Promise((done) => {
        demo.once("exit", (code, signal) => done(code ?? signal));
        demo.kill("SIGTERM");
      }),
  };
}

export const startBrowser = () => chromium.launch(BROWSER);

/** The parsed response of the API. */
export async function ask(demo, path) {
  const response = await fetch(demo.page + "api/v1/" + path);
  assert.equal(response.status, 200);
  return response.json();
}

/** A page that records faults: messages on the console, and requests to other hosts. */
export async function open(browser, demo, { size = "desktop", scheme = "light", hash = "", reducedMotion = "reduce", prepare = async () => {} } = {}) {
  const context = await browser.newContext({ viewport: SIZES[size], colorScheme: scheme, reducedMotion });
  const page = await context.newPage();
  page.faults = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) {
      page.faults.push(`console: ${message.text()}`);
    }
  });
  page.on("pageerror", (error) => page.faults.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(demo.page) && !request.url().startsWith("data:")) {
      page.faults.push(`request to ${request.url()}`);
    }
  });
  await prepare(page);
  await page.goto(demo.page + hash);
  await page.waitForSelector("html[data-ready]");
  return page;
}

export async function close(page) {
  assert.deepEqual(page.faults, []);
  // The page asks again every few seconds: a request that is being answered now may outlive it.
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.context().close();
}

export async function shoot(page, name, fullPage = true) {
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage });
}

/** A state of the page in every size: pictures, no serious fault, nothing wider than the window. */
export async function shootInEverySize(page, name) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))));
    await shoot(page, `${name}-${size}`);
    await assertAccessible(page, name);
    await assertNoSidewaysScroll(page, name);
  }
}

/** Serious and critical violations of axe-core's rules for WCAG 2.2 A and AA. */
export async function assertAccessible(page, name) {
  await page.evaluate(AXE);
  const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const serious = result.violations
    .filter((it) => ["serious", "critical"].includes(it.impact))
    .map((it) => `${it.id}: ${it.nodes.map((node) => node.target.join(" ")).join("; ")}`);
  assert.deepEqual(serious, [], name);
}

/** Checks that nothing is wider than the window. */
export async function assertNoSidewaysScroll(page, name) {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= window, `${name}: ${content} px in a window of ${window}`);
}
