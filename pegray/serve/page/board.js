/* A board to be set by keyboard, mouse or touch: squares are texts, a blank the form that its letter has as a blank. */

const SIDE = 15;
const ACROSS = 1, DOWN = SIDE;

export class BoardEditor {
  /* place: where the board's svg goes; palette: where the tiles that are left go; said: where the square is described;
     onChange: called after every change */
  constructor(place, palette, said, svg, onChange) {
    place.innerHTML = svg;
    this.svg = place.querySelector("svg");
    this.palette = palette;
    this.said = said;
    this.onChange = onChange;
    this.squares = Array(SIDE * SIDE).fill("");
    this.tiles = [];
    this.at = 7 * SIDE + 7;
    this.step = ACROSS;
    this.asBlank = false;
    this.rack = "";
    this.svg.setAttribute("tabindex", "0");
    this.svg.setAttribute("role", "application");
    this.svg.setAttribute("aria-describedby", said.id);
    this.svg.addEventListener("keydown", event => this.#key(event));
    this.svg.addEventListener("mousedown", event => this.#click(event));
    for (const name of ["focus", "blur"]) this.svg.addEventListener(name, () => this.#draw());
    palette.addEventListener("click", event => this.#pick(event));
  }

  /* tiles: of the distribution, as the server gives them, the blank first */
  useTiles(tiles) {
    this.tiles = tiles;
    this.#draw();
  }

  load(squares) {
    this.squares = [...squares];
    this.#draw();
  }

  clear() {
    this.load(Array(SIDE * SIDE).fill(""));
  }

  /* The board field of a CGP. */
  cgp() {
    const rows = [];
    for (let row = 0; row < SIDE; row++) {
      let text = "", empty = 0;
      for (const square of this.squares.slice(row * SIDE, (row + 1) * SIDE)) {
        if (!square) {
          empty++;
          continue;
        }
        text += (empty || "") + (square.length > 1 ? `[${square}]` : square);
        empty = 0;
      }
      rows.push(text + (empty || ""));
    }
    return rows.join("/");
  }

  /* How many of each tile are neither on the board nor on our rack, in the order of the distribution. */
  left() {
    const left = this.tiles.map(({count}) => count);
    for (const square of this.squares) {
      if (!square) continue;
      const tile = this.tiles.findIndex(({tile}) => tile === square);
      left[Math.max(0, tile)]--;
    }
    for (const text of this.rack.toUpperCase().match(/\[[^\]]+\]|\S/g) || []) {
      const tile = this.tiles.findIndex(({tile}) => tile === text.replace(/[[\]]/g, ""));
      if (tile >= 0) left[tile]--;
    }
    return left;
  }

  useRack(rack) {
    this.rack = rack;
    this.#draw();
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const row = Math.floor(this.at / SIDE), column = this.at % SIDE;
    const to = {
      ArrowLeft: column > 0 && this.at - 1, ArrowRight: column < SIDE - 1 && this.at + 1,
      ArrowUp: row > 0 && this.at - SIDE, ArrowDown: row < SIDE - 1 && this.at + SIDE,
      Home: row * SIDE, End: row * SIDE + SIDE - 1,
    }[event.key];
    if (to !== undefined) {
      if (to !== false) this.at = to;
      if (event.key.startsWith("Arrow")) this.step = /Left|Right/.test(event.key) ? ACROSS : DOWN;
      this.#draw();
    } else if (event.key === " ") this.#turn();
    else if (event.key === "Delete") this.#put("");
    else if (event.key === "Backspace") this.#takeBack();
    else if (!this.#type(event.key, event.shiftKey)) return;
    event.preventDefault();
  }

  #type(key, asBlank) {
    const letter = this.tiles.slice(1).find(({tile}) => tile === key.toUpperCase());
    if (letter === undefined) return false;
    this.#put(asBlank ? letter.blank : letter.tile);
    this.#move(1);
    return true;
  }

  #takeBack() {
    if (!this.squares[this.at]) this.#move(-1);
    this.#put("");
  }

  #put(text) {
    this.squares[this.at] = text;
    this.#draw();
    this.onChange();
  }

  #turn() {
    this.step = this.step === ACROSS ? DOWN : ACROSS;
    this.#draw();
  }

