// Renews the README's picture and session from a running demo: npm run renew

import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { startBrowser } from "./browser.js";

const ROOT = new URL("../../", import.meta.url).pathname;
const SESSION = /(<!-- session -->\n```\n)[\s\S]*?(\n```)/;

// Times of the demo's clock, which starts on a Monday at 06:30: after the morning's rise, and when Jobs have cards again.
const SPIKE_AT = "12:30";
const CARD_LOST_AT = "15:00";
const PICTURE_AT = "23:00";

const demo = spawn(process.env.PRESCALE ?? ROOT + "prescale", ["demo"], {
  stdio: ["pipe", "pipe", "ignore"],
});
const said = [];
const waiting = [];
createInterface({ input: demo.stdout }).on("line", (line) => {
  said.push(line);
  waiting.filter((it) => it.pattern.test(line)).forEach((it) => it.resolve());
});
const hears = (pattern) => new Promise((resolve) => waiting.push({ pattern, resolve }));
const ended = new Promise((resolve) => demo.once("exit", resolve));
const aDay = hears(/Day 1:/);

await hears(/; time begins/);
if (!said.at(-1).includes("are learned")) {
  demo.kill();
  throw new Error("this machine is too busy to learn the histories in a minute; renew on a quiet one");
}
const url = /http:\S+/.exec(said.find((line) => line.includes("Page")))[0];

/** Waits for a time of the first day. */
async function until(time) {
  for (;;) {
    const { about } = await (await fetch(url + "api/v1/overview")).json();
    if (about.now.slice(11, 16) >= time) {
      return;
    }
    await new Promise((later) => setTimeout(later, 50));
  }
}

const browser = await startBrowser();
const page = await browser.newPage({ viewport: { width: 1360, height: 850 }, colorScheme: "light" });
await page.goto(url + "#/gpus");
await until(SPIKE_AT);
demo.stdin.write("spike chat-8b\n");
await until(CARD_LOST_AT);
demo.stdin.write("lose-card\n");
await until(PICTURE_AT);
await page.waitForSelector("#chart-cards canvas");
await page.waitForTimeout(1100); // a beat of the page
mkdirSync(ROOT + "docs/images", { recursive: true });
await page.screenshot({ path: ROOT + "docs/images/demo.png" });
await browser.close();
await aDay;
demo.stdin.write("quit\n");
await ended;

const readme = readFileSync(ROOT + "README.md", "utf8");
if (!SESSION.test(readme)) {
  throw new Error("README.md has no <!-- session --> with a block after it");
}
const session = ["$ ./prescale demo", ...said].join("\n");
writeFileSync(ROOT + "README.md", readme.replace(SESSION, (_, head, tail) => head + session + tail));
