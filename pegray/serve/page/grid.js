/* The draws of a play as a grid of letters: our draw down the side and what stays across the top, where tiles stay. */

const MOST_COLUMNS = 40;

function button({draw, label, weight, proven, reply}, text) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = `draw ${label[0]}${label.endsWith("?") ? " possible" : ""}`;
  made.dataset.draw = draw;
  made.textContent = text;
  const after = reply ? ` after ${reply}` : "";
  made.title = `${draw}${weight > 1 ? ` ×${weight}` : ""}: ${label}${proven ? "" : ", estimated"}${after}`;
  made.setAttribute("aria-label", made.title);
  return made;
}

function head(row, text, scope) {
  const made = document.createElement("th");
  made.scope = scope;
  made.className = "plain";
  made.textContent = text;
  row.append(made);
}

function flat(draws) {
  const place = document.createElement("div");
  place.className = "cells";
  for (const draw of draws) {
    const made = button(draw, `${draw.draw} `), letter = document.createElement("b");
    letter.textContent = draw.label;
    made.append(letter);
    place.append(made);
  }
  return place;
}

function matrix(draws, drawn, stays) {
  const cells = new Map(draws.map(draw => [`${draw.drawn}/${draw.stays}`, draw]));
  const table = document.createElement("table"), frame = document.createElement("div");
  table.className = "matrix";
  table.setAttribute("aria-label", "Draws: ours down the side, what stays in the bag across the top");
  const top = table.createTHead().insertRow();
  head(top, "draw \\ stays", "col");
  for (const text of stays) head(top, text, "col");
  const body = table.createTBody();
  for (const ours of drawn) {
    const row = body.insertRow();
    head(row, `[${ours}]`, "row");
    for (const text of stays) {
      const draw = cells.get(`${ours}/${text}`);
      if (draw) row.insertCell().append(button(draw, draw.label));
      else row.insertCell().textContent = "·";
    }
  }
  frame.className = "table";
  frame.append(table);
  return frame;
}

/* draws: as the server gives them */
export function grid(draws) {
  const drawn = [...new Set(draws.map(draw => draw.drawn))], stays = [...new Set(draws.map(draw => draw.stays))].sort();
  const few = stays.length > 1 && drawn.length > 1 && stays.length <= MOST_COLUMNS;
  return few ? matrix(draws, drawn, stays) : flat(draws);
}
