// A citation one can press: the clause's paraphrase opens beside it, and from there its page.

import { get } from "./api.js";
import { el, put } from "./dom.js";

const asked = new Map();
let box = null;

/** What a clause says, without code and example; asked once. */
function clause(id) {
  if (!asked.has(id)) {
    const found = get(`/api/law/clauses/${encodeURIComponent(id)}?brief=1`);
    found.catch(() => asked.delete(id));
    asked.set(id, found);
  }
  return asked.get(id);
}

function open(id, from) {
  box ??= el("div", { popover: "auto", class: "clause-card", role: "dialog", "aria-label": "Clause" });
  (from.closest("dialog") ?? document.body).append(box); // beside a dialog nothing can be pressed
  const words = el("p", null, "…");
  put(box, el("h3", null, id), words, el("a", { href: `/law#${encodeURIComponent(id)}` }, "Rulings, code and an example"));
  const place = () => {
    const at = from.getBoundingClientRect();
    const wide = box.offsetWidth;
    const high = box.offsetHeight;
    box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - wide - 8))}px`;
    box.style.top = `${at.bottom + high + 8 < innerHeight ? at.bottom + 6 : Math.max(8, at.top - high - 6)}px`;
  };
  box.showPopover();
  place();
  const told = (text) => {
    put(words, text);
    place();
  };
  clause(id).then(({ says }) => told(says), ({ sentence }) => told(sentence));
}

/** The button that shows a clause; nothing where there is none. */
export function cite(id) {
  if (!id) return null;
  const button = el("button", { type: "button", class: "cite", "aria-label": `Clause ${id}`, "aria-haspopup": "dialog" }, id);
  button.addEventListener("click", () => open(id, button));
  return button;
}
