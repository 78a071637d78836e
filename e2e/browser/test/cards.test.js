// Queues, notices and the plan, which the demo has none of: answers that stand for a cluster's.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { ask, assertAccessible, assertNoSidewaysScroll, close, open, shoot, shootInEverySize, SIZES, startBrowser, startDemo } from "../browser.js";

const SHAPE = "1 GPU with 40 GiB";

let demo;
let browser;
let now;

before(async () => {
  demo = await startDemo("--speed", "1", "--workloads", "1");
  browser = await startBrowser();
  await demo.event("time_begins");
});

beforeEach(async () => {
  now = Date.parse((await ask(demo, "overview")).about.now); // which passes meanwhile
});

after(async () => {
  await browser?.close();
  await demo?.stop();
});

const later = (minutes) => new Date(now + 60_000 * minutes).toISOString();

/** A tree with a borrower, a queue that waits, one with a fault, two that are each other's parents, and markup in a name. */
const queues = () => {
  const queue = (name, parent, guaranteeMilli, limitMilli, usedMilli, owedMilli, waiting = 0, fault = "") => ({ name, parent, guaranteeMilli, limitMilli, usedMilli, owedMilli, waiting, waitingSince: waiting ? later(-4) : null, fault });
  return [
    queue("language", "research", 6000, null, 4000, 6000, 2),
    queue("loop-a", "loop-b", 0, null, 0, 0),
    queue("loop-b", "loop-a", 0, null, 0, 0),
    queue("research", "", 16_000, 40_000, 20_500, 22_000, 2),
    queue("serving", "", 8000, 8000, 8000, 8000, 0, "its parent gone is not there or not in force; create or mend it"),
    queue("vision", "research", 10_000, null, 16_500, 16_000),
    queue("<b>", "nowhere", 0, null, 0, 0),
  ];
};

const notices = () => [
  { pod: "team/train-7", queue: "vision", until: later(9), claim: "models/llm-a-5" },
  { pod: "team/train-8", queue: "vision", until: later(-1), claim: "models/gang" },
];

const steps = () => [
  { at: later(-1), object: "Pod team/train-6", sentence: "Evicted, since queue vision gives cards back." },
  { at: later(-3), object: "Job team/<b>", sentence: "There is room again; it goes on." },
];

/** Two queues whose cards change hands, with ten minutes of which nothing is known, and a queue with markup in its name. */
const course = () => ({
  time: Array.from({ length: 13 }, (_, i) => now / 1000 - 300 * (13 - i)),
  lines: [
    { queue: "serving", usedMilli: [4000, 4000, 5000, 6000, null, null, 8000, 8000, 8000, 8000, 7000, 6000, 5500] },
    { queue: "<b>", usedMilli: [8000, 8000, 8000, 6000, null, null, 4000, 4000, 4000, 4000, 5000, 6000, 6500] },
  ],
  marks: [
    { at: later(-47), kind: "NOTICE", text: "team/train-7 is to give its cards back to models/llm-a-5." },
    { at: later(-2), kind: "NOTICE", text: "3 notices to give cards back, the first to team/train-8 for models/gang." },
  ],
});

const moves = () => [
  { pod: "team/chat-2", from: "gpu-1", to: "gpu-2", reason: "a card of it is sick", state: "noticed", at: later(5) },
  { pod: "team/chat-3", from: "", to: "gpu-3", reason: "room for <b>", state: "made", at: later(-3) },
  { pod: "team/chat-4", from: "gpu-1", to: "gpu-3", reason: "room for team/llm-0", state: "of a later version", at: later(9) },
];

const withQueues = (some = queues(), noticed = notices()) => withGpus({ queues: some, notices: noticed, steps: noticed.length === 0 ? [] : steps(), course: course(), moves: moves() });

const withGpus = (more) => async (page) =>
  page.route("**/api/v1/gpus?*", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...more } });
  });

const shortage = () => ({
  from: later(180),
  until: later(300),
  at: later(195),
  workloads: ["models/llm-a", "models/llm-b"],
  shape: SHAPE,
  needed: 6,
  fits: 3,
  percent: 84,
  askedFit: 2,
  asks: [{ pod: "team/train-7", notice: later(165) }, { pod: "team/train-8", notice: later(170) }],
  nodes: "1 node h100",
  orderBy: later(150),
  message: "All of it.",
});

