// Chips on the betting areas before the deal. What may lie where comes from the PlaceWagers option
// ({min, max, exactly, required, needs, equal_to} for each wager); the server judges what is sent.

import { chip, chipName, RACK } from "../lib/chips.js";
import { all, capital, el, find, put } from "../lib/dom.js";
import { dollars, readDollars } from "../lib/money.js";
import { sound } from "../lib/sound.js";

const HELD = 550; // a long press takes a chip away

export class Bets {
  draft = null; // null until somebody touches a chip
  last = null; // what was wagered in the round before
  selected = "";
  chip = 500;

  /** ``table`` is the page: it draws, places and says what is wrong. */
  constructor(table) {
    this.table = table;
    this.node = el("div", { class: "betting" });
  }

  get total() {
    return Object.values(this.draft ?? {}).reduce((sum, cents) => sum + cents, 0);
  }

  /** The option as it stands; null when bets are not open to this seat. */
  open(option) {
    const opened = option && !this.option;
    this.option = option;
    if (!option) {
      this.draft = null;
      for (const spot of all(".spot[data-open]", this.table.felt.root)) for (const mark of ["data-open", "data-selected"]) spot.removeAttribute(mark);
    }
    if (opened) {
      this.selected = Object.keys(option.wagers)[0];
      const least = option.wagers[this.selected].min;
      this.chip = RACK.findLast((cents) => cents <= least) ?? RACK[0];
      this.#build();
    }
    if (option) this.#refresh();
  }

  /** Lay this much on an area; wagers that must be equal follow. */
  set(name, cents) {
    const limits = this.option?.wagers;
    if (!limits?.[name]) return;
    this.draft ??= {};
    this.selected = name;
    const base = limits[name].equal_to || name;
    const twins = Object.keys(limits).filter((each) => each === base || limits[each].equal_to === base);
    for (const each of twins) {
      const { max, exactly } = limits[each];
      const sum = cents <= 0 ? 0 : exactly || Math.min(cents, max);
      if (sum) this.draft[each] = sum;
      else delete this.draft[each];
    }
    sound("chip");
    this.table.betsChanged();
    this.#refresh();
  }

  add(name, cents = this.chip) {
    const limit = this.option?.wagers[name];
    if (limit) this.set(name, Math.max(limit.min, (this.draft?.[name] ?? 0) + cents));
  }

  take(name, cents = this.chip) {
    const limit = this.option?.wagers[name];
    if (!limit) return;
    const rest = (this.draft?.[name] ?? 0) - cents;
    this.set(name, rest < limit.min ? 0 : rest);
  }

  clear() {
    this.draft = {};
    this.table.betsChanged();
    this.#refresh();
  }

  again() {
    if (!this.last) return;
    this.draft = Object.fromEntries(Object.entries(this.last).filter(([name]) => name in this.option.wagers));
    this.table.betsChanged();
    this.#refresh();
  }

  // --- the rack and its buttons ---------------------------------------------------------------

  #build() {
    const chips = RACK.map((cents) => {
      const radio = el("input", { type: "radio", name: "chip", value: cents, class: "unseen", checked: cents === this.chip });
      radio.addEventListener("change", () => (this.chip = cents));
      const label = el("label", { class: "rack-chip", title: chipName(cents) }, radio, chip(cents), el("span", { class: "unseen" }, chipName(cents)));
      this.#draggable(label, cents);
      return label;
    });
    this.amount = el("input", { class: "amount", inputmode: "decimal", autocomplete: "off", size: 6 });
    this.amount.addEventListener("change", () => this.#typed());
    this.amount.addEventListener("keydown", (event) => {
      const chips = { ArrowUp: () => this.add(this.selected), ArrowDown: () => this.take(this.selected) }[event.key];
      if (!chips && event.key !== "Enter") return;
      event.preventDefault(); // else the area that gets the focus is pressed too
      if (chips) return chips();
      this.#typed();
      this.table.spot(this.selected)?.focus();
    });
    this.what = el("span");
    this.againButton = el("button", { type: "button", on: { click: () => this.again() } }, "Same again");
    this.clearButton = el("button", { type: "button", on: { click: () => this.clear() } }, "Clear");
    this.outButton = el("button", { type: "button", on: { click: () => this.table.sitOut() } }, "Sit out");
    this.placeButton = el("button", { type: "button", on: { click: () => this.table.place(false) } }, "Place only");
    this.dealButton = el("button", { type: "button", class: "strong", on: { click: () => this.table.place(true) } });
    put(this.node,
      el("fieldset", { class: "rack" }, el("legend", { class: "unseen" }, "Chip in hand"), chips),
      el("div", { class: "typed" },
        el("button", { type: "button", class: "step", "aria-label": "Take a chip away", on: { click: () => this.take(this.selected) } }, "−"),
        el("label", null, this.what, this.amount),
        el("button", { type: "button", class: "step", "aria-label": "Add a chip", on: { click: () => this.add(this.selected) } }, "+")),
      el("div", { class: "go" }, this.outButton, this.againButton, this.clearButton, this.placeButton, this.dealButton));
  }

