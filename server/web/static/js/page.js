// Shows a snapshot in words: turn, rulings, questions, moves, counters, camera, record.
import { discNames, isAdvice, isFresh, shade } from "./board.js";
import { byId, made, show, sides } from "./dom.js";

// Who won, in words: few remember which side stands first in a result.
function outcome(s) {
  const winner = ["W", "B"].find((side) => s.results?.[side] === s.result);
  if (winner) return `${sides(s)[winner]} wins, ${s.result}`;
  return s.result === s.results?.draw ? `a draw, ${s.result}` : s.result;
}

function showTurn(s) {
  byId("turn-disc").className = `disc ${s.result ? "" : shade(s, s.to_move)}`;
  show("turn-text", true, s.result ? `The game is over: ${outcome(s)}` : `${sides(s)[s.to_move]} to move`);
  const said = s.irregularity?.message ?? "";
  show("message", Boolean(s.message) && !s.result && s.message !== said && !s.restore?.length && !s.candidates?.length, s.message);
}

function showIrregularity(s) {
  const standing = s.result ? null : s.irregularity; // A game that is over asks for no decision.
  show("irregularity", Boolean(standing), undefined);
  if (!standing) return;
  const calm = isAdvice(standing);
  byId("irregularity").className = `notice ${calm ? "ask" : "fault"}`;
  byId("let-stand").textContent = calm ? "Go on like this" : "Let it stand";
  show("irregularity-text", true, standing.message);
  const due = byId("irregularity-due");
  due.replaceChildren();
  const told = standing.due?.every((move) => standing.message.includes(move));
  if (standing.due?.length && !told) due.append("Due: ", ...standing.due.flatMap((move, i) => [i ? ", " : "", made("b", move)]));
  showHuff(standing.huff ?? []);
}

// Which disc is taken off is its opponent's choice.
function showHuff(squares) {
  const place = byId("huff");
  show("huff", squares.length > 0);
  if (place.dataset.shown === squares.join("|")) return;
  place.dataset.shown = squares.join("|");
  place.replaceChildren(...squares.map((square) => {
    const button = made("button", squares.length > 1 ? `Huff the disc on ${square}` : `Huff: take the disc off ${square}`);
    button.dataset.do = "huff";
    button.dataset.square = square;
    return button;
  }));
}

function mending(names, { square, want, seen }) {
  if (want === ".") return `take the ${names[seen]} off ${square}`;
  if (seen === ".") return `put a ${names[want]} on ${square}`;
  return `on ${square} put a ${names[want]}, not a ${names[seen]}`;
}

function showRestore(s) {
  const mends = s.restore ?? [];
  show("restore", mends.length > 0);
  const lines = mends.map((mend) => mending(discNames(s), mend));
  const list = byId("restore-list");
  if (list.dataset.shown === lines.join("|")) return;
  list.dataset.shown = lines.join("|");
  list.replaceChildren(...lines.map((line) => made("li", line)));
}

function showQuestion(s) {
  const moves = s.candidates ?? [];
  show("question", moves.length > 0);
  const place = byId("candidates");
  if (place.dataset.shown === moves.join("|")) return;
  place.dataset.shown = moves.join("|");
  place.replaceChildren(...moves.map((move) => {
    const button = made("button", move, "main");
    button.dataset.do = "choose";
    button.dataset.candidate = move;
    return button;
  }));
}

function showOffer(s) {
  show("offer", Boolean(s.draw_offer) && !s.result);
  show("offer-text", true, `${sides(s)[s.draw_offer] ?? "A player"} offers a draw.`);
}

export function movePairs(moves, startPly = 0) {
  const halves = startPly % 2 ? ["…", ...moves] : [...moves];
  const pairs = [];
  for (let i = 0; i < halves.length; i += 2) pairs.push([(i + startPly - (startPly % 2)) / 2 + 1, halves[i], halves[i + 1] ?? ""]);
  return pairs;
}

// The newest move stays in view when the list has to give way to something else.
const toNewest = () => { byId("moves").scrollTop = byId("moves").scrollHeight; };
new ResizeObserver(toNewest).observe(byId("moves"));

function showMoves(s) {
  const list = byId("moves");
  const key = JSON.stringify([s.game, s.start_ply, s.moves]);
  if (list.dataset.shown === key) return;
  list.dataset.shown = key;
  list.replaceChildren(...movePairs(s.moves, s.start_ply).map(([number, first, second]) => {
    const row = document.createElement("li");
    row.append(made("span", `${number}.`), made("span", first), made("span", second));
    return row;
  }));
  if (!s.moves.length) list.append(made("li", "No move yet.", "alone"));
  const newest = [...list.querySelectorAll("span")].filter((span) => span.textContent).pop();
  if (newest && s.moves.length) newest.classList.add("newest");
  toNewest();
}

function showCounters(s) {
  const lines = (s.counters ?? []).map((c) => c.text ?? `${c.label}: ${c.count} of ${c.limit}`);
  const list = byId("counters");
  if (list.dataset.shown === lines.join("|")) return;
  list.dataset.shown = lines.join("|");
  list.replaceChildren(...lines.map((line) => made("li", line)));
}

function showCamera(s) {
  const camera = s.camera ?? {};
  const words = {
    ok: "Camera: good",
    simulated: camera.paused ? "Simulated game, paused" : "Simulated game, no camera",
    lost: camera.message || "Camera lost: check its cable",
  };
  show("camera", true, words[camera.state] ?? "");
  byId("camera").className = `camera ${camera.state ?? ""}`;
  show("pause", camera.state === "simulated", camera.paused ? "Go on" : "Pause");
}

function showHint(s) {
  show("hint", s.mode === "training" && !s.result);
  const fresh = isFresh(s);
  const then = fresh ? s.hint.line.slice(1, 5).join(" ") : "";
  const asked = !fresh && sought === placeOf(s) && s.mode === "training" && !s.result;
  const text = fresh ? `Hint: ${s.hint.move}${then ? ` (then ${then})` : ""}` : "Looking for a good move…";
  show("hint-text", fresh || asked, fresh || asked ? text : "");
}

// Kibitz thinks for some seconds: meanwhile the page says so, until the hint is there or a move is made.
let sought = null;
const placeOf = (s) => `${s.game} ${s.ply} ${s.fen}`;

export function seekHint(s) {
  sought = placeOf(s);
  showHint(s);
}

function showRecord(s) {
  const record = s.record ?? { ok: true, message: "" };
  show("record", Boolean(record.message), record.ok ? record.message : `Not being written down: ${record.message}`);
  byId("record").classList.toggle("calm", record.ok);
}

export function showSnapshot(s) {
  const modes = { referee: "referee", training: "training", record: "only writes down" };
  show("variant", true, `${s.variant_title ?? s.variant}, ${modes[s.mode] ?? s.mode}`);
  const { White, Black } = s.tags ?? {};
  show("ballot", Boolean(s.ballot) && !s.result, s.ballot ?? "");
  show("swapped", s.light === "B");
  show("players", Boolean(White || Black), `${White || "White"} – ${Black || "Black"}`);
  document.title = s.irregularity && !s.result ? "! Kibitz" : s.candidates?.length ? "? Kibitz" : "Kibitz";
  const parts = [showTurn, showIrregularity, showRestore, showQuestion, showOffer, showMoves, showCounters, showCamera, showHint, showRecord];
  for (const part of parts) part(s);
  // The board takes what height the lines above it leave.
  document.documentElement.style.setProperty("--above", `${document.querySelector("main").offsetTop}px`);
}
