// The board's corners as they are marked by hand on the camera picture: a ring for each corner that the board has.
import { element } from "./board.js";
import { byId, sides } from "./dom.js";

const SPREAD = 0.8; // Of the picture's height or width, where nothing is known of the board yet.
const FINGER_PX = 22;
const RING_PX = 13;

let corners = null; // While they are being marked: [x, y] in pixels of the picture, in the order of the board's outline.
let board = null;
let whites = "White";
let dragged = null; // The ring in hand, and by how much it was taken off its middle.

export const marking = () => corners !== null;

// Boards of squares tell by themselves which way they lie; others are believed as they are marked.
const liesAsMarked = () => board.kind !== "chequered" && board.kind !== "full";

// `seen` are the corners that Kibitz believes in, or nothing: then the rings lie around the picture's middle.
export function begin(snapshot, seen) {
  [board, whites] = [snapshot.board, sides(snapshot).W];
  const [width, height] = pictureSize();
  const scale = SPREAD * Math.min(width / board.width, height / board.height);
  const middle = board.outline.map(([x, y]) => [width / 2 + scale * (x - board.width / 2), height / 2 - scale * (y - board.height / 2)]);
  corners = (seen ?? middle).map((c) => [...c]);
  if (!liesAsMarked()) corners = clockwise(corners);
  draw();
}

export function end() {
  corners = null;
  draw();
}

// What the order to calibrate takes, in tenths of a pixel.
export function marked() {
  const given = liesAsMarked() ? corners : clockwise(corners);
  return given.map((c) => c.map((v) => Math.round(v * 10) / 10));
}

export function turnRound() {
  const step = board.width > 1.5 * board.height ? 2 : 1;
  corners = [...corners.slice(step), ...corners.slice(0, step)];
  draw();
}

// Clockwise in the picture, beginning with the one nearest its top left.
export function clockwise(given) {
  const [cx, cy] = middleOf(given);
  const round = [...given].sort((a, b) => Math.atan2(a[1] - cy, a[0] - cx) - Math.atan2(b[1] - cy, b[0] - cx));
  const first = round.reduce((best, c, i) => (c[0] + c[1] < round[best][0] + round[best][1] ? i : best), 0);
  return [...round.slice(first), ...round.slice(0, first)];
}

const middleOf = (given) => [0, 1].map((k) => given.reduce((sum, c) => sum + c[k], 0) / given.length);

function pictureSize() {
  const picture = byId("picture");
  return [picture.naturalWidth || 640, picture.naturalHeight || 480];
}

export function draw() {
  const svg = byId("corners");
  svg.toggleAttribute("hidden", !corners);
  byId("turn-corners").hidden = !corners || !liesAsMarked();
  if (!corners) return;
  byId("turn-corners").textContent = `${whites} sits at the next side`;
  const [width, height] = pictureSize();
  // However small the picture, a ring can be seen, and the place to take it by is as large as a fingertip.
  const pixel = width / (byId("picture").clientWidth || width);
  const [radius, reach] = [RING_PX, FINGER_PX].map((px) => Math.max(width / 45, px * pixel));
  const focused = document.activeElement?.dataset?.corner;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("aria-label", `The ${corners.length} corners of the board`);
  svg.replaceChildren();
  element(svg, "polygon", { points: corners.map((c) => c.join(",")).join(" ") });
  if (liesAsMarked()) whitesSide(svg, radius);
  corners.forEach(([x, y], i) => {
    element(svg, "circle", { cx: x, cy: y, r: radius, class: "ring" });
    const ring = element(svg, "circle", { cx: x, cy: y, r: reach, tabindex: 0, role: "slider", "aria-label": `Corner ${i + 1} of ${corners.length}`, "aria-valuetext": `${Math.round(x)}, ${Math.round(y)}`, "aria-valuenow": Math.round(x) });
    ring.dataset.corner = i;
    element(svg, "text", { x, y, "font-size": radius }, String(i + 1));
    if (String(i) === focused) ring.focus();
  });
}

// Says on the picture at which side White sits: the board is read as it is marked.
function whitesSide(svg, size) {
  const low = Math.min(...board.outline.map(([, y]) => y));
  const near = middleOf(corners.filter((_, i) => board.outline[i][1] - low < 1e-3));
  const [x, y] = middleOf([near, near, near, middleOf(corners)]);
  element(svg, "text", { x, y, "font-size": 1.1 * size, class: "side-name" }, `${whites}'s side`);
}

function inPicture([x, y]) {
  const [width, height] = pictureSize();
  return [Math.min(width, Math.max(0, x)), Math.min(height, Math.max(0, y))];
}

function pointer(event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(byId("corners").getScreenCTM().inverse());
  return [at.x, at.y];
}

export function dragging() {
  const svg = byId("corners");
  svg.addEventListener("pointerdown", (event) => {
    const corner = event.target.dataset?.corner;
    if (corner === undefined) return;
    const [x, y] = pointer(event);
    dragged = { corner, off: [corners[corner][0] - x, corners[corner][1] - y] };
    svg.setPointerCapture(event.pointerId);
    event.preventDefault();
    event.target.focus();
  });
  svg.addEventListener("pointermove", (event) => {
    if (dragged === null || !corners) return;
    const [x, y] = pointer(event);
    corners[dragged.corner] = inPicture([x + dragged.off[0], y + dragged.off[1]]);
    draw();
  });
  for (const kind of ["pointerup", "pointercancel"]) svg.addEventListener(kind, () => { dragged = null; });
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const i = event.target.dataset?.corner;
    if (!step || i === undefined) return;
    event.preventDefault();
    corners[i] = inPicture(corners[i].map((v, k) => v + step[k] * (event.shiftKey ? 10 : 2)));
    draw();
  });
}
