// The wall: one card a table, everything a supervisor looks for in passing.

import { all, el, put, say } from "../lib/dom.js";
import { dollars } from "../lib/money.js";

const SIGNS = { absent: "◔", stub: "№", jam: "!", device: "!", inventory: "$", stuck: "!" };

/** "0:42", "12:05" since a moment. */
export function ago(since) {
  const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(since)) / 1000));
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}:${String(seconds % 60).padStart(2, "0")}` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const figure = (name, value, how = "") => el("div", { class: how }, el("dt", null, name), el("dd", null, value));

/** "red in play, blue in the shuffler" */
export const deckWords = (decks) => decks.map(({ colour, at }) => `${colour} ${at}`).join(", ") || "none";

/** In words, when the stub is counted next. */
export function stubWords({ since, every, due, waived }) {
  if (waived) return "waived";
  return due ? "due now" : `${since} of ${every} rounds`;
}

export class Wall {
  #cards = new Map(); // table -> {item, shown}

  constructor(list, summary) {
    Object.assign(this, { list, summary });
  }

  draw(tables, chosen) {
    const there = new Set(tables.map(({ id }) => id));
    for (const [id, { item }] of this.#cards) {
      if (there.has(id)) continue;
      item.remove(); // the table was closed
      this.#cards.delete(id);
    }
    for (const table of tables) this.#card(table);
    this.mark(chosen);
    const seated = new Set(tables.flatMap(({ seats }) => seats.map(({ player }) => player).filter(Boolean)));
    const alerts = tables.reduce((sum, { alerts: found }) => sum + found.length, 0);
    const running = tables.filter(({ round }) => round).length;
    const words = [`${tables.length} tables`, `${running} in a round`, `${seated.size} ${seated.size === 1 ? "player" : "players"}`, alerts === 1 ? "1 alert" : alerts ? `${alerts} alerts` : "no alerts"];
    say(this.summary, words.join(" · "));
  }

  /** Drawn again only where something changed, so that focus stays where it is. */
  #card(table) {
    let here = this.#cards.get(table.id);
    if (!here) {
      const link = el("a", { href: `#${encodeURIComponent(table.id)}` });
      here = { item: el("li", { data: { game: table.game, id: table.id } }, link), link, shown: "" };
      this.#cards.set(table.id, here);
      this.list.append(here.item);
    }
    const { version, ...rest } = table;
    const now = JSON.stringify(rest);
    if (now === here.shown) return;
    here.shown = now;
    here.item.toggleAttribute("data-alert", table.alerts.length > 0);
    here.link.setAttribute("aria-label", `Table ${table.id}, ${table.title}: ${table.stage}. ${table.alerts.map(({ sentence }) => sentence).join(" ")}`);
    put(here.link, ...face(table));
  }

  mark(chosen) {
    for (const [id, { link }] of this.#cards) {
      if (id === chosen) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  /** Waiting times go on. */
  tick() {
    for (const time of all("time.waits", this.list)) say(time, ago(time.dateTime));
  }
}

function face(table) {
  const { id, title, rulebook, stage, asked, paused, alerts, seats } = table;
  const taken = seats.filter(({ player }) => player);
  return [
    el("span", { class: "strip" }, el("b", null, title), el("span", null, rulebook.slice(0, 2).toUpperCase()), el("code", null, id)),
    el("span", { class: "stage" }, el("b", null, stage), paused ? el("em", { class: "flag" }, "paused") : null,
      asked ? el("span", { class: "who" }, `${asked.player} `, el("time", { class: "waits", datetime: asked.since }, ago(asked.since))) : null),
    el("span", { class: "chairs" }, taken.map((seat) => chair(seat, asked)), el("span", { class: "free" }, `${seats.length - taken.length} of ${seats.length} free`)),
    el("dl", { class: "figures" },
      figure("Round", table.round ? String(table.round) : `${table.rounds} played`),
      figure("On the felt", dollars(table.layout)),
      figure("Inventory", dollars(table.inventory)),
      figure("Drop box", dollars(table.drop_box)),
      figure("Stub count", stubWords(table.stub), table.stub.due ? "now" : ""),
      table.meter === null ? figure("Limits", Object.values(table.limits)[0].map(dollars).join(" to ")) : figure("Meter", dollars(table.meter)),
      figure("Cards", `${deckWords(table.decks)}; dealt from the ${table.dealing}`, "whole")),
    alerts.length ? el("span", { class: "alerts" }, alerts.map(({ kind, sentence }) => el("span", { class: "alert", data: { kind } }, el("i", { "aria-hidden": "true" }, SIGNS[kind]), sentence))) : null,
  ];
}

function chair({ seat, player, present, wagers }, asked) {
  const total = Object.values(wagers).reduce((sum, cents) => sum + cents, 0);
  return el("span", { class: "chair", data: { state: present ? "here" : "away", asked: asked?.seat === seat } },
    el("i", null, String(seat)), el("span", null, player), total ? el("b", null, dollars(total)) : null);
}
