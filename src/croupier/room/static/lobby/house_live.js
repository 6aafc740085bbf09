// What the room says to a house as it is written: whether it is lawful, and what it costs.

import { post, Refused } from "../lib/api.js";

const REST = 300; // milliseconds without a change before the room is asked

/** Asks about the newest house only, one question at a time. ``tell`` gets {house, state, ...}. */
export class Live {
  #timer = 0;
  #house = null;
  #asking = false;

  constructor(tell) {
    this.tell = tell;
  }

  changed(house) {
    this.#house = house;
    clearTimeout(this.#timer);
    this.tell({ house, state: "waiting" });
    this.#timer = setTimeout(() => this.#ask(), REST);
  }

  async #ask() {
    if (this.#asking) return; // it goes on with the newest when it is done
    this.#asking = true;
    let house = null;
    while (house !== this.#house) {
      house = this.#house;
      try {
        await this.#about(house);
      } catch (wrong) {
        if (!(wrong instanceof Refused)) throw wrong;
        if (house === this.#house) this.tell({ house, state: "wrong", sentence: wrong.sentence });
      }
    }
    this.#asking = false;
  }

  async #about(house) {
    const verdict = await post("/api/check", { house });
    if (house !== this.#house) return;
    this.tell({ house, state: verdict.legal ? "pricing" : "unlawful", verdict });
    if (!verdict.legal) return;
    const price = await post("/api/edge", { house });
    if (house === this.#house) this.tell({ house, state: "priced", verdict, price });
  }
}
