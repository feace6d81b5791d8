// The live page: snapshots in, commands out.
import { drawBoard } from "./board.js";
import { sendCommand } from "./commands.js";
import { showSnapshot } from "./page.js";
import { followSnapshots } from "./stream.js";

const byId = (id) => document.getElementById(id);
let newest = null;
let awaited = null; // Number of the snapshot that shows the last command; buttons rest until it comes.
const LONGEST_WAIT_MS = 8000;
let sending = false;
let connected = false;
let flipped = localStorage.getItem("flipped") === "yes";

function setButtons() {
  const resting = sending || awaited !== null || !connected || !newest;
  for (const button of document.querySelectorAll("button:not(.ready)")) button.disabled = resting;
}

function redraw() {
  if (newest?.board) drawBoard(byId("board"), newest, flipped);
  byId("flip").setAttribute("aria-pressed", flipped);
}

function problem(text) {
  byId("problem").hidden = !text;
  byId("problem").textContent = text ?? "";
}

async function command(order) {
  problem(null);
  sending = true;
  setButtons();
  const answer = await sendCommand({ ...order, expected_number: newest.number });
  sending = false;
  if (answer.status !== 202) problem(answer.error);
  else if (newest.number < answer.number) awaitSnapshot(answer.number);
  setButtons();
}

function awaitSnapshot(number) {
  awaited = number;
  setTimeout(() => {
    if (awaited === number) awaited = null;
    setButtons();
  }, LONGEST_WAIT_MS);
}

let pictureTimer;

function restartPicture() {
  clearTimeout(pictureTimer);
  const open = byId("picture-box").open && !document.hidden;
  if (open) byId("picture").src = `/api/picture.jpg?overlay=${byId("overlay").checked ? 1 : 0}&t=${Date.now()}`;
}

function nextPicture(milliseconds) {
  clearTimeout(pictureTimer);
  pictureTimer = setTimeout(restartPicture, milliseconds);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-do]");
  if (!button || (button.dataset.sure && !confirm(button.dataset.sure))) return;
  const { sure, ...order } = button.dataset;
  command(order);
});
byId("new-game").addEventListener("submit", (event) => {
  event.preventDefault();
  command({ do: "new_game", variant: byId("new-variant").value, mode: byId("new-mode").value });
});
byId("flip").addEventListener("click", () => {
  flipped = !flipped;
  localStorage.setItem("flipped", flipped ? "yes" : "no");
  redraw();
});
byId("past").addEventListener("click", async (event) => {
  event.preventDefault();
  const games = await fetch("/api/games").then((answer) => answer.json()).catch(() => []);
  byId("games").replaceChildren(...games.map((game) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = `/games/${game.game}.pdn?form=full`;
    link.textContent = `Game ${game.game}: ${game.variant}, ${game.plies ?? 0} moves, ${game.result ?? "not finished"}`;
    item.append(link);
    return item;
  }));
  if (!games.length) byId("games").textContent = "No games yet.";
  byId("games-dialog").showModal();
});
byId("picture").addEventListener("load", () => { byId("picture").hidden = false; byId("no-picture").hidden = true; nextPicture(1000); });
byId("picture").addEventListener("error", () => { byId("picture").hidden = true; byId("no-picture").hidden = false; nextPicture(3000); });
byId("picture-box").addEventListener("toggle", restartPicture);
byId("overlay").addEventListener("change", restartPicture);
document.addEventListener("visibilitychange", restartPicture);

followSnapshots((snapshot, fetched) => {
  if (fetched && newest && snapshot.number < newest.number) return;
  newest = snapshot;
  if (awaited !== null && snapshot.number >= awaited) awaited = null;
  showSnapshot(snapshot);
  redraw();
  setButtons();
}, (isConnected) => {
  connected = isConnected;
  if (!isConnected) awaited = null;
  byId("offline").hidden = isConnected;
  setButtons();
});
