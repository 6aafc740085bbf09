// The keyboard at a table: the line one types into, and single keys for decisions.

import { find, say } from "../lib/dom.js";
import { setting } from "../lib/settings.js";
import { obey } from "./spoken.js";

const ELSEWHERE = "input:not([type=radio]), textarea, select, [popover]"; // where keys are letters

/** Whatever is typed on this page is done by ``table``. */
export function listen(table) {
  find("#line").addEventListener("submit", (event) => typed(table, event));
  document.addEventListener("keydown", (event) => pressed(table, event));
}

async function typed(table, event) {
  event.preventDefault();
  const field = find("#typed");
  const text = field.value;
  field.value = "";
  say(find("#answer"), "");
  const asked = (table.asking = {});
  const answer = await obey(table, text);
  if (asked === table.asking) say(find("#answer"), answer || "Done."); // else one typed on
}

function pressed(table, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest(ELSEWHERE)) return;
  if (event.key === "/") {
    event.preventDefault();
    find("#typed").focus();
    return;
  }
  if (setting("keys") === "off" || table.waiting.length || event.target.closest(".spot")) return;
  const laid = table.bets.total || table.options.some(({ name }) => name === "TakeBackWagers");
  if (event.key.toLowerCase() === "d" && laid) table.place(true);
  else if (event.key === "Enter" && event.target.closest("button, a")) return;
  else if (!table.choices.key(event.key)) return;
  event.preventDefault();
}