  /* To the next square in the direction of typing, if there is one. */
  #move(sign) {
    const place = this.step === ACROSS ? this.at % SIDE : Math.floor(this.at / SIDE);
    if (place + sign >= 0 && place + sign < SIDE) this.at += sign * this.step;
    this.#draw();
  }

  #click(event) {
    const box = this.svg.getBoundingClientRect();
    const scale = this.svg.viewBox.baseVal.width / box.width;
    const {margin, cell} = this.#sizes();
    const column = Math.floor(((event.clientX - box.left) * scale - margin) / cell);
    const row = Math.floor(((event.clientY - box.top) * scale - margin) / cell);
    if (Math.min(row, column) < 0 || Math.max(row, column) >= SIDE) return;
    const square = row * SIDE + column;
    if (square === this.at && document.activeElement === this.svg) this.#turn();
    this.at = square;
    this.#draw();
  }

  #pick(event) {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.do === "blank") {
      this.asBlank = !this.asBlank;
      this.#draw();
    } else if (button.dataset.do === "take") this.#takeBack();
    else if (button.dataset.do === "turn") this.#turn();
    else {
      const tile = this.tiles[Number(button.dataset.tile)];
      this.#put(this.asBlank ? tile.blank : tile.tile);
      this.#move(1);
    }
  }

  #sizes() {
    return {margin: Number(this.svg.dataset.margin), cell: Number(this.svg.dataset.cell)};
  }

  #draw() {
    const tiles = [];
    this.squares.forEach((text, square) => {
      if (!text) return;
      const tile = this.tiles.find(({tile}) => tile === text);
      tiles.push([square, text, tile ? tile.points : null]);
    });
    pegray.showPlies(this.svg, [{by: "", move: "", tiles}]);
    this.#drawCursor();
    this.#drawPalette();
    const text = this.squares[this.at];
    this.said.textContent = `${this.#name()}: ${text || "empty"}, ${this.step === ACROSS ? "across" : "down"}`;
    this.svg.setAttribute("aria-label", `Board to set, ${this.said.textContent}`);
  }

  #name() {
    return Math.floor(this.at / SIDE) + 1 + String.fromCharCode(65 + this.at % SIDE);
  }

  #drawCursor() {
    const {margin, cell} = this.#sizes();
    const x = margin + this.at % SIDE * cell, y = margin + Math.floor(this.at / SIDE) * cell;
    const cursor = document.createElementNS(this.svg.namespaceURI, "path");
    const arrow = this.step === ACROSS ? `M${x + cell - 9} ${y + 5}l6 4l-6 4z` : `M${x + 5} ${y + cell - 9}l4 6l4-6z`;
    cursor.setAttribute("class", "cursor");
    cursor.setAttribute("d", `M${x} ${y}h${cell}v${cell}h${-cell}z${this.squares[this.at] ? "" : arrow}`);
    this.svg.querySelector(".plies").append(cursor);
  }

  #drawPalette() {
    const left = this.left();
    const focused = this.palette.contains(document.activeElement) && document.activeElement.dataset;
    const button = (text, data, label, pressed) => {
      const made = document.createElement("button");
      made.type = "button";
      Object.assign(made.dataset, data);
      made.textContent = text;
      made.setAttribute("aria-label", label);
      if (pressed !== undefined) made.setAttribute("aria-pressed", pressed);
      return made;
    };
    const buttons = this.tiles.slice(1).map(({tile, blank}, index) => {
      const count = left[index + 1];
      const made = button(this.asBlank ? blank : tile, {tile: index + 1}, `${tile}, ${count} left`);
      const number = document.createElement("small");
      number.textContent = count;
      made.append(number);
      if (count < 0) made.className = "short";
      else if (count === 0) made.className = "none";
      return made;
    });
    const blanks = button(`? ${left[0]}`, {do: "blank"}, `lay blanks, ${left[0]} left`, this.asBlank);
    if (left[0] < 0) blanks.className = "short";
    const others = [button("turn", {do: "turn"}, "turn the direction"), button("⌫", {do: "take"}, "take a tile up")];
    this.palette.replaceChildren(...buttons, blanks, ...others);
    const again = focused && [...this.palette.children].find(
      one => one.dataset.tile === focused.tile && one.dataset.do === focused.do);
    if (again) again.focus();
  }
}
