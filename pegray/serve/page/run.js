/* A run: its plays, the draws of a play, two plays beside each other, and lines. */

import {fillUntil} from "./ask.js";
import {grid} from "./grid.js";
import {Line} from "./line.js";
import {stateOf} from "./runs.js";
import {get, post} from "./server.js";

const find = id => document.getElementById(id);
const ROWS = 100;

export class RunView {
  /* run, position: which; choices: as the server gives them; told: what the server said last */
  constructor(run, position, choices, told) {
    this.run = run;
    this.position = position;
    this.address = `runs/${encodeURIComponent(run)}/${position}`;
    this.choices = choices;
    this.told = told;
    this.rows = ROWS;
    this.move = null;
    this.beside = "";
    this.play = null;
    this.table = null;
    this.refreshing = this.again = false;
    this.over = new AbortController();
    this.line = new Line(plies => this.#showLine(plies));
    find("report").href = `api/runs/${encodeURIComponent(run)}/report`;
    this.#reset();
    this.#watch();
  }

  close() {
    this.over.abort();
    this.line.close();
  }

  /* What goes on, as the server tells it. */
  tell(told) {
    const stamp = this.told.stamp;
    this.told = told;
    this.line.say(told.explaining);
    this.#showWork();
    if (told.stamp !== stamp) this.refresh();
  }

  /* Read the run again; not twice at once. */
  async refresh() {
    if (this.refreshing) {
      this.again = true;
      return;
    }
    this.refreshing = true;
    try {
      do {
        this.again = false;
        await this.#read();
      } while (this.again && !this.over.signal.aborted);
    } finally {
      this.refreshing = false;
    }
  }

  async #read() {
    try {
      const [run, table] = await Promise.all([
        get(`runs/${encodeURIComponent(this.run)}`, {}, this.over.signal),
        get(this.address, {rows: this.rows}, this.over.signal),
      ]);
      this.about = run;
      this.#showRun();
      this.#showTable(table);
      this.#showWork();
      if (this.move === null && table.plays.length) this.#chooseFirst();
      else if (this.move !== null) await this.#readPlay();
    } catch (error) {
      if (!this.over.signal.aborted) this.#fail(error);
    }
  }

