#!/usr/bin/env python3
"""Checks math.json against an independent calculation.

The core's own tests pin every bit of the frozen mathematics; this script asks whether the bits are
right. It uses the Python standard library alone, whole numbers and decimals of 80 digits, and other
series than the core wherever another exists: no float function, and nothing of the core's code.

    exp, expm1      Taylor series after halving the argument
    ln, ln_1p       the atanh series of x e^-y, y a number near ln x
    pow             exp(y ln x)
    sqrt            the square root of a whole number
    normal_*        the alternating Taylor series of the error function in fixed point, with as many
                    bits as cancel
    quantiles       Newton steps on that series, from the value that is checked: its distance to the
                    root is what the steps measure

A value passes if it is within 1e-14 of the truth, relative, or within 3/4 of the least subnormal
number (2^-1074); sqrt must be the nearest float. Infinities, zeros and NaNs must be those of the
domain. Usage: math_oracle.py [file]; the exit status is 1 if anything fails.
"""

import json
import struct
import sys
from decimal import Decimal as D, getcontext
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from pathlib import Path

getcontext().prec = 80
getcontext().Emax = 10**17
getcontext().Emin = -(10**17)

TOLERANCE = D("1e-14")
LEAST = D(2) ** -1074
# Halfway between the largest float and 2^1024: from here on a value rounds to infinity.
OVERFLOW = D(2) ** 1024 - D(2) ** 970
INF = float("inf")
ZERO, ONE, HALF = D(0), D(1), D("0.5")


def exp(x):
    """e^x for |x| < 2000."""
    halvings = max(0, x.adjusted() * 4 + 16) if x else 0
    y = x / 2**halvings
    term = total = ONE
    n = 0
    while abs(term) > D("1e-100"):
        n += 1
        term = term * y / n
        total += term
    for _ in range(halvings):
        total *= total
    return total


def expm1(x):
    if abs(x) > 1:
        return exp(x) - 1
    term = total = x
    n = 1
    while abs(term) > abs(total) * D("1e-85"):
        n += 1
        term = term * x / n
        total += term
    return total


def atanh_series(f):
    """ln(1 + f) for |f| <= 1/2."""
    s = f / (2 + f)
    power = total = s
    n = 1
    while abs(power) > abs(total) * D("1e-85"):
        power *= s * s
        n += 2
        total += power / n
    return 2 * total


def ln(x):
    """The logarithm of x > 0."""
    if abs(x - 1) <= HALF:
        return atanh_series(x - 1)
    # From ln x = ln(mantissa) + exponent * ln 10 in steps of 1 until the series converges.
    y = x.adjusted() * D("2.302585") + 1
    for _ in range(10):
        # x e^-y = 1 + d, and then ln x = y + ln(1 + d).
        d = x * exp(-y) - 1
        if abs(d) <= HALF:
            return y + atanh_series(d)
        y += 1 if d > 0 else -1
    raise ArithmeticError(f"no logarithm of {x}")


def arctan_inverse(n, bits):
    """arctan(1/n) * 2^bits."""
    power = total = (1 << bits) // n
    k, sign = 1, 1
    while power:
        power //= n * n
        k += 2
        sign = -sign
        total += sign * power // k
    return total


@lru_cache(maxsize=None)
def sqrt_two_pi(bits):
    """sqrt(2 pi) * 2^bits; pi by Machin's formula."""
    work = 2 * bits + 32
    pi = 4 * (4 * arctan_inverse(5, work) - arctan_inverse(239, work))
    return isqrt(2 * pi << 2 * bits >> work)


def rational(numerator, bits):
    """numerator / 2^bits as a decimal."""
    return D(numerator) / D(2) ** bits


def center_fixed(x, bits):
    """(Phi(x) - 1/2) * 2^bits for x >= 0.

    The integral of the density's Taylor series: x^(2n+1) (-1)^n / (2^n n! (2n+1)) / sqrt(2 pi).
    """
    numerator, denominator = x.as_integer_ratio()
    fixed = (numerator << bits) // denominator
    square = fixed * fixed >> bits
    power = total = fixed
    n = 0
    while power:
        n += 1
        power = (power * square >> bits) // (2 * n)
        total += (-power if n & 1 else power) // (2 * n + 1)
    return (total << bits) // sqrt_two_pi(bits)


def precision(x):
    """Bits enough for 60 digits of both the center and the tail at x."""
    # The largest term is about e^(x^2/2), the tail about e^(-x^2/2): 0.73 x^2 bits each.
    small = max(0, -x.adjusted()) * 4 if x else 0
    # In steps, so that sqrt(2 pi) is shared.
    return (320 + int(x * x * D("1.5")) + small + 255) // 256 * 256


def center(x):
    if x < 0:
        return -center(-x)
    if x > 50:
        return HALF
    bits = precision(x)
    return rational(center_fixed(x, bits), bits)


def tail(x):
    if x < 0:
        return 1 - tail(-x)
    if x > 50:
        return ZERO
    bits = precision(x)
    return rational((1 << bits - 1) - center_fixed(x, bits), bits)


def density(x):
    return exp(-x * x / 2) / rational(sqrt_two_pi(320), 320)


def root_center(c, start):
    x = start
    for _ in range(2):
        x = +(x + (c - center(x)) / density(x))
    return x


def root_tail(r, start):
    x = start
    for _ in range(2):
        q = tail(x)
        x = +(x + (q - r) / density(x))
    return x


