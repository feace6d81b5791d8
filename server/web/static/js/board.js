// Draws a board of any kind from a snapshot, in the engine's coordinates (White at the bottom, y upwards).
import { sides } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const PLAIN = { w: "white man", b: "black man", W: "white king", B: "black king", ".": "empty" };
const SWAPPED = { w: "black man", b: "white man", W: "black king", B: "white king", ".": "empty" };
// The discs are drawn and named as they lie on the table, whoever plays White in the record.
export const discNames = (s) => (s.light === "B" ? SWAPPED : PLAIN);
export const shade = (s, side) => (s.light === "B" ? { W: "B", B: "W" }[side] : side);
const CROWN = "M-.2 .13L-.25 -.12L-.1 0L0 -.2L.1 0L.25 -.12L.2 .13Z";

export function element(parent, tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

const onSquares = (board) => board.kind === "chequered" || board.kind === "full";

// A board far wider than tall is drawn along the longer side of a telephone that is held upright.
export const standsUp = (board, wide, tall) => board.width > 2 * board.height && tall > 1.3 * wide;

// Where a place of the board lies in the drawing after `turn` quarter turns.
function placing(board, turn) {
  const { width, height } = board;
  return [
    (x, y) => [x, height - y],
    (x, y) => [y, x],
    (x, y) => [width - x, y],
    (x, y) => [height - y, width - x],
  ][turn % 4];
}

// Before the game begins, and for a crown that lacks, Kibitz advises; nobody has done anything wrong.
export const isAdvice = (standing) => ["wrong_setup", "wrong_orientation", "off_square"].includes(standing?.kind);

// A hint is for one position: not for another that a take-back or a correction brought to the same move.
export const isFresh = (s) => Boolean(s.hint) && s.hint.ply === s.ply && (s.hint.fen ?? s.fen) === s.fen && s.mode === "training" && !s.result;

function cell(parent, board, [x, y], className, inset = 0) {
  if (onSquares(board)) {
    return element(parent, "rect", { x: x - 0.5 + inset, y: y - 0.5 + inset, width: 1 - 2 * inset, height: 1 - 2 * inset, class: className });
  }
  if (board.kind === "hexagon") return element(parent, "polygon", { points: hexagon(board, x, y, inset), class: className });
  return element(parent, "circle", { cx: x, cy: y, r: 0.46 - inset, class: className });
}

function hexagon(board, x, y, inset) {
  // Neighbours due east mean cells that stand on a corner; a quarter turn lays them down.
  const radius = 1 / Math.sqrt(3) - inset;
  const upright = board.upright !== ((board.turn ?? 0) % 2 === 1);
  return [0, 1, 2, 3, 4, 5].map((i) => {
    const angle = (Math.PI / 3) * i + (upright ? Math.PI / 6 : 0);
    return `${x + radius * Math.cos(angle)},${y + radius * Math.sin(angle)}`;
  }).join(" ");
}

function standsOnCorner(board) {
  const [first, ...rest] = board.points;
  return rest.some((p) => Math.abs(p.y - first.y) < 1e-3 && Math.abs(Math.abs(p.x - first.x) - 1) < 1e-3);
}

export function piece(parent, [x, y], kind, name, className = "", look = kind.toUpperCase()) {
  const king = kind === kind.toUpperCase();
  const group = element(parent, "g", { class: `${look} ${className}`, transform: `translate(${x} ${y})` });
  if (name) element(group, "title", {}, name);
  if (king) element(group, "circle", { cy: 0.09, r: 0.38, class: "edge" });
  const top = element(group, "g", king ? { transform: "translate(0 -.05)" } : {});
  element(top, "circle", { r: 0.38, class: "edge" });
  element(top, "circle", { r: king ? 0.32 : 0.25, class: "groove" });
  if (king) element(top, "path", { d: CROWN, class: "crown" });
  return group;
}

function ground(svg, board, at) {
  const margin = onSquares(board) ? 0.12 : board.kind === "hexagon" ? 0.25 : 0.85;
  const [width, height] = board.turn % 2 ? [board.height, board.width] : [board.width, board.height];
  const box = { x: -margin, y: -margin, width: width + 2 * margin, height: height + 2 * margin };
  svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
  element(svg, "rect", { ...box, rx: 0.1, class: onSquares(board) ? "rim" : "field" });
  for (const [x, y] of board.idle ?? []) cell(svg, board, at(x, y), "idle");
  for (const [from, to] of board.lines ?? []) {
    const [x1, y1] = at(board.points[from].x, board.points[from].y);
    const [x2, y2] = at(board.points[to].x, board.points[to].y);
    element(svg, "line", { x1, y1, x2, y2, class: "line" });
  }
  for (const point of board.points) {
    if (onSquares(board) || board.kind === "hexagon") cell(svg, board, at(point.x, point.y), board.kind === "chequered" ? "played" : "open");
    else element(svg, "circle", { cx: at(point.x, point.y)[0], cy: at(point.x, point.y)[1], r: 0.08, class: "dot" });
  }
}

const LABEL = { usual: 0.23, largest: 0.42, leastPixels: 10.5 };

// Names stay readable where a board of many squares is drawn small, as on a telephone.
function labelSize(svg) {
  const { width, height } = svg.viewBox.baseVal;
  const unit = Math.min(svg.clientWidth / width, svg.clientHeight / height);
  return unit > 0 ? Math.min(LABEL.largest, Math.max(LABEL.usual, LABEL.leastPixels / unit)) : LABEL.usual;
}

function labels(svg, board, placed) {
  const size = labelSize(svg);
  for (const { at: [x, y], label, kind } of placed) {
    const above = board.kind !== "hexagon" ? -0.4 : kind === "." ? 0.36 * size : -0.3;
    const place = onSquares(board) ? { x: x - 0.47, y: y - 0.5 + 0.91 * size } : { x, y: y + above, "text-anchor": "middle" };
    if (label) element(svg, "text", { ...place, class: "label", "font-size": size }, label);
  }
}

function sign(svg, [x, y], text, className = "") {
  const group = element(svg, "g", { class: `sign ${className}` });
  element(group, "circle", { cx: x + 0.33, cy: y - 0.33, r: 0.17 });
  element(group, "text", { x: x + 0.33, y: y - 0.22 }, text);
}

function way(svg, stops) {
  if (stops.length < 2) return;
  element(svg, "polyline", { points: stops.map((p) => p.join(",")).join(" "), class: "way" });
}

const MOST_ARROWS = 4;
const HEAD = 0.34;

// A move as an arrow: a ring about its disc, an arrow along its way, a cross on each disc that it takes. Shapes and a
// light edge tell it from the rest without its colour: what was due or is advised is ringed, what was played is not.
function arrow(svg, stops, taken, className) {
  if (stops.length < 2) return;
  const group = element(svg, "g", { class: `arrow ${className}` });
  const [[x0, y0], [x, y]] = stops.slice(-2);
  const length = Math.hypot(x - x0, y - y0);
  if (!length) return;
  const [ux, uy] = [(x - x0) / length, (y - y0) / length];
  const neck = [x - HEAD * ux, y - HEAD * uy];
  const line = [...stops.slice(0, -1), neck].map((p) => p.join(",")).join(" ");
  const head = [[x, y], [neck[0] - 0.24 * uy, neck[1] + 0.24 * ux], [neck[0] + 0.24 * uy, neck[1] - 0.24 * ux]].map((p) => p.join(",")).join(" ");
  const crosses = taken.map(([cx, cy]) => `M${cx - 0.2} ${cy - 0.2}l.4 .4m0 -.4l-.4 .4`).join("");
  for (const layer of ["edge", "ink"]) {
    const part = element(group, "g", { class: layer });
    if (className !== "played") element(part, "circle", { cx: stops[0][0], cy: stops[0][1], r: 0.42 });
    element(part, "polyline", { points: line });
    element(part, "polygon", { points: head });
    element(part, "path", { d: crosses });
  }
}

// The board that is shown while a fault stands: what the camera sees, and what the record has where it differs.
function seenPieces(snapshot) {
  const { irregularity, restore, pieces, result } = snapshot;
  const seen = !result && !restore?.length && !isAdvice(irregularity) ? irregularity?.seen : undefined;
  return seen?.length === pieces.length ? seen : pieces;
}

function prepared(snapshot, turn) {
  const board = { ...snapshot.board, turn: turn % 4, upright: snapshot.board.kind === "hexagon" && standsOnCorner(snapshot.board) };
  const at = placing(board, board.turn);
  const placed = board.points.map((point, i) => ({ ...point, kind: snapshot.pieces[i], at: at(point.x, point.y) }));
  return { board, at, placed };
}

const counted = (placed, names) => {
  const count = (kind) => placed.filter((p) => p.kind === kind).length;
  return `${names.W} ${count("w")} men and ${count("W")} kings, ${names.B} ${count("b")} men and ${count("B")} kings`;
};

// `turn` is in quarter turns. Squares to mend carry + (put a disc here), x (take it off) or ! (another disc).
export function drawBoard(svg, snapshot, turn) {
  const { board, at, placed } = prepared(snapshot, turn);
  const byName = new Map(placed.map((p) => [String(p.name), p]));
  const named = (names) => (names ?? []).map((name) => byName.get(String(name))).filter(Boolean);
  const places = (names) => named(names).map((p) => p.at);
  const fault = snapshot.result ? null : snapshot.irregularity;
  const wrong = named(fault?.squares);
  const mends = (snapshot.restore ?? []).map((mend) => ({ ...byName.get(String(mend.square)), ...mend })).filter((m) => m.at);
  const calm = isAdvice(fault);
  const last = named(snapshot.last_move);
  const seen = seenPieces(snapshot);
  const disc = (p, kind, className) => piece(svg, p.at, kind, `${p.name}: ${discNames(snapshot)[kind]}`, className, shade(snapshot, kind.toUpperCase()));
  svg.replaceChildren();
  ground(svg, board, at);
  for (const p of last) cell(svg, board, p.at, "last");
  for (const p of wrong) cell(svg, board, p.at, calm ? "advice" : "fault", 0.05);
  for (const p of mends) cell(svg, board, p.at, "wrong", 0.05);
  if (!fault || calm) way(svg, last.map((p) => p.at));
  placed.forEach((p, i) => {
    const mend = mends.find((m) => m.name === p.name);
    const kind = mend ? (mend.want === "." ? mend.seen : mend.want) : seen[i];
    if (kind !== ".") disc(p, kind, mend ? "ghost" : "");
    else if (p.kind !== "." && !mend) disc(p, p.kind, wrong.includes(p) ? "ghost gone" : "ghost left");
  });
  labels(svg, board, placed);
  // What was played may be right in itself, and only a disc beside it wrong.
  const played = calm ? [] : named(fault?.played);
  if (wrong.includes(played.at(-1))) arrow(svg, played.map((p) => p.at), [], "played");
  else way(svg, played.map((p) => p.at));
  for (const { path, over } of (fault?.ways ?? []).slice(0, MOST_ARROWS)) arrow(svg, places(path), places(over), "due-way");
  if (isFresh(snapshot) && snapshot.hint.way) arrow(svg, places(snapshot.hint.way.path), places(snapshot.hint.way.over), "hint-way");
  for (const p of named(snapshot.unsure)) cell(svg, board, p.at, "unsure", 0.06);
  for (const p of named(snapshot.unsure)) sign(svg, p.at, "?", "ask");
  for (const p of wrong) sign(svg, p.at, "!", calm ? "ask" : "");
  for (const m of mends) sign(svg, m.at, m.want === "." ? "×" : m.seen === "." ? "+" : "!", "ask");
  svg.setAttribute("aria-label", `Board: ${counted(placed, sides(snapshot))}`);
}

// A board whose squares can be tapped, or reached with Tab and pressed with Enter or the space bar.
export function drawEditor(svg, snapshot, turn, onSquare) {
  const { board, at, placed } = prepared(snapshot, turn);
  const focused = document.activeElement?.dataset?.point;
  svg.replaceChildren();
  ground(svg, board, at);
  for (const p of placed) if (p.kind !== ".") piece(svg, p.at, p.kind, p.name, "", shade(snapshot, p.kind.toUpperCase()));
  labels(svg, board, placed);
  placed.forEach((p, i) => {
    const spot = cell(svg, board, p.at, "spot");
    spot.setAttribute("tabindex", "0");
    spot.setAttribute("role", "button");
    spot.setAttribute("aria-label", `${p.name}: ${discNames(snapshot)[p.kind]}`);
    spot.dataset.point = i;
    spot.addEventListener("click", () => onSquare(i));
    spot.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      onSquare(i);
    });
    if (String(i) === focused) spot.focus();
  });
}
