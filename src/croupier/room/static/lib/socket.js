// The socket, subprotocol croupier.1. A version is the ledger's sequence of a table: whoever has
// not the version a message starts from asks for what is missing. Commands carry ids and are sent
// again until answered; the server answers the same id with the same answer.

import { ticket } from "./api.js";

const PATIENCE = 2500; // before a ping is sent or a command repeated
const SILENCE = 9000; // before the connection is given up
const LONGEST_WAIT = 8000; // between two attempts
const BROKEN = 1011; // the code with which the room closes a connection it cannot serve

export class Room extends EventTarget {
  #socket = null;
  #tables = new Map(); // id -> {version, repairing}
  #waiting = new Map(); // command id -> {message, sent, done}
  #tries = 0;
  #heard = 0;
  #pings = 0;
  #closed = false;
  #clock = 0;

  /** Connect, and stay connected. */
  open() {
    this.#closed = false;
    this.#clock ||= setInterval(() => this.#tick(), 500);
    this.#connect();
    addEventListener("online", () => this.#again());
    addEventListener("offline", () => this.#giveUp());
    document.addEventListener("visibilitychange", () => document.hidden || this.#again());
  }

  close() {
    this.#closed = true;
    clearInterval(this.#clock);
    this.#socket?.close(1000);
  }

  /** Follow a table: as it stands, or with everything since a version, where the room still knows it. */
  watch(table, after = null) {
    this.#tables.set(table, { version: after, repairing: false });
    this.#send({ type: "watch", table, after });
  }

  unwatch(table) {
    this.#tables.delete(table);
    this.#send({ type: "unwatch", table });
  }

  /** Ask it of the table. Resolves with null, or with what was refused. */
  command(table, name, fields = {}) {
    return this.#ask({ type: "command", id: freshId(), table, do: { name, ...fields } }).then((answer) => answer.refused);
  }

  /** What would be ruled; nothing happens. */
  preview(table, name, fields = {}) {
    return this.#ask({ type: "preview", id: freshId(), table, do: { name, ...fields } });
  }

  ready(table) {
    this.#send({ type: "ready", table });
  }

  /** Now, or when this device is next about to work. */
  pause(table, at = "") {
    this.#send({ type: "pause", table, at });
  }

  resume(table) {
    this.#send({ type: "resume", table });
  }

  /** Do for a stalled seat what the clock would do. Resolves with null, or with what was refused. */
  act(table, seat) {
    return this.#ask({ type: "act", id: freshId(), table, seat }).then((answer) => answer.refused);
  }

  #ask(message) {
    return new Promise((done) => {
      this.#waiting.set(message.id, { message, sent: Date.now(), done });
      this.#send(message);
    });
  }

  async #connect() {
    this.#socket = null;
    let pass;
    try {
      pass = await ticket();
    } catch (wrong) {
      if (wrong.status === 401) return this.#tell("out", wrong);
      return this.#later();
    }
    if (this.#closed) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws`, "croupier.1");
    this.#socket = socket;
    this.#heard = Date.now();
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", ticket: pass }));
    socket.onmessage = ({ data }) => socket === this.#socket && this.#take(JSON.parse(data));
    socket.onclose = ({ code, reason }) => {
      if (code === BROKEN && reason) this.#tell("wrong", { sentence: reason });
      if (socket === this.#socket) this.#later(code === BROKEN);
    };
  }

  /** Connect again after a while. A connection that the room broke would break again at once. */
  #later(broken = false) {
    this.#socket = null;
    if (this.#closed) return;
    this.#tell("offline");
    const wait = broken ? LONGEST_WAIT : Math.min(LONGEST_WAIT, 250 * 2 ** this.#tries++) * (0.75 + Math.random() / 2);
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.#connect(), wait);
  }

  /** This line is dead; closing it properly may take a while. */
  #giveUp() {
    const gone = this.#socket;
    if (!gone) return;
    this.#later();
    gone.close();
  }

  /** Try at once where we were waiting to. */
  #again() {
    if (this.#closed || this.#socket) return;
    clearTimeout(this.retry);
    this.#connect();
  }

  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN && this.welcomed) this.#socket.send(JSON.stringify(message));
  }

  get welcomed() {
    return this.#socket?.welcomed === true;
  }

  #tick() {
    if (!this.#socket) return;
    const now = Date.now();
    const quiet = now - this.#heard;
    if (quiet > SILENCE) return this.#giveUp();
    if (quiet > PATIENCE && now - (this.pinged ?? 0) > PATIENCE) {
      this.pinged = now;
      this.#send({ type: "ping", n: ++this.#pings });
    }
    for (const each of this.#waiting.values()) {
      if (now - each.sent < PATIENCE) continue;
      each.sent = now;
      each.again = true;
      this.#send(each.message);
    }
  }

  #take(message) {
    this.#heard = Date.now();
    switch (message.type) {
      case "welcome":
        this.#socket.welcomed = true;
        this.#tries = 0;
        this.#tell("online", message);
        for (const [table, at] of this.#tables) {
          at.repairing = at.version !== null;
          this.#send({ type: "watch", table, after: at.version });
        }
        for (const each of this.#waiting.values()) {
          each.again = true;
          this.#send(each.message);
        }
        this.#send({ type: "ping", n: ++this.#pings });
        break;
      case "pong": // so everything said before was heard
        this.#tell("current");
        break;
      case "table":
        this.#tables.set(message.table, { version: message.version, repairing: false });
        this.#tell("table", message);
        break;
      case "happened":
        this.#happened(message);
        break;
      case "closed":
        this.#tables.delete(message.table);
        this.#tell("closed", message);
        break;
      case "answer":
        this.#answered(message);
        break;
      case "preview":
        this.#waiting.get(message.id)?.done(message);
        this.#waiting.delete(message.id);
        break;
      case "trouble": // no answer: the command is sent again until there is one
        this.#tell("wrong", message);
        break;
      case "error":
        this.#misunderstood(message);
        break;
    }
  }

  /** While its store is away the room answers for this sending alone: an earlier one of the same
      command may have been carried out, so it is sent again. */
  #answered(message) {
    const asked = this.#waiting.get(message.id);
    if (asked?.again && message.refused?.code === "STORE_DOWN") return this.#tell("wrong", message.refused);
    asked?.done(message);
    this.#waiting.delete(message.id);
  }

  /** An error names the message it is about, where that had an id; sent again it would fail again. */
  #misunderstood({ sentence, id }) {
    const asked = this.#waiting.get(id);
    if (!asked) return this.#tell("wrong", { sentence });
    this.#waiting.delete(id);
    asked.done({ events: [], refused: { code: "", sentence, clause: null } });
  }

  #happened(message) {
    const at = this.#tables.get(message.table);
    if (!at || at.version === null || message.version <= at.version) return;
    if (message.from > at.version) {
      if (!at.repairing) this.#send({ type: "watch", table: message.table, after: at.version });
      at.repairing = true;
      return;
    }
    at.version = message.version;
    at.repairing = false;
    this.#tell("happened", message);
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** Those of one moment begin alike, so the ledger finds them side by side. Not a UUID: a page that
    came over plain http may not make one. */
function freshId() {
  const chance = crypto.getRandomValues(new Uint32Array(3));
  return [Date.now(), ...chance].map((part) => part.toString(16)).join("-");
}
