// The desk: what may be ordered or reported now. Each is a form made from the command's own fields;
// the ruling is shown with its clause before anything happens.

import { cite } from "../lib/clause.js";
import { capital, el, find, newId, put } from "../lib/dom.js";
import { dollars, readDollars } from "../lib/money.js";

const GROUPS = { irregularities: "Report an irregularity", cards: "Cards", devices: "Devices and method", money: "Money" };
const UNSEEN = { WagerSettled: "A wager is settled by the cards that are turned." };
const TURNED = "Cards are turned; nobody sees them before it happens.";

export class Desk {
  #drawn = "";
  #open = null; // {act, dialog, fields, previewed}

  constructor(floor, table) {
    Object.assign(this, { floor, table });
    this.root = el("div", { class: "desk" });
  }

  /** What is possible is pressed; what is not says why. */
  draw(acts) {
    const now = JSON.stringify(acts);
    if (now === this.#drawn) return;
    this.#drawn = now;
    const focused = document.activeElement?.closest(".desk [data-act]")?.dataset.act;
    put(this.root, Object.entries(GROUPS).map(([group, title]) => el("section", null, el("h4", null, title),
      el("ul", null, acts.filter((act) => act.group === group).map((act) => this.#row(act))))));
    if (focused) find(`[data-act="${focused}"]`, this.root)?.focus();
  }

  #row(act) {
    if (act.refused) return el("li", { class: "not" }, el("span", null, act.title), el("small", null, act.refused.sentence, " ", cite(act.refused.clause)),
      act.stops.map((device) => el("button", { type: "button", data: { act: device }, on: { click: () => this.floor.chosen.stopAt(device) } }, `Stop when the ${device} works`)));
    const button = el("button", { type: "button", data: { act: act.name }, on: { click: () => this.#form(act) } }, act.title);
    return el("li", null, button, cite(act.clause));
  }

  // --- one act --------------------------------------------------------------------------------

  #form(act) {
    const fields = act.fields.map(control);
    const ruling = el("div", { class: "ruling", "aria-live": "polite" });
    const confirm = el("button", { type: "button", class: "strong", disabled: true }, "Confirm");
    const close = el("button", { type: "button" }, "Cancel");
    const form = el("form", { method: "dialog" }, el("h3", null, act.title, " ", cite(act.clause)), fields.map(({ row }) => row),
      ruling, el("div", { class: "go" }, fields.length ? el("button", { class: "ask" }, "Preview the ruling") : null, confirm, close));
    const dialog = el("dialog", { class: "act panel", "aria-label": act.title }, form);
    this.#open = { act, dialog, fields, ruling, confirm, previewed: false };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#preview();
    });
    form.addEventListener("input", () => this.#forget());
    confirm.addEventListener("click", () => this.#confirm());
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      dialog.remove();
      this.#open = null;
      find(`[data-act="${act.name}"]`, this.root)?.focus();
    });
    document.body.append(dialog);
    dialog.showModal();
    (find("input, select", form) ?? close).focus();
    if (!fields.length) this.#preview();
  }

  #forget() {
    Object.assign(this.#open, { previewed: false });
    this.#open.confirm.disabled = true;
    put(this.#open.ruling);
  }

  /** The command's fields as the form has them; null where a sum cannot be read. */
  #said() {
    const said = {};
    for (const { name, read } of this.#open.fields) {
      said[name] = read();
      if (said[name] === null) return null;
    }
    return said;
  }

  async #preview() {
    const open = this.#open;
    const said = this.#said();
    if (!said) return put(open.ruling, no({ sentence: "That is no sum of money.", clause: null }));
    const { events, refused } = await this.floor.room.preview(this.table, open.act.name, said);
    if (open !== this.#open) return;
    open.previewed = true;
    open.confirm.disabled = !!refused;
    put(open.ruling, refused ? no(refused) : [el("p", { class: "quietly" }, "The table would rule:"), el("ol", null, foreseen(events))]);
  }

  async #confirm() {
    const open = this.#open;
    open.confirm.disabled = true;
    const refused = await this.floor.room.command(this.table, open.act.name, this.#said());
    if (refused) {
      this.floor.chosen.refused(refused);
      if (open === this.#open) put(open.ruling, no(refused));
      return;
    }
    this.floor.told(`Done at table ${this.table}: ${open.act.title}.`);
    open.dialog.close();
    this.floor.look();
  }

  /** The table went on: a ruling that was shown is asked for again. */
  moved() {
    if (this.#open?.previewed) this.#preview();
  }
}

const no = ({ sentence, clause }) => el("p", { class: "bad" }, `Refused: ${sentence} `, cite(clause));

/** One line a sentence, with its clause where that changes; what would turn cards is said once. */
function foreseen(events) {
  const lines = new Map();
  for (const { event, sentence, clause } of events) lines.set(sentence || UNSEEN[event.event] || TURNED, clause);
  let last = null;
  return [...lines].map(([sentence, clause]) => {
    const cited = clause === last ? null : cite(clause);
    last = clause;
    return el("li", null, sentence, " ", cited);
  });
}

/** A control for one field: {name, row, read}. */
function control({ name, title, kind, value, choices, least, most }) {
  const id = newId(name);
  if (kind === "choice") {
    const select = el("select", { id }, choices.map((each) => el("option", { value: each, selected: each === value }, capital(each))));
    return { name, row: row(id, title, select), read: () => select.value };
  }
  if (kind === "yes") {
    const box = el("input", { id, type: "checkbox", checked: value });
    return { name, row: row(id, title, box), read: () => box.checked };
  }
  if (kind === "money") {
    const sum = el("input", { id, inputmode: "decimal", value: dollars(value), autocomplete: "off" });
    return { name, row: row(id, title, sum), read: () => readDollars(sum.value) };
  }
  const number = el("input", { id, type: "number", min: least, max: most, value, required: true });
  return { name, row: row(id, title, number), read: () => Number(number.value) };
}

const row = (id, title, input) => el("p", { class: "field" }, el("label", { for: id }, title), input);