const peaks = (...replicas) => [50, 90, 95].map((percent, i) => ({ percent, replicas: replicas[i], cards: String(replicas[i]), at: later(195) }));

const plan = () => ({
  madeAt: later(-5),
  from: later(-5),
  until: later(-5 + 1440),
  percent: 90,
  summary: "1 shortage; first the morning.",
  shortages: [shortage()],
  shapes: [
    { shape: SHAPE, workloads: ["models/llm-a", "models/llm-b"], running: 2, peaks: peaks(5, 6, 7) },
    { shape: "2 GPUs", workloads: ["speech/asr"], running: 1, peaks: peaks(1, 2, 2) },
  ],
  unplanned: ["a/b: No forecast yet."],
  scored: "Of 412 earlier statements 38 came true; 40 were expected (Brier score 0.081).",
});

const withPlan = (it) => async (page) => page.route("**/api/v1/plan", (route) => route.fulfill({ json: it }));

for (const size of Object.keys(SIZES)) {
  for (const scheme of ["light", "dark"]) {
    test(`queues and plan, ${size}, ${scheme}`, async () => {
      const page = await open(browser, demo, { size, scheme, hash: "#/gpus", prepare: async (it) => (await withQueues()(it), await withPlan(plan())(it)) });
      await page.waitForSelector("#queues tr");
      await shoot(page, `queues-${size}-${scheme}`);
      await assertAccessible(page, "queues");
      await assertNoSidewaysScroll(page, "queues");
      await page.goto(demo.page + "#/plan");
      await page.waitForSelector("#plan-shortages li");
      await shoot(page, `plan-${size}-${scheme}`);
      await assertAccessible(page, "plan");
      await assertNoSidewaysScroll(page, "plan");
      await close(page);
    });
  }
}

test("queues stand below their parents, with what they have, are owed and wait for", async () => {
  const page = await open(browser, demo, { hash: "#/gpus", prepare: withQueues() });
  await page.waitForSelector("#queues tr");
  const rows = await page.locator("#queues tr").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.deepEqual(rows.map(([name]) => name.split("Not in force")[0]), ["research", "language", "vision", "serving", "<b>", "loop-a", "loop-b"]);
  assert.deepEqual(rows[2].slice(1), ["16.5", "10", "none", "16", "6.50", "none"]);
  assert.deepEqual(rows[1].slice(1, 6), ["4", "6", "none", "6", "0"]);
  assert.match(rows[1][6], /^2 pods, the oldest for [34]/);
  assert.match(rows[3][0], /Not in force: its parent gone is not there/);
  const said = await page.locator("#notices tr").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.deepEqual(said.map(([pod, queue, , claim]) => [pod, queue, claim]), [["team/train-7", "vision", "models/llm-a-5"], ["team/train-8", "vision", "models/gang"]]);
  assert.match(said[0][2], / UTC, in [89]/);
  assert.match(said[1][2], / UTC, which has passed$/);
  const done = await page.locator("#steps tr").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.deepEqual(done.map(([, object, sentence]) => [object, sentence]), steps().map(({ object, sentence }) => [object, sentence]));
  assert.match(done[0][0], / UTC$/);
  await close(page);
});

test("the cards of queues are drawn over time, said by keyboard, with the notices that were given", async () => {
  const page = await open(browser, demo, { hash: "#/gpus", prepare: withQueues() });
  await page.waitForSelector("#chart-cards canvas");
  assert.match(await page.textContent("#values-cards"), / UTC: serving 5\.5\d*, <b> 6\.5\d*$/);
  assert.match(await page.getAttribute("#chart-cards", "aria-label"), /; now serving 5\.50, <b> 6\.50 of 56\.$/);
  const over = await page.locator("#chart-cards .u-over").boundingBox();
  await page.mouse.move(over.x + 1, over.y + 30);
  await page.waitForFunction(() => / UTC: serving 4, <b> 8$/.test(document.querySelector("#values-cards").textContent));
  await page.mouse.move(2, 2);
  await page.focus("#chart-cards");
  await page.keyboard.press("Home");
  assert.match(await page.textContent("#values-cards"), / UTC: serving 4, <b> 8$/);
  for (let i = 0; i < 4; i++) {
    await page.keyboard.press("ArrowRight");
  }
  assert.match(await page.textContent("#values-cards"), / UTC: nothing is known$/);
  assert.deepEqual(await page.locator("#with-course .legend li").allTextContents(), ["serving", "<b>"]);
  await page.keyboard.press("+");
  await page.waitForSelector("#whole-cards:not([hidden])");
  await page.waitForResponse("**/api/v1/gpus*");
  await page.waitForResponse("**/api/v1/gpus*"); // so the answer before is drawn
  assert.equal(await page.isVisible("#whole-cards"), true);
  await page.keyboard.press("0");
  await page.waitForSelector("#whole-cards", { state: "hidden" });
  assert.match(await page.textContent("#notices-given"), /Notice.*train-8 for models\/gang\..*Notice.*train-7 is to give its cards back to models\/llm-a-5\./);
  await page.click("#notices-given li:last-child button");
  assert.match(await page.textContent("#values-cards"), / UTC: serving 6, <b> 6$/);
  await close(page);
});

