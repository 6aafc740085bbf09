"""What a statistical test found, and the verdict on several together."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import msgspec

CONFIDENCE = Fraction(99, 100)
TOGETHER = f"together at {CONFIDENCE.numerator} % confidence (Holm, both tails)"


class Finding(msgspec.Struct, frozen=True):
    """One statistic, the distribution it has if all is fair, and how surprising it is."""

    test: str
    looks_at: str
    statistic: float
    distribution: str
    parameter: float  # degrees of freedom of chi-square, mean of Poisson, deviation of normal
    p: float


class Verdict(msgspec.Struct, frozen=True):
    """The findings of a family of tests, and which of them condemn what was tested."""

    findings: tuple[Finding, ...]
    failed: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return not self.failed


def judged(findings: Sequence[Finding]) -> Verdict:
    """Holm's step-down: all tests together condemn what is fair once in a hundred times at most.

    The least p-value of m fails up to a hundredth of 1/m, the next up to a hundredth of 1/(m - 1),
    and so on; the first that passes ends the search.
    """
    error = float(1 - CONFIDENCE)
    failed = []
    ranked = sorted(findings, key=lambda finding: finding.p)
    for left, finding in zip(range(len(ranked), 0, -1), ranked, strict=True):
        if finding.p > error / left:
            break
        failed.append(finding.test)
    return Verdict(tuple(findings), tuple(failed))
