// Makes the README's picture and session anew, from a demo that really runs: npm run renew

import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { startBrowser } from "./browser.js";

const ROOT = new URL("../../", import.meta.url).pathname;
const SESSION = /(<!-- session -->\n```\n)[\s\S]*?(\n```)/;
const SPIKE_AFTER_MS = 60_000;
const PICTURE_AFTER_MS = 75_000;

const demo = spawn(process.env.PRESCALE ?? ROOT + "prescale", ["demo"], {
  stdio: ["pipe", "pipe", "ignore"],
});
const said = [];
let begin;
let dayIsOver;
const begun = new Promise((resolve) => (begin = resolve));
const aDay = new Promise((resolve) => (dayIsOver = resolve));
createInterface({ input: demo.stdout }).on("line", (line) => {
  said.push(line);
  if (/time begins/i.test(line)) {
    begin();
  } else if (line.includes("Day 1:")) {
    dayIsOver();
  }
});
const ended = new Promise((resolve) => demo.once("exit", resolve));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

await begun;
await pause(SPIKE_AFTER_MS);
demo.stdin.write("spike chat-8b\n");
await pause(PICTURE_AFTER_MS - SPIKE_AFTER_MS);
const browser = await startBrowser();
const page = await browser.newPage({ viewport: { width: 1360, height: 850 }, colorScheme: "light" });
await page.goto(/http:\S+/.exec(said.find((line) => line.includes("Page")))[0] + "#/workloads/chat-8b");
await page.waitForSelector("#why-parts");
await page.waitForTimeout(1500);
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
