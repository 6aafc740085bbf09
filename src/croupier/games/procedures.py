"""The three dealing procedures of each game, and the clauses of their acts."""

from __future__ import annotations

from croupier.law.clause import rulebook
from croupier.rules.stage import Dealing

holdem = rulebook("nj-ultimate-texas-holdem")
caribbean = rulebook("nj-caribbean-stud")
ride = rulebook("nj-let-it-ride")
pik_it = rulebook("nj-pik-it-poker")

HOLDEM = {
    "manual shoe": Dealing(
        chosen=holdem("32.7(a)"),
        announce=holdem("32.7(b)"),
        deal=holdem("32.7(d)"),
        each=(
            holdem("32.7(d)1"),
            holdem("32.7(d)2"),
            holdem("32.7(d)3"),
            holdem("32.7(d)4"),
        ),
        stub=holdem("32.7(e)"),
        count=holdem("32.7(f)"),
    ),
    "hand": Dealing(
        chosen=holdem("32.8(a)"),
        announce=holdem("32.8(b)3"),
        deal=holdem("32.8(c)"),
        each=(
            holdem("32.8(c)1"),
            holdem("32.8(c)2"),
            holdem("32.8(c)3"),
            holdem("32.8(c)4"),
        ),
        stub=holdem("32.8(d)"),
        count=holdem("32.8(e)"),
    ),
    "automated shoe": Dealing(
        chosen=holdem("32.9(a)"),
        load=holdem("32.9(b)1"),
        announce=holdem("32.9(b)2"),
        deal=holdem("32.9(c)"),
        stub=holdem("32.9(d)"),
        count=holdem("32.9(e)"),
        stacks=True,
    ),
}

CARIBBEAN = {
    "manual shoe": Dealing(
        chosen=caribbean("16.7(a)"),
        announce=caribbean("16.7(b)"),
        deal=caribbean("16.7(d)"),
        stub=caribbean("16.7(e)"),
        count=caribbean("16.7(f)"),
    ),
    "hand": Dealing(
        chosen=caribbean("16.8(a)"),
        announce=caribbean("16.8(b)3"),
        deal=caribbean("16.8(c)"),
        stub=caribbean("16.8(d)"),
        count=caribbean("16.8(e)"),
    ),
    "automated shoe": Dealing(
        chosen=caribbean("16.9(a)"),
        load=caribbean("16.9(b)1"),
        announce=caribbean("16.9(b)2"),
        deal=caribbean("16.9(c)"),
        stub=caribbean("16.9(d)"),
        count=caribbean("16.9(e)"),
        stacks=True,
    ),
}

LET_IT_RIDE = {
    "manual shoe": Dealing(
        chosen=ride("18.7(a)"),
        announce=ride("18.7(b)"),
        deal=ride("18.7(c)"),
        each=(
            ride("18.7(c)1"),
            ride("18.7(c)2"),
            ride("18.7(c)3"),
            ride("18.7(c)4"),
            ride("18.7(c)5"),
            ride("18.7(c)6"),
        ),
        stub=ride("18.7(d)"),
        count=ride("18.7(e)"),
    ),
    "hand": Dealing(
        chosen=ride("18.8(a)"),
        announce=ride("18.8(b)3"),
        deal=ride("18.8(c)"),
        each=(
            ride("18.8(c)1"),
            ride("18.8(c)2"),
            ride("18.8(c)3"),
            ride("18.8(c)4"),
            ride("18.8(c)5"),
            ride("18.8(c)6"),
        ),
        stub=ride("18.8(d)"),
        count=ride("18.8(e)"),
    ),
    "automated shoe": Dealing(
        chosen=ride("18.9(a)"),
        load=ride("18.9(b)1"),
        announce=ride("18.9(b)2"),
        deal=ride("18.9(c)"),
        stub=ride("18.9(d)"),
        count=ride("18.9(e)"),
        stacks=True,
    ),
}

PIK_IT = {
    "manual shoe": Dealing(
        chosen=pik_it("39.7(a)"),
        announce=pik_it("39.7(b)"),
        deal=pik_it("39.7(c)"),
        stub=pik_it("39.7(d)"),
        count=pik_it("39.7(e)"),
    ),
    "hand": Dealing(
        chosen=pik_it("39.8(a)"),
        announce=pik_it("39.8(b)3"),
        deal=pik_it("39.8(c)"),
        stub=pik_it("39.8(d)"),
        count=pik_it("39.8(e)"),
    ),
    "automated shoe": Dealing(
        chosen=pik_it("39.9(a)"),
        load=pik_it("39.9(b)1"),
        announce=pik_it("39.9(b)2"),
        deal=pik_it("39.9(c)"),
        stub=pik_it("39.9(d)"),
        count=pik_it("39.9(e)"),
        stacks=True,
    ),
}
