// The fields of a house form. Each stands under its key in the submission, has room beside it for
// what the law says against it, and tells the draft what changed.

import { cite } from "../lib/clause.js";
import { all, capital, el, newId, put } from "../lib/dom.js";

export const slot = (key) => el("p", { class: "against", id: newId("against"), data: { slot: key }, hidden: true });

/** A label, its control, and the slot for its violations. */
export function field(title, key, control, { clause = null, hint = "" } = {}) {
  const id = newId("field");
  const against = slot(key);
  control.id = id;
  control.setAttribute("aria-describedby", against.id);
  const tick = control.type === "checkbox";
  const label = el("label", { for: id }, title);
  return el("div", { class: tick ? "field tick" : "field", data: { key } },
    tick ? [control, label] : [label, control], clause ? cite(clause) : null, hint ? el("span", { class: "quietly" }, hint) : null, against);
}

export function text(value, heard, more = {}) {
  return el("input", { type: "text", autocomplete: "off", spellcheck: "false", value, ...more, on: { input: (event) => heard(event.target.value) } });
}

export const number = (value, heard) => text(value, heard, { inputmode: "decimal", class: "short" });

export function choice(values, chosen, heard) {
  const options = values.map(([value, words]) => el("option", { value, selected: String(value) === String(chosen) }, words));
  return el("select", { on: { change: (event) => heard(values[event.target.selectedIndex][0]) } }, options);
}

export function tick(on, heard) {
  return el("input", { type: "checkbox", checked: on, on: { change: (event) => heard(event.target.checked) } });
}

export const group = (title, ...children) => el("fieldset", null, el("legend", null, title), children);

/** Put every violation beside its field; those without one are returned. */
export function showAgainst(root, violations, warnings) {
  const slots = new Map(all("[data-slot]", root).map((node) => [node.dataset.slot, node]));
  const said = new Map();
  const homeless = [];
  for (const [each, kind] of [...violations.map((v) => [v, "bad"]), ...warnings.map((w) => [w, "even"])]) {
    const home = nearest(each.key, slots);
    if (home) said.set(home, [...(said.get(home) ?? []), [each, kind]]);
    else homeless.push([each, kind]);
  }
  for (const [key, node] of slots) {
    const here = said.get(key) ?? [];
    node.hidden = !here.length;
    put(node, here.map(([each, kind]) => sentence(each, kind)));
    const control = node.parentElement.querySelector(`[aria-describedby~="${node.id}"]`);
    const wrong = here.some(([, kind]) => kind === "bad");
    if (wrong) control?.setAttribute("aria-invalid", "true");
    else control?.removeAttribute("aria-invalid");
  }
  return homeless.map(([each, kind]) => sentence(each, kind));
}

/** "pay.trips.flush", else "pay.trips", else "pay". */
function nearest(key, slots) {
  for (let at = key; at; at = at.includes(".") ? at.slice(0, at.lastIndexOf(".")) : "") if (slots.has(at)) return at;
  return null;
}

export const sentence = ({ sentence: words, clause }, kind) => el("span", { class: kind }, capital(words), " ", cite(clause));
