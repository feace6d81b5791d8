// The camera picture and how sure Kibitz is; the corners marked by hand are corners.js.
import { begin, draw, dragging, end, marked, marking, turnRound } from "./corners.js";
import { byId, fetched, problemIn } from "./dom.js";

let timer;

function next(milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(restart, milliseconds);
}

function restart() {
  clearTimeout(timer);
  if (!byId("picture-box").open || document.hidden) return;
  const overlay = byId("overlay").checked && !marking() ? 1 : 0;
  byId("picture").src = `/api/picture.jpg?overlay=${overlay}&t=${Date.now()}`;
}

export function showSight(snapshot) {
  const unsure = snapshot.unsure ?? [];
  const sure = snapshot.confidence === null ? "Kibitz has not read the board yet." : `Kibitz is ${Math.round(100 * snapshot.confidence)} % sure of what it sees.`;
  byId("sight").textContent = unsure.length ? `${sure} It cannot tell ${unsure.join(", ")}.` : sure;
}

async function mark(snapshot) {
  problemIn(byId("picture-box"));
  const answer = await fetched("/api/seen");
  const picture = byId("picture");
  if (!picture.naturalWidth) await new Promise((resolve) => { picture.addEventListener("load", resolve, { once: true }); setTimeout(resolve, 3000); });
  begin(snapshot, answer.body?.corners);
  showMarking();
}

function leave() {
  end();
  showMarking();
}

function showMarking() {
  byId("corner-help").hidden = byId("use-corners").hidden = !marking();
  byId("mark-corners").textContent = marking() ? "Leave the corners as they were" : "Mark the corners by hand";
  restart();
}

export function openCamera() {
  problemIn(byId("picture-box"));
  leave();
}

// Where there is room the newest picture stands small beside the board.
function thumbnail() {
  const image = byId("thumb");
  const seen = image.parentElement.offsetParent !== null && !document.hidden && !document.querySelector("dialog[open]");
  if (seen) image.src = `/api/picture.jpg?overlay=1&t=${Date.now()}`;
}

export function watching(current, send) {
  byId("thumb").addEventListener("load", () => { byId("thumb").hidden = false; });
  byId("thumb").addEventListener("error", () => { byId("thumb").hidden = true; });
  setInterval(thumbnail, 2000);
  thumbnail();
  const picture = byId("picture");
  picture.addEventListener("load", () => { picture.hidden = false; byId("no-picture").hidden = true; draw(); next(1000); });
  picture.addEventListener("error", () => { picture.hidden = true; byId("no-picture").hidden = false; next(3000); });
  byId("picture-box").addEventListener("close", end);
  byId("overlay").addEventListener("change", restart);
  document.addEventListener("visibilitychange", restart);
  byId("mark-corners").addEventListener("click", () => (marking() ? leave() : mark(current())));
  byId("turn-corners").addEventListener("click", turnRound);
  byId("use-corners").addEventListener("click", async () => {
    if (await send({ do: "calibrate", corners: marked() }, byId("picture-box"), false)) leave();
  });
  dragging();
}
