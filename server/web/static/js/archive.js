// Past games: the list, and one game with its moves, rulings and pictures.
import { byId, fetched, made } from "./dom.js";

const day = (seconds) => (seconds > 1577836800 ? new Date(seconds * 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }) : "date unknown");
const HOW = { corrected: "put right", accepted: "let stand", dismissed: "ruled to be no fault", huffed: "the disc was huffed" };
// As in the list of moves beside the board: both sides' moves have one number.
const numbered = (ply) => `${Math.ceil(ply / 2)}${ply % 2 ? "." : "…"}`;
const SPOKEN = {
  ready: () => "The board was set up.",
  move: (e) => `${e.move}${e.promoted ? ", crowned" : ""}`,
  violation: (e) => e.message,
  resolved: (e) => {
    const kind = String(e.kind).replaceAll("_", " ");
    return `${kind[0].toUpperCase()}${kind.slice(1)}: ${HOW[e.how] ?? e.how}.`;
  },
  reminder: (e) => e.message,
  attention: (e) => e.message,
  comment: (e) => e.message,
  board_moved: (e) => e.message,
  takeback: (e, next) => {
    const [gone, ...later] = e.moves ?? [];
    if (e.why && gone && next?.type === "move" && next.t === e.t && next.move !== gone) {
      return `Corrected: ${next.move} instead of ${gone}${later.length ? `; ${later.join(" ")} was taken back with it` : ""}.`;
    }
    if (gone) return `Taken back: ${e.moves.join(" ")}.`;
    return `${e.plies === 1 ? "A move was" : `${e.plies} moves were`} taken back.`;
  },
  crowned: (e) => `The king on ${e.square} got its crown.`,
  result: (e) => (e.result === "*" ? "The game goes on." : `Result ${e.result}: ${e.reason}`),
  position_set: () => "A position was set up.",
  displaced: (e) => e.reason,
  draw_offer: (e) => (e.side ? `${e.side === "W" ? "White" : "Black"} offers a draw.` : "The draw was refused."),
  draw_counter: (e) => `Draw rule, ${e.rule}: ${e.count} of ${e.limit}.`,
  sides: (e) => `The ${e.light === "W" ? "light" : "dark"} discs are White of the record.`,
  resumed: () => "The game went on after a break.",
  clock_off: () => "The clock was taken away.",
  tags: () => "Names and event were edited.",
  settings: (e) => `Settings: ${e.mode}, house rule ${e.house}.`,
};

function link(text, address, download) {
  const node = made("a", text);
  node.href = address;
  if (download) node.download = download;
  return node;
}

function button(text, work) {
  const node = made("button", text, "ready");
  node.type = "button";
  node.addEventListener("click", work);
  return node;
}

function names(game) {
  const { White, Black } = game.tags ?? {};
  return White || Black ? `${White || "?"} – ${Black || "?"}` : "";
}

// House options stand behind the name of the game: `german+takes-backward`.
function titled(titles, variant) {
  const [name, ...options] = variant.split("+");
  return [titles.get(name) ?? name, ...options.map((option) => option.replaceAll("-", " "))].join(", ");
}

const ended = (game, live) => game.result ?? (game.game === live ? "being played" : "not finished");
const kind = (game) => (game.simulated ? "simulated" : game.imported ? "from a file" : "");
// What stands in the record at the end: what was taken back does not count.
const count = (game) => (game.plies === 1 ? "1 move" : `${game.plies} moves`);

function row(game, titles, live) {
  const line = document.createElement("tr");
  const open = made("td");
  open.append(button(`Game ${game.game}`, () => showGame(game.game, titles, live)));
  line.append(open, made("td", day(game.started)), made("td", titled(titles, game.variant)), made("td", names(game) || kind(game)), made("td", count(game)), made("td", ended(game, live)));
  return line;
}

// `live` is the number of the game that is being played.
export async function showGames(titles, live) {
  const place = byId("games-body");
  place.replaceChildren(made("p", "Reading the list…"));
  const answer = await fetched("/api/games");
  if (answer.error) return place.replaceChildren(made("p", answer.error, "problem"));
  if (!answer.body.length) return place.replaceChildren(made("p", "No games yet."));
  const table = document.createElement("table");
  table.append(...answer.body.map((game) => row(game, titles, live)));
  place.replaceChildren(table);
}

function picture(game, event, when) {
  const figure = document.createElement("figure");
  const image = document.createElement("img");
  image.src = `/api/games/${game}/events/${event.number}/${when}.jpg`;
  image.alt = `The board ${when} event ${event.number}`;
  image.loading = "lazy";
  image.addEventListener("error", () => figure.remove());
  const large = link("", image.src);
  large.target = "_blank";
  large.append(image);
  figure.append(large, made("figcaption", when));
  return figure;
}

function eventLine(game, event, next) {
  const line = made("div", undefined, "event");
  const text = (SPOKEN[event.type] ?? (() => event.type))(event, next);
  line.append(made("span", event.type === "move" ? `${numbered(event.ply)} ${text}` : text));
  line.append(...(event.pictures || []).map((when) => picture(game, event, when)));
  return line;
}

async function showGame(number, titles, live) {
  const place = byId("games-body");
  const answer = await fetched(`/api/games/${number}`);
  if (answer.error) return place.replaceChildren(made("p", answer.error, "problem"));
  const game = answer.body;
  const links = made("p", undefined, "links");
  links.append(
    link("Save this game (PDN)", `/games/${number}.pdn`, `kibitz-${number}.pdn`),
    link("With all rulings", `/games/${number}.pdn?form=full`, `kibitz-${number}-full.pdn`),
    link("Everything, for programs (JSON)", `/api/games/${number}`, `kibitz-${number}.json`),
  );
  const title = made("h3", `Game ${number}: ${titled(titles, game.variant)}${names(game) ? `, ${names(game)}` : ""}`);
  const body = [button("Back to the list", () => showGames(titles, live)), title, made("p", `${day(game.started)}; ${count(game)}; ${ended(game, live)}`), links];
  const list = made("div");
  // A doubt that nobody cleared up because the game was ended by hand meanwhile is no part of it.
  const heard = game.events.filter((e) => e.type !== "clock");
  const told = heard.filter((e, k) => !(e.type === "attention" && e.reason === "unsure" && heard[k + 1]?.type === "result"));
  list.append(...told.map((event, k) => eventLine(number, event, told[k + 1])));
  place.replaceChildren(...body, list);
  place.querySelector("button").focus();
}
