// The camera picture, how sure Kibitz is, and the corners marked by hand.
import { element } from "./board.js";
import { byId, fetched, problemIn } from "./dom.js";

let timer;
let corners = null; // While they are being marked: four [x, y] in pixels of the picture.
let dragged = null;

function next(milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(restart, milliseconds);
}

function restart() {
  clearTimeout(timer);
  if (!byId("picture-box").open || document.hidden) return;
  const overlay = byId("overlay").checked && !corners ? 1 : 0;
  byId("picture").src = `/api/picture.jpg?overlay=${overlay}&t=${Date.now()}`;
}

export function showSight(snapshot) {
  const unsure = snapshot.unsure ?? [];
  const sure = snapshot.confidence === null ? "Kibitz has not read the board yet." : `Kibitz is ${Math.round(100 * snapshot.confidence)} % sure of what it sees.`;
  byId("sight").textContent = unsure.length ? `${sure} It cannot tell ${unsure.join(", ")}.` : sure;
}

function drawCorners() {
  const svg = byId("corners");
  svg.toggleAttribute("hidden", !corners);
  if (!corners) return;
  const picture = byId("picture");
  const [width, height] = [picture.naturalWidth || 640, picture.naturalHeight || 480];
  // A ring is never smaller than a fingertip, however small the picture.
  const radius = Math.max(width / 45, (22 * width) / (picture.clientWidth || width));
  const focused = document.activeElement?.dataset?.corner;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren();
  element(svg, "polygon", { points: corners.map((c) => c.join(",")).join(" ") });
  corners.forEach(([x, y], i) => {
    const ring = element(svg, "circle", { cx: x, cy: y, r: radius, tabindex: 0, role: "slider", "aria-label": `Corner ${i + 1}`, "aria-valuetext": `${Math.round(x)}, ${Math.round(y)}`, "aria-valuenow": Math.round(x) });
    ring.dataset.corner = i;
    element(svg, "text", { x, y, "font-size": radius }, String(i + 1));
    if (String(i) === focused) ring.focus();
  });
}

function place(event) {
  const svg = byId("corners");
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const { width, height } = svg.viewBox.baseVal;
  return [Math.min(width, Math.max(0, at.x)), Math.min(height, Math.max(0, at.y))];
}

async function mark() {
  problemIn(byId("picture-box"));
  const answer = await fetched("/api/seen");
  const picture = byId("picture");
  if (!picture.naturalWidth) await new Promise((resolve) => { picture.addEventListener("load", resolve, { once: true }); setTimeout(resolve, 3000); });
  const { naturalWidth: width, naturalHeight: height } = picture;
  const wide = [[0.25, 0.2], [0.75, 0.2], [0.75, 0.8], [0.25, 0.8]].map(([x, y]) => [x * (width || 640), y * (height || 480)]);
  corners = clockwise(answer.body?.corners ?? wide);
  marking(true);
}

// Clockwise in the picture, beginning with the one nearest its top left.
export function clockwise(four) {
  const [cx, cy] = [0, 1].map((k) => four.reduce((sum, c) => sum + c[k], 0) / 4);
  const round = [...four].sort((a, b) => Math.atan2(a[1] - cy, a[0] - cx) - Math.atan2(b[1] - cy, b[0] - cx));
  const first = round.reduce((best, c, i) => (c[0] + c[1] < round[best][0] + round[best][1] ? i : best), 0);
  return [...round.slice(first), ...round.slice(0, first)];
}

function marking(on) {
  if (!on) corners = null;
  byId("corner-help").hidden = byId("use-corners").hidden = !on;
  byId("mark-corners").textContent = on ? "Leave the corners as they were" : "Mark the corners by hand";
  drawCorners();
  restart();
}

export function openCamera() {
  problemIn(byId("picture-box"));
  marking(false);
}

// Where there is room the newest picture stands small beside the board.
function thumbnail() {
  const image = byId("thumb");
  const seen = image.parentElement.offsetParent !== null && !document.hidden && !document.querySelector("dialog[open]");
  if (seen) image.src = `/api/picture.jpg?overlay=1&t=${Date.now()}`;
}

export function watching(send) {
  byId("thumb").addEventListener("load", () => { byId("thumb").hidden = false; });
  byId("thumb").addEventListener("error", () => { byId("thumb").hidden = true; });
  setInterval(thumbnail, 2000);
  thumbnail();
  const [picture, svg] = [byId("picture"), byId("corners")];
  picture.addEventListener("load", () => { picture.hidden = false; byId("no-picture").hidden = true; drawCorners(); next(1000); });
  picture.addEventListener("error", () => { picture.hidden = true; byId("no-picture").hidden = false; next(3000); });
  byId("picture-box").addEventListener("close", () => { corners = null; });
  byId("overlay").addEventListener("change", restart);
  document.addEventListener("visibilitychange", restart);
  byId("mark-corners").addEventListener("click", () => (corners ? marking(false) : mark()));
  byId("use-corners").addEventListener("click", async () => {
    const order = { do: "calibrate", corners: clockwise(corners).map(([x, y]) => [Math.round(x * 10) / 10, Math.round(y * 10) / 10]) };
    if (await send(order, byId("picture-box"), false)) marking(false);
  });
  svg.addEventListener("pointerdown", (event) => {
    dragged = event.target.dataset?.corner ?? null;
    if (dragged !== null) { svg.setPointerCapture(event.pointerId); event.preventDefault(); }
  });
  svg.addEventListener("pointermove", (event) => { if (dragged !== null) { corners[dragged] = place(event); drawCorners(); } });
  svg.addEventListener("pointerup", () => { dragged = null; });
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const i = event.target.dataset?.corner;
    if (!step || i === undefined) return;
    event.preventDefault();
    corners[i] = corners[i].map((v, k) => v + step[k] * (event.shiftKey ? 10 : 2));
    drawCorners();
  });
}
