// Small tools for the page.
export const byId = (id) => document.getElementById(id);
// What the players call the sides: by their discs where the record's White has the dark ones.
export const sides = (s) => (s?.light === "B" ? { W: "Dark", B: "Light" } : { W: "White", B: "Black" });

export function made(tag, text, className) {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  if (className) node.className = className;
  return node;
}

// Writes only what changed, so that a screen reader does not say the same again.
export function show(id, visible, text) {
  const node = byId(id);
  if (node.hidden === visible) node.hidden = !visible;
  if (text !== undefined && node.textContent !== text) node.textContent = text;
}

export function fill(id, options, chosen) {
  const picker = byId(id);
  const key = JSON.stringify(options);
  if (picker.dataset.filled !== key) {
    picker.dataset.filled = key;
    picker.replaceChildren(...options.map(([value, title]) => {
      const option = made("option", title);
      option.value = value;
      return option;
    }));
  }
  if (chosen !== undefined) picker.value = chosen;
}

export async function fetched(address) {
  try {
    const answer = await fetch(address);
    const body = await answer.json();
    return answer.ok ? { body } : { error: body.error };
  } catch {
    return { error: "Kibitz cannot be reached." };
  }
}

export function problemIn(dialog, text) {
  const line = dialog.querySelector(".problem");
  line.hidden = !text;
  line.textContent = text ?? "";
}

// A calm question with two big buttons; browsers' own boxes are small and can be switched off.
export function sure(text) {
  const dialog = byId("sure");
  byId("sure-text").textContent = text;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}
