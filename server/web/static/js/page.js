// Shows a snapshot in words: turn, irregularity, question, moves, counters, camera.
const byId = (id) => document.getElementById(id);
const SIDES = { W: "White", B: "Black" };

function show(id, visible, text) {
  byId(id).hidden = !visible;
  if (text !== undefined) byId(id).textContent = text;
}

function made(tag, text, className) {
  const node = document.createElement(tag);
  node.textContent = text;
  if (className) node.className = className;
  return node;
}

function showTurn(s) {
  byId("turn-disc").className = `disc ${s.result ? "" : s.to_move}`;
  byId("turn-text").textContent = s.result ? `The game is over: ${s.result}` : `${SIDES[s.to_move]} to move`;
  show("message", Boolean(s.message) && s.message !== s.irregularity?.message, s.message);
}

function showIrregularity(s) {
  const standing = s.irregularity;
  show("irregularity", Boolean(standing));
  if (!standing) return;
  byId("irregularity-text").textContent = standing.message;
  const due = byId("irregularity-due");
  due.replaceChildren();
  if (standing.due?.length) due.append("Due: ", ...standing.due.flatMap((move, i) => [i ? ", " : "", made("b", move)]));
  show("huff", s.settings?.house === "huff");
}

function showQuestion(s) {
  const moves = s.candidates ?? [];
  show("question", moves.length > 0);
  byId("candidates").replaceChildren(...moves.map((move) => {
    const button = made("button", move, "main");
    button.dataset.do = "choose";
    button.dataset.candidate = move;
    return button;
  }));
}

function showOffer(s) {
  show("offer", Boolean(s.draw_offer) && !s.result);
  byId("offer-text").textContent = `${SIDES[s.draw_offer] ?? "A player"} offers a draw.`;
}

export function movePairs(moves, startPly = 0) {
  const halves = startPly % 2 ? ["…", ...moves] : [...moves];
  const pairs = [];
  for (let i = 0; i < halves.length; i += 2) pairs.push([(i + startPly - (startPly % 2)) / 2 + 1, halves[i], halves[i + 1] ?? ""]);
  return pairs;
}

function showMoves(s) {
  const list = byId("moves");
  list.replaceChildren(...movePairs(s.moves, s.start_ply).map(([number, first, second]) => {
    const row = document.createElement("li");
    row.append(made("span", `${number}.`), made("span", first), made("span", second));
    return row;
  }));
  if (!s.moves.length) list.append(made("li", "No move yet."));
  const newest = [...list.querySelectorAll("span")].filter((span) => span.textContent).pop();
  if (newest && s.moves.length) newest.classList.add("newest");
  list.scrollTop = list.scrollHeight;
}

function showCounters(s) {
  const counters = Array.isArray(s.counters) ? s.counters : Object.entries(s.counters ?? {}).map(([label, count]) => ({ label, count }));
  byId("counters").replaceChildren(...counters.map((c) => made("li", `${c.label}: ${c.count}${c.limit ? ` of ${c.limit}` : ""}`)));
}

function showCamera(s) {
  const camera = typeof s.camera === "string" ? { state: s.camera } : s.camera ?? {};
  const rate = camera.fps ? `, ${Math.round(camera.fps)} pictures a second` : "";
  const words = { ok: `Camera good${rate}`, simulated: "Simulated board", lost: camera.message || "Camera lost: check its cable" };
  byId("camera").textContent = words[camera.state] ?? "";
  byId("camera").className = `camera ${camera.state ?? ""}`;
}

function showHint(s) {
  show("hint", s.mode === "training" && !s.result);
  const fresh = s.hint && s.hint.ply === s.ply && s.mode === "training";
  show("hint-text", Boolean(fresh), fresh ? `Hint: ${s.hint.move} (then ${s.hint.line.slice(1, 5).join(" ") || "nothing seen"})` : "");
}

function fillPicker(id, options, chosen) {
  const picker = byId(id);
  if (picker.childElementCount === options.length) return;
  picker.replaceChildren(...options.map(([value, title]) => {
    const option = made("option", title);
    option.value = value;
    return option;
  }));
  picker.value = chosen;
}

const MODES = { referee: "referee (say what is wrong)", training: "teach (also say before, give hints)", record: "only write the game down" };

export function showSnapshot(s) {
  const titles = s.settings?.variants ?? [];
  const title = s.variant_title ?? titles.find(([name]) => name === s.variant)?.[1] ?? s.variant;
  byId("variant").textContent = `${title}, ${s.mode}`;
  document.title = s.irregularity ? "! Kibitz" : "Kibitz";
  for (const part of [showTurn, showIrregularity, showQuestion, showOffer, showMoves, showCounters, showCamera, showHint]) part(s);
  fillPicker("new-variant", titles, s.variant);
  fillPicker("new-mode", (s.settings?.modes ?? []).map((mode) => [mode, MODES[mode] ?? mode]), s.mode);
}
