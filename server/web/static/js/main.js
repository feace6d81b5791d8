// The live page: snapshots in, commands out.
import { showGames } from "./archive.js";
import { drawBoard, standsUp } from "./board.js";
import { openCamera, showSight, watching } from "./camera.js";
import { clockPresses, showClock } from "./clock.js";
import { sendCommand } from "./commands.js";
import { correcting, openCorrecting } from "./correcting.js";
import { byId, fill, problemIn, sides, sure } from "./dom.js";
import { editing, openEditor } from "./editor.js";
import { seekHint, showSnapshot } from "./page.js";
import { followSnapshots } from "./stream.js";

const LONGEST_WAIT_MS = 8000;
const MODES = { referee: "say what is wrong (referee)", training: "teach: also say before, give hints", record: "only write the game down" };
const HOUSES = [["correct", "it is put right"], ["huff", "the disc is huffed (taken off)"]];
// What is decided upon the state of the game that its sender sees; nothing else minds that the game went on.
const DECIDING = ["take_back", "replace_move", "accept", "dismiss", "huff", "choose", "refuse_draw", "accept_draw"];
let newest = null;
let awaited = null; // Number of the snapshot that shows the last command; buttons rest until it comes.
let sending = false;
let connected = false;
// Quarter turns that somebody here asked for, beyond those by which the board stands as in the camera picture.
let turned = Number(localStorage.getItem("turned")) || 0;
const turn = () => turned + (newest?.facing ?? 0) + (standsUp(newest.board, innerWidth, innerHeight) ? 1 : 0);

function setButtons() {
  const resting = sending || awaited !== null || !connected || !newest;
  for (const button of document.querySelectorAll("button:not(.ready)")) button.disabled = resting;
}

function redraw() {
  if (newest?.board) drawBoard(byId("board"), newest, turn());
}

addEventListener("resize", redraw);

function problem(text) {
  byId("problem").hidden = !text;
  byId("problem").textContent = text ?? "";
}

// Sends an order; what is refused is said in the dialog it came from. A dialog closes once its order is taken.
async function send(order, dialog, close = true) {
  problem(null);
  if (dialog) problemIn(dialog);
  sending = true;
  setButtons();
  const guarded = DECIDING.includes(order.do) ? { ...order, expected_number: newest.number } : order;
  const answer = await sendCommand(guarded);
  sending = false;
  const taken = answer.status === 202;
  if (!taken && dialog?.open) problemIn(dialog, answer.error);
  else if (!taken) problem(answer.error);
  if (taken && order.do === "hint") seekHint(newest);
  if (taken && newest.number < answer.number) awaitSnapshot(answer.number);
  if (taken && dialog?.open && close) dialog.close();
  setButtons();
  return taken;
}

function awaitSnapshot(number) {
  awaited = number;
  setTimeout(() => {
    if (awaited === number) awaited = null;
    setButtons();
  }, LONGEST_WAIT_MS);
}

function fillPickers(s) {
  const modes = (s.settings?.modes ?? []).map((mode) => [mode, MODES[mode] ?? mode]);
  const { W, B, draw } = s.results ?? { W: "2-0", B: "0-2", draw: "1-1" };
  fill("new-variant", s.settings?.variants ?? [], undefined);
  for (const id of ["new-mode", "set-mode"]) fill(id, modes, undefined);
  for (const id of ["new-house", "set-house"]) fill(id, HOUSES, undefined);
  const names = sides(s);
  fill("result-value", [[W, `${W}: ${names.W} wins`], [draw, `${draw}: draw`], [B, `${B}: ${names.B} wins`], ["*", "*: the game goes on"]], undefined);
  for (const button of document.querySelectorAll("[data-says]")) {
    button.textContent = button.dataset.says.replace("%", names[button.dataset.side]);
    if (button.dataset.do === "resign") button.dataset.sure = `${button.textContent}?`;
  }
  byId("draw-agreed").dataset.result = draw;
}

const titles = () => new Map(newest.settings?.variants ?? []);
const OPENING = {
  correct: () => openCorrecting(newest),
  editor: () => openEditor(newest, turn(), { title: "Set up a position", use: (fen) => send({ do: "set_position", fen }, byId("editor")) }),
  "players-form": () => {
    for (const input of byId("tags").querySelectorAll("input")) input.value = newest.tags?.[input.name] ?? "";
  },
  "new-game": () => {
    byId("new-variant").value = newest.variant;
    byId("new-mode").value = newest.mode;
    byId("new-house").value = newest.settings.house;
    byId("new-start").value = "start";
    byId("new-first").value = "";
    byId("new-ballot").value = "";
    showBallot();
  },
  settings: () => {
    byId("set-mode").value = newest.mode;
    byId("set-house").value = newest.settings.house;
    byId("set-touch").checked = Boolean(newest.settings.touch);
    byId("set-always-hint").checked = Boolean(newest.settings.always_hint);
    byId("set-size").value = localStorage.getItem("size") ?? "";
  },
  "picture-box": openCamera,
  games: () => showGames(titles(), newest.game),
};

