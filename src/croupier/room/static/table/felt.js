// The felt: draws a view, and what was seen of the round, into an element. It holds no rules and
// sends nothing; whoever uses it hears "seat" and "spot" events. The audit page replays on it too:
//
//   const felt = new Felt(element);
//   felt.dress(table);              // GET /api/tables/{id}: names, sign, pay odds
//   felt.draw(view, pictureOf(view));

import { card, coverCard } from "../lib/cards.js";
import { stack } from "../lib/chips.js";
import { all, capital, el, find, put, say } from "../lib/dom.js";
import { dollars, signed } from "../lib/money.js";

const NOT_WAGERS = ["player's cards", "dealer's cards"];
// How an area is drawn: wagers before the deal as circles, those made in play as squares.
const DURING_PLAY = ["play", "bet", "play 3", "play 5"];
const FIRST = ["ante", "blind", "bet 1", "bet 2", "bet 3", "5 card bonus"];

const LIMITS = /: (limits|wager)$/; // how such a notice is headed

const shape = (name) => (DURING_PLAY.includes(name) ? "during" : FIRST.includes(name) ? "first" : "side");
const order = (name) => ["first", "during", "side"].indexOf(shape(name));

export const wagerNames = (view) =>
  Object.keys(view.areas).filter((name) => !NOT_WAGERS.includes(name)).sort((a, b) => order(a) - order(b));

export class Felt {
  #seats = new Map();
  #shape = "";

  constructor(root) {
    this.root = root;
    root.classList.add("felt");
    this.house = el("p", { class: "house" });
    this.game = el("p", { class: "game" });
    this.odds = [el("div", { class: "odds left" }), el("div", { class: "odds right" })];
    this.limits = el("div", { class: "limits" });
    this.limitsLine = el("p", { class: "limits-line" }); // where there is no room for a sign
    this.meter = el("p", { class: "meter", hidden: true });
    this.discard = el("div", { class: "box discard", role: "img" }, el("span", { class: "pile" }), el("span", { class: "label" }));
    this.shoe = el("div", { class: "box shoe", role: "img" }, el("span", { class: "pile" }), el("span", { class: "label" }));
    this.tray = el("div", { class: "tray", "aria-hidden": "true" });
    this.dealer = hand("dealer", "Dealer's cards");
    this.dealerWords = el("p", { class: "words" });
    this.board = hand("community", "Community cards");
    this.says = el("p", { class: "says" });
    this.banner = el("p", { class: "banner", hidden: true });
    this.ring = el("ol", { class: "seats", "aria-label": "Seats, from the dealer's left" });
    this.results = el("ul", { class: "results", "aria-label": "How your wagers were settled" });
    this.aside = el("div", { class: "aside" }, this.results);
    this.purse = el("div", { class: "purse" });
    this.place = el("section", { class: "place", "aria-label": "Your place", hidden: true });
    this.cloth = el("div", { class: "cloth" },
      el("div", { class: "head" },
        el("div", { class: "corner" }, this.limits, this.discard),
        el("div", { class: "dealers" }, this.tray, this.dealer, this.dealerWords),
        el("div", { class: "corner" }, this.shoe)),
      el("div", { class: "middle" }, this.odds[0],
        el("div", { class: "centre" }, el("div", { class: "printed" }, this.house, this.game, this.limitsLine, this.meter), this.board, this.says), this.odds[1]),
      this.ring, this.place, this.banner);
    put(root, this.cloth);
  }

  /** What is printed on the cloth and stands beside it. */
  dress({ title, house, game, sign = [] }) {
    this.root.dataset.game = game;
    say(this.house, house);
    say(this.game, title);
    const pays = sign.filter(({ title: t, lines }) => lines.length > 1 && lines.some((line) => / to 1|win /.test(line)) && !/ hands /.test(t)).slice(0, 3);
    const listed = pays.map(({ title: t, lines }) => odds(t, lines));
    put(this.odds[0], listed.filter((_, at) => at % 2 === 0));
    put(this.odds[1], listed.filter((_, at) => at % 2 === 1));
    const posted = sign.filter(({ title: t }) => LIMITS.test(t)).map(({ title: t, lines }) => [t.replace(LIMITS, ""), lines[0].replace(" to ", " – ")]);
    put(this.limits, posted.map(([name, words]) => el("p", null, el("span", null, name), " ", el("b", null, words))));
    say(this.limitsLine, posted.map((each) => each.join(" ")).join(" · "));
  }

