// Draws a board of any kind from a snapshot, in the engine's coordinates (White at the bottom, y upwards).
const SVG = "http://www.w3.org/2000/svg";
const NAMES = { w: "white man", b: "black man", W: "white king", B: "black king" };
const CROWN = "M-.2 .13L-.25 -.12L-.1 0L0 -.2L.1 0L.25 -.12L.2 .13Z";

function element(parent, tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

const onSquares = (board) => board.kind === "chequered" || board.kind === "full";

function cell(parent, board, [x, y], className, inset = 0) {
  if (onSquares(board)) {
    return element(parent, "rect", { x: x - 0.5 + inset, y: y - 0.5 + inset, width: 1 - 2 * inset, height: 1 - 2 * inset, class: className });
  }
  if (board.kind === "hexagon") return element(parent, "polygon", { points: hexagon(board, x, y, inset), class: className });
  return element(parent, "circle", { cx: x, cy: y, r: 0.46 - inset, class: className });
}

function hexagon(board, x, y, inset) {
  // Neighbours due east mean cells that stand on a corner.
  const [first, ...rest] = board.points;
  const beside = rest.some((p) => Math.abs(p.y - first.y) < 1e-3 && Math.abs(Math.abs(p.x - first.x) - 1) < 1e-3);
  const radius = 1 / Math.sqrt(3) - inset;
  return [0, 1, 2, 3, 4, 5].map((i) => {
    const angle = (Math.PI / 3) * i + (beside ? Math.PI / 6 : 0);
    return `${x + radius * Math.cos(angle)},${y + radius * Math.sin(angle)}`;
  }).join(" ");
}

function piece(parent, [x, y], kind, name) {
  const side = kind.toUpperCase();
  const king = kind === side;
  const group = element(parent, "g", { class: side, transform: `translate(${x} ${y})` });
  element(group, "title", {}, `${name}: ${NAMES[kind] ?? kind}`);
  if (king) element(group, "circle", { cy: 0.09, r: 0.38, class: "edge" });
  const top = element(group, "g", king ? { transform: "translate(0 -.05)" } : {});
  element(top, "circle", { r: 0.38, class: "edge" });
  element(top, "circle", { r: king ? 0.32 : 0.25, class: "groove" });
  if (king) element(top, "path", { d: CROWN, class: "crown" });
}

function ground(svg, board, at) {
  const margin = onSquares(board) ? 0.12 : board.kind === "hexagon" ? 0.25 : 0.7;
  const box = { x: -margin, y: -margin, width: board.width + 2 * margin, height: board.height + 2 * margin };
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

function label(svg, board, [x, y], text) {
  const place = onSquares(board) ? { x: x - 0.47, y: y - 0.29 } : { x: x - 0.12, y: y - 0.36 };
  if (text) element(svg, "text", { ...place, class: "label" }, text);
}

function fault(svg, board, [x, y]) {
  cell(svg, board, [x, y], "fault", 0.05);
}

function faultSign(svg, [x, y]) {
  element(svg, "circle", { cx: x + 0.33, cy: y - 0.33, r: 0.17, class: "fault-mark" });
  element(svg, "text", { x: x + 0.33, y: y - 0.22, class: "fault-sign" }, "!");
}

export function drawBoard(svg, snapshot, flipped) {
  const { board, pieces } = snapshot;
  const at = (x, y) => (flipped ? [board.width - x, y] : [x, board.height - y]);
  const placed = board.points.map((point, i) => ({ ...point, kind: pieces[i], at: at(point.x, point.y) }));
  const named = (names) => placed.filter((p) => names.includes(p.name) || (p.label && names.includes(p.label)));
  const wrong = named((snapshot.irregularity?.squares ?? []).map(String));
  svg.replaceChildren();
  ground(svg, board, at);
  for (const p of named((snapshot.last_move ?? []).map(String))) cell(svg, board, p.at, "last");
  for (const p of wrong) fault(svg, board, p.at);
  for (const p of placed) if (p.kind !== ".") piece(svg, p.at, p.kind, p.name);
  for (const p of placed) label(svg, board, p.at, p.label);
  for (const p of wrong) faultSign(svg, p.at);
  const count = (kind) => placed.filter((p) => p.kind === kind).length;
  svg.setAttribute("aria-label", `Board: White ${count("w")} men and ${count("W")} kings, Black ${count("b")} men and ${count("B")} kings`);
}
