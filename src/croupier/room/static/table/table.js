// The table page. Messages come in order and are shown one after the other; buttons come from the
// options of the last, money and cards from its view, words from its sentences.

import * as api from "../lib/api.js";
import { cardNames } from "../lib/cards.js";
import { cite } from "../lib/clause.js";
import { capital, el, find, later, put, say } from "../lib/dom.js";
import { signed } from "../lib/money.js";
import { nav } from "../lib/nav.js";
import { onSetting, recall, remember } from "../lib/settings.js";
import { Room } from "../lib/socket.js";
import { sound } from "../lib/sound.js";
import { Bets } from "./bets.js";
import { Choices, spoken } from "./choices.js";
import { clockOf } from "./clock.js";
import { Coach } from "./coach.js";
import { atTheDoor } from "../lib/door.js";
import { Felt } from "./felt.js";
import { listen } from "./keys.js";
import { atPace, show } from "./motion.js";
import { Panel } from "./panel.js";
import { empty, keep, netOf, pictureOf } from "./picture.js";
import { buying, purse, Seating } from "./seating.js";

// What goes into the log but is not called out over the felt.
const QUIET_AT_FIRST = /^(CardsRacked|StubRacked|MeterMoved|CardBurned|HandsDealt|RoundEnded|Shuffle[A-Z].*|Seed.*|EntropyAdded)$/;
const QUIET = new RegExp(`${QUIET_AT_FIRST.source}|^(Deck|Shuffler)`);

class Table {
  view = null;
  options = [];
  picture = empty();
  seat = 0; // the seat drawn large; a player may hold several
  waiting = []; // messages not yet shown
  said = false; // ready, this round

  constructor(id, me, info) {
    Object.assign(this, { id, me, info, mark: `croupier.mark.${id}.${me.name}` });
    this.head = nav("/table", me);
    this.felt = new Felt(find("#felt"));
    this.felt.dress(info);
    this.panel = new Panel(find("#panel"), this);
    this.panel.dress(info);
    this.bets = new Bets(this);
    this.bets.listen(this.felt.root);
    this.choices = new Choices(this);
    this.seating = new Seating(this);
    this.coach = new Coach(this, this.panel.coach);
    this.main = el("div", { class: "main" });
    this.clock = el("div");
    this.controls = el("div", { class: "controls", role: "group", "aria-label": "What you may do" }, this.main, this.clock);
    this.wrongLine = el("p", { class: "wrong", role: "alert" });
    this.felt.aside.append(this.coach.strip);
    this.felt.cloth.append(this.wrongLine, this.controls, buying(this));
    this.#listen();
    this.#connect();
  }

  // --- hearing --------------------------------------------------------------------------------

  #connect() {
    const room = (this.room = new Room());
    room.addEventListener("online", () => this.#behind());
    room.addEventListener("current", () => this.#caughtUp());
    room.addEventListener("offline", () => this.head.line("offline"));
    room.addEventListener("out", () => location.reload());
    room.addEventListener("wrong", ({ detail }) => this.wrong(detail.sentence));
    room.addEventListener("table", ({ detail }) => this.#first(detail));
    room.addEventListener("happened", ({ detail }) => this.#take(detail));
    room.addEventListener("closed", ({ detail }) => this.closed(detail.sentence));
    room.watch(this.id, recall(this.mark)); // after a reload the round is told again
    room.open();
  }

  #first(message) {
    if (message.version === this.heard) return this.#clocked(message);
    this.heard = message.version;
    this.waiting = [];
    this.#now(message);
    this.picture = pictureOf(this.view);
    this.#draw();
    if (!this.behind) this.#ask();
    this.panel.say(`${this.info.title} at ${this.info.house}. You may: ${this.possible()}`);
  }

  /** Nothing happened at the table: the clocks changed, or the player's balance is known now. */
  #clocked({ clocks, view }) {
    this.clocks = clocks;
    this.view.you.bank = view.you.bank ?? this.view.you.bank;
    this.head.bank(this.view.you.bank);
    put(this.clock, clockOf(clocks, this.view));
  }

  /** The table is closed for good. */
  closed(sentence) {
    this.over = sentence;
    this.room.close();
    this.panel.say(sentence);
    if (!this.waiting.length) this.#ask();
  }

  #now({ view, options, clocks, commitment }) {
    const you = view.you ?? { seats: [], bank: null, chips: 0 };
    you.bank ??= this.view?.you.bank ?? this.me.bank; // until the room has loaded it
    this.view = view = { commitment, ...view, you };
    this.options = options ?? [];
    this.clocks = clocks ?? view.clocks;
    if (!view.you.seats.includes(this.seat)) this.seat = view.you.seats[0] ?? 0;
    if (view.you.seats.includes(view.turn)) this.seat = view.turn;
  }