  #typed() {
    const cents = this.amount.value.trim() === "" ? 0 : readDollars(this.amount.value);
    if (cents === null) return this.table.wrong("Type a sum in dollars, such as 12.50.");
    if (cents === (this.draft?.[this.selected] ?? 0)) return;
    const { max } = this.option.wagers[this.selected];
    if (cents > max) this.table.wrong(`The most here is ${dollars(max)}.`);
    this.set(this.selected, cents);
  }

  #refresh() {
    put(this.what, capital(this.selected));
    const laid = this.draft?.[this.selected] ?? 0;
    this.amount.value = laid ? dollars(laid) : "";
    this.againButton.hidden = !this.last || this.total > 0;
    this.outButton.hidden = this.total > 0 || !this.table.view.round?.positions.length; // somebody waits
    if (this.last) put(this.againButton, `Same again ${dollars(Object.values(this.last).reduce((a, b) => a + b, 0))}`);
    this.clearButton.hidden = this.placeButton.hidden = !this.total;
    this.dealButton.disabled = !this.total;
    put(this.dealButton, this.total ? `Deal ${dollars(this.total)}` : "Place your bets", this.total ? el("kbd", { "aria-hidden": "true" }, "D") : null);
    for (const spot of all(".place .spot", this.table.felt.root)) {
      spot.toggleAttribute("data-open", spot.dataset.wager in this.option.wagers);
      spot.toggleAttribute("data-selected", spot.dataset.wager === this.selected);
    }
  }

  // --- chips on the areas: pressed, held, dragged, typed --------------------------------------

  /** Listen to the areas of the player's own place. */
  listen(root) {
    let held = 0;
    let skip = false;
    const name = (event) => event.target.closest?.(".place .spot")?.dataset.wager;
    root.addEventListener("click", (event) => {
      if (name(event) && !skip) this.add(name(event));
      skip = false;
    });
    root.addEventListener("contextmenu", (event) => {
      if (!name(event) || !this.option) return;
      event.preventDefault();
      if (event.pointerType !== "touch") this.take(name(event));
    });
    root.addEventListener("pointerdown", (event) => {
      skip = false;
      if (!name(event) || event.pointerType === "mouse") return;
      held = setTimeout(() => {
        skip = true;
        this.take(name(event));
      }, HELD);
    });
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) root.addEventListener(end, () => clearTimeout(held));
    root.addEventListener("keydown", (event) => name(event) && this.#key(event, name(event)));
    root.addEventListener("focusin", (event) => {
      if (!name(event) || !this.option?.wagers[name(event)]) return;
      this.selected = name(event);
      this.#refresh();
    });
  }

  #key(event, name) {
    if (!this.option || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowRight: 1, ArrowLeft: -1 };
    if (/^\d$/.test(event.key)) {
      this.selected = name;
      this.#refresh();
      this.amount.focus();
      this.amount.value = "";
      return; // the digit itself goes into the field
    }
    if (event.key in steps) {
      const spots = all(".place .spot[data-open]", this.table.felt.root);
      const at = spots.findIndex((spot) => spot.dataset.wager === name);
      spots.at((at + steps[event.key]) % spots.length)?.focus();
    } else if (event.key === "ArrowUp" || event.key === "+") this.add(name);
    else if (event.key === "ArrowDown" || event.key === "-") this.take(name);
    else if (event.key === "Delete" || event.key === "Backspace") this.set(name, 0);
    else return;
    event.preventDefault();
  }

  #draggable(label, cents) {
    label.addEventListener("pointerdown", (down) => {
      if (down.button) return;
      let copy = null;
      const move = (event) => {
        if (!copy) {
          if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < 6) return;
          copy = document.body.appendChild(el("div", { class: "dragged" }, chip(cents)));
          this.chip = cents;
          find("input", label).checked = true;
        }
        Object.assign(copy.style, { left: `${event.clientX + scrollX}px`, top: `${event.clientY + scrollY}px` });
      };
      const up = (event) => {
        removeEventListener("pointermove", move);
        removeEventListener("pointerup", up);
        removeEventListener("pointercancel", up);
        copy?.remove();
        if (!copy || event.type === "pointercancel") return;
        const under = document.elementFromPoint(event.clientX, event.clientY)?.closest(".place .spot");
        if (under) this.add(under.dataset.wager, cents);
      };
      addEventListener("pointermove", move);
      addEventListener("pointerup", up);
      addEventListener("pointercancel", up);
    });
    label.addEventListener("dragstart", (event) => event.preventDefault());
  }
}
