// Sends commands; asks for the PIN when the companion wants one.
import { byId } from "./dom.js";

async function post(order) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch("/api/command", { method: "POST", headers, body: JSON.stringify(order) });
  return { status: answer.status, ...(await answer.json().catch(() => ({ error: "Kibitz gave no answer that can be read." }))) };
}

function askPin(problem) {
  const dialog = byId("pin-dialog");
  const input = byId("pin-input");
  byId("pin-problem").hidden = !problem;
  byId("pin-problem").textContent = problem ?? "";
  input.value = "";
  dialog.returnValue = "";
  dialog.showModal();
  input.focus();
  return new Promise((resolve) => {
    const closed = () => {
      byId("pin-problem").hidden = true;
      resolve(dialog.returnValue === "ok" ? input.value.trim() : null);
    };
    dialog.addEventListener("close", closed, { once: true });
  });
}

async function unlock() {
  let problem;
  for (;;) {
    const pin = await askPin(problem);
    if (pin === null) return false;
    const answer = await fetch("/pin", { method: "POST", body: new URLSearchParams({ pin }), redirect: "manual" });
    if (answer.type === "opaqueredirect") {
      delete document.body.dataset.locked;
      byId("enter-pin")?.remove();
      return true;
    }
    problem = answer.status === 429 ? "Too many wrong PINs. Wait a minute." : "That is not the PIN. Try again.";
  }
}

export async function sendCommand(order) {
  const refused = { status: 401, error: "Nothing was changed: commands need the PIN." };
  try {
    if (document.body.dataset.locked !== undefined && !(await unlock())) return refused;
    const answer = await post(order);
    if (answer.status !== 401) return answer;
    return (await unlock()) ? await post(order) : refused;
  } catch {
    return { status: 0, error: "Kibitz cannot be reached. Nothing was changed." };
  }
}
