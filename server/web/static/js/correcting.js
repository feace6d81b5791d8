// Correcting the record: another move in place of one that was read wrongly.
import { byId, fetched, fill, made, problemIn } from "./dom.js";

let chosen = "";
let opened = ""; // The moves as they were when the dialog was opened.

function ply() {
  return Number(byId("correct-ply").value);
}

function choose(move) {
  chosen = move;
  for (const button of byId("correct-moves").children) button.setAttribute("aria-pressed", button.textContent === move);
}

async function showMoves(snapshot) {
  const later = snapshot.moves.length - ply();
  byId("correct-later").hidden = later <= 0;
  byId("correct-later").textContent = `The ${later === 1 ? "move" : `${later} moves`} after it will be taken off the record.`;
  const answer = await fetched(`/api/legal?ply=${ply()}`);
  problemIn(byId("correct"), answer.error);
  const place = byId("correct-moves");
  const others = (answer.body?.moves ?? []).filter((move) => move !== snapshot.moves[ply() - 1]);
  place.replaceChildren(...others.map((move) => {
    const button = made("button", move, "ready pick");
    button.type = "button";
    button.addEventListener("click", () => { choose(move); byId("correct-text").value = move; });
    return button;
  }));
  if (others.length) byId("correct-text").placeholder = `such as ${others[0]}`;
  choose("");
}

export function openCorrecting(snapshot) {
  const number = (half) => `${Math.floor(half / 2) + 1}${half % 2 ? "…" : "."}`;
  const moves = snapshot.moves.map((move, i) => [String(i + 1), `${number(i + snapshot.start_ply)} ${move}`]);
  const next = [String(snapshot.moves.length + 1), "a move that was not seen at all"];
  opened = snapshot.moves.join(" ");
  byId("correct-text").value = "";
  fill("correct-ply", [...moves, next].reverse(), moves.length ? moves[moves.length - 1][0] : next[0]);
  showMoves(snapshot);
}

export function correcting(current, send) {
  byId("correct-ply").addEventListener("change", () => showMoves(current()));
  byId("correct-text").addEventListener("input", () => choose(byId("correct-text").value.trim()));
  byId("correct-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const move = byId("correct-text").value.trim() || chosen;
    if (!move) return problemIn(byId("correct"), "Choose the move first, or type it.");
    if (current().moves.join(" ") !== opened) {
      openCorrecting(current());
      return problemIn(byId("correct"), "The game has gone on meanwhile. Please choose again.");
    }
    const added = ply() > current().moves.length;
    await send(added ? { do: "choose", candidate: move } : { do: "replace_move", ply: ply(), move }, byId("correct"));
  });
}
