// Sitting down, buying chips, leaving.

import { el } from "../lib/dom.js";
import { dollars, readDollars } from "../lib/money.js";

const USUAL_BETS = 40; // how many minimum bets one sits down with
const USUAL_TOP_UP = 20000;
const LEAST = 500; // what counts as a minimum bet where only side bets are lower

/** For whoever watches: how much, and the seat in the middle of those free. */
export function seating(table) {
  const least = Math.max(LEAST, ...Object.values(table.info.limits ?? {}).map(([min]) => min));
  const usual = Math.min(table.view.you.bank, USUAL_BETS * least);
  table.buyIn = el("input", { id: "buy-in", inputmode: "decimal", size: 8, value: dollars(usual) });
  const free = table.freeSeats();
  const sit = () => table.sit(free[Math.floor((free.length - 1) / 2)]);
  return el("div", { class: "go" }, el("label", { for: "buy-in" }, "Sit down with"), table.buyIn,
    el("button", { type: "button", class: "strong", disabled: !free.length, on: { click: sit } }, free.length ? "Take a seat" : "No seat is free"));
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