function open(id) {
  if (!newest) return;
  const dialog = byId(id);
  if (dialog.querySelector(".problem")) problemIn(dialog);
  dialog.showModal();
  OPENING[id]?.();
}

// A ballot is drawn in English draughts; the second game of a pair begins with the same card, sides swapped.
function showBallot() {
  const english = byId("new-variant").value === "english";
  byId("new-ballot-box").hidden = !english;
  const again = newest.variant === "english" && newest.tags?.Ballot;
  const second = again ? [["same", `the second game of the pair: ${newest.tags.Ballot}, sides swapped`]] : [];
  fill("new-ballot", [["", "free"], ["draw", "a three-move ballot is drawn"], ...second], undefined);
}

function swapNames() {
  if (byId("new-ballot").value !== "same") return;
  byId("new-White").value = newest.tags?.Black ?? "";
  byId("new-Black").value = newest.tags?.White ?? "";
}

async function beginGame(event) {
  event.preventDefault();
  const order = { do: "new_game", variant: byId("new-variant").value, mode: byId("new-mode").value, house: byId("new-house").value };
  if (byId("new-first").value) order.first = byId("new-first").value;
  const ballot = byId("new-ballot").value;
  if (ballot && order.variant === "english") order.ballot = ballot === "same" ? newest.tags.Ballot : ballot;
  const tags = Object.fromEntries(["White", "Black"].map((name) => [name, byId(`new-${name}`).value.trim()]).filter(([, v]) => v));
  if (Object.keys(tags).length) order.tags = tags;
  const dialog = byId("new-game");
  const start = byId("new-start").value;
  if (start === "start") return send(order, dialog);
  // Another game has another board: it is begun first, then its position is put up.
  if (order.variant !== newest.variant && !(await send(order, dialog, false))) return;
  await arrived();
  dialog.close();
  open("editor");
  openEditor(newest, turn(), { title: "Where the game begins", light: lightOf(order.first), camera: start === "camera", use: (fen) => send({ ...order, start: fen }, byId("editor")) });
}

// The side of the record that the light discs play in a game begun by `first` (light or dark discs; none: as usual).
const lightOf = (first) => (!first || (first === "light") === (newest.begins === "W") ? "W" : "B");

function arrived() {
  return new Promise((resolve) => {
    const look = () => (awaited === null ? resolve() : setTimeout(look, 50));
    look();
  });
}

function useSettings(event) {
  event.preventDefault();
  setSize(byId("set-size").value);
  const flags = { touch: byId("set-touch").checked, always_hint: byId("set-always-hint").checked };
  send({ do: "settings", mode: byId("set-mode").value, house: byId("set-house").value, ...flags }, byId("settings"));
}

function setSize(size) {
  localStorage.setItem("size", size);
  document.documentElement.className = size;
}

function editTags(event) {
  event.preventDefault();
  const tags = Object.fromEntries([...byId("tags").querySelectorAll("input")].map((input) => [input.name, input.value.trim()]));
  send({ do: "tags", tags }, byId("players-form"));
}

function enterResult(event) {
  event.preventDefault();
  const reason = byId("result-reason").value.trim();
  send({ do: "result", result: byId("result-value").value, ...(reason ? { reason } : {}) }, byId("ending"));
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.open) return open(button.dataset.open);
  if (button?.dataset.close !== undefined) return button.closest("dialog").close();
  if (!button?.dataset.do) return;
  event.preventDefault();
  const { sure: question, shown, says, ...order } = button.dataset;
  if (question && !(await sure(question))) return;
  const dialog = button.closest("dialog");
  send(order, dialog, order.do !== "calibrate");
});
byId("new-game-form").addEventListener("submit", beginGame);
byId("new-variant").addEventListener("change", showBallot);
byId("new-ballot").addEventListener("change", swapNames);
byId("settings-form").addEventListener("submit", useSettings);
byId("tags").addEventListener("submit", editTags);
byId("result-form").addEventListener("submit", enterResult);
byId("turn-board").addEventListener("click", () => {
  turned = (turned + 1) % 4;
  localStorage.setItem("turned", turned);
  redraw();
});
byId("pause").addEventListener("click", () => send({ do: "simulated", paused: !newest.camera.paused }));
setSize(localStorage.getItem("size") ?? "");
correcting(() => newest, send);
editing(() => newest);
watching(() => newest, send);
clockPresses(send);

followSnapshots((snapshot, fetched) => {
  if (fetched && newest && snapshot.number < newest.number) return;
  newest = snapshot;
  if (awaited !== null && snapshot.number >= awaited) awaited = null;
  showSnapshot(snapshot);
  showClock(snapshot);
  showSight(snapshot);
  fillPickers(snapshot);
  redraw();
  setButtons();
}, (isConnected) => {
  connected = isConnected;
  if (!isConnected) awaited = null;
  byId("offline").hidden = isConnected;
  setButtons();
});
