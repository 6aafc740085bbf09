// Sitting down, buying chips, leaving.

import { el, say } from "../lib/dom.js";
import { dollars, readDollars } from "../lib/money.js";

const USUAL_BETS = 40; // how many minimum bets one sits down with
const USUAL_TOP_UP = 20000;
const LEAST = 500; // what counts as a minimum bet where only side bets are lower

/** For whoever watches: how much, and the seat in the middle of those free. */
export class Seating {
  #typed = false; // else the sum is the usual one

  constructor(table) {
    this.table = table;
    this.sumField = el("input", { id: "buy-in", inputmode: "decimal", size: 8, on: { input: () => (this.#typed = true) } });
    this.button = el("button", { type: "button", class: "strong", on: { click: () => table.sit(this.#middle()) } });
    this.node = el("div", { class: "go" }, el("label", { for: "buy-in" }, "Sit down with"), this.sumField, this.button);
  }

  /** As things are now; what somebody typed stays. */
  refresh() {
    const free = !!this.#middle();
    this.button.disabled = !free;
    say(this.button, free ? "Take a seat" : "No seat is free");
    if (!this.#typed) this.sumField.value = dollars(this.#usual());
  }

  get sum() {
    return this.#typed ? readDollars(this.sumField.value) : this.#usual();
  }

  #usual() {
    const { info, view } = this.table;
    const least = Math.max(LEAST, ...Object.values(info.limits ?? {}).map(([min]) => min));
    return Math.min(view.you.bank, USUAL_BETS * least);
  }

  #middle() {
    const free = this.table.freeSeats();
    return free[Math.floor((free.length - 1) / 2)];
  }
}

/** Beside one's name: more chips, the door, one's other seats. */
export function purse(table) {
  const can = (what) => table.options.some(({ name, seat }) => name === what && (!seat || seat === table.seat));
  const link = (words, props) => el("button", { type: "button", class: "plain", ...props }, words);
  return [
    can("BuyChips") ? link("Buy", { popovertarget: "buying", "aria-label": "Buy chips" }) : null,
    can("StandUp") ? link("Leave", { on: { click: () => table.leave() } }) : null,
    ...table.view.you.seats.filter((seat) => seat !== table.seat).map((seat) => link(`To seat ${seat}`, { on: { click: () => table.move(seat) } })),
  ];
}

export function buying(table) {
  const sum = el("input", { id: "top-up", inputmode: "decimal", size: 7, value: dollars(USUAL_TOP_UP) });
  const form = el("form", { popover: "auto", id: "buying", "aria-label": "Buy chips" }, el("label", { for: "top-up" }, "Buy chips for"), sum, el("button", { class: "strong" }, "Buy"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!(await table.buy(readDollars(sum.value)))) form.hidePopover();
  });
  return form;
}
