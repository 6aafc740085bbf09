// A round dealt again from an order of the deck: where every card lies, and whether each card
// that was seen is the one that lies there.

const BACK = "??";
const DEALERS_STACK = 5; // cards of a dealer's stack that comes last
const UP_CARD = 4; // dealt singly, the dealer's fifth

class Dealing {
  stub = [];
  hands = {};
  turned = 0; // community cards
  picked = {};
  gone = false; // the stub, into the rack

  constructor(order, game) {
    Object.assign(this, { order, game });
  }

  /** What this event turns up, as [where, what was shown, what lies there], and move the cards. */
  take(event) {
    const cards = (event.cards?.split?.(" ") ?? []);
    const seat = `seat ${event.seat}`;
    switch (event.event) {
      case "NoMoreBetsAnnounced":
        this.stub = [...this.order];
        break;
      case "HandsDealt":
        for (const place of event.places) (this.hands[place] ??= []).push(this.stub.shift());
        this.stacked = event.places[0] === event.places[1];
        if (this.stacked) this.hands.community?.reverse();
        break;
      case "DealersStackDelivered":
        this.hands.dealer = this.stub.splice(0, DEALERS_STACK);
        break;
      case "CardBurned":
        (this.hands.burned ??= []).push((this.game === "let-it-ride" ? this.hands.community : this.stub).shift());
        break;
      case "CommunityDealt":
        (this.hands.community ??= []).push(...this.stub.splice(0, cards.length));
        return ["community", cards, this.hands.community.slice(-cards.length)];
      case "CommunityRevealed":
        return ["community", [event.card], [this.hands.community[this.turned++]]];
      case "UpCardExposed":
        return ["dealer", [event.card], [this.hands.dealer[this.stacked ? 0 : UP_CARD]]];
      case "ChoiceMade":
        if (event.verb === "pick") this.picked[event.seat] = event.cards;
        break;
      case "PickedCardsRevealed":
        return [seat, cards, this.picked[event.seat].map((n) => this.hands[seat][n - 1])];
      case "HandRevealed":
        return [seat, cards, this.hands[seat]];
      case "DealerRevealed":
        return ["dealer", cards, this.hands.dealer];
      case "StubRacked":
        this.gone = true;
        break;
      case "DealersHandRepaired":
        this.hands.dealer.push(...this.stub.splice(0, event.cards));
        break;
      case "FaceUpCardRacked": {
        const [found] = this.stub.splice(event.ahead, 1);
        (this.hands["face up"] ??= []).push(found);
        return ["face up", [event.card], [found]];
      }
      case "IrregularityReported":
        if (event.kind === "wrong number" && !this.gone) this.#found(event);
    }
    return null;
  }

  /** A hand with too many cards has those next in the deck; one with too few left them there. */
  #found({ place, count }) {
    const lying = [...(this.hands[place] ?? []), ...this.stub];
    this.hands[place] = lying.slice(0, count);
    this.stub = lying.slice(count);
  }

  /** The faces a view shows, each with the card that lies there. */
  *faces({ round }) {
    if (!round?.closed) return;
    const rows = [["dealer", round.dealer], ["community", round.community], ...round.positions.map((p) => [`seat ${p.seat}`, p.cards])];
    for (const [place, cards] of rows) {
      for (const [at, face] of cards.entries()) if (face !== BACK) yield [place, face, this.hands[place]?.[at]];
    }
  }

  /** Every card of the deck in its order, and where it went. */
  places() {
    const went = new Map();
    for (const [place, cards] of Object.entries(this.hands)) for (const card of cards) went.set(card, place);
    return this.order.map((card) => ({ card, place: went.get(card) ?? "stub" }));
  }
}

/** Deal the steps again. ``wrong`` names each card that was shown and does not lie there. */
export function dealt(order, steps) {
  const dealing = new Dealing(order, steps[0].view.game);
  const seen = new Set();
  const wrong = new Map();
  const look = (version, place, face, lying) => {
    seen.add(face);
    if (face !== lying) wrong.set(`${place} ${face}`, { version, place, face, lying });
  };
  try {
    for (const { version, event, view } of steps) {
      const [place, faces, lying] = dealing.take(event) ?? ["", [], []];
      if (faces.length !== lying.length) throw new TypeError("another number of cards");
      faces.forEach((face, at) => look(version, place, face, lying[at]));
      for (const face of dealing.faces(view)) look(version, ...face);
    }
  } catch (impossible) {
    if (!(impossible instanceof TypeError)) throw impossible;
    return { possible: false, seen, wrong: [], places: [] };
  }
  return { possible: true, seen, wrong: [...wrong.values()], places: dealing.places() };
}