  #reset() {
    for (const id of ["draws", "line", "positions", "stop", "further", "fraction", "all", "run-fault"]) find(id).hidden = true;
    for (const id of ["name-of-run", "state", "question", "standing", "progress", "said", "shown", "line-said", "racks", "plays", "remarks", "cgp"]) {
      find(id).replaceChildren();
    }
    find("plays").textContent = "Reading …";
  }

  #watch() {
    const on = (id, name, handler) => find(id).addEventListener(name, handler, {signal: this.over.signal});
    on("plays", "pegray:choose", event => this.#choose(event.detail));
    on("plays", "pegray:enter", () => find("grid").querySelector(".draw")?.focus());
    on("all", "click", () => {
      this.rows = 0;
      this.refresh();
    });
    on("draws", "click", event => {
      const draw = event.target.closest(".draw");
      if (draw) this.#openLine(draw.dataset.play || this.move, draw.dataset.draw, draw);
    });
    on("draws", "keydown", event => this.#walk(event));
    on("beside", "change", () => {
      this.beside = find("beside").value;
      this.#compare();
    });
    on("stop", "click", () => this.#order("stop", {}));
    on("further", "submit", event => {
      event.preventDefault();
      this.#order("resume", {until: find("further-until").value, time_limit: find("further-limit").value.trim() || null});
    });
    on("position", "change", () => {
      location.hash = `#/run/${encodeURIComponent(this.run)}/${find("position").value}`;
    });
  }

  #fail(error) {
    find("run-fault").textContent = error ? error.message : "";
    find("run-fault").hidden = !error;
    if (error && !this.table) find("plays").textContent = "";
  }

  async #order(what, document) {
    try {
      await post(`runs/${encodeURIComponent(this.run)}/${what}`, document);
      this.#fail(null);
    } catch (error) {
      this.#fail(error);
    }
  }

  #showRun() {
    const {about} = this;
    const own = about.rows.find(row => row.position_id === this.position);
    find("name-of-run").textContent = about.rows.length > 1 && own ? `${about.name}: ${own.name}` : about.name || this.run;
    find("positions").hidden = about.rows.length < 2;
    const select = find("position");
    select.replaceChildren(...about.rows.map(row => new Option(`${row.position_id + 1}: ${row.name}, ${row.state}`, row.position_id)));
    select.value = this.position;
    document.title = `${about.name || this.run}, pegray`;
  }

  /* Whether it is being solved, and how to stop it or go on. */
  #showWork() {
    if (!this.about) return;
    const job = this.told.jobs.find(one => one.run === this.run);
    const works = Boolean(job) && job.stage !== "ended";
    const state = stateOf(this.about, this.told.jobs);
    const line = works && job.stage === "compiling" ? job.line : [state, works && job.line].filter(Boolean).join(": ");
    find("progress").textContent = works ? `${line}.` : `The run is ${state}.`;
    find("fraction").hidden = !works || job.stage !== "solving";
    find("fraction").value = works ? job.fraction : 0;
    find("said").textContent = works ? job.said.join("; ") : "";
    if (job && job.fault) this.#fail({message: job.fault});
    find("stop").hidden = !works || job.stage === "stopping";
    const elsewhere = !works && this.about.state === "running";
    if (elsewhere) find("progress").textContent = "Another program is solving it.";
    const until = this.about.options.until || "spread";
    const whole = this.about.state === "finished" && until === this.choices.options.until.at(-1);
    const offer = !works && !elsewhere && !whole && this.about.can_resume;
    if (offer && find("further").hidden) fillUntil(find("further-until"), this.choices.options.until, until);
    find("further").hidden = !offer;
  }

  #showTable(table) {
    const before = this.table;
    this.table = table;
    find("state").textContent = table.state;
    find("state").className = `state ${table.state}`;
    find("question").textContent = `${table.question}.`;
    find("cgp").textContent = table.position.cgp;
    find("standing").replaceChildren(...table.standing.map(text => said(text, "standing")));
    find("remarks").replaceChildren(...table.remarks.map(text => said(text)));
    if (!before) {
      find("shown").innerHTML = table.svg;
      find("line-said").textContent = "Before the play.";
      this.#sayRacks();
    }
    if (!before || before.table !== table.table) this.#replaceTable(table.table);
    find("all").hidden = !table.hidden;
    find("all").textContent = `Show ${table.hidden} more`;
    const others = table.plays.filter(play => play.move !== this.move);
    const select = find("beside");
    select.replaceChildren(new Option("no other play", ""), ...others.map(play => new Option(play.move, play.move)));
    select.value = this.beside;
    if (select.value !== this.beside) this.beside = select.value = "";
  }

  /* The table anew, with what was chosen, sorted and scrolled as it was. */
  #replaceTable(html) {
    const place = find("plays"), frame = place.querySelector(".table");
    const head = frame?.querySelector("th:not([aria-sort=none])");
    const sorted = head && {column: head.cellIndex, way: head.getAttribute("aria-sort")};
    const top = frame?.scrollTop ?? 0;
    const focused = place.contains(document.activeElement);
    place.innerHTML = html || "Nothing is settled yet.";
    pegray.enhance(place);
    if (sorted) {
      const again = place.querySelectorAll("th")[sorted.column];
      while (again.getAttribute("aria-sort") !== sorted.way) again.click();
    }
    const chosen = [...place.querySelectorAll("tr[data-key]")].find(row => row.dataset.key === this.move);
    if (chosen) {
      for (const row of chosen.parentNode.rows) row.tabIndex = -1;
      chosen.tabIndex = 0;
      chosen.setAttribute("aria-current", "true");
      if (focused) chosen.focus({preventScroll: true});
    }
    if (frame) place.querySelector(".table").scrollTop = top;
  }

  #chooseFirst() {
    const first = find("plays").querySelector("tr[data-key]");
    if (first && this.table.plays[0].rank === 1) pegray.choose(first);
  }

  async #choose(move) {
    if (move !== this.move) {
      this.line.close();
      this.beside = "";
    }
    this.move = move;
    this.play = null;
    await this.#readPlay();
  }

  async #readPlay() {
    const {move} = this;
    try {
      const play = await get(`${this.address}/play`, {move}, this.over.signal);
      if (move !== this.move) return;
      const same = this.play && this.play.lists === play.lists;
      const first = !this.play;
      this.play = play;
      find("draws").hidden = false;
      find("draws-heading").textContent = play.heading;
      if (!same) {
        find("grid").replaceChildren(play.draws.length ? grid(play.draws) : "No draw is settled yet.");
        find("draws-notes").replaceChildren(...play.notes.map(text => said(text)));
        find("draws-lists").innerHTML = play.lists;
      }
      if (first) {
        this.#showPlies(play.plies);
        this.#sayPlay();
        this.#sayRacks();
      }
      if (first || !same) await this.#compare();
    } catch (error) {
      if (!this.over.signal.aborted) this.#fail(error);
    }
  }

  #sayPlay() {
    const move = document.createElement("b");
    move.className = "us";
    move.textContent = this.play.move;
    find("line-said").replaceChildren(move, `, ${this.play.said}.`);
  }

  #showPlies(plies) {
    pegray.showPlies(find("shown").querySelector("svg"), plies);
  }

  /* A line on the board, in words and with the racks at its end. */
  #showLine(plies) {
    this.#showPlies(plies);
    this.#sayRacks(plies.at(-1));
    find("line-said").replaceChildren(...plies.flatMap(({by, move}, number) => {
      const made = document.createElement("b");
      made.className = by;
      made.textContent = move;
      return number ? [", then ", made] : [made];
    }), plies.length ? "." : "Before the play.");
  }

  /* Scores and racks after a ply, or of the position. */
  #sayRacks(ply) {
    const {position} = this.table;
    const lines = ply
      ? [["us", ply.scores[0], "rack", ply.racks[0] || "empty"], ["them", ply.scores[1], "rack", ply.racks[1] || "empty"]]
      : [["us", position.scores[0], "rack", position.rack], ["them", position.scores[1], "unseen", position.unseen]];
    const parts = lines.flatMap(([who, score, what, tiles]) => {
      const made = document.createElement("b");
      made.className = "tiles";
      made.textContent = tiles;
      return [`${who} ${score}, ${what} `, made, document.createElement("br")];
    });
    find("racks").replaceChildren(...parts, ply ? `bag ${ply.bag || "empty"}` : `${position.bag} in the bag`);
  }

  #openLine(move, draw, button) {
    for (const other of find("draws").querySelectorAll("[aria-pressed]")) other.removeAttribute("aria-pressed");
    button.setAttribute("aria-pressed", "true");
    const note = this.table.opponent === "guaranteed" ? "" : "The line is that of guaranteed wins, not of the rational opponent.";
    this.line.open(this.address, move, draw, note);
    find("line").scrollIntoView({block: "nearest", behavior: "smooth"});
  }

  #walk(event) {
    const draw = event.target.closest(".draw");
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    if (event.key === "Escape") find("plays").querySelector("tr[aria-current]")?.focus();
    if (!draw || !step) return;
    const draws = [...find("draws").querySelectorAll(".draw")].filter(one => one.checkVisibility());
    event.preventDefault();
    draws[draws.indexOf(draw) + step]?.focus();
  }

  async #compare() {
    const place = find("comparison"), {move, beside} = this;
    find("alone").hidden = Boolean(beside);
    place.hidden = !beside;
    if (!beside) return;
    try {
      const found = await get(`${this.address}/play`, {move, beside}, this.over.signal);
      if (move === this.move && beside === this.beside) place.replaceChildren(...comparison(found));
    } catch (error) {
      if (!this.over.signal.aborted) place.textContent = error.message;
    }
  }
}

