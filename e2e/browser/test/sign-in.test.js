// The page as a cluster serves it: behind a token. A guard in front of the demo asks for one.

import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import { after, before, test } from "node:test";
import { assertAccessible, close, open, shoot, shootInEverySize, startBrowser, startDemo } from "../browser.js";

const TOKEN = "of-a-permitted-user";
const REFUSALS = {
  "": [401, "Sign in with a bearer token of the cluster."],
  "Bearer of-a-stranger": [403, "stranger may not list predictivehpas.autoscaling.prescale.io of all namespaces."],
};

let demo;
let guard;
let browser;
const asked = [];

/** Passes the page's files, and its JSON only with the token. */
function startGuard(behind) {
  const server = createServer((incoming, outgoing) => {
    const authorization = incoming.headers.authorization ?? "";
    asked.push(incoming.url);
    if (incoming.url.startsWith("/api/") && authorization !== "Bearer " + TOKEN) {
      const [status, error] = REFUSALS[authorization] ?? [401, "The cluster does not know this token, or it has expired."];
      outgoing.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify({ error }));
      return;
    }
    const url = new URL(incoming.url, behind);
    const passedOn = request(url, { method: incoming.method, headers: { ...incoming.headers, host: url.host } }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    passedOn.on("error", () => outgoing.destroy());
    incoming.pipe(passedOn);
  });
  return new Promise((started) => server.listen(0, "127.0.0.1", () => started(server)));
}

before(async () => {
  demo = await startDemo("--speed", "480");
  guard = await startGuard(demo.page);
  browser = await startBrowser();
  await demo.event("time_begins");
});

after(async () => {
  await browser?.close();
  guard?.closeAllConnections();
  guard?.close();
  await demo?.stop();
});

/** Ignores rejected requests, which the browser logs to the console; anything else is a fault. */
async function closeAfterRefusals(page) {
  page.faults = page.faults.filter((fault) => !/status of 40[13]/.test(fault));
  await close(page);
}

const guarded = () => ({ page: `http://127.0.0.1:${guard.address().port}/` });

async function signIn(page, token) {
  await page.fill("#token", token);
  await page.keyboard.press("Enter");
}

for (const size of ["desktop", "phone"]) {
  for (const scheme of ["light", "dark"]) {
    test(`without a token the page asks for one, ${size}, ${scheme}`, async () => {
      const page = await open(browser, guarded(), { size, scheme });
      await page.waitForSelector("#sign-in:not([hidden])");
      assert.equal(await page.textContent("#sign-in-problem"), "");
      assert.equal(await page.evaluate(() => document.activeElement.id), "token");
      assert.equal(await page.isVisible("#workloads"), false);
      await shoot(page, `sign-in-${size}-${scheme}`);
      await assertAccessible(page, "sign-in");
      await closeAfterRefusals(page);
    });
  }
}

test("a rejected token shows the reason, and a valid one shows everything until the page is reloaded", async () => {
  const page = await open(browser, guarded(), { hash: "#/workloads/speech" });
  await page.waitForSelector("#sign-in:not([hidden])");
  await signIn(page, "of-a-stranger");
  await page.waitForFunction(() => document.querySelector("#sign-in-problem").textContent.includes("stranger may not list"));
  await signIn(page, "made-up");
  await page.waitForFunction(() => document.querySelector("#sign-in-problem").textContent.includes("does not know this token"));
  await shootInEverySize(page, "token-rejected");
  await signIn(page, TOKEN);
  await page.waitForSelector("#chart-demand canvas");
  assert.equal(await page.textContent(".detail h2"), "speech");
  assert.equal(await page.isVisible("#sign-in"), false);

  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  assert.equal(kept, '[{},{},""]');
  assert.ok(asked.every((url) => !url.includes(TOKEN)));
  await page.reload();
  await page.waitForSelector("#sign-in:not([hidden])");
  await closeAfterRefusals(page);
});