test("moves say from where, to where, why and how far they are", async () => {
  const page = await open(browser, demo, { hash: "#/gpus", prepare: withQueues() });
  await page.waitForSelector("#moves tr");
  const rows = await page.locator("#moves tr").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.deepEqual(rows.map((row) => row.slice(0, 4)), moves().map((it) => [it.pod, it.from, it.to, it.reason]));
  assert.match(rows[0][4], /^leaves in [45]/);
  assert.match(rows[1][4], /^made, .* UTC$/);
  assert.equal(rows[2][4], "of a later version");
  await close(page);
});

test("a controller that only scales says so instead of showing cards", async () => {
  const page = await open(browser, demo, { hash: "#/gpus", prepare: (it) => it.route("**/api/v1/gpus?*", (route) => route.fulfill({ json: null })) });
  await page.waitForSelector("#no-gpus:not([hidden])");
  assert.equal(await page.isVisible("#with-gpus"), false);
  await shootInEverySize(page, "no-gpus");
  await close(page);
});

test("without queues there is nothing of them, and without notices that is said", async () => {
  const without = await open(browser, demo, { hash: "#/gpus" });
  await without.waitForSelector(".gpu-node");
  assert.equal(await without.isVisible("#with-queues"), false);
  assert.equal(await without.isVisible("#with-course"), false);
  assert.equal(await without.isVisible("#with-moves"), false);
  await close(without);
  const calm = await open(browser, demo, { hash: "#/gpus", prepare: withQueues(queues(), []) });
  await calm.waitForSelector("#queues tr");
  assert.equal(await calm.textContent("#no-notices"), "No pod has notice to give its cards back.");
  assert.equal(await calm.isVisible("#with-notices"), false);
  assert.equal(await calm.isVisible("#with-steps"), false);
  await close(calm);
});

test("nodes say how many replicas of which kind would still fit, and reasons are words", async () => {
  const page = await open(browser, demo, { hash: "#/gpus" });
  await page.waitForSelector(".gpu-node");
  const { nodes, room, decisions } = await ask(demo, "gpus?limit=24");
  const words = await page.locator(".gpu-node > .sub").allTextContents();
  assert.match(words[0], /allocated, .* used; room for [0-9]+ × chat-70b$/);
  assert.match(words.at(-1), /; no room for chat-70b$/);
  assert.equal(room[0].replicas, nodes.reduce((sum, node) => sum + node.room[0].replicas, 0));
  assert.equal(await page.textContent("#room"), `In all, room for ${room[0].replicas} × chat-70b. Each number is for that kind alone.`);
  for (const { reason } of decisions) {
    assert.doesNotMatch(reason, /points in|eights|fours/);
  }
  assert.ok(decisions.some(({ reason }) => /^the best of [0-9]+ nodes on the shortlist$/.test(reason)), decisions[0].reason);
  assert.doesNotMatch(words.join(), /fragment/);
  await close(page);
});

