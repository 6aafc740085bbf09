// The betting and decision clocks, counted down where they run.

import { el, say } from "../lib/dom.js";

let ticking = 0;

/** ``clocks`` says until when, in seconds since 1970; nothing where nothing runs. */
export function clockOf(clocks, view) {
  clearInterval(ticking);
  if (clocks?.notice) return el("p", { class: "clock", role: "status" }, clocks.notice);
  if (clocks?.paused) return el("p", { class: "clock" }, "The floor has paused this table.");
  const deciding = view.round?.closed;
  const ends = deciding ? clocks?.decision_ends : clocks?.betting_ends;
  if (!ends) return null;
  const node = el("p", { class: "clock", role: "timer", title: "Others wait. When the time is up, the house acts as posted." });
  const show = () => say(node, `${Math.max(0, Math.ceil(ends - Date.now() / 1000))} s to ${deciding ? "decide" : "bet"}`);
  ticking = setInterval(show, 250);
  show();
  return node;
}
