// The board editor: choose a disc, tap squares.
import { discNames, drawEditor, element, piece, shade } from "./board.js";
import { byId, fetched, made, problemIn, sides } from "./dom.js";

const KINDS = ["w", "W", "b", "B", "."];
const OTHER = { w: "b", W: "B", b: "w", B: "W", ".": "." };
let kind = "w";
let edited = null;
let turn = 0;
let done = null; // What becomes of the position: put up, or a new game begun from it.

function redraw() {
  drawEditor(byId("editor-board"), edited, turn, (i) => {
    edited.pieces[i] = edited.pieces[i] === kind ? "." : kind;
    redraw();
  });
}

// Some games have no kings: none can be put up, and a disc that looks like one is a disc.
const kinds = () => KINDS.filter((each) => edited.board.kings !== false || each === each.toLowerCase());
const uncrowned = (pieces) => (edited.board.kings === false ? pieces.map((each) => each.toLowerCase()) : pieces);

function palette() {
  byId("palette").replaceChildren(...kinds().map((each) => {
    const button = made("button", undefined, "ready");
    button.type = "button";
    button.setAttribute("role", "radio");
    button.setAttribute("aria-checked", each === kind);
    if (each !== ".") {
      const svg = element(button, "svg", { viewBox: "-.45 -.45 .9 .95", "aria-hidden": "true" });
      piece(svg, [0, 0], each, "", "", shade(edited, each.toUpperCase()));
    }
    button.append(made("span", discNames(edited)[each], "word"));
    button.setAttribute("aria-label", discNames(edited)[each]);
    button.addEventListener("click", () => { kind = each; palette(); byId("palette").children[kinds().indexOf(each)].focus(); });
    return button;
  }));
}

export function fenOf({ board, pieces }, toMove) {
  const list = (man, king) => board.points.map((p, i) => (pieces[i] === king ? `K${p.name}` : pieces[i] === man ? p.name : "")).filter(Boolean).join(",");
  return `${toMove}:W${list("w", "W")}:B${list("b", "B")}`;
}

// Pieces of the game being played; where the light discs will play the other side, seen from the other side of the table.
function asLying(pieces) {
  if (edited.light === edited.was) return [...pieces];
  const { width, height, points } = edited.board;
  const key = (x, y) => `${x.toFixed(3)} ${y.toFixed(3)}`;
  const at = new Map(points.map((p, i) => [key(p.x, p.y), pieces[i]]));
  return points.map((p) => OTHER[at.get(key(width - p.x, height - p.y))]);
}

async function fromCamera() {
  const answer = await fetched("/api/seen");
  problemIn(byId("editor"), answer.error);
  if (!answer.body) return false;
  if (!answer.body.pieces) {
    problemIn(byId("editor"), "Something is over the board. Try again in a moment.");
    return false;
  }
  edited.pieces = uncrowned(asLying(answer.body.pieces));
  const unsure = answer.body.unsure;
  byId("editor-unsure").textContent = unsure.length ? `Please look at ${unsure.join(", ")}: the camera is not sure there.` : "The camera is sure of every square.";
  redraw();
  return true;
}

// `use(fen)` sends the position; `camera` fills the board with what the camera sees; `light` is the side of the record
// that the light discs play in the game to come.
export function openEditor(snapshot, turned, { title, light = snapshot.light, camera = false, use }) {
  edited = { board: snapshot.board, light, was: snapshot.light };
  edited.pieces = asLying(snapshot.pieces);
  const names = sides(edited);
  for (const option of byId("editor-turn").options) option.textContent = `${names[option.value]} to move`;
  turn = turned + (light === snapshot.light ? 0 : 2); // the discs lie as they are seen
  done = use;
  byId("editor-title").textContent = title;
  byId("editor-turn").value = light === snapshot.light ? snapshot.to_move : OTHER[snapshot.to_move];
  byId("editor-unsure").textContent = "";
  problemIn(byId("editor"));
  if (!kinds().includes(kind)) kind = "w";
  palette();
  redraw();
  if (camera) fromCamera();
}

export function editing(current) {
  byId("editor-camera").addEventListener("click", fromCamera);
  byId("editor-record").addEventListener("click", () => { edited.pieces = asLying(current().pieces); redraw(); });
  byId("editor-clear").addEventListener("click", () => { edited.pieces = edited.pieces.map(() => "."); redraw(); });
  byId("editor-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const toMove = byId("editor-turn").value;
    const own = toMove === "W" ? ["w", "W"] : ["b", "B"];
    if (!edited.pieces.some((p) => own.includes(p))) return problemIn(byId("editor"), `${sides(edited)[toMove]} has no disc to move with.`);
    done(fenOf(edited, toMove));
  });
}
