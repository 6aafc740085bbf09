// Chips by value, seen a little from above, and stacks of them.

import { svg } from "./dom.js";
import { dollars } from "./money.js";

export const RACK = [100, 500, 2500, 10000, 50000]; // what lies in a player's rack
const VALUES = [500000, 100000, 50000, 10000, 2500, 500, 100, 50, 25, 5, 1];
const MOST = 7; // chips drawn in one stack
const RISE = 7; // from chip to chip

const short = (cents) => (cents < 100 ? `${cents}¢` : cents >= 100000 ? `${cents / 100000}k` : String(cents / 100));

function disc(cents, y) {
  const value = svg("text", { x: 50, y: 57 + y, class: "worth" });
  value.textContent = short(cents);
  return svg("g", { class: `chip c${cents}` },
    svg("circle", { cx: 50, cy: 53 + y, r: 46, class: "edge" }),
    svg("circle", { cx: 50, cy: 50 + y, r: 46, class: "body" }),
    svg("circle", { cx: 50, cy: 50 + y, r: 39.5, class: "spots" }),
    svg("circle", { cx: 50, cy: 50 + y, r: 31, class: "ring" }),
    svg("circle", { cx: 50, cy: 50 + y, r: 27, class: "face" }), value);
}

/** The fewest chips that make the sum, largest first. */
export function change(cents) {
  const chips = [];
  for (const value of VALUES) {
    for (; cents >= value && chips.length < 60; cents -= value) chips.push(value);
  }
  return chips;
}

export const chip = (cents) => svg("svg", { viewBox: "0 0 100 102", class: "chips", "aria-hidden": "true" }, disc(cents, 0));

/** A sum as a stack: the largest chips below, at most a handful drawn. */
export function stack(cents) {
  const all = change(cents);
  const shown = all.length > MOST ? [...all.slice(0, MOST - 2), ...all.slice(-2)] : all;
  const height = 102 + (shown.length - 1) * RISE;
  const discs = shown.map((value, at) => disc(value, (shown.length - 1 - at) * RISE));
  return svg("svg", { viewBox: `0 0 100 ${height}`, class: "chips stack", "aria-hidden": "true", "data-cents": cents }, discs);
}

export const chipName = (cents) => `${dollars(cents)} chip`;
