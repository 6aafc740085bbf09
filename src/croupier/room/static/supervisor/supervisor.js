// The floor: every table at a glance, and the desk of the one that was chosen. The socket says that
// something happened; how things stand then is asked of the room, a few times a second at most.

import * as api from "../lib/api.js";
import { el, find, put, say } from "../lib/dom.js";
import { nav } from "../lib/nav.js";
import { Room } from "../lib/socket.js";
import { keep, pictureOf } from "../table/picture.js";
import { forStaff } from "../lib/door.js";
import { Chosen } from "./watched.js";
import { Wall } from "./wall.js";

const PAUSE = 400; // milliseconds between two looks at the floor
const ANYWAY = 5000; // somebody may have gone without anything happening
const MOST_LINES = 120; // remembered of each table
const ROLES = ["supervisor", "owner"];

class Floor {
  heard = new Map(); // table -> {view, picture, lines}
  looking = false;
  again = false;

  constructor(me) {
    this.head = nav("/supervisor", me);
    this.wall = new Wall(find("#wall"), find("#summary"));
    this.chosen = new Chosen(find("#chosen"), this);
    find("#floor").hidden = false;
    addEventListener("hashchange", () => this.choose());
    this.#connect();
    this.look().then(() => this.choose());
    setInterval(() => document.hidden || this.look(), ANYWAY);
    setInterval(() => this.wall.tick(), 1000);
  }

  #connect() {
    const room = (this.room = new Room());
    room.addEventListener("online", () => this.head.line("online"));
    room.addEventListener("offline", () => this.head.line("offline"));
    room.addEventListener("out", () => location.reload());
    room.addEventListener("wrong", ({ detail }) => this.told(detail.sentence));
    room.addEventListener("table", ({ detail }) => this.#stands(detail));
    room.addEventListener("happened", ({ detail }) => this.#happened(detail));
    room.addEventListener("closed", ({ detail }) => this.#closed(detail));
    room.open();
  }

  #stands({ table, view }) {
    const lines = this.heard.get(table)?.lines ?? [];
    this.heard.set(table, { view, picture: pictureOf(view), lines });
    this.#changed(table);
  }

  #happened(message) {
    const { table, view, events, time, actor } = message;
    const here = this.heard.get(table);
    if (!here) return;
    here.picture = keep(here.picture, message);
    here.view = view;
    for (const { event, sentence, clause } of events) here.lines.push({ kind: event.event, sentence, clause, time, actor });
    here.lines.splice(0, here.lines.length - MOST_LINES);
    this.#changed(table);
  }

  #closed({ table, sentence }) {
    this.heard.delete(table);
    if (table === this.chosen.id) location.hash = "";
    this.told(`Table ${table}: ${sentence}`);
    this.look();
  }

  #changed(table) {
    if (table === this.chosen.id) this.chosen.happened();
    this.look();
  }

  /** How the floor stands now; while one look is under way another waits. */
  async look() {
    this.again = true;
    if (this.looking) return;
    this.looking = true;
    try {
      while (this.again) {
        this.again = false;
        await this.#look();
        await new Promise((done) => setTimeout(done, PAUSE));
      }
    } catch ({ sentence }) {
      this.told(sentence ?? "The room cannot be reached.");
    } finally {
      this.looking = false;
    }
  }

  async #look() {
    const seen = await api.get("/api/supervisor");
    this.wall.draw(seen.map(({ table }) => table), this.chosen.id);
    for (const { table } of seen) {
      if (this.heard.has(table.id)) continue;
      this.heard.set(table.id, { view: null, picture: null, lines: [] });
      this.room.watch(table.id);
    }
    await this.chosen.look();
  }

  /** The table the address names. */
  choose() {
    const id = decodeURIComponent(location.hash.slice(1));
    const known = this.heard.has(id) ? id : "";
    document.body.toggleAttribute("data-chosen", !!known);
    this.chosen.open(known);
    this.wall.mark(known);
  }

  told(sentence) {
    say(find("#told"), sentence);
    clearTimeout(this.forget);
    this.forget = setTimeout(() => say(find("#told"), ""), 8000);
  }
}

async function begin() {
  let me = await api.me();
  if (!me) {
    nav("/supervisor");
    me = await forStaff(find("#door"), "The floor");
    find(".top").remove();
  }
  if (ROLES.includes(me.role)) return new Floor(me);
  nav("/supervisor", me);
  put(find("#door"), el("div", { class: "panel door" }, el("h2", null, "The floor is for supervisors"),
    el("p", null, `You are here as ${me.role === "player" ? "a player" : me.role}: the tables are open to you.`),
    el("a", { class: "button strong", href: "/" }, "To the tables")));
}

begin();