# One function each: floats to the true value, a decimal, or to the float that must come out.


def want_exp(x, _):
    if abs(x) > 2000:
        return INF if x > 0 else 0.0
    return exp(D(x))


def want_expm1(x, _):
    if x == 0:
        return x
    if abs(x) > 2000:
        return INF if x > 0 else -1.0
    return expm1(D(x))


def want_ln(x, _):
    if x < 0:
        return None
    if x in (0, 1, INF):
        return {0: -INF, 1: 0.0, INF: INF}[x]
    return ln(D(x))


def want_ln_1p(x, _):
    if x < -1:
        return None
    if x in (-1, 0, INF):
        return -INF if x == -1 else x
    return atanh_series(D(x)) if abs(x) <= 0.5 else ln(exact_sum(D(x), ONE))


def exact_sum(a, b):
    total = Fraction(a) + Fraction(b)
    return D(total.numerator) / D(total.denominator)


def want_pow(x, y, _):
    if y == 0 or x == 1:
        return 1.0
    if x != x or y != y or x < 0:
        return None
    if x in (0, INF):
        return 0.0 if (x == 0) == (y > 0) else INF
    if y in (INF, -INF):
        return 0.0 if (x < 1) == (y > 0) else INF
    exponent = D(y) * ln(D(x))
    if abs(exponent) > 2000:
        return INF if exponent > 0 else 0.0
    return exp(exponent)


def want_sqrt(x, _):
    if x < 0:
        return None
    if x in (0, INF):
        return x
    numerator, denominator = x.as_integer_ratio()
    # 2^2400 / denominator is an even power of 2 or twice one; keep 1200 bits after the point.
    return float(Fraction(isqrt((numerator << 2400) // denominator) * 2 + 1, 2 << 1200))


def want_normal_center(x, _):
    if x == 0:
        return x
    if abs(x) > 50:
        return 0.5 if x > 0 else -0.5
    return center(D(x))


def want_normal_tail(x, _):
    if abs(x) > 50:
        return 0.0 if x > 0 else 1.0
    return tail(D(x))


def want_quantile_center(c, got):
    if abs(c) > 0.5:
        return None
    if c == 0:
        return c
    if abs(c) == 0.5:
        return INF if c > 0 else -INF
    return root_center(D(c), D(got))


def want_quantile_tail(r, got):
    if not 0 <= r <= 1:
        return None
    if r in (0, 1, 0.5):
        return {0: INF, 1: -INF, 0.5: 0.0}[r]
    return root_tail(D(r), D(got)) if r < 0.5 else -root_tail(exact_sum(ONE, -D(r)), -D(got))


WANT = {
    "exp": want_exp,
    "expm1": want_expm1,
    "ln": want_ln,
    "ln_1p": want_ln_1p,
    "pow": want_pow,
    "sqrt": want_sqrt,
    "normal_center": want_normal_center,
    "normal_tail": want_normal_tail,
    "normal_quantile_center": want_quantile_center,
    "normal_quantile_tail": want_quantile_tail,
}


def from_bits(text):
    return struct.unpack(">d", bytes.fromhex(text.removeprefix("0x")))[0]


def to_bits(value):
    return "0x" + struct.pack(">d", value).hex()


def check(row, worst):
    """None if the row is right, otherwise what is wrong with it."""
    name = row["fn"]
    args = [from_bits(text) for text in row["args"]]
    got = from_bits(row["bits"])
    texts = zip(row["decimal"] + [row["value"]], row["args"] + [row["bits"]])
    for text, bits in texts:
        same = to_bits(float(text)) == bits or (text == "NaN" and from_bits(bits) != from_bits(bits))
        if not same:
            return f"{text} is not {bits}"
    if got != got and row["bits"] != "0x7ff8000000000000":
        return "not the canonical NaN"
    if name != "pow" and args[0] != args[0]:
        want = None
    elif got in (INF, -INF) or got != got:
        want = WANT[name](*args, 0.0)
    else:
        want = WANT[name](*args, got)
    if want is None:
        return None if got != got else f"{got} instead of NaN"
    if got != got:
        return f"NaN instead of {want}"
    if isinstance(want, float):
        return None if to_bits(got) == to_bits(want) else f"{got} instead of {want}"
    if abs(want) >= OVERFLOW:
        want = INF if want > 0 else -INF
        return None if got == want else f"{got} instead of {want}"
    if got in (INF, -INF):
        return f"{got} instead of {want:.20e}"
    error = abs(D(got) - want)
    if abs(want) >= D(2) ** -1022:
        worst[name] = max(worst.get(name, ZERO), error / abs(want))
    if error <= TOLERANCE * abs(want) or error <= LEAST * D("0.75"):
        return None
    return f"{got} instead of {want:.20e}"


def main():
    default = Path(__file__).with_name("math.json")
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    rows = json.loads(path.read_text(encoding="utf-8"))
    worst, passed, failed = {}, 0, 0
    for row in rows:
        problem = check(row, worst)
        if problem is None:
            passed += 1
        else:
            failed += 1
            print(f"{row['fn']}({', '.join(row['decimal'])}): {problem}")
    for name, error in worst.items():
        print(f"{name}: largest relative error {error:.2e}")
    missing = [name for name in WANT if not any(row["fn"] == name for row in rows)]
    if missing:
        print(f"no rows for {', '.join(missing)}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())
