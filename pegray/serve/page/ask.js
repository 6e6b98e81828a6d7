/* The form of a position to be solved. */

import {BoardEditor} from "./board.js";
import {post, postText} from "./server.js";

const RACK_SIZE = 7;
const UNTIL = {answer: "the answer", level: "level plays too", spread: "the tie-break too"};
const OPPONENT = {guaranteed: "guaranteed wins", rational: "rational"};
const find = id => document.getElementById(id);

export function fill(select, values, labels = {}) {
  select.replaceChildren(...values.map(value => new Option(labels[value] ?? value, value)));
}

export function fillUntil(select, values, chosen) {
  fill(select, values, UNTIL);
  select.value = chosen;
}

/* choices: what the server has to choose from; onBegun: told the run that has been begun */
export function askForm(choices, onBegun) {
  const form = find("ask"), fault = find("fault");
  const board = new BoardEditor(find("board"), find("palette"), find("square"), choices.board, count);
  let source = null, reading = 0; // the text that was read last; which of the readings is the latest

  fill(find("lexicon"), choices.lexica);
  find("lexicon").value = "ENABLE";
  fill(find("opponent"), choices.options.opponent, OPPONENT);
  fillUntil(find("until"), choices.options.until, "spread");
  fill(find("distribution"), Object.keys(choices.distributions));
  board.useTiles(choices.distributions.english);
  count();

  /* What nobody sees yet: the bag, and the opponent's rack. */
  function count() {
    const unseen = board.left().reduce((sum, number) => sum + number, 0);
    const bag = Math.max(0, unseen - RACK_SIZE);
    const kind = bag > 6 ? "too many for a pre-endgame, which has 1 to 6" : bag ? "a pre-endgame" : "none: an endgame";
    find("unseen").textContent = `${unseen} tiles unseen, ${bag} in the bag (${kind}).`;
  }

  function say(error) {
    fault.textContent = error ? error.message : "";
    fault.hidden = !error;
    for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
    const field = error && error.option && find(error.option);
    if (!field || !form.contains(field)) return;
    field.setAttribute("aria-invalid", "true");
    const folded = field.closest("details");
    if (folded) folded.open = true;
    field.focus();
  }

  function show({position, number, choices: turns}) {
    find("distribution").value = position.distribution;
    board.useTiles(choices.distributions[position.distribution] || choices.distributions.english);
    board.load(position.board);
    find("rack").value = position.rack;
    board.useRack(position.rack);
    [find("ours").value, find("theirs").value] = position.scores;
    find("scoreless").value = position.scoreless;
    find("known_rack").value = position.known;
    const wanted = (position.lexicon || "").toUpperCase();
    const lexicon = choices.lexica.find(name => name.toUpperCase() === wanted);
    if (lexicon) find("lexicon").value = lexicon;
    find("turns").hidden = turns.length < 2;
    find("number").replaceChildren(...turns.map(turn => new Option(turn.label, turn.number)));
    find("number").value = number;
    count();
    const missing = position.lexicon && !lexicon;
    say(missing ? {message: `The position asks for ${position.lexicon}, which is not here: choose another lexicon.`} : null);
  }

  async function read(text, number) {
    const mine = ++reading;
    source = text;
    try {
      const answer = await postText("position", number ? {number} : {}, text);
      if (mine === reading) show(answer);
    } catch (error) {
      if (mine === reading) say(error);
    }
  }

  function question() {
    const value = id => find(id).value.trim();
    const distribution = value("distribution");
    const fields = [board.cgp(), `${value("rack").toUpperCase()}/`, `${value("ours")}/${value("theirs")}`, value("scoreless")];
    return {
      cgp: `${fields.join(" ")} lex ${value("lexicon")};${distribution === "english" ? "" : ` ld ${distribution};`}`,
      name: value("name") || "position",
      lexicon: value("lexicon"),
      time_limit: value("time_limit") || null,
      options: {
        opponent: value("opponent"),
        until: value("until"),
        top: Number(value("top")),
        known_rack: value("known_rack").toUpperCase(),
        max_tiles_left: value("max_tiles_left") === "" ? null : Number(value("max_tiles_left")),
        only: value("only").split(",").map(move => move.trim()).filter(Boolean),
        no_exchange: find("no_exchange").checked,
      },
    };
  }

  find("read").addEventListener("click", () => read(find("text").value));
  find("text").addEventListener("paste", () => setTimeout(() => read(find("text").value)));
  find("text").addEventListener("input", () => say(null));
  find("number").addEventListener("change", () => read(source, find("number").value));
  find("file").addEventListener("change", async () => {
    const [file] = find("file").files;
    if (!file) return;
    find("name").value = file.name.replace(/\.\w+$/, "");
    await read(await file.arrayBuffer());
    find("file").value = "";
  });
  find("clear").addEventListener("click", () => {
    board.clear();
    find("rack").value = "";
    board.useRack("");
    find("turns").hidden = true;
    say(null);
    count();
  });
  find("rack").addEventListener("input", () => {
    board.useRack(find("rack").value);
    count();
  });
  find("distribution").addEventListener("change", () => {
    board.useTiles(choices.distributions[find("distribution").value]);
    count();
  });
  form.addEventListener("submit", async event => {
    event.preventDefault();
    const button = form.querySelector("button.main");
    button.disabled = true;
    say(null);
    try {
      onBegun((await post("runs", question())).run);
    } catch (error) {
      say(error);
    } finally {
      button.disabled = false;
    }
  });
}