  async #take(message) {
    this.heard = message.version;
    this.waiting.push(message);
    if (this.waiting.length > 1) return;
    while (this.waiting.length) {
      atPace(this.behind ? Infinity : this.waiting.length);
      try {
        await this.#show(this.waiting[0]);
      } finally {
        this.waiting.shift();
      }
    }
    if (!this.behind) this.#ask();
  }

  /** What was missed is told first; it is not played out again, and nobody is asked meanwhile. */
  #behind() {
    this.head.line("online");
    this.behind = true;
    this.#rest();
  }

  #caughtUp() {
    if (!this.behind) return;
    this.behind = false;
    if (!this.waiting.length) this.#ask();
  }

  async #show(message) {
    const before = this.picture;
    const could = JSON.stringify(this.options);
    this.#now(message);
    this.picture = keep(before, message);
    if (!this.view.round) remember(this.mark, message.from);
    const names = message.events.map(({ event }) => event.event);
    if (names.includes("WagersPlaced") && before.over) this.said = false;
    if (names.includes("NoMoreBetsAnnounced")) this.#closed();
    if (names.includes("AllHandsVoided") || names.includes("IrregularityReported")) sound("knock");
    this.#log(message);
    if (could !== JSON.stringify(this.options)) this.#rest();
    await show(this.felt, message.events, () => this.#draw(), this.seat);
    if (names.includes("RoundEnded")) this.#ended(message);
  }

  /** The buttons are no longer true; new ones come when all is shown. */
  #rest() {
    this.hadFocus ||= this.controls.contains(document.activeElement);
    this.controls.inert = true;
  }

  #log({ actor, events }) {
    const late = /time ran out/.test(actor ?? "") ? " (time ran out)" : "";
    for (const { sentence, clause, event } of events) {
      const mine = this.view.you.seats.includes(event.seat);
      this.panel.say(sentence + late, clause, mine ? "me" : "");
      if (event.event === "HandsDealt") {
        const hand = this.mySeat()?.cards.filter((code) => code !== "??") ?? [];
        if (hand.length) this.panel.say(`You hold ${cardNames(hand)}.`, null, "me");
      }
    }
    const quiet = this.view.rounds ? QUIET : QUIET_AT_FIRST;
    const loud = events.findLast(({ event }) => !quiet.test(event.event));
    if (loud) say(this.felt.says, loud.sentence);
  }

  async #closed() {
    sound("knock");
    put(this.felt.banner, "No more bets");
    this.felt.banner.hidden = false;
    await later(1300);
    this.felt.banner.hidden = true;
  }

  #ended({ events }) {
    const { number } = events.find(({ event }) => event.event === "RoundEnded").event;
    for (const seat of this.view.you.seats) {
      const here = this.picture.seats[seat];
      if (!here) continue;
      const net = netOf(Object.values(here.paid));
      this.panel.finished({ number, net, words: here.words || here.said, cards: here.cards, void: this.picture.void });
      if (net === null) continue;
      this.panel.say(`Round ${number}: ${signed(net)} for you.`, null, "me");
      say(this.felt.says, `Round ${number}: ${signed(net)} for you.`);
    }
    this.said = false;
  }

  // --- showing --------------------------------------------------------------------------------

  #draw() {
    const sit = this.options.filter(({ name }) => name === "SitDown").map(({ seat }) => seat);
    const open = this.picture.over || !this.mySeat()?.cards.length;
    this.felt.draw(this.view, this.picture, { mine: this.seat, draft: open ? this.bets.draft : null, sit: this.seat ? [] : sit });
    this.head.bank(this.view.you.bank);
    this.panel.refresh();
    this.#settled();
  }

  #settled() {
    const paid = this.bets.draft ? [] : Object.entries(this.mySeat()?.paid ?? {});
    const key = JSON.stringify([paid, this.picture.over]);
    if (this.felt.results.dataset.key === key) return;
    this.felt.results.dataset.key = key;
    // Wagers that went the same way for the same reason share a line.
    const lines = Map.groupBy(paid, ([, { result, reason, clause }]) => `${result} ${reason} ${clause}`);
    const total = netOf(Object.values(this.mySeat()?.paid ?? {}));
    put(this.felt.results, paid.length && total !== null ? el("li", { class: "sum" }, el("b", null, this.picture.over ? "Net" : "So far"), el("span", { class: "how" }, signed(total))) : null,
      [...lines.values()].map(result));
  }

  /** Nothing more is waiting to be shown: ask the player. */
  #ask() {
    if (!this.view) return;
    if (this.over) {
      this.controls.inert = false;
      put(this.clock);
      return put(this.main, el("p", { role: "alert" }, this.over, " ", el("a", { href: "/" }, "To the tables")));
    }
    const mine = this.options.filter((option) => option.seat === this.seat);
    const betting = mine.find(({ name }) => name === "PlaceWagers");
    const choosing = mine.filter(({ name }) => name === "Choose");
    const back = mine.find(({ name }) => name === "TakeBackWagers");
    const had = this.hadFocus || document.activeElement === document.body;
    this.hadFocus = false;
    this.controls.inert = false;
    this.bets.open(this.seat ? betting : null);
    this.choices.show(choosing, this.#position());
    this.seating.refresh();
    if (!this.seat) this.#offer(this.seating.node, false);
    else if (choosing.length) this.#offer(this.choices.node, had);
    else if (betting) this.#offer(this.bets.node, had);
    else put(this.main, back ? this.#placed() : el("p", { class: "quietly" }, this.#whom()));
    put(this.clock, clockOf(this.clocks, this.view));
    put(this.felt.purse, purse(this));
    if (choosing.length) this.#turn(choosing);
    this.#draw();
  }

  /** Show these controls, and leave them alone where they stand already. */
  #offer(node, focus) {
    if (node.parentNode !== this.main || this.main.children.length > 1) put(this.main, node);
    if (focus) find("button:not(:disabled):not([hidden]):not(.step)", node)?.focus({ preventScroll: true });
  }

  #turn(choosing) {
    const key = `${this.picture.number} ${this.seat} ${this.view.point}`;
    if (key === this.asked) return;
    this.asked = key;
    this.panel.say(`Your turn: ${this.possible()}`, null, "turn");
    if (choosing[0].verb !== "pick") this.coach.decide(this.seat, this.picture.number, key);
  }

  #whom() {
    if (this.view.turn) return `Seat ${this.view.turn}, ${this.view.seats[this.view.turn - 1]}, decides.`;
    return this.view.round?.closed ? "The dealer is at work." : "The dealer prepares the cards.";
  }

  #placed() {
    const deal = el("button", { type: "button", class: "strong", on: { click: () => this.place(true) } }, "Deal", el("kbd", { "aria-hidden": "true" }, "D"));
    const back = el("button", { type: "button", on: { click: () => this.takeBack() } }, "Take back");
    return el("div", { class: "go" }, this.said ? el("p", { class: "quietly" }, "Waiting for the other players.") : deal, back);
  }

  /** To another of my seats. */
  move(seat) {
    this.seat = seat;
    this.bets.draft = null;
    this.#ask();
  }

  // --- asking for things; each answers with words for whoever typed it ------------------------

  #position = () => this.view.round?.positions.find(({ seat }) => seat === this.seat);
  mySeat = () => this.picture.seats[this.seat];
  spot = (wager) => this.felt.spotAt(this.seat, wager);
  freeSeats = () => this.options.filter(({ name }) => name === "SitDown").map(({ seat }) => seat);

  wrong(sentence, clause = null) {
    put(this.wrongLine, sentence, clause ? " " : null, cite(clause));
    clearTimeout(this.clearing);
    this.clearing = setTimeout(() => put(this.wrongLine), 8000);
    return sentence;
  }

  async #command(name, fields) {
    put(this.wrongLine);
    const refused = await this.room.command(this.id, name, fields);
    return refused ? this.wrong(refused.sentence, refused.clause) : "";
  }

  betsChanged() {
    if (this.picture.over && Object.keys(this.picture.seats).length) this.picture = empty();
    this.coach.rest();
    this.#draw();
  }

  async place(deal) {
    if (this.bets.option) {
      if (!this.bets.total) return this.wrong("Lay your wagers first.");
      const wagers = { ...this.bets.draft };
      const refused = await this.#command("PlaceWagers", { seat: this.seat, wagers });
      if (refused) return refused;
      this.bets.last = wagers;
    }
    if (!deal) return "";
    this.said = true;
    this.room.ready(this.id);
    if (!this.waiting.length) this.#ask();
    return "";
  }

  /** Let this round go by. */
  sitOut() {
    this.room.ready(this.id);
    return "";
  }

  async takeBack() {
    const wagers = this.mySeat()?.wagers;
    const refused = await this.#command("TakeBackWagers", { seat: this.seat });
    if (!refused) this.said = false;
    if (!refused && wagers) this.bets.last = { ...wagers };
    return refused;
  }

  async choose(option) {
    if (this.choosing) return "";
    this.choosing = true;
    const { name, ...fields } = option;
    const due = this.coach.current;
    const refused = await this.#command(name, fields);
    this.choosing = false;
    if (!refused) this.coach.chosen(due, option);
    return refused;
  }

  sit(seat, chips = null) {
    if (!seat) return this.wrong("No seat is free.");
    const sum = chips ?? this.seating.sum;
    if (!sum) return this.wrong("Say with how many chips, such as 200.");
    return this.#command("SitDown", { seat, chips: sum });
  }

  buy(amount) {
    return amount ? this.#command("BuyChips", { amount }) : this.wrong("Say for how much, such as 100.");
  }

  leave() {
    return this.seat ? this.#command("StandUp", { seat: this.seat }) : this.wrong("You have no seat.");
  }

  async addEntropy(entropy) {
    if (!entropy.trim()) return "Say what to add.";
    return (await this.#command("AddEntropy", { entropy: entropy.trim() })) || "Added to the next shuffle.";
  }

  /** What may be done now, in words. */
  possible() {
    const mine = this.options.filter(({ name, seat }) => name === "Choose" && seat === this.seat);
    if (mine.some(({ verb }) => verb === "pick")) return "pick three cards, such as pick 1 3 5.";
    if (mine.length) return `${mine.map(spoken).join(", ")}.`;
    if (this.bets.option) return "bet, such as bet 10, then deal.";
    if (!this.seat) return "sit, such as sit 3 200.";
    return this.#whom();
  }

  #listen() {
    this.felt.root.addEventListener("seat", ({ detail }) => this.sit(detail));
    this.felt.root.addEventListener("click", (event) => {
      const card = event.target.closest(".place .hand[data-picking] .card");
      if (card) this.choices.toggle([...card.parentNode.children].indexOf(card) + 1);
    });
    listen(this);
    onSetting((name) => name === "coach" && this.view && this.#ask());
  }
}

