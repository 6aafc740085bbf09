"""One human sentence for each event, used by the terminal, the log and the web."""

from __future__ import annotations

from croupier.cards.card import card
from croupier.rules.money import Cents, in_dollars
from croupier.table import events as e


def pretty(cards: str) -> str:
    return " ".join(card(text).pretty for text in cards.split())


def _whose(place: str) -> str:
    return {"dealer": "the dealer", "community": "the board"}.get(place, place)


def _wagers(wagers: dict[str, int]) -> str:
    return ", ".join(f"{name} {in_dollars(amount)}" for name, amount in wagers.items())


def _closing(event: e.TableClosed) -> Cents:
    return event.inventory + event.drop_box + event.meter


def sentence(event: e.Event) -> str:
    """What happened, as a dealer would say it."""
    match event:
        case e.TableOpened():
            return f"Table {event.table} opens with {in_dollars(event.inventory)} in the inventory."
        case e.DeckReceived():
            kind = "pre-shuffled " if event.preshuffled else ""
            return f"A {kind}{event.colour} deck comes to the table."
        case e.DeckInspected():
            return f"The dealer inspects the {event.colour} deck: 52 cards, all there."
        case e.DeckVerified():
            return f"The floorperson verifies the {event.colour} deck."
        case e.DeckSpread():
            way = "face up, by suit and sequence" if event.face_up else "face down"
            return f"The {event.colour} deck is spread {way}."
        case e.DeckWashed():
            return f"The {event.colour} deck is turned over, washed and stacked."
        case e.ShufflerLoaded():
            return f"The {event.colour} deck goes into the shuffler."
        case e.DeckShuffled():
            who = "The shuffler" if event.automated else "The dealer"
            return f"{who} shuffles the {event.colour} deck."
        case e.DeckCut():
            return f"The dealer cuts {event.cards} cards."
        case e.RecutOrdered():
            return "The supervisor asks to cut the cards again."
        case e.DeckRemoved():
            return f"The {event.colour} deck leaves the table. {event.reason}"
        case e.DeviceRemoved():
            return f"The {event.device} is removed from the table."
        case e.DeviceInstalled():
            return f"A {event.device} is installed."
        case e.MethodChanged():
            return f"From now on: {event.shuffling} shuffling, dealt from the {event.dealing}."
        case e.InventoryFilled():
            return f"The table inventory is filled with {in_dollars(event.amount)}."
        case e.TableClosed():
            return f"The table closes; {in_dollars(_closing(event))} goes to the cage."
        case _:
            return _players(event)


def _players(event: e.Event) -> str:
    match event:
        case e.PlayerSat():
            return f"{event.player} sits down at seat {event.seat} with {in_dollars(event.chips)}."
        case e.ChipsBought():
            return f"{event.player} buys {in_dollars(event.amount)} in chips."
        case e.PlayerLeft():
            cash = f" with {in_dollars(event.chips)}" if event.chips else ""
            return f"{event.player} leaves seat {event.seat}{cash}."
        case e.WagersPlaced():
            coupon = f" and a {in_dollars(event.coupon)} coupon" if event.coupon else ""
            return f"Seat {event.seat} wagers {_wagers(event.wagers)}{coupon}."
        case e.WagersTakenBack():
            return f"Seat {event.seat} takes the wagers back."
        case e.AcceptorLit():
            return f"The acceptor light at seat {event.seat} is lit."
        case e.NoMoreBetsAnnounced():
            return f"No more bets. Round {event.number}, dealt from the {event.colour} deck."
        case e.LockedOut():
            return "The dealer presses lock-out."
        case e.ChipsSwept():
            return f"The dealer counts {len(event.seats)} {event.wager} chips and sweeps them."
        case e.MeterMoved():
            return f"Progressive meter {in_dollars(event.amount)}: {event.reason}"
        case e.ChoiceMade():
            return _choice(event)
        case _:
            return _dealing(event)


def _choice(event: e.ChoiceMade) -> str:
    seat = f"Seat {event.seat}"
    match event.verb:
        case "withdraw":
            return f"{seat} withdraws {event.wager}."
        case "ride":
            return f"{seat} lets {event.wager} ride."
        case "pick":
            return f"{seat} picks cards {', '.join(str(n) for n in event.cards)}."
        case "check":
            return f"{seat} checks."
        case "fold":
            return f"{seat} folds."
    times = "the ante" if event.times == 1 else f"{event.times} times the ante"
    return f"{seat} makes {event.wager} of {in_dollars(event.amount)}, {times}."


def _dealing(event: e.Event) -> str:
    match event:
        case e.HandsDealt():
            return f"The dealer deals {len(event.places)} cards."
        case e.CardBurned():
            return "The dealer burns a card."
        case e.CommunityDealt():
            return f"Community cards: {pretty(event.cards)}."
        case e.DealersStackDelivered():
            return "The dealer's stack is delivered, covered."
        case e.UpCardExposed():
            return f"The dealer shows {pretty(event.card)}."
        case e.CommunityRevealed():
            return f"The dealer turns up {pretty(event.card)}."
        case e.HandRevealed():
            return f"Seat {event.seat} shows {pretty(event.cards)}: {event.hand}."
        case e.HandAnnounced():
            return f"Seat {event.seat} has {event.hand}."
        case e.PickedCardsRevealed():
            return f"Seat {event.seat} turns up {pretty(event.cards)}."
        case e.CoverAllPosted():
            return f"Cover All for {event.hands} hands: {event.pays}."
        case e.DealerRevealed():
            quality = {True: "", False: ", and does not qualify", None: ""}[event.qualified]
            return f"The dealer shows {pretty(event.cards)}: {event.hand}{quality}."
        case e.StubRacked():
            how = "counts the stub and puts" if event.counted else "puts the stub,"
            return f"The dealer {how} {event.cards} cards, unseen into the discard rack."
        case e.CardsRacked():
            cards = "card" if event.cards == 1 else "cards"
            whose = _whose(event.place)
            return f"The {event.cards} {cards} of {whose} go to the discard rack."
        case e.HandLeftExposed():
            return f"The hand at {event.place} stays on the felt for Cover All."
        case _:
            return _ending(event)


def _ending(event: e.Event) -> str:
    match event:
        case e.WagerSettled():
            where = f"Seat {event.seat}: {event.wager} {in_dollars(event.amount)}"
            if event.result == "won":
                return f"{where} wins {in_dollars(event.win)}. {event.reason}"
            return f"{where} {event.result}. {event.reason}"
        case e.RoundEnded():
            return f"Round {event.number} is over."
        case e.IrregularityReported():
            return f"Irregularity, {event.kind} ({event.place}). {event.ruling}"
        case e.DealersHandRepaired():
            return f"The dealer takes {event.cards} more from the deck, in sequence."
        case e.FaceUpCardRacked():
            return f"The {pretty(event.card)} goes to the discard rack unused."
        case e.HandVoided():
            return f"The hand at seat {event.seat} is void."
        case e.AllHandsVoided():
            return "All hands are void" + ("; trips stay up." if event.trips_stay else ".")
        case e.FoldedWagerReturned():
            return f"Seat {event.seat}: {event.wager} {in_dollars(event.amount)} comes back."
    raise AssertionError(f"no sentence for {type(event).__name__}")