test("without workloads and placements the page says so instead of showing empty tables", async () => {
  const nothing = async (page) => {
    await withGpus({ decisions: [] })(page);
    await page.route("**/api/v1/overview", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), workloads: [] } });
    });
  };
  const page = await open(browser, demo, { hash: "#/gpus", prepare: nothing });
  await page.waitForSelector("#no-decisions:not([hidden])");
  assert.equal(await page.textContent("#no-decisions"), "No pod has been placed or refused yet.");
  assert.equal(await page.isVisible("#with-decisions"), false);
  await page.click("nav a[data-view=replay]");
  assert.match(await page.textContent("#no-subjects"), /nothing to replay/);
  assert.equal(await page.isVisible("#start"), false);
  await shoot(page, "nothing-to-replay", false);
  await page.click("nav a[data-view=workloads]");
  assert.match(await page.textContent("#found"), /No workload is scaled/);
  assert.equal(await page.isVisible("#bars"), false);
  await shoot(page, "no-workloads", false);
  await close(page);
});

test("the plan shows when what is missing, and what would help by when", async () => {
  const page = await open(browser, demo, { hash: "#/plan", prepare: withPlan(plan()) });
  await page.waitForSelector("#plan-shortages li");
  const clock = (minutes) => later(minutes).slice(11, 16);
  assert.deepEqual(await page.locator("#plan-made .legend li").allTextContents(), ["more is needed than fits", "highest need", "notice has to begin", "nodes have to be ordered"]);
  const lanes = await page.locator("#plan-axis .lane p").allTextContents();
  assert.match(lanes[1], new RegExp(`models/llm-a, models/llm-b ${SHAPE}: 6 needed, 3 fit from .* ${clock(180)} to ${clock(300)} UTC`));
  assert.match(lanes[2], /speech\/asr 2 GPUs: 2 at most, .*; all fit/);
  const short = page.locator("#plan-axis .track .short");
  const [bar, track] = [await short.boundingBox(), await page.locator("#plan-axis .track").first().boundingBox()];
  assert.ok(Math.abs((bar.x - track.x) / track.width - 185 / 1440) < 0.005, "three hours and five minutes after the beginning");
  assert.ok(Math.abs(bar.width / track.width - 120 / 1440) < 0.005, "two hours long");
  const helps = await page.locator("#plan-shortages ul li").allTextContents();
  assert.match(helps[0], new RegExp(`2 more would fit .* team/train-7, notice from ${clock(165)}; team/train-8`));
  assert.match(helps[1], new RegExp(`1 node h100 would hold the rest; to be ordered by .* ${clock(150)} UTC`));
  assert.match(await page.textContent("#plan-shapes"), /1 GPU with 40 GiBmodels\/llm-a, models\/llm-b2567/);
  assert.equal(await page.textContent("#plan-unplanned"), "a/b: No forecast yet.");
  assert.match(await page.textContent("#plan-scored"), /38 came true/);
  assert.equal(await page.isVisible("#plan-old"), false);
  assert.equal(await page.getAttribute("#plan-shortages a", "href"), "#/workloads/models%2Fllm-a");
  await close(page);
});

test("a plan that is none, not made, old or cannot be read says so", async () => {
  const none = await open(browser, demo, { hash: "#/plan" });
  await none.waitForSelector("#no-plan:not([hidden])");
  await shoot(none, "plan-none");
  await assertAccessible(none, "no plan");
  await close(none);
  const unmade = { ...plan(), madeAt: null, from: null, until: null, summary: "No plan has been made yet.", shortages: [], shapes: [] };
  const early = await open(browser, demo, { hash: "#/plan", prepare: withPlan(unmade) });
  await early.waitForSelector("#with-plan:not([hidden])");
  assert.equal(await early.textContent("#plan-summary"), "No plan has been made yet.");
  assert.equal(await early.isVisible("#plan-made"), false);
  await shootInEverySize(early, "plan-unmade");
  await close(early);
  const old = await open(browser, demo, { hash: "#/plan", prepare: withPlan({ ...plan(), madeAt: later(-150) }) });
  await old.waitForSelector("#plan-old:not([hidden])");
  assert.match(await old.textContent("#plan-old"), /^This plan is 2.h 3\d.min old/);
  await shootInEverySize(old, "plan-old");
  await close(old);
  const blind = await open(browser, demo, { hash: "#/workloads", prepare: async (page) => page.route("**/api/v1/plan", (route) => route.fulfill({ status: 502, json: { error: "The plan cannot be read: not for you." } })) });
  await blind.goto(demo.page + "#/plan");
  await blind.waitForFunction(() => document.getElementById("lost").textContent.includes("not for you"));
  await shootInEverySize(blind, "plan-unread");
  blind.faults = blind.faults.filter((it) => !it.includes("502"));
  await close(blind);
});
