// The replay view: starts a replay of a workload's history and shows its result.

import { keep } from "./address.js";
import * as api from "./api.js";
import { $, attribute, el, text } from "./dom.js";
import { number, percent } from "./words.js";

$("start").addEventListener("click", start);
$("subject").addEventListener("change", () => {
  wanted = $("subject").value;
  select();
  refresh();
});

let known = null; // before the first list
let active = false;
let wanted = null; // the workload that the address names, or a person chose

const isUnknown = () => wanted !== null && known !== null && !known.includes(wanted);

/** Takes what the address says; called when it has changed. */
export function route(isShown, item) {
  active = isShown;
  if (active) {
    wanted = item ?? wanted;
    select();
  }
}

/** Selects the workload that is wanted, or the first, and keeps it in the address. */
function select() {
  if (!known?.length || isUnknown()) {
    return;
  }
  wanted ??= known[0];
  $("subject").value = wanted;
  if (active) {
    keep("replay", wanted, {});
  }
}

/** Lists the workloads and keeps the selection. */
export function offer(items) {
  const ids = items.map((it) => it.id);
  if (ids.join() !== known?.join()) {
    known = ids;
    $("subject").replaceChildren(...ids.map((id) => el("option", { value: id }, id)));
    $("no-subjects").hidden = ids.length > 0;
    $("with-subjects").hidden = ids.length === 0;
    select();
  }
}

async function start() {
  wanted = $("subject").value;
  select();
  try {
    show(await api.post(["workloads", $("subject").value, "replay"]));
  } catch (problem) {
    $("job").replaceChildren(el("p", { class: "problem" }, problem.message));
  }
}

/** Reads the progress of the replay; called once a second while the view is visible. */
export async function refresh() {
  const workload = $("subject").value;
  if (!workload) {
    return;
  }
  if (isUnknown()) {
    $("start").disabled = true;
    if (!$("job").querySelector(".problem") || $("job").about !== wanted) {
      $("job").replaceChildren(el("p", { class: "problem" }, `There is no workload ${wanted}.`));
      Object.assign($("job"), { shown: null, about: wanted });
    }
    return;
  }
  const job = await api.get(["workloads", workload, "replay"]);
  if (workload !== $("subject").value) {
    return;
  }
  if (job) {
    show(job);
  } else {
    $("start").disabled = false;
    if (!$("job").querySelector(".problem") || $("job").about !== workload) {
      $("job").replaceChildren();
    }
    $("job").about = workload;
  }
}

function show(job) {
  const running = job.state === "RUNNING";
  $("start").disabled = running;
  const key = job.workload + job.state;
  if ($("job").shown !== key || !$("job").firstElementChild) {
    $("job").shown = key;
    $("job").replaceChildren(...({ RUNNING: waiting, FAILED: failed, FINISHED: finished })[job.state](job));
  }
  if (running) {
    const bar = $("job").querySelector("progress");
    bar.value = job.done;
    text($("job").querySelector("output"), percent(job.done));
    attribute(bar, "aria-valuetext", percent(job.done));
  }
}

/** What can be learned from a history of that length is said before any number. */
const learned = (job) => el("p", { id: "history", class: "lead" }, job.history);

const waiting = (job) => [
  el("label", {}, `Replaying ${job.workload} `, el("progress", { max: "1", value: "0" })),
  el("output", { "aria-live": "off" }, "0 %"),
];

const failed = (job) => [...(job.history ? [learned(job)] : []), el("p", { class: "problem" }, job.problem)];

function finished(job) {
  const heads = ["Policy", "Overload, % of time", "Unserved, % of load", "Replica-hours", "Cost × ideal", "Scaled a day", "Reversed a day"];
  const row = (it) =>
    el(
      "tr",
      { class: it.policy === "Prescale" ? "subject" : null },
      el("th", { scope: "row" }, it.policy),
      el("td", { class: "end" }, percent(it.overloadedShare, 2)),
      el("td", { class: "end" }, percent(it.unservedShare, 2)),
      el("td", { class: "end" }, number(Math.round(it.replicaHours))),
      el("td", { class: "end" }, it.cost === null ? "–" : it.cost.toFixed(2)),
      el("td", { class: "end" }, number(Math.round(it.scaleEventsPerDay))),
      el("td", { class: "end" }, number(Math.round(it.reversalsPerDay))),
    );
  return [
    learned(job),
    el("ul", { id: "verdicts" }, ...job.verdicts.map((it) => el("li", {}, it))),
    el(
      "div",
      { class: "panel scroll", tabindex: "0", role: "region", "aria-label": `Replay of ${job.workload}` },
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, ...heads.map((head, i) => el("th", { scope: "col", class: i ? "end" : null }, head)))),
        el("tbody", {}, ...job.rows.map(row)),
      ),
    ),
    el("p", {}, report(job.workload)),
  ];
}

function report(workload) {
  return api.isSignedIn()
    ? el("button", { type: "button", class: "quiet", onclick: () => save(workload) }, "Save the full report with charts")
    : el("a", { href: api.reportUrl(workload), target: "_blank", rel: "noopener" }, "The full report with charts (opens a new tab)");
}

async function save(workload) {
  const url = URL.createObjectURL(await api.report(workload));
  el("a", { href: url, download: workload.replace("/", "-") + ".html" }).click();
  URL.revokeObjectURL(url);
}
