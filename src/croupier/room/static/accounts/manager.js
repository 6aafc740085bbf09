// The dialog of one account. What cannot be undone is pressed twice.

import * as api from "../lib/api.js";
import { el, newId, put } from "../lib/dom.js";
import { linkShown, ROLES } from "./words.js";

export class Manager {
  constructor(me, changed) {
    this.me = me;
    this.changed = changed;
    this.title = el("h2");
    this.about = el("div", { class: "acts" });
    this.given = el("div");
    this.wrong = el("p", { class: "bad", role: "alert" });
    const close = el("button", { type: "button" }, "Close");
    this.node = el("dialog", { class: "panel manager", "aria-labelledby": (this.title.id = newId("manager")) }, this.title, this.about, this.given, this.wrong, close);
    close.addEventListener("click", () => this.node.close());
  }

  open(account) {
    this.#show(account);
    put(this.given);
    put(this.wrong);
    this.node.showModal();
  }

  #show(account) {
    const named = !account.guest;
    const disabled = account.state === "disabled";
    put(this.title, account.name);
    put(this.about,
      named && !disabled ? this.#role(account) : null,
      named && !disabled ? this.#act(account, "reset", "Reset password", "The present password stops working at once, and you get a link to pass on.", true) : null,
      named ? this.#act(account, "unlock", "Clear waits", "Nobody has to wait after failed log-ins with this name.") : null,
      this.#act(account, "end-sessions", "Log out everywhere", "Every browser of this person is logged out."),
      disabled
        ? this.#act(account, "enable", "Enable", "This person may log in again.")
        : this.#act(account, "disable", "Disable", "This person is logged out and cannot log in.", true),
      this.#act(account, "delete", "Delete", "For ever. The name stays taken, because the history is under it.", true));
  }

  #role(account) {
    const id = newId("role");
    const role = el("select", { id }, ROLES.map((each) => el("option", { value: each, selected: each === account.role }, each)));
    const press = el("button", { type: "button" }, "Change role");
    press.addEventListener("click", () => this.#do(account, "role", { role: role.value }));
    return el("div", { class: "act" }, el("div", null, el("label", { for: id }, "Role"), " ", role), press);
  }

  #act(account, act, title, words, twice = false) {
    const id = newId("act");
    const press = el("button", { type: "button", "aria-describedby": id }, title);
    let sure = !twice;
    press.addEventListener("click", () => {
      if (sure) return this.#do(account, act);
      sure = true;
      press.classList.add("strong");
      put(press, `${title}: press again`);
    });
    return el("div", { class: "act" }, el("p", { id }, words), press);
  }

  async #do(account, act, body = {}) {
    put(this.wrong);
    try {
      const { account: now, link } = await api.post(`/api/accounts/${encodeURIComponent(account.name)}/${act}`, body);
      if (now.name === this.me.name && act !== "unlock" && act !== "enable" && !link) return location.reload();
      put(this.given, link ? linkShown(now.name, link) : null);
      if (now.state === "deleted") this.node.close();
      else this.#show(now);
      await this.changed(`${now.name}: done.`);
    } catch ({ sentence }) {
      put(this.wrong, sentence);
    }
  }
}
