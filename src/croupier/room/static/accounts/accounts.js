// The owner's page: who has an account, and what can be done with one.

import { acting, field, newPassword } from "../lib/account.js";
import * as api from "../lib/api.js";
import { el, find, later, newId, put } from "../lib/dom.js";
import { forStaff } from "../lib/door.js";
import { nav } from "../lib/nav.js";
import { tried } from "../lib/tried.js";
import { Manager } from "./manager.js";
import { linkShown, ROLES, when } from "./words.js";

const AGAIN = 10_000; // how often the list is asked for
const TYPING = 250; // milliseconds without a key before names are looked for

class Desk {
  accounts = [];

  constructor(me, place) {
    this.me = me;
    this.rows = el("tbody");
    this.like = el("input", { type: "search", id: newId("like"), maxlength: 64, autocomplete: "off" });
    this.guests = el("input", { type: "checkbox" });
    this.manager = new Manager(me, (sentence) => this.changed(sentence));
    this.like.addEventListener("input", () => this.#typed());
    this.guests.addEventListener("change", () => this.look());
    put(place, this.#making(), this.#looking(), this.#table(), this.manager.node);
    place.hidden = false;
    setInterval(() => document.hidden || this.look(), AGAIN);
  }

  #making() {
    const name = field("Name", { maxlength: 32, autocomplete: "off" });
    const id = newId("role");
    const role = el("select", { id }, ROLES.map((each) => el("option", { value: each }, each)));
    const chosen = { node: el("div", { class: "field" }, el("label", { for: id }, "Role"), role) };
    const password = newPassword("Password, or empty for a one-time link", { required: false });
    const given = el("div", { "aria-live": "polite" });
    const form = acting([name, chosen, password], "Make the account", async () => {
      put(given);
      const made = await api.post("/api/accounts", { name: name.input.value, role: role.value, password: password.input.value });
      if (made.link) put(given, linkShown(made.account.name, made.link));
      await this.look();
      return `${made.account.name} has an account.`;
    });
    form.classList.add("across");
    return el("section", { class: "panel", "aria-label": "A new account" }, el("h2", null, "A new account"), form, given);
  }

  #looking() {
    return el("div", { class: "looking" }, el("label", { for: this.like.id }, "Find"), this.like, el("label", null, this.guests, " Guests"));
  }

  #table() {
    const heads = ["Name", "Role", "State", "Since", "Last seen", "Failed log-ins", ""];
    return el("table", { class: "accounts" }, el("caption", { class: "unseen" }, "Accounts"),
      el("thead", null, el("tr", null, heads.map((each) => el("th", { scope: "col" }, each || el("span", { class: "unseen" }, "Actions"))))), this.rows);
  }

  #row(account) {
    const open = el("button", { type: "button", "aria-haspopup": "dialog", "aria-label": `Manage ${account.name}`, disabled: account.state === "deleted" }, "Manage");
    open.addEventListener("click", () => this.manager.open(account));
    const failed = account.failed ? `${account.failed}${account.wait ? `, wait ${account.wait} s` : ""}` : "none";
    const cell = (label, ...content) => el("td", { "data-label": label }, content);
    return el("tr", { data: { name: account.name, state: account.state } },
      el("th", { scope: "row" }, account.name, account.name === this.me.name ? el("span", { class: "quietly" }, " (you)") : null),
      cell("Role", account.guest ? "guest" : account.role),
      cell("State", account.state, account.sessions ? el("span", { class: "good" }, ", here") : null),
      cell("Since", when(account.came)), cell("Last seen", when(account.seen) || "never"),
      cell("Failed log-ins", el("span", { class: account.failed ? "bad" : "quietly" }, failed)), el("td", null, open));
  }

  async #typed() {
    const typed = this.like.value;
    await later(TYPING);
    if (typed === this.like.value) await this.look();
  }

  async look() {
    const query = new URLSearchParams({ like: this.like.value, guests: this.guests.checked });
    const found = await tried(() => api.get(`/api/accounts?${query}`));
    if (!found || JSON.stringify(found) === JSON.stringify(this.accounts)) return;
    this.accounts = found;
    const at = document.activeElement?.closest("tr[data-name]")?.dataset.name;
    put(this.rows, found.map((each) => this.#row(each)));
    if (at) find(`tr[data-name="${CSS.escape(at)}"] button`)?.focus();
  }

  async changed(sentence) {
    put(find("#told"), sentence);
    await this.look();
    await later(4000);
    if (find("#told").textContent === sentence) put(find("#told"));
  }
}

async function begin() {
  let me = await tried(api.me);
  nav("/accounts", me);
  if (me?.role !== "owner") {
    me = await forStaff(find("#door"), "The owner's page");
    nav("/accounts", me);
    if (me.role !== "owner") return put(find("#wrong"), "Accounts are managed by the room's owner.");
  }
  await new Desk(me, find("#desk")).look();
}

begin();
