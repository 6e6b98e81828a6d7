"use strict";
/* What pages share.
   pegray.enhance(root): tables below root sort, can be walked through by keys, and fit their width
   pegray.choose(row): as if the row had been clicked: the event "pegray:choose" bubbles up with its key as detail, as
     it does after the arrow keys; after Enter "pegray:enter" follows
   pegray.showPlies(svg, plies): lays the tiles of a line on a board instead of those there; plies: see board.py */
const pegray = (() => {
  const SVG = "http://www.w3.org/2000/svg";

  function sort(table, head) {
    const column = head.cellIndex;
    const up = head.getAttribute("aria-sort") !== "ascending";
    for (const other of head.parentNode.cells) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const key = row => row.cells[column].dataset.v;
    const order = (one, two) => {
      const a = key(one), b = key(two);
      if (a === "" || b === "") return (a === "") - (b === "");
      const by = isNaN(a) || isNaN(b) ? a.localeCompare(b) : a - b;
      return up ? by : -by;
    };
    const body = table.tBodies[0];
    body.append(...[...body.rows].sort(order));
  }

  const widths = new WeakMap(); // of each table's frame when it was fitted last

  /* Columns leave one number after another until the rest fits; where it never does, words are broken: how wide a text
     is depends on the fonts there are. */
  function fit(frame) {
    widths.set(frame, frame.clientWidth);
    const cells = [...frame.querySelectorAll("[data-leaves]")];
    const numbers = [...new Set(cells.map(cell => Number(cell.dataset.leaves)))].sort((a, b) => a - b);
    for (const cell of cells) cell.hidden = false;
    frame.classList.remove("broken");
    frame.classList.add("measured"); // texts are broken into lines only when all columns that can have left
    for (const number of numbers) {
      if (frame.scrollWidth <= frame.clientWidth) break;
      for (const cell of cells) if (Number(cell.dataset.leaves) === number) cell.hidden = true;
    }
    frame.classList.remove("measured");
    frame.classList.toggle("broken", frame.scrollWidth > frame.clientWidth);
  }

  const observer = new ResizeObserver(entries => {
    for (const {target} of entries) {
      if (widths.get(target) === target.clientWidth) continue;
      requestAnimationFrame(() => fit(target)); // what is resized now must not change its size again
    }
  });

  function tell(row, name) {
    row.dispatchEvent(new CustomEvent(name, {bubbles: true, detail: row.dataset.key}));
  }

  function choose(row) {
    for (const other of row.parentNode.rows) {
      other.removeAttribute("aria-current");
      other.tabIndex = -1;
    }
    row.setAttribute("aria-current", "true");
    row.tabIndex = 0;
    tell(row, "pegray:choose");
  }

  function walk(event) {
    const row = event.target.closest("tr[data-key]");
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
    const rows = row.parentNode.rows;
    const to = {
      ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling,
      Home: rows[0], End: rows[rows.length - 1], Enter: row, " ": row,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to === null) return;
    to.focus();
    choose(to);
    if (event.key === "Enter") tell(to, "pegray:enter");
  }

  function enhance(root) {
    for (const frame of root.querySelectorAll(".table")) {
      fit(frame); // before it is ever seen, and not only once the browser draws
      observer.observe(frame);
      const table = frame.querySelector("table");
      for (const head of table.tHead.rows[0].cells) head.addEventListener("click", () => sort(table, head));
      table.addEventListener("keydown", walk);
      table.addEventListener("click", event => {
        const row = event.target.closest("tr[data-key]");
        if (row && !event.target.closest("a")) choose(row);
      });
    }
  }

  function element(name, attributes, text = "") {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = text;
    return made;
  }

  function showPlies(svg, plies) {
    const margin = Number(svg.dataset.margin), cell = Number(svg.dataset.cell);
    const group = svg.querySelector(".plies");
    group.replaceChildren();
    for (const {by, tiles} of plies) {
      for (const [square, text, value] of tiles) {
        const x = margin + square % 15 * cell, y = margin + Math.floor(square / 15) * cell;
        const kind = value === null ? "letter blank" : "letter";
        group.append(element("rect", {class: `tile ${by}`, x: x + 1, y: y + 1, width: cell - 2, height: cell - 2, rx: 3}));
        group.append(element("text", {class: text.length > 1 ? `${kind} long` : kind, x: x + 15, y: y + 23}, text));
        if (value !== null) group.append(element("text", {class: "value", x: x + 26, y: y + 28}, value));
      }
    }
    const moves = plies.map(ply => ply.move).join(", then ");
    svg.setAttribute("aria-label", moves ? `Board with ${moves} played` : "Board");
  }

  return {choose, enhance, showPlies};
})();
pegray.enhance(document);
