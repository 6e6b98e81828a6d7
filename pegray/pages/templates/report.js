/* A report: the board of a position follows the play or the draw that is chosen. */
for (const section of document.querySelectorAll("section.position")) {
  const {plays, replies} = JSON.parse(section.querySelector("script[type='application/json']").textContent);
  const board = section.querySelector("svg.board"), line = section.querySelector(".line");
  const racks = section.querySelector(".racks"), racksBefore = racks.innerHTML;
  const panels = [...section.querySelectorAll("details.play")];
  const rows = [...section.querySelectorAll("tr[data-key]")];

  function say(parts) {
    line.replaceChildren(...parts.flatMap(([text, by]) => {
      if (!by) return [text];
      const move = document.createElement("b");
      move.className = by;
      move.textContent = text;
      return [move];
    }));
  }

  function press(draw) {
    for (const other of section.querySelectorAll("[aria-pressed]")) other.removeAttribute("aria-pressed");
    if (draw) draw.setAttribute("aria-pressed", "true");
  }

  function showPlay(move) {
    const play = plays[move];
    pegray.showPlies(board, [play]);
    press(null);
    racks.innerHTML = racksBefore;
    say([[move, "us"], [`, ${play.said}.`]]);
  }

  function showDraw(draw) {
    const move = draw.closest(".play").dataset.play, reply = draw.dataset.reply;
    const plies = [plays[move]];
    if (reply && replies[move] && replies[move][reply]) plies.push(replies[move][reply]);
    pegray.showPlies(board, plies);
    press(draw);
    racks.textContent = draw.dataset.racks || "";
    const parts = [[move, "us"], [`, draw ${draw.dataset.draw}: ${draw.dataset.outcome}`]];
    if (reply) parts.push([", reply "], [reply, "them"]);
    say(parts);
  }

  /* Only the draws of the chosen play are on the page. */
  function showPanel(move) {
    for (const panel of panels) {
      panel.hidden = panel.dataset.play !== move;
      if (!panel.hidden) panel.open = true;
    }
  }

  section.addEventListener("pegray:choose", event => {
    showPanel(event.detail);
    showPlay(event.detail);
  });
  section.addEventListener("pegray:enter", event => {
    const panel = panels.find(one => one.dataset.play === event.detail);
    const first = panel && panel.querySelector(".draw");
    if (!first) return;
    first.focus();
    showDraw(first);
  });
  section.addEventListener("click", event => {
    const draw = event.target.closest(".draw");
    if (draw) showDraw(draw);
  });
  section.addEventListener("keydown", event => {
    const draw = event.target.closest(".draw");
    if (!draw) return;
    const draws = [...draw.closest(".play").querySelectorAll(".draw")].filter(one => one.checkVisibility());
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    const next = step && draws[draws.indexOf(draw) + step];
    if (event.key === "Escape") section.querySelector("tr[aria-current]")?.focus();
    if (!next) return;
    event.preventDefault();
    next.focus();
    showDraw(next);
  });
  if (rows.length) pegray.choose(rows[0]);
}
