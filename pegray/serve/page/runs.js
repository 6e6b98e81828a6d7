/* The list of runs. */

import {get} from "./server.js";

const STAGES = {waiting: "waits for its turn", starting: "starting", compiling: "compiling", solving: "solving", stopping: "stopping"};

function cell(row, content) {
  const made = row.insertCell();
  made.className = "text";
  made.append(content);
}

function link(run, text) {
  const made = document.createElement("a");
  made.href = `#/run/${encodeURIComponent(run)}/0`;
  made.textContent = text;
  return made;
}

/* What a run has come to, in a few words. */
function answer(row) {
  if (row.fault) return row.fault;
  if (row.positions === 1) return [row.best, row.points].filter(Boolean).join(", ") || "nothing is settled yet";
  const states = Object.entries(row.states).filter(([, count]) => count).map(([state, count]) => `${count} ${state}`);
  return `${row.positions} positions${states.length ? `: ${states.join(", ")}` : ""}`;
}

/* What is going on with a run: what its job here does, else what is stored of it. */
export function stateOf(row, jobs) {
  const job = jobs.find(one => one.run === row.run && one.stage !== "ended");
  return job ? STAGES[job.stage] : row.state;
}

export async function showRuns(place, jobs) {
  const rows = await get("runs");
  if (!rows.length) {
    place.textContent = "None yet.";
    return;
  }
  const frame = document.createElement("div"), table = document.createElement("table");
  frame.className = "table";
  table.setAttribute("aria-label", "Runs");
  const head = table.createTHead().insertRow();
  for (const name of ["Run", "State", "Best play, points", "Bag", "Lexicon", "Written", "Folder"]) {
    const made = document.createElement("th");
    made.scope = "col";
    made.className = "text plain";
    made.textContent = name;
    head.append(made);
  }
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    cell(line, row.fault ? "" : link(row.run, row.name || row.run));
    cell(line, stateOf(row, jobs));
    cell(line, answer(row));
    cell(line, row.bag ?? "");
    cell(line, row.lexicon ?? "");
    cell(line, new Date(row.written * 1000).toLocaleString());
    cell(line, row.run);
  }
  frame.append(table);
  place.replaceChildren(frame);
}
