/* How a play goes on with one draw, move by move. */

import {get} from "./server.js";

const find = id => document.getElementById(id);
const WORDS = {W: "wins", D: "ties", L: "loses"};
const shown = value => Number.isInteger(value) ? value : Math.round(value * 100) / 100;

export class Line {
  /* showPlies: shows the first plies of the line */
  constructor(showPlies) {
    this.showPlies = showPlies;
    this.asking = null;
    this.line = null;
    this.at = 0;
    find("back").addEventListener("click", () => this.#go(this.at - 1));
    find("on").addEventListener("click", () => this.#go(this.at + 1));
    find("give-up").addEventListener("click", () => this.close());
    find("line-steps").addEventListener("click", event => {
      const ply = event.target.closest("[data-ply]");
      if (ply) this.#go(Number(ply.dataset.ply));
    });
    find("line").addEventListener("keydown", event => {
      const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      if (!step || !this.line) return;
      event.preventDefault();
      this.#go(this.at + step);
    });
  }

  close() {
    this.asking?.abort();
    this.asking = this.line = null;
    find("line").hidden = true;
  }

  /* What the server says meanwhile, such as that it compiles. */
  say(text) {
    if (this.asking && !this.line) find("line-steps").textContent = text || "Searching for the line …";
  }

  async open(address, move, draw, note) {
    this.close();
    const asking = this.asking = new AbortController();
    find("line").hidden = false;
    find("line-heading").textContent = `${move} on ${draw}`;
    this.#offer(true);
    this.say("");
    try {
      const line = await get(`${address}/line`, {move, draw}, asking.signal);
      if (this.asking !== asking) return;
      this.line = line;
      this.#list(note);
      this.#go(line.plies.length);
    } catch (error) {
      if (this.asking === asking) find("line-steps").textContent = error.message;
    } finally {
      if (this.asking === asking) this.#offer(false);
    }
  }

  #offer(searching) {
    find("give-up").hidden = !searching;
    for (const id of ["back", "on"]) find(id).hidden = searching || !this.line;
  }

  #go(at) {
    if (!this.line) return;
    const {plies} = this.line;
    this.at = Math.max(0, Math.min(plies.length, at));
    find("back").disabled = this.at === 0;
    find("on").disabled = this.at === plies.length;
    for (const ply of find("line-steps").querySelectorAll("[data-ply]")) {
      ply.setAttribute("aria-current", Number(ply.dataset.ply) === this.at);
    }
    this.showPlies(plies.slice(0, this.at));
  }

  #list(note) {
    const {steps, plies} = this.line;
    const parts = [paragraph(`It ${WORDS[this.line.outcome]}. ${note}`)];
    let number = 0;
    for (const step of steps) {
      if (step.choices.length) parts.push(paragraph(`Our turn again: we do not see the bag, ${step.total} draws are possible.`), choices(step));
      const replies = step.line.length || (step.reply === null ? 0 : 1);
      const list = document.createElement("ol");
      list.className = "plies";
      for (let i = 0; i <= replies; i++) list.append(ply(plies[number], ++number));
      parts.push(list);
      if (step.reply === null && step.bag && step.final_spread === null) {
        parts.push(paragraph("No reply of the opponent, to whatever it draws, brings a tie or a loss."));
      }
      if (step.final_spread !== null) {
        parts.push(paragraph(`Final spread ${step.final_spread > 0 ? "+" : ""}${step.final_spread}, racks counted.`));
      }
    }
    find("line-steps").replaceChildren(...parts);
  }
}

function paragraph(text) {
  const made = document.createElement("p");
  made.textContent = text;
  return made;
}

function ply({by, move, score, draw, racks, bag}, number) {
  const item = document.createElement("li"), button = document.createElement("button"), text = document.createElement("b");
  button.type = "button";
  button.className = `ply ${by}`;
  button.dataset.ply = number;
  text.className = by;
  text.textContent = move;
  const drawn = draw ? `, draws ${draw}` : "";
  const rack = by === "us" ? racks[0] : racks[1];
  button.append(by === "us" ? "We: " : "They: ", text, ` for ${score}${drawn}; rack ${rack || "empty"}, bag ${bag || "empty"}`);
  item.append(button);
  return item;
}

/* The table that our blind choice was made from. */
function choices(step) {
  const table = document.createElement("table");
  table.setAttribute("aria-label", "Plays to choose from");
  const head = table.createTHead().insertRow();
  for (const name of ["Play", "Score", "Points", "Here"]) {
    const made = document.createElement("th");
    made.className = "plain";
    made.textContent = name;
    head.append(made);
  }
  const body = table.createTBody();
  for (const choice of step.choices) {
    const row = body.insertRow();
    if (choice.tied_best) row.className = "best";
    const points = choice.points === null ? `≤${shown(choice.at_most)}` : shown(choice.points);
    for (const text of [choice.move, choice.score, points, choice.outcome || ""]) row.insertCell().textContent = text;
  }
  return table;
}
