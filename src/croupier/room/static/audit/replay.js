// A finished round on the felt, step by step: forwards, backwards, or by itself.

import { cite } from "../lib/clause.js";
import { all, el, find, later, put, say, svg } from "../lib/dom.js";
import { Felt } from "../table/felt.js";
import { show } from "../table/motion.js";
import { empty, keep } from "../table/picture.js";
import { when } from "./rounds.js";

const HASH = /\b[0-9a-f]{40,}\b/g; // whole in the check below
const PAUSE = 650; // between steps, when it goes by itself

const FACES = {
  first: "M6 5h2.5v14H6zM19 5v14l-9-7z",
  back: "M15.5 5l1.8 1.8L12 12l5.3 5.2L15.5 19l-7-7z",
  play: "M7 4.5v15l12.5-7.5z",
  pause: "M6.5 5h4v14h-4zM13.5 5h4v14h-4z",
  forward: "M8.5 5L6.700 6.800 12 12l-5.3 5.2L8.5 19l7-7z",
  last: "M5 5v14l9-7zM15.5 5H18v14h-2.5z",
};
const face = (name) => svg("svg", { viewBox: "0 0 24 24", class: "face", "aria-hidden": "true" }, svg("path", { d: FACES[name] }));

const short = (sentence) => sentence.replace(HASH, (hash) => `${hash.slice(0, 12)}…`);

/** The picture after each step; whoever audits sees every hand after the last. */
function pictures(steps, hands) {
  let picture = empty();
  const drawn = steps.map((step) => (picture = keep(picture, { view: step.view, events: [step] })));
  if (Object.keys(hands).length) drawn[drawn.length - 1] = laidOpen(picture, hands);
  return drawn;
}

function laidOpen(picture, hands) {
  const cards = (place, seen) => hands[place]?.split(" ") ?? seen;
  const seats = Object.entries(picture.seats).map(([seat, here]) => [seat, { ...here, cards: cards(`seat ${seat}`, here.cards) }]);
  return { ...picture, covered: false, dealer: cards("dealer", picture.dealer), community: cards("community", picture.community), seats: Object.fromEntries(seats) };
}

export class Replay {
  at = 0;
  playing = false;

  constructor(root, story) {
    this.title = el("h2", null);
    this.about = el("p", { class: "quietly" });
    this.actions = el("div", { class: "actions" });
    const cloth = el("div", { id: "felt" });
    this.now = el("p", { class: "now", "aria-live": "polite" });
    this.range = el("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Step of the round" });
    this.count = el("span", { class: "count" });
    this.play = this.#button("play", "Play", () => this.toggle());
    this.play.classList.add("strong");
    put(root, el("header", { class: "heading" }, el("div", null, this.title, this.about), this.actions), cloth,
      el("div", { class: "scrubber panel", role: "group", "aria-label": "Replay" },
        el("div", { class: "keys" }, this.#button("first", "First step", () => this.go(0)), this.#button("back", "Step back", () => this.go(this.at - 1)), this.play,
          this.#button("forward", "Step forward", () => this.go(this.at + 1)), this.#button("last", "Last step", () => this.go(this.steps.length - 1))),
        this.range, this.count, this.now));
    this.felt = new Felt(cloth);
    this.lines = el("ol", { class: "lines" });
    this.scroll = el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Every step" }, this.lines);
    put(story, el("h2", null, "Step by step"), this.scroll);
    this.range.addEventListener("input", () => this.go(Number(this.range.value)));
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  #button = (drawn, name, act) => el("button", { type: "button", "aria-label": name, title: name, on: { click: act } }, face(drawn));

  /** Another round; it begins with its first wager. */
  load(round, info) {
    this.stop();
    this.steps = round.steps;
    this.pictures = pictures(round.steps, round.hands);
    this.felt.dress(info);
    const last = round.steps.at(-1);
    say(this.title, `Round ${round.number} at table ${round.table}${round.void ? ", void" : ""}`);
    say(this.about, `${info.title}, ${info.house}. Ended ${when(last.time)}.${Object.keys(round.hands).length ? " The last step shows every hand, as an auditor may see it." : ""}`);
    this.range.max = this.steps.length - 1;
    put(this.lines, this.steps.map((step, at) => this.#line(step, at)));
    this.#draw(Math.max(0, this.steps.findIndex(({ event }) => event.event === "WagersPlaced")));
  }

  #line({ version, actor, sentence, clause }, at) {
    const words = el("button", { type: "button", class: "plain", tabindex: -1, title: `Entry ${version}, by ${actor}`, on: { click: () => this.go(at) } }, short(sentence));
    const law = cite(clause);
    if (law) law.tabIndex = -1; // the step under the felt carries it within reach of the keyboard
    return el("li", null, words, " ", law);
  }

  go(at) {
    this.stop();
    this.#draw(Math.max(0, Math.min(this.steps.length - 1, at)));
  }

  toggle() {
    if (this.playing) this.stop();
    else this.#run();
  }

  stop() {
    this.playing = false;
    this.#face();
  }

  #face() {
    put(this.play, face(this.playing ? "pause" : "play"));
    const name = this.playing ? "Pause" : "Play";
    this.play.setAttribute("aria-label", name);
    this.play.title = name;
  }

  async #run() {
    const mine = (this.playing = Symbol("this run")); // another may begin before this one notices
    this.#face();
    if (this.at === this.steps.length - 1) this.#draw(0);
    while (this.playing === mine && this.at < this.steps.length - 1) {
      const next = this.at + 1;
      await show(this.felt, [this.steps[next]], () => this.#draw(next, { fresh: true }), 0);
      await later(PAUSE);
    }
    if (this.playing === mine) this.stop();
  }

  #draw(at, { fresh = false } = {}) {
    this.at = at;
    const { view, sentence, clause, version, actor } = this.steps[at];
    this.felt.draw(view, this.pictures[at]);
    if (!fresh) for (const node of all("[data-fresh]", this.felt.root)) delete node.dataset.fresh;
    const words = short(sentence);
    say(this.felt.says, words);
    this.range.value = at;
    this.range.setAttribute("aria-valuetext", `Step ${at + 1} of ${this.steps.length}: ${words}`);
    say(this.count, `${at + 1} / ${this.steps.length}`);
    put(this.now, el("b", null, words), " ", cite(clause), el("span", { class: "quietly" }, ` Entry ${version}, by ${actor}.`));
    find("[aria-current]", this.lines)?.removeAttribute("aria-current");
    const line = this.lines.children[at];
    line.setAttribute("aria-current", "step");
    const middle = line.offsetTop - this.scroll.clientHeight / 2;
    this.scroll.scrollTo({ top: middle });
  }

  #key(event) {
    const inside = (selector) => event.target.closest(selector);
    if (event.ctrlKey || event.metaKey || event.altKey || !this.steps || inside("input, textarea, select, [popover]")) return;
    const ends = inside(".scroll") ? {} : { Home: 0, End: this.steps.length - 1 }; // lists have ends of their own
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, ...ends }[event.key];
    if (to !== undefined) this.go(to);
    else if (event.key === " " && !inside("button, a, summary, .scroll")) this.toggle();
    else return;
    event.preventDefault();
  }
}