function result(together) {
  const [, { result: how, reason, clause }] = together[0];
  const won = together.reduce((sum, [, { win }]) => sum + win, 0);
  return el("li", { data: { how } }, el("b", null, capital(together.map(([wager]) => wager).join(", "))),
    el("span", { class: "how" }, how === "won" ? signed(won) : how), el("span", { class: "why" }, reason, " ", cite(clause)));
}

// --- coming in ------------------------------------------------------------------------------

async function begin() {
  const id = decodeURIComponent(location.pathname.split("/")[2] ?? "");
  try {
    const [me, info] = await Promise.all([api.me(), api.get(`/api/tables/${encodeURIComponent(id)}`)]);
    document.title = `${info.title} – Croupier`;
    say(find("#title"), `${info.title}, table ${id}`);
    if (!me) {
      nav("/table");
      new Felt(find("#felt")).dress(info); // what one sees through the door
    }
    // Within reach of the console, and of whoever tests the page.
    globalThis.table = new Table(id, me ?? (await atTheDoor(info)), info);
  } catch (wrong) {
    if (!(wrong instanceof api.Refused)) throw wrong;
    nav("/table");
    put(find("main"), el("p", { class: "panel" }, wrong.sentence, " ", el("a", { href: "/" }, "To the tables")));
  }
}

begin();