  /** Draw it all; only what differs is touched. ``mine`` is the seat drawn large, 0 for none. */
  draw(view, picture, { mine = 0, draft = null, sit = [] } = {}) {
    this.view = view;
    this.root.dataset.game = view.game;
    this.root.dataset.deck = picture.deck;
    this.#lay(view, mine);
    this.#middle(view, picture);
    for (const [seat, parts] of this.#seats) this.#seat(view, picture, seat, parts, { mine: seat === mine, draft, sit });
  }

  #lay(view, mine) {
    const now = JSON.stringify([view.game, view.seats.length, mine, Object.keys(view.areas)]);
    if (now === this.#shape) return;
    this.#shape = now;
    const names = wagerNames(view);
    const count = view.seats.length;
    this.#seats.clear();
    this.ring.replaceChildren();
    for (let seat = 1; seat <= count; seat++) {
      const across = (seat - 0.5) / count;
      const item = el("li", { class: "seat", data: { seat }, vars: { "--dip": (1 - (2 * across - 1) ** 2).toFixed(3) } });
      const parts = seat === mine ? this.#own(seat, names) : place(seat, names);
      item.append(...(seat === mine ? [el("p", { class: "you" }, `Seat ${seat}`), parts.plate, this.purse] : parts.nodes));
      this.#seats.set(seat, { ...parts, item });
      this.ring.append(item);
    }
    this.place.hidden = !mine;
    this.root.dataset.seats = count;
  }

  #own(seat, names) {
    const parts = place(seat, names, true);
    put(this.place, parts.spotBox, el("div", { class: "cards" }, parts.hand, parts.words), this.aside);
    this.place.setAttribute("aria-label", `Your place, seat ${seat}`);
    return parts;
  }

