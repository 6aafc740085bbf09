// How the ledger stands, for those who audit it: chain, signatures, shuffles, books, rules.

import { get } from "../lib/api.js";
import { capital, el, put, say } from "../lib/dom.js";
import { dollars } from "../lib/money.js";
import { when } from "./rounds.js";

export const MAY = ["auditor", "supervisor", "owner"];
const PARTS = ["chain", "signatures", "shuffles", "books", "rules"];
const number = (n) => n.toLocaleString("en-US");

export class Standing {
  constructor(root) {
    root.hidden = false;
    this.verdict = el("p", { class: "verdict", role: "status" }, "Auditing …");
    this.buttons = [
      el("button", { type: "button", on: { click: () => this.look() } }, "Audit what is new"),
      el("button", { type: "button", on: { click: () => this.look(true) } }, "Audit from the first entry"),
    ];
    this.findings = el("ul", { class: "findings", "aria-label": "Findings" });
    this.tables = el("div", { class: "standing" });
    put(root, el("div", { class: "heading" }, el("div", null, el("h2", null, "The ledger"), this.verdict), el("div", { class: "actions" }, this.buttons)), this.findings, this.tables);
  }

  /** Ask for an audit. ``full`` trusts nothing that was audited before. */
  async look(full = false) {
    say(this.verdict, "Auditing …");
    delete this.verdict.dataset.agrees;
    for (const button of this.buttons) button.disabled = true;
    try {
      this.#show(await get(`/api/audit${full ? "?full=1" : ""}`));
    } catch (refused) {
      put(this.verdict, refused.sentence);
      this.verdict.dataset.agrees = false;
    } finally {
      for (const button of this.buttons) button.disabled = false;
    }
  }

  #show({ time, holds, tables, findings }) {
    const entries = number(tables.reduce((sum, each) => sum + each.entries, 0));
    const count = findings.length + tables.reduce((sum, each) => sum + each.findings.length, 0);
    this.verdict.dataset.agrees = holds;
    say(this.verdict, `${holds ? "Everything agrees" : count ? `${number(count)} ${count === 1 ? "finding" : "findings"}` : "Not everything could be checked"}: ${entries} entries of ${tables.length} tables, audited ${when(time)}.`);
    const wrong = tables.flatMap((each) => each.findings.map((found) => ({ table: each.table, ...found })));
    put(this.findings, findings.map(({ table, sentence }) => finding(table, 0, "ledger", sentence)), wrong.map(({ table, entry, about, sentence }) => finding(table, entry, about, sentence)));
    put(this.tables, tables.map((each) => this.#table(each)));
  }

  #table(status) {
    const mark = (part) => el("li", { data: { agrees: String(status[part]) } }, el("span", { "aria-hidden": "true" }, status[part] ? "✓ " : "✗ "), part, el("span", { class: "unseen" }, status[part] ? " holds" : " does not hold"));
    const more = el("div", { class: "more" });
    const box = el("details", { data: { holds: String(status.holds) } },
      el("summary", null, el("b", null, status.table), el("ul", { class: "parts" }, PARTS.map(mark)),
        el("span", { class: "quietly" }, `${number(status.entries)} entries, ${number(status.rounds)} ${status.rounds === 1 ? "round" : "rounds"}`)),
      more);
    box.addEventListener("toggle", () => box.open && this.#details(status.table, more));
    return box;
  }

  async #details(table, more) {
    try {
      put(more, details(await get(`/api/audit/${encodeURIComponent(table)}`)));
    } catch (refused) {
      put(more, el("p", { class: "bad" }, refused.sentence));
    }
  }
}

const finding = (table, entry, about, sentence) =>
  el("li", null, el("b", null, entry ? `Table ${table}, entry ${number(entry)}` : table ? `Table ${table}` : "The ledger"), ` (${about}): ${sentence}`);

const pair = (name, value, hash = false) => el("div", null, el("dt", null, name), el("dd", { class: hash ? "hash" : null }, value));

function details(found) {
  const accounts = Object.entries(found.balances);
  return [
    found.unchecked ? el("p", { class: "bad" }, `It was not replayed. ${found.unchecked}`) : null,
    el("dl", { class: "facts" },
      pair("Commands", number(found.commands)), pair("Money moved", dollars(found.moved)),
      pair("Shuffles promised", number(found.promised)), pair("Revealed", number(found.revealed)), pair("Outstanding", number(found.outstanding)),
      pair("Signed checkpoints", number(found.checkpoints)), pair("This look began behind entry", number(found.since)),
      pair(`Head, entry ${number(found.head.sequence)}`, found.head.hash, true),
      found.last ? pair(`Last signed, entry ${number(found.last.sequence)}, key ${found.last.key}`, found.last.signature, true) : null,
      found.public_key ? pair("Public key", found.public_key, true) : null),
    accounts.length
      ? el("table", { class: "accounts" }, el("thead", null, el("tr", null, el("th", { scope: "col" }, "Account"), el("th", { scope: "col", class: "number" }, "Balance"))),
          el("tbody", null, accounts.map(([name, cents]) => el("tr", null, el("td", null, capital(name.replace("player:", "Player "))), el("td", { class: "number" }, dollars(cents))))),
          el("tfoot", null, el("tr", null, el("th", { scope: "row" }, "Together"), el("td", { class: "number" }, dollars(accounts.reduce((sum, [, cents]) => sum + cents, 0))))))
      : null,
  ];
}
