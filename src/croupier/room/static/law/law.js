// The law: all clauses by book and section, found as one types; one of them open, with everything
// that is known of it. The address names the open one, so that it can be passed on.

import * as api from "../lib/api.js";
import { all, el, find, put, say } from "../lib/dom.js";
import { nav } from "../lib/nav.js";
import { showClause } from "./clause_page.js";

const STATUS = { implemented: "Enforced", pending: "Pending", physical: "Physical", notice: "Notice", "out of scope": "Out of scope" };
const MOST = 700;
const beside = matchMedia("(min-width: 1000px)"); // list and clause, as in the style

class Law {
  rows = []; // {clause, node, text}
  sections = []; // {node, rows, book}

  constructor(books, clauses) {
    this.books = new Map(books.map((book) => [book.id, book]));
    this.list = find("#list");
    this.q = find("#q");
    this.book = find("#book");
    this.status = find("#status");
    put(this.book, el("option", { value: "" }, "All books"), books.map(({ id, title }) => el("option", { value: id }, title)));
    const there = [...new Set(clauses.map(({ status }) => status))];
    put(this.status, el("option", { value: "" }, "Any status"), there.map((each) => el("option", { value: each }, STATUS[each])));
    this.#build(clauses);
    this.#listen();
    this.seek();
    this.open();
  }

  #build(clauses) {
    const shelves = new Map();
    for (const clause of clauses) {
      const shelf = shelves.get(clause.book) ?? shelves.set(clause.book, new Map()).get(clause.book);
      (shelf.get(clause.section) ?? shelf.set(clause.section, []).get(clause.section)).push(clause);
    }
    for (const [book, sections] of shelves) {
      const { title, source, clauses: count, by_status: by } = this.books.get(book);
      const about = `${source} · ${count} clauses · ${Object.entries(by).map(([status, n]) => `${n} ${STATUS[status].toLowerCase()}`).join(", ")}`;
      const parts = [...sections].map(([section, entries]) => this.#section(book, section, entries));
      this.list.append(el("section", { class: "book", data: { book } }, el("h2", null, title), el("p", { class: "quietly" }, about), parts));
    }
  }

  #section(book, section, entries) {
    const rows = entries.map((clause) => this.#row(clause));
    const node = el("div", { class: "section" }, el("h3", null, section), el("ul", null, rows.map(({ node: row }) => row)));
    this.sections.push({ node, rows, book });
    this.rows.push(...rows);
    return node;
  }

  #row(clause) {
    const { id, section, says, status, rulings } = clause;
    const number = id.slice(section.length).trim() || section.split(/[ -]/).at(-1);
    const link = el("a", { href: `#${encodeURIComponent(id)}`, class: "clause", data: { status }, "aria-label": `${id}: ${says}` },
      el("b", null, number), el("span", null, says), rulings.length ? el("small", null, rulings.join(" ")) : null);
    return { clause, link, node: el("li", null, link), text: `${id} ${says} ${rulings.join(" ")}`.toLowerCase() };
  }

  #listen() {
    const again = () => this.seek();
    this.q.addEventListener("input", again);
    for (const select of [this.book, this.status]) select.addEventListener("change", again);
    find("#seek").addEventListener("submit", (event) => {
      event.preventDefault();
      find("li:not([hidden]) .clause", this.list)?.focus();
    });
    addEventListener("hashchange", () => this.open());
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Arrows walk the list; a slash goes to the search. */
  #key(event) {
    const typing = event.target.matches("input, select, textarea");
    if (event.key === "/" && !typing) {
      event.preventDefault();
      this.q.focus();
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    const shown = this.rows.filter(({ node }) => !node.hidden);
    const at = shown.findIndex(({ link }) => link === document.activeElement);
    const next = at >= 0 ? shown[at + step] : event.target === this.q && step > 0 ? shown[0] : null;
    if (at < 0 && !next) return;
    event.preventDefault();
    (next?.link ?? (step < 0 ? this.q : null))?.focus();
  }

  seek() {
    const words = this.q.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { node, rows, book } of this.sections) {
      let here = 0;
      for (const row of rows) {
        const fits = (!this.book.value || this.book.value === book) && (!this.status.value || this.status.value === row.clause.status) && words.every((word) => row.text.includes(word));
        row.node.hidden = !fits;
        here += fits;
      }
      node.hidden = !here;
      count += here;
    }
    for (const book of all(".book", this.list)) book.hidden = !find(".section:not([hidden])", book);
    say(find("#count"), count === this.rows.length ? `${count} clauses in ${this.books.size} books` : count === 1 ? "1 clause" : `${count} clauses`);
  }

  /** The clause the address names. */
  open() {
    const id = decodeURIComponent(location.hash.slice(1));
    const row = this.rows.find(({ clause }) => clause.id === id);
    this.now?.link.removeAttribute("aria-current");
    document.body.toggleAttribute("data-open", !!row);
    const page = find("#clause");
    if (!row) {
      this.now?.link.scrollIntoView({ block: "center" });
      return put(page, id ? el("p", { class: "bad" }, `There is no clause ${id}.`) : null, this.#overview());
    }
    row.link.setAttribute("aria-current", "true");
    if (row.node.hidden) this.#showAll();
    this.now = row;
    document.title = `${id} – Croupier`;
    say(find("#told"), `${id}. ${row.clause.says}`);
    showClause(page, row.clause, this.books.get(row.clause.book), STATUS[row.clause.status]);
    page.scrollTop = 0;
    if (beside.matches) return row.link.scrollIntoView({ block: "nearest" });
    page.focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  /** What became of the clauses of each book. */
  #overview() {
    const statuses = [...new Set([...this.books.values()].flatMap(({ by_status: by }) => Object.keys(by)))].sort();
    const count = (number) => el("td", { class: "number" }, number ? String(number) : "–");
    return [el("h2", null, "What became of each clause"),
      el("table", null, el("thead", null, el("tr", null, el("th", null, "Book"), statuses.map((each) => el("th", { class: "number" }, STATUS[each])), el("th", { class: "number" }, "All"))),
        el("tbody", null, [...this.books.values()].map(({ title, by_status: by, clauses }) => el("tr", null, el("td", null, title), statuses.map((each) => count(by[each])), count(clauses))))),
      el("p", { class: "quietly keys" }, el("kbd", null, "/"), " goes to the search, ", el("kbd", null, "↓"), " and ", el("kbd", null, "↑"), " walk the clauses, ", el("kbd", null, "Enter"), " opens one.")];
  }

  #showAll() {
    this.q.value = this.book.value = this.status.value = "";
    this.seek();
  }
}

async function begin() {
  const [me, books, clauses] = await Promise.all([api.me(), api.get("/api/law"), api.get(`/api/law/clauses?limit=${MOST}`)]);
  nav("/law", me);
  new Law(books, clauses);
}

begin();
