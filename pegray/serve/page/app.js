/* Which part of the page is shown, and what goes on meanwhile. */

import {askForm} from "./ask.js";
import {RunView} from "./run.js";
import {showRuns} from "./runs.js";
import {get, listen} from "./server.js";

const find = id => document.getElementById(id);
let choices = null, view = null, hush = () => {};
let told = {jobs: [], folder: "", stamp: null, explaining: ""};

function sayNow() {
  const [job] = told.jobs.filter(one => one.stage !== "ended");
  const waiting = told.jobs.filter(one => one.stage === "waiting" && one !== job).length;
  const now = find("now");
  if (!job) {
    now.textContent = "";
    return;
  }
  const link = document.createElement("a");
  link.href = `#/run/${encodeURIComponent(job.run)}/0`;
  link.textContent = job.run;
  const percent = job.stage === "solving" ? ` ${Math.floor(job.fraction * 100)} %` : "";
  now.replaceChildren(`${job.stage}${percent}: `, link, waiting ? `, ${waiting} waiting` : "");
}

function onState(state) {
  const stages = jobs => jobs.map(({run, stage}) => [run, stage]).join();
  const changed = state.folder !== told.folder || stages(state.jobs) !== stages(told.jobs);
  told = state;
  sayNow();
  if (view) view.tell(state);
  else if (changed) showRuns(find("runs"), told.jobs).catch(error => { find("runs").textContent = error.message; });
}

function onAway(away) {
  const banner = find("away");
  if (away && banner.hidden) {
    banner.textContent = "pegray serve does not answer: it has ended, or starts again. What was settled is kept; "
      + "this page goes on by itself when it is back.";
  }
  if (!away && !banner.hidden) view?.refresh();
  banner.hidden = !away;
}

async function route() {
  hush();
  view?.close();
  view = null;
  const [, run, position] = /^#\/run\/([^/]+)\/(\d+)$/.exec(location.hash) || [];
  try {
    if (!choices) {
      choices = await get("choices");
      askForm(choices, begun => { location.hash = `#/run/${encodeURIComponent(begun)}/0`; });
    }
  } catch (error) {
    onAway(true);
    setTimeout(route, 2000);
    return;
  }
  find("start").hidden = Boolean(run);
  find("run").hidden = !run;
  told = {...told, stamp: null};
  scrollTo(0, 0);
  if (run) {
    const name = decodeURIComponent(run);
    view = new RunView(name, Number(position), choices, told);
    view.refresh();
    hush = listen(name, onState, onAway);
  } else {
    document.title = "pegray";
    hush = listen(null, onState, onAway);
    showRuns(find("runs"), told.jobs).catch(error => { find("runs").textContent = error.message; });
  }
}

addEventListener("hashchange", route);
route();
