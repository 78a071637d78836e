// The GPU view: nodes, their cards and pods, and the latest placement decisions.

import * as api from "./api.js";
import * as course from "./course.js";
import * as moves from "./moves.js";
import * as queues from "./queues.js";
import { $, attribute, el, keyed, part, text } from "./dom.js";
import { cards, clock, counted, dayAndTime, number, percent, seconds } from "./words.js";

const PAGE = 24;

let offset = 0;
let page = null;
let opened = null;
let now = 0;

$("show").addEventListener("change", () => {
  offset = 0;
  refresh();
});
$("before").addEventListener("click", () => turn(-PAGE));
$("after").addEventListener("click", () => turn(PAGE));
$("node").addEventListener("close", () => (opened = null));

function turn(by) {
  offset = Math.max(0, offset + by);
  refresh();
}

/** Takes the time of the cluster. */
export const setTime = (time) => (now = time);

export async function refresh() {
  page = await api.get(["gpus"], { show: $("show").value, offset, limit: PAGE });
  $("no-gpus").hidden = page !== null;
  $("with-gpus").hidden = page === null;
  if (page === null) {
    return;
  }
  totals(page.totals);
  const last = page.offset + page.nodes.length;
  text($("page"), page.matching === 0 ? "no matching nodes" : `${page.offset + 1} to ${last} of ${page.matching}`);
  $("before").disabled = page.offset === 0;
  $("after").disabled = last >= page.matching;
  keyed($("nodes"), page.nodes, (node) => [node.name, node.model, node.links, node.cards.length].join(), makeNode, updateNode);
  text($("room"), page.room.length === 0 ? "" : `In all, ${room(page.room)}. Each number is for that kind alone.`);
  course.show(page.course, page.totals.cards);
  queues.show(page.queues, page.notices, page.steps, now);
  moves.show(page.moves, now);
  $("no-decisions").hidden = page.decisions.length > 0;
  $("with-decisions").hidden = page.decisions.length === 0;
  keyed($("decisions"), page.decisions, (it) => it.at + it.pod + it.node + it.reason, makeDecision, () => {});
  if (opened) {
    fill(page.nodes.find((node) => node.name === opened));
  }
}

function totals(it) {
  const whole = 1000 * it.cards;
  const entries = [
    ["cards", "Cards", number(it.cards), `on ${counted(it.nodes, "node")}`],
    ["allocated", "Allocated", percent(it.allocatedMilli / whole), `${cards(it.allocatedMilli)} cards`],
    ["used", "Used", it.measuredCards ? percent(it.usedMilli / (1000 * it.measuredCards)) : "–", used(it)],
    ["fragments", "Idle, of no use", cards(it.fragmentMilli), "idle cards and parts of cards that a replica cannot use; the mean over the kinds of replicas"],
    ["sick", "Unhealthy", number(it.sickCards), it.sickCards === 1 ? "card" : "cards"],
    ["unplaced", "Waiting", number(it.unplaced), it.unplaced === 1 ? "pod not placed" : "pods not placed"],
  ];
  keyed(
    $("totals"),
    entries,
    ([id]) => id,
    ([id, label]) => el("div", {}, el("dt", {}, label), el("dd", { id: "t-" + id }), el("dd", { class: "small" })),
    (box, [, , value, small]) => {
      text(box.children[1], value);
      text(box.children[2], small);
    },
  );
}

function used(it) {
  if (it.measuredCards === 0) {
    return "no exporter reports utilisation";
  }
  const busy = `${cards(it.usedMilli)} cards busy`;
  return it.measuredCards < it.cards ? `${busy} of the ${number(it.measuredCards)} measured` : busy;
}

const share = (milli) => (milli === null ? "–" : percent(milli / 1000));

const model = (name) => name.replace("NVIDIA-", "").replace(/-(80GB-HBM3|SXM4-80GB)/, "");

function makeNode(node) {
  const it = {
    sub: el("p", { class: "sub" }),
    cards: node.cards.map(() => {
      const parts = { alloc: el("span", { class: "alloc" }), use: el("span", { class: "use" }), words: el("span", { class: "unseen" }) };
      return Object.assign(el("li", {}, parts.alloc, parts.use, parts.words), { parts });
    }),
  };
  const title = el("button", { type: "button", class: "title", onclick: () => open(node.name) }, node.name);
  return Object.assign(
    el(
      "section",
      { class: "gpu-node", "aria-label": node.name },
      el("p", { class: "row" }, title, " ", el("span", { class: "sub" }, `${model(node.model)} · ${node.links}`)),
      el("ul", { class: "cards" }, ...it.cards),
      it.sub,
    ),
    { it },
  );
}

