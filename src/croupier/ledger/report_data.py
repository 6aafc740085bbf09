"""What an audit report is made from: the audit and each table's money, in one view of the store."""

from __future__ import annotations

from collections import Counter
from urllib.parse import urlsplit

from msgspec import Struct

from croupier.law.refused import Refused
from croupier.ledger.audit import Report
from croupier.ledger.chain import Head
from croupier.ledger.drift import Drift, drifts
from croupier.ledger.known_keys import fingerprint
from croupier.ledger.ledger import POSTGRES, SQLITE
from croupier.ledger.reading import Reading, legible
from croupier.ledger.reconcile import Reconciliation, reconcile
from croupier.ledger.replay import chosen_tables


class Audited(Struct):
    """Everything a report is made from."""

    store: str
    time: str
    report: Report
    tables: list[TableAudited]
    keys: list[Key]
    unread: list[str]  # what could not be read, with why


class TableAudited(Struct):
    name: str
    head: Head
    money: Reconciliation
    drift: list[Drift]

    @property
    def tied(self) -> bool:
        """Whether what the wagers won is what the accounts show."""
        return sum(each.actual_win for each in self.drift) == self.money.actual_win

    @property
    def balances(self) -> bool:
        return self.money.balances and self.tied


class Key(Struct):
    id: str
    fingerprint: str
    in_use: bool
    signed: int  # checkpoints in the store


def audited(ledger: Reading, report: Report, where: str, table: str, time: str) -> Audited:
    """The audit of a ledger with the sums of its tables, all in one view of the store."""
    found = Audited(named_store(where), time, report, [], [], [])
    signed: Counter[str] = Counter()
    for name in chosen_tables(ledger, table):
        signed.update(each.key for each in ledger.store.checkpoints(name))
        try:
            with legible():
                found.tables.append(table_audited(ledger, name))
        except Refused as refused:
            found.unread.append(f"The money of table {name}: {refused.sentence}")
    found.keys = [
        Key(key, fingerprint(public), key == ledger.keys.signing, signed[key])
        for key, public in ledger.keys.public.items()
        if any(ledger.keys.folder.glob(f"signing-*-{key}.*"))  # not one made up while reading
    ]
    return found


def table_audited(ledger: Reading, name: str) -> TableAudited:
    money = reconcile(ledger.store, name)
    last = ledger.store.head(name)
    head = Head.of(last) if last else Head()
    return TableAudited(name, head, money, drifts(ledger.store, name))


def named_store(where: str) -> str:
    """The store without a password."""
    if not where.startswith(POSTGRES):
        return where.removeprefix(SQLITE)
    found = urlsplit(where)
    port = f":{found.port}" if found.port else ""
    return f"{found.scheme}://{found.hostname or ''}{port}{found.path}"
