// A citation one can press: the clause's paraphrase opens beside it.

import { clause } from "./api.js";
import { el, put } from "./dom.js";

let box = null;

function open(id, from) {
  box ??= document.body.appendChild(el("div", { popover: "auto", class: "clause-card", role: "dialog", "aria-label": "Clause" }));
  const words = el("p", null, "…");
  put(box, el("h3", null, id), words);
  box.showPopover();
  const at = from.getBoundingClientRect();
  const wide = box.offsetWidth;
  const high = box.offsetHeight;
  box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - wide - 8))}px`;
  box.style.top = `${at.bottom + high + 8 < innerHeight ? at.bottom + 6 : Math.max(8, at.top - high - 6)}px`;
  clause(id).then(
    (found) => put(words, found.says ?? found.paraphrase ?? found.clause?.says ?? ""),
    (wrong) => put(words, wrong.sentence),
  );
}

/** The button that shows a clause; nothing where there is none. */
export function cite(id) {
  if (!id) return null;
  const button = el("button", { type: "button", class: "cite", "aria-label": `Clause ${id}`, "aria-haspopup": "dialog" }, id);
  button.addEventListener("click", () => open(id, button));
  return button;
}