  #middle(view, picture) {
    const at = view.decks.map((deck) => `${deck.colour} ${deck.at}`).join(", ");
    cards(this.dealer, picture.dealer, picture.deck);
    cards(this.board, picture.community, picture.deck);
    const cover = find(".cover", this.dealer);
    if (picture.covered && !cover) this.dealer.append(coverCard());
    if (!picture.covered) cover?.remove();
    say(this.dealerWords, picture.words && capital(picture.words));
    this.root.toggleAttribute("data-over", picture.over);
    box(this.discard, view.rack, "Discards", `Discard rack, ${view.rack} cards`);
    box(this.shoe, view.round?.stub || (view.round?.closed ? 0 : 52), "Shoe", `Shoe. Deck: ${at || "none"}`);
    this.shoe.dataset.deck = view.round?.deck || view.decks[0]?.colour || "";
    this.discard.dataset.deck = this.shoe.dataset.deck;
    this.meter.hidden = !view.meter;
    say(this.meter, `Progressive ${dollars(view.meter)}`);
  }

  #seat(view, picture, seat, parts, { mine, draft, sit }) {
    const name = view.seats[seat - 1];
    const here = picture.seats[seat];
    parts.item.dataset.state = name ? "taken" : "free";
    parts.item.toggleAttribute("data-turn", view.turn === seat);
    parts.item.toggleAttribute("data-folded", !!here?.folded || !!here?.void);
    if (mine) this.place.toggleAttribute("data-turn", view.turn === seat);
    cards(parts.hand, here?.cards ?? [], picture.deck);
    say(parts.words, here?.words ? capital(here.words) : "");
    say(parts.said, here?.said ?? "");
    if (name || !sit.includes(seat)) {
      put(parts.plate, el("b", null, mine ? "You" : name || "Free"), name ? el("span", null, dollars(view.chips[name] ?? 0)) : null);
    } else if (!find("button", parts.plate)) {
      const press = () => this.root.dispatchEvent(new CustomEvent("seat", { detail: seat }));
      put(parts.plate, el("button", { type: "button", class: "sit", "aria-label": `Sit down at seat ${seat}`, on: { click: press } }, "Sit", el("span", { class: "wide" }, "here")));
    }
    const shown = mine && draft ? draft : (here?.wagers ?? {});
    for (const [wager, node] of parts.spots) spot(node, shown[wager] ?? 0, mine && draft ? null : here?.paid[wager]);
    const total = Object.values(here?.wagers ?? {}).reduce((sum, cents) => sum + cents, 0);
    say(parts.total, total ? dollars(total) : "");
  }

  /** Where things lie, for whoever moves them. */
  handAt = (place_) => find(`[data-place="${place_}"]`, this.root);
  spotAt = (seat, wager) => this.#seats.get(seat)?.spots.get(wager);
  pocketOf = (seat) => (this.place.contains(this.#seats.get(seat)?.hand) ? this.place : this.#seats.get(seat)?.plate);
}

function hand(placeName, label) {
  return el("div", { class: "hand", role: "group", "aria-label": label, data: { place: placeName } });
}

/** The parts of one player's place. */
function place(seat, names, large = false) {
  const spots = new Map(names.map((name) => [name, spotNode(seat, name, large)]));
  const spotBox = el("div", { class: "spots", data: { count: names.length } }, [...spots.values()]);
  const parts = {
    spots, spotBox, hand: hand(`seat ${seat}`, `Cards of seat ${seat}`), words: el("p", { class: "words" }),
    said: el("p", { class: "said" }), plate: el("p", { class: "plate" }), total: el("p", { class: "total" }),
  };
  parts.nodes = [parts.said, parts.hand, parts.words, spotBox, parts.total, parts.plate];
  return parts;
}

function spotNode(seat, name, large) {
  const node = el(large ? "button" : "div", { class: `spot ${shape(name)}`, type: large ? "button" : null, data: { wager: name, seat } },
    el("span", { class: "name" }, name.replace("progressive", "progres\u00ADsive")), el("span", { class: "pile" }), el("span", { class: "sum" }), el("span", { class: "result" }));
  if (large) node.setAttribute("aria-label", capital(name));
  return node;
}

function spot(node, cents, paid) {
  const pile = find(".pile", node);
  if (Number(pile.dataset.cents ?? 0) !== cents) {
    put(pile, cents ? stack(cents) : null);
    pile.dataset.cents = cents;
  }
  say(find(".sum", node), cents ? dollars(cents) : "");
  const result = find(".result", node);
  const how = cents || !paid ? "" : paid.result;
  result.dataset.how = how;
  say(result, !how ? "" : how === "won" ? signed(paid.win) : how === "lost" ? "lost" : how === "pushed" ? "push" : "back");
  node.toggleAttribute("data-empty", !cents && !how);
  if (node.tagName === "BUTTON") {
    const name = capital(node.dataset.wager);
    node.setAttribute("aria-label", cents ? `${name}, ${dollars(cents)}` : how ? `${name}, ${how} ${how === "won" ? dollars(paid.win) : ""}` : name);
  }
}

/** Replace only the cards that changed, and mark them for whoever animates. */
function cards(node, codes, colour) {
  const now = all(".card:not(.cover)", node);
  for (const old of now.slice(codes.length)) old.remove();
  codes.forEach((code, at) => {
    const old = now[at];
    if (old?.dataset.card === code && (code !== "??" || old.classList.contains(colour))) return;
    const fresh = card(code, { colour });
    fresh.dataset.fresh = old ? "turned" : "dealt";
    if (old) old.replaceWith(fresh);
    else node.insertBefore(fresh, find(".cover", node));
  });
  node.dataset.count = codes.length;
}

function box(node, count, label, words) {
  node.style.setProperty("--fill", Math.min(1, count / 52));
  say(find(".label", node), label);
  node.setAttribute("aria-label", words);
}

function odds(title, lines) {
  return el("dl", null, el("div", { class: "over" }, el("dt", null, title), el("dd", { class: "unseen" }, "pays")),
    lines.map((line) => {
      const at = line.lastIndexOf(": ");
      return el("div", null, el("dt", null, line.slice(0, at)), el("dd", null, line.slice(at + 2)));
    }));
}
