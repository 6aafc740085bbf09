// The betting and decision clocks, counted down where they run.

import { el, say } from "../lib/dom.js";

let ticking = 0;

/** ``clocks`` says until when, in seconds since 1970; nothing where nothing runs. */
export function clockOf(clocks, view) {
  clearInterval(ticking);
  if (clocks?.paused) return el("p", { class: "clock" }, "The floor has paused this table.");
  const ends = view.round?.closed ? clocks?.decision_ends : clocks?.betting_ends;
  if (!ends) return null;
  const node = el("p", { class: "clock", role: "timer" });
  const show = () => say(node, `${Math.max(0, Math.ceil(ends - Date.now() / 1000))} s`);
  ticking = setInterval(show, 250);
  show();
  return node;
}