function said(text, kind) {
  const made = document.createElement("p");
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

/* Two plays: how many draws come out alike, and each that does not. */
function comparison({plays: [one, two], same, open, total, draws}) {
  const parts = [`${same} of ${total} draws come out the same`];
  if (open) parts.push(`${open} are not settled for both`);
  const lines = [said(`${parts.join(", ")}.`, "padded")];
  if (!draws.length) return lines;
  const table = document.createElement("table"), head = table.createTHead().insertRow();
  table.setAttribute("aria-label", "Draws that come out differently");
  for (const name of ["Draw", one.move, two.move]) {
    const made = document.createElement("th");
    made.className = "text plain";
    made.textContent = name;
    head.append(made);
  }
  const body = table.createTBody();
  for (const draw of draws) {
    const row = body.insertRow();
    row.insertCell().textContent = draw.weight > 1 ? `${draw.draw} ×${draw.weight}` : draw.draw;
    for (const [play, outcome] of [[one, draw.one], [two, draw.two]]) {
      const button = document.createElement("button"), reply = document.createElement("span");
      button.type = "button";
      button.className = `draw ${outcome.label[0]}${outcome.label.endsWith("?") ? " possible" : ""}`;
      Object.assign(button.dataset, {play: play.move, draw: draw.draw});
      reply.className = "after";
      reply.textContent = outcome.reply ? ` after ${outcome.reply}` : "";
      button.append(outcome.label, reply);
      row.insertCell().append(button);
    }
    for (const cell of row.cells) cell.className = "text";
  }
  const frame = document.createElement("div");
  frame.className = "table";
  frame.append(table);
  return [...lines, frame];
}
