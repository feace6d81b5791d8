// The chess clock: what is left at the snapshot, counted down here until the next one.
import { byId, show, sides } from "./dom.js";

const LOW_SECONDS = 30;
let clock = null;
let received = 0;
let names = sides();

const spent = (side) => (clock.running === side ? Math.max(0, (performance.now() - received) / 1000 - (clock.wait ?? 0)) : 0);

export function timeText(seconds) {
  const whole = Math.max(0, seconds < LOW_SECONDS ? Math.floor(seconds * 10) / 10 : Math.ceil(seconds));
  if (whole < LOW_SECONDS) return whole.toFixed(1);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, Math.floor(whole) % 60];
  const two = (n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

export function showClock(snapshot) {
  clock = snapshot.clock;
  names = sides(snapshot);
  received = performance.now();
  show("clock", Boolean(clock));
  if (!clock) return;
  show("clock-run", !snapshot.result, clock.running ? "Stop" : "Start");
  byId("clock-run").dataset.action = clock.running ? "pause" : "start";
  tick();
}

function tick() {
  if (!clock) return;
  for (const side of ["W", "B"]) {
    const left = clock[side] - spent(side);
    const face = byId(`clock-${side}`);
    const text = timeText(left);
    const running = clock.running === side;
    if (face.dataset.shown !== `${text}${running}`) {
      face.dataset.shown = `${text}${running}`;
      const name = document.createElement("small");
      name.textContent = `${names[side]}${running ? ", running" : ""}`;
      face.replaceChildren(name, text);
      face.setAttribute("aria-label", `${names[side]}: ${text}${running ? ", running" : ""}; press when ${names[side]} has moved`);
    }
    face.classList.toggle("running", running);
    face.classList.toggle("low", left < LOW_SECONDS);
  }
}

// Pressing a face, or the space bar, ends that side's turn.
export function clockPresses(send) {
  setInterval(tick, 100);
  for (const side of ["W", "B"]) byId(`clock-${side}`).addEventListener("click", () => send({ do: "clock", action: "press", side }));
  document.addEventListener("keydown", (event) => {
    const busy = event.target.closest("button, a, input, select, dialog, [tabindex]");
    if (event.key !== " " || !clock?.running || busy) return;
    event.preventDefault();
    send({ do: "clock", action: "press", side: clock.running });
  });
  byId("clock-set").addEventListener("submit", async (event) => {
    event.preventDefault();
    const number = (id) => Number(byId(id).value);
    const order = {
      do: "clock", action: "set",
      white_minutes: number("clock-white"), black_minutes: number("clock-black"), bonus_seconds: number("clock-bonus"),
      bonus: byId("clock-kind").value, driver: byId("clock-driver").value,
    };
    await send(order, byId("clock-form"));
  });
}
