// How things move: cards from the shoe in the order they were dealt, cards turned in place, chips
// to the inventory or back. With reduced motion nothing moves and nobody waits.

import { stack } from "../lib/chips.js";
import { all, el, later } from "../lib/dom.js";
import { reduced } from "../lib/settings.js";
import { sound } from "../lib/sound.js";

const EASE = "cubic-bezier(0.22, 0.7, 0.25, 1)";
const GAP = 115; // from card to card
const FLIGHT = 300;
const CHOICE = 420; // to see what another seat said
const PAYMENT = 380;
const LOOK = 750; // at a hand that was turned up

const HOLDS = { ChoiceMade: CHOICE, DealerRevealed: LOOK, NoMoreBetsAnnounced: 700, CommunityRevealed: 500, UpCardExposed: 400, IrregularityReported: 1200 };
const hurry = { pace: 1 };

/** A shorter evening when many messages wait. */
export const atPace = (waiting) => (hurry.pace = waiting > 40 ? 0 : waiting > 16 ? 0.45 : 1);

const still = () => reduced() || document.hidden || hurry.pace === 0;
const wait = (ms) => later(ms * hurry.pace);

function from(node, origin, { delay = 0, turn = 0 } = {}) {
  const there = origin.getBoundingClientRect();
  const here = node.getBoundingClientRect();
  const x = there.left + there.width / 2 - here.left - here.width / 2;
  const y = there.top + there.height / 2 - here.top - here.height / 2;
  const start = { transform: `translate(${x}px, ${y}px) rotate(${turn}deg) scale(0.7)`, opacity: 0 };
  return node.animate([start, { opacity: 1, offset: 0.25 }, { transform: "none", opacity: 1 }],
    { duration: FLIGHT * hurry.pace, delay: delay * hurry.pace, easing: EASE, fill: "backwards" }).finished;
}

function turnUp(node, delay = 0) {
  sound("card");
  return node.animate([{ transform: "perspective(600px) rotateY(88deg)" }, { transform: "perspective(600px) rotateY(0)" }],
    { duration: 260 * hurry.pace, delay: delay * hurry.pace, easing: "ease-out", fill: "backwards" }).finished;
}

/** A copy that stays behind on the page while the felt is drawn anew. */
function ghost(node) {
  const at = node.getBoundingClientRect();
  const copy = node.cloneNode(true);
  copy.classList.add("ghost");
  Object.assign(copy.style, { left: `${at.left + scrollX}px`, top: `${at.top + scrollY}px`, width: `${at.width}px` });
  return copy;
}

/** What the house pays comes out of the inventory. */
function payment(felt, seat, cents) {
  const at = felt.tray.getBoundingClientRect();
  const copy = el("div", { class: "ghost" }, stack(cents));
  Object.assign(copy.style, { left: `${at.left + at.width / 2 + scrollX}px`, top: `${at.top + scrollY}px` });
  return (delay) => away(copy, felt.pocketOf(seat), delay);
}

function away(copy, to, delay = 0) {
  document.body.append(copy);
  const a = copy.getBoundingClientRect();
  const b = to.getBoundingClientRect();
  const move = `translate(${b.left + b.width / 2 - a.left - a.width / 2}px, ${b.top + b.height / 2 - a.top - a.height / 2}px) scale(0.8)`;
  return copy.animate([{ transform: "none", opacity: 1 }, { opacity: 1, offset: 0.7 }, { transform: move, opacity: 0 }],
    { duration: PAYMENT * hurry.pace, delay: delay * hurry.pace, easing: EASE, fill: "both" }).finished.finally(() => copy.remove());
}

/** Draw a message and show how it came about. ``draw`` puts the felt into its new state. */
export async function show(felt, events, draw, mine) {
  if (still()) {
    draw();
    forget(felt);
    return;
  }
  const leaving = events.flatMap(({ event }) => settled(felt, event));
  draw();
  const moves = [...arrivals(felt, events, mine), ...leaving.map((go, at) => go(at * 90))];
  await Promise.allSettled(moves);
  forget(felt);
  await wait(Math.max(0, ...events.map(({ event }) => hold(event, mine))));
}

function hold(event, mine) {
  if (event.event === "WagerSettled") return event.seat === mine ? LOOK : CHOICE;
  return HOLDS[event.event] ?? 0;
}

/** Chips whose wager is settled: to the inventory when lost, else to the player. */
function settled(felt, event) {
  if (event.event !== "WagerSettled" && event.event !== "ChipsSwept") return [];
  const seats = event.seats ?? [event.seat];
  return seats.flatMap((seat) => {
    const chips = felt.spotAt(seat, event.wager)?.querySelector(".chips");
    if (!chips) return [];
    const copy = ghost(chips);
    const lost = event.result === "lost" || event.event === "ChipsSwept";
    const stake = (delay) => (sound("chip"), away(copy, lost ? felt.tray : felt.pocketOf(seat), delay));
    return event.win ? [payment(felt, seat, event.win), stake] : [stake];
  });
}

function* arrivals(felt, events, mine) {
  const dealt = events.find(({ event }) => event.event === "HandsDealt");
  const seen = new Set();
  if (dealt) {
    const count = {};
    let at = 0;
    for (const place of dealt.event.places) {
      const nth = (count[place] = (count[place] ?? -1) + 1);
      const node = all(".card:not(.cover)", felt.handAt(place))[nth];
      if (!node) continue;
      seen.add(node);
      const delay = at++ * GAP;
      setTimeout(() => sound("card"), delay * hurry.pace);
      yield from_(node, felt.shoe, delay);
    }
    const cover = felt.dealer.querySelector(".cover");
    if (cover) yield cover.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 200, delay: at * GAP * hurry.pace, fill: "backwards" }).finished;
  }
  let nth = 0;
  for (const node of all("[data-fresh]", felt.root)) {
    if (seen.has(node)) continue;
    yield node.dataset.fresh === "turned" ? turnUp(node, 90 * nth++) : from_(node, felt.shoe, 140 * nth++);
  }
  for (const { event } of events) {
    const wagers = event.event === "WagersPlaced" && event.seat !== mine ? Object.keys(event.wagers) : event.event === "ChoiceMade" && event.amount ? [event.wager] : [];
    for (const wager of wagers) {
      const chips = felt.spotAt(event.seat, wager)?.querySelector(".chips");
      if (chips) yield (sound("chip"), from(chips, felt.pocketOf(event.seat)));
    }
  }
}

const from_ = (node, origin, delay) => from(node, origin, { delay, turn: 24 });

function forget(felt) {
  for (const node of all("[data-fresh]", felt.root)) delete node.dataset.fresh;
}
