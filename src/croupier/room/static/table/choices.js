// Decisions as buttons, one for each option the server gave, with a key for each.

import { all, capital, el, find, put } from "../lib/dom.js";
import { dollars } from "../lib/money.js";

const WORDS = { check: "Check", fold: "Fold", ride: "Let it ride", withdraw: "Withdraw" };
const KEYS = { check: "c", fold: "f", ride: "r", withdraw: "w", bet: "b" };

/** "play 4", "ride": how a choice is said, typed and compared. */
export const spoken = (option) => (option.verb === "play" && option.times ? `play ${option.times}` : option.verb);

/** As the coach names it. */
export const advised = (option) => (option.verb === "play" && option.times ? `${option.times}x` : option.verb);

function words(option, ante) {
  const { verb, wager, times } = option;
  if (verb === "withdraw") return `Withdraw ${wager}`;
  if (verb in WORDS) return WORDS[verb];
  const sum = times && ante ? ` ${dollars(times * ante)}` : "";
  return verb === "play" ? `Play ${times}×${sum}` : `${capital(verb)}${sum}`;
}

const keyFor = (option) => KEYS[option.verb] ?? (option.verb === "play" ? String(option.times) : /\d$/.exec(option.verb)?.[0] ?? option.verb[0]);

export class Choices {
  picked = new Set();

  constructor(table) {
    this.table = table;
    this.node = el("div", { class: "choosing" });
  }

  /** Show these options of the player's seat; none takes the buttons away. */
  show(options, position) {
    if (JSON.stringify(options) === JSON.stringify(this.options)) return;
    this.options = options;
    this.picks = options.filter((option) => option.verb === "pick");
    if (!this.picks.length) this.picked.clear();
    const ante = position?.wagers.ante ?? 0;
    const buttons = options.filter((option) => option.verb !== "pick").map((option) => {
      const key = keyFor(option);
      const kind = ["fold", "withdraw", "check"].includes(option.verb) ? "" : "strong";
      return el("button", { type: "button", class: kind, data: { choice: spoken(option) }, "aria-keyshortcuts": key, on: { click: () => this.table.choose(option) } },
        words(option, ante), el("kbd", { "aria-hidden": "true" }, key.toUpperCase()));
    });
    put(this.node, this.picks.length ? this.#picking() : buttons);
    this.#mark();
  }

  #picking() {
    const toggles = [1, 2, 3, 4, 5].map((n) =>
      el("button", { type: "button", class: "pick", "aria-pressed": "false", data: { pick: n }, on: { click: () => this.toggle(n) } }, `Card ${n}`));
    this.pickButton = el("button", { type: "button", class: "strong", on: { click: () => this.pick() } }, "Turn these three");
    return [el("div", { class: "picks", role: "group", "aria-label": "Pick three cards" }, toggles), this.pickButton];
  }

  toggle(n) {
    if (!this.picks.length) return;
    if (!this.picked.delete(n) && this.picked.size < 3) this.picked.add(n);
    this.#mark();
  }

  pick(numbers = [...this.picked]) {
    const wanted = [...numbers].sort().join();
    const option = this.picks.find(({ cards }) => cards.join() === wanted);
    if (option) this.table.choose(option);
    else this.table.wrong("Pick three of the five cards.");
  }

  #mark() {
    for (const button of all("[data-pick]", this.node)) button.setAttribute("aria-pressed", this.picked.has(Number(button.dataset.pick)));
    if (this.pickButton) this.pickButton.disabled = this.picked.size !== 3;
    const hand = find(".place .hand", this.table.felt.root);
    hand?.toggleAttribute("data-picking", this.picks.length > 0);
    all(".card", hand ?? this.node).forEach((card, at) => card.classList.toggle("picked", this.picked.has(at + 1)));
  }

  /** A key anywhere on the page that is no text field. True when it meant something. */
  key(key) {
    if (this.picks?.length) {
      if (/^[1-5]$/.test(key)) this.toggle(Number(key));
      else if (key === "Enter") this.pick();
      else return false;
      return true;
    }
    const option = this.options?.find((each) => keyFor(each) === key.toLowerCase());
    if (option) this.table.choose(option);
    return !!option;
  }
}
