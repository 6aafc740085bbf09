// What a person prefers on this machine. Kept in localStorage, shown as data attributes of <html>.

const KEY = "croupier.settings";

export const CHOICES = {
  felt: { title: "Room", values: { auto: "As the system", dark: "Evening", light: "Daylight" } },
  deck: { title: "Deck", values: { two: "Two colours", four: "Four colours" } },
  motion: { title: "Motion", values: { auto: "As the system", full: "Full", none: "None" } },
  sound: { title: "Sound", values: { off: "Off", on: "On" } },
  keys: { title: "Single keys for decisions", values: { on: "On", off: "Off" } },
  coach: { title: "Coach", values: { off: "Off", before: "Before I choose", after: "After I chose" } },
};

const heard = new Set();
const settings = read();

function read() {
  const first = Object.fromEntries(Object.entries(CHOICES).map(([k, c]) => [k, Object.keys(c.values)[0]]));
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    for (const name of Object.keys(first)) if (kept[name] in CHOICES[name].values) first[name] = kept[name];
  } catch {
    // Storage is closed or spoilt: the first choices serve.
  }
  return first;
}

export const setting = (name) => settings[name];

export function choose(name, value) {
  settings[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // It holds for this page then.
  }
  apply();
  for (const tell of heard) tell(name, value);
}

/** Kept until this tab is closed; where storage is closed, until the page is. */
export function remember(key, value) {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Then it is gone after a reload.
  }
}

export function recall(key) {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

export function onSetting(tell) {
  heard.add(tell);
  return () => heard.delete(tell);
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

export const reduced = () => settings.motion === "none" || (settings.motion === "auto" && still.matches);

export function apply() {
  const root = document.documentElement.dataset;
  root.felt = settings.felt === "auto" ? (dark.matches ? "dark" : "light") : settings.felt;
  root.deck = settings.deck;
  root.motion = reduced() ? "none" : "full";
}

dark.addEventListener("change", apply);
still.addEventListener("change", apply);
apply();