function updateNode(element, node) {
  const { it } = element;
  node.cards.forEach((card, i) => {
    const cell = it.cards[i];
    part(cell.parts.alloc, card.allocatedMilli / 1000);
    part(cell.parts.use, (card.usedMilli ?? 0) / 1000);
    attribute(cell, "class", card.health);
    text(cell.parts.words, describe(card));
    attribute(cell, "title", describe(card));
  });
  const problems = node.problems.length === 0 ? "" : `; ${node.problems.length} problem${node.problems.length === 1 ? "" : "s"}`;
  text(it.sub, `${percent(mean(node, "allocatedMilli"))} allocated, ${percent(mean(node, "usedMilli"))} used; ${room(node.room)}${problems}`);
}

/** What would still fit, and what would not. */
function room(kinds) {
  const fits = kinds.filter((it) => it.replicas > 0).map((it) => `${number(it.replicas)} × ${it.kind}`);
  const not = kinds.filter((it) => it.replicas === 0).map((it) => it.kind);
  return [fits.length ? `room for ${fits.join(" or ")}` : "", not.length ? `${fits.length ? "none" : "no room"} for ${not.join(", ")}` : ""].filter((it) => it).join(", ");
}

/** Mean over the cards with a known value. */
function mean(node, name) {
  const known = node.cards.map((card) => card[name]).filter((milli) => milli !== null);
  return known.length === 0 ? null : known.reduce((sum, milli) => sum + milli, 0) / (1000 * known.length);
}

function describe(card) {
  const health = card.health === "USABLE" ? "" : `, ${card.health.toLowerCase()}${card.trouble ? ` (${card.trouble})` : ""}`;
  const pods = card.shares.length === 0 ? "no pod" : card.shares.map((share) => share.pod).join(", ");
  return `Card ${card.index}: ${percent(card.allocatedMilli / 1000)} allocated, ${share(card.usedMilli)} used${health}; ${pods}`;
}

function makeDecision(it) {
  const cells = [
    el("td", {}, el("time", { datetime: it.at, title: dayAndTime(seconds(it.at)) }, clock(seconds(it.at)))),
    el("td", {}, it.pod),
    el("td", {}, it.node || "refused"),
    el("td", {}, it.reason),
  ];
  return el("tr", { class: it.node ? null : "refused" }, ...cells);
}

function open(name) {
  opened = name;
  fill(page.nodes.find((node) => node.name === name));
  $("node").showModal();
}

const LINKS = { nv: "NV", switch: "SW", bridge: "HB", numa: "CPU", far: "far", "": "" };

function fill(node) {
  if (!node) {
    return;
  }
  text($("node-title"), `${node.name}: ${model(node.model)}, ${node.links}`);
  const rows = node.cards.map((card) =>
    el(
      "tr",
      {},
      el("td", {}, String(card.index)),
      el("td", { class: "end" }, percent(card.allocatedMilli / 1000)),
      el("td", { class: "end" }, share(card.usedMilli)),
      el("td", { class: "end" }, `${number(card.allocatedMib / 1024)} of ${number(card.memoryMib / 1024)} GiB`),
      el("td", {}, card.health === "USABLE" ? "healthy" : `${card.health.toLowerCase()} ${card.trouble}`),
      el("td", {}, card.shares.map((it) => `${it.pod} ${it.milli / 10} %${it.ready ? "" : ", starting"}`).join("; ") || "–"),
    ),
  );
  const heads = ["Card", "Allocated", "Used", "Memory", "Health", "Pods"];
  const amounts = ["Allocated", "Used", "Memory"];
  const table = el("table", {}, el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col", class: amounts.includes(head) ? "end" : null }, head)))), el("tbody", {}, ...rows));
  const links = el(
    "table",
    { class: "links" },
    el("caption", { class: "unseen" }, "Links between each pair of cards"),
    el("thead", {}, el("tr", {}, el("td", {}), ...node.pairs.map((_, i) => el("th", { scope: "col" }, String(i))))),
    el("tbody", {}, ...node.pairs.map((row, i) => el("tr", {}, el("th", { scope: "row" }, String(i)), ...row.map((kind) => el("td", { class: kind || null }, LINKS[kind]))))),
  );
  const scroll = (label, child) => el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, child);
  const problems = node.problems.map((sentence) => el("li", {}, sentence));
  $("node-body").replaceChildren(
    scroll("Cards", table),
    problems.length === 0 ? "" : el("ul", { class: "problems" }, ...problems),
    el("h3", {}, "Links"),
    el("p", { class: "muted" }, "NV: NVLink, SW: one PCIe switch, HB: one host bridge, CPU: one NUMA node, far: across CPUs"),
    scroll("Links", links),
  );
}
