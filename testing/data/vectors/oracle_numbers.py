"""Numbers for the oracle: hashes, random streams, and distributions in 80-digit decimal arithmetic."""

import hashlib
import math
import statistics
from decimal import Decimal, getcontext, localcontext

getcontext().prec = 80
ZERO, ONE, HALF = Decimal(0), Decimal(1), Decimal("0.5")
MASK64 = (1 << 64) - 1


class Refused(Exception):
    """The case cannot serve as a vector, because a last bit could change its answer."""


# --- hashes ---------------------------------------------------------------------------------------------------------

def _rotl(x, n, bits):
    return ((x << n) | (x >> (bits - n))) & ((1 << bits) - 1)


def siphash128(key, data):
    """SipHash-2-4 with 128 bits of output, 16 bytes as the reference code writes them."""
    k0, k1 = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D ^ 0xEE, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def rounds(n):
        for _ in range(n):
            v[0] = (v[0] + v[1]) & MASK64
            v[1] = _rotl(v[1], 13, 64) ^ v[0]
            v[0] = _rotl(v[0], 32, 64)
            v[2] = (v[2] + v[3]) & MASK64
            v[3] = _rotl(v[3], 16, 64) ^ v[2]
            v[0] = (v[0] + v[3]) & MASK64
            v[3] = _rotl(v[3], 21, 64) ^ v[0]
            v[2] = (v[2] + v[1]) & MASK64
            v[1] = _rotl(v[1], 17, 64) ^ v[2]
            v[2] = _rotl(v[2], 32, 64)

    padded = data + b"\0" * (7 - len(data) % 8) + bytes([len(data) & 0xFF])
    for i in range(0, len(padded), 8):
        word = int.from_bytes(padded[i:i + 8], "little")
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xEE
    rounds(4)
    first = v[0] ^ v[1] ^ v[2] ^ v[3]
    v[1] ^= 0xDD
    rounds(4)
    second = v[0] ^ v[1] ^ v[2] ^ v[3]
    return first.to_bytes(8, "little") + second.to_bytes(8, "little")


def kron_seed(text):
    """The 32 seed bytes of siphash-chacha8/1."""
    data = text.encode("utf-8")
    return b"".join(siphash128(key.ljust(16, b"\0"), data) for key in (b"kron.seed.v1.a", b"kron.seed.v1.b"))


def legacy_seed(text):
    """The 32 hash bytes of sha256-splitmix64/1."""
    return hashlib.sha256(text.encode("utf-8")).digest()


# --- streams of 64-bit words ----------------------------------------------------------------------------------------

def chacha8_words(seed):
    """ChaCha with 8 rounds, 64-bit counter, stream 0; two 32-bit words make a 64-bit one, the earlier is the low half."""
    constants = [int.from_bytes(b"expand 32-byte k"[i:i + 4], "little") for i in range(0, 16, 4)]
    key = [int.from_bytes(seed[i:i + 4], "little") for i in range(0, 32, 4)]
    counter = 0
    while True:
        start = constants + key + [counter & 0xFFFFFFFF, counter >> 32, 0, 0]
        s = list(start)

        def quarter(a, b, c, d):
            for x, y, z, n in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                s[x] = (s[x] + s[y]) & 0xFFFFFFFF
                s[z] = _rotl(s[z] ^ s[x], n, 32)

        for _ in range(4):
            for i in range(4):
                quarter(i, 4 + i, 8 + i, 12 + i)
            for i in range(4):
                quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
        out = [(x + y) & 0xFFFFFFFF for x, y in zip(s, start)]
        for i in range(0, 16, 2):
            yield out[i] | out[i + 1] << 32
        counter += 1


def splitmix64_words(hash_bytes):
    """SplitMix64 whose state is the first eight hash bytes, big-endian."""
    state = int.from_bytes(hash_bytes[:8], "big")
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK64
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
        yield z ^ (z >> 31)


def unit(word):
    """A draw in [0, 1) as the exact double and as the same number in decimal."""
    return (word >> 11) * 2.0 ** -53, Decimal(word >> 11) / Decimal(1 << 53)


# --- elementary functions -------------------------------------------------------------------------------------------

def exp(x):
    """e^x by halving the argument, the Taylor series, and squaring back; 0 where the answer has 80,000 zeros."""
    if x < -200000:
        return ZERO
    with localcontext() as ctx:
        ctx.prec += 30
        halvings = max(0, math.ceil(math.log2(abs(x) + ONE))) + 8
        r = x / (1 << halvings)
        total = term = ONE
        n = 0
        while abs(term) > Decimal(10) ** -(ctx.prec + 2):
            n += 1
            term = term * r / n
            total += term
        for _ in range(halvings):
            total *= total
    return +total


def ln(x):
    """The natural logarithm by Halley steps on exp."""
    with localcontext() as ctx:
        ctx.prec += 20
        y = Decimal(math.log(x))
        for _ in range(5):
            e = exp(y)
            y += 2 * (x - e) / (x + e)
    return +y


def _pi():
    def arctan_inverse(n):
        total, power, k = ZERO, ONE / n, 0
        while power > Decimal(10) ** -110:
            total += (power if k % 2 == 0 else -power) / (2 * k + 1)
            power /= n * n
            k += 1
        return total

    with localcontext() as ctx:
        ctx.prec = 120
        return 16 * arctan_inverse(Decimal(5)) - 4 * arctan_inverse(Decimal(239))


with localcontext() as _ctx:
    _ctx.prec = 110
    PI = _pi()
    SQRT_PI, SQRT_2, SQRT_2PI = PI.sqrt(), Decimal(2).sqrt(), (2 * PI).sqrt()


def erfc(x):
    """The complementary error function for x >= 0: a series of positive terms below 7, a continued fraction above."""
    with localcontext() as ctx:
        ctx.prec += 25
        if x < 7:
            total = term = x
            n = 0
            while term > total * Decimal(10) ** -ctx.prec:
                n += 1
                term = term * 2 * x * x / (2 * n + 1)
                total += term
            result = ONE - 2 / SQRT_PI * exp(-x * x) * total
        else:
            t = ONE / (2 * x * x)
            fraction = ONE
            for n in range(400, 0, -1):
                fraction = ONE + n * t / fraction
            result = exp(-x * x) / (x * SQRT_PI) / fraction
    return +result


def upper_tail(z):
    """The chance that a standard normal number exceeds z >= 0."""
    return erfc(z / SQRT_2) / 2


def upper_tail_inverse(p):
    """The z >= 0 whose upper tail is p <= 1/2: Newton from a rough start, then a proof that the root lies beside z."""
    z = max(ZERO, Decimal(-statistics.NormalDist().inv_cdf(min(0.5, float(p)))))
    for _ in range(60):
        step = (upper_tail(z) - p) * SQRT_2PI * exp(z * z / 2)
        z = max(ZERO, z + step)
        if abs(step) < Decimal(10) ** -50:
            break
    near = Decimal(10) ** -45
    assert (z < near or upper_tail(z - near) > p) and upper_tail(z + near) < p
    return z


# --- distributions --------------------------------------------------------------------------------------------------

def q_uniform(u):
    return u


def q_skew_early(u, shape):
    return ZERO if u == 0 else exp(shape * ln(u))


def q_skew_late(u, shape):
    return ONE - q_skew_early(ONE - u, shape)


def q_exponential(u, rate, late=False):
    if late:
        return ONE - q_exponential(ONE - u, rate)
    if u == 1:
        return ONE
    if rate < Decimal("1e-9"):
        return u
    return -ln(ONE + u * (exp(-rate) - ONE)) / rate


def q_normal(u, mean, sigma):
    """Normal with this mean and sigma, both in window lengths, cut off outside of [0, 1]; the mean is in [0, 1]."""
    below = upper_tail(mean / sigma)
    above = upper_tail((ONE - mean) / sigma)
    inside = ONE - below - above
    left = below + u * inside
    right = above + (ONE - u) * inside
    z = -upper_tail_inverse(left) if left <= right else upper_tail_inverse(right)
    return min(ONE, max(ZERO, mean + sigma * z))


def pick(x, count, doubt):
    """floor(x * count) held in [0, count-1]. A product too near an inner whole number is refused."""
    product = x * count
    nearest = product.to_integral_value()
    if 1 <= nearest <= count - 1 and abs(product - nearest) < doubt:
        raise Refused(f"{product:.12f} of {count} is too near a whole number")
    return min(max(int(product // 1), 0), count - 1)


def self_test():
    """Known answers of the parts that other parts build on."""
    key, data = bytes(range(16)), bytes(range(15))
    assert siphash128(key, b"").hex() == "a3817f04ba25a8e66df67214c7550293"
    assert siphash128(key, data).hex() == "5493e99933b0a8117e08ec0f97cfc3d9"
    words = chacha8_words(bytes(32))
    assert next(words).to_bytes(8, "little").hex() == "3e00ef2f895f40d6"
    assert hashlib.sha256(b"abc").hexdigest().startswith("ba7816bf8f01cfea")
    tiny = Decimal(10) ** -75
    for x in ("-1e-9", "-0.5", "-8", "-50", "-2000", "0.3"):
        value = Decimal(x)
        assert abs(exp(value) / value.exp() - 1) < tiny
    for x in ("1e-16", "0.25", "0.999999999", "3"):
        assert abs(ln(Decimal(x)) - Decimal(x).ln()) < tiny
    for x in (0.01, 0.7, 3.0, 6.999, 7.001, 20.0):
        assert abs(float(erfc(Decimal(x))) / math.erfc(x) - 1) < 1e-13
    assert abs(erfc(Decimal("6.9999999999999999999999999999999999999999999"))
               / erfc(Decimal("7.0000000000000000000000000000000000000000001")) - 1) < Decimal("1e-40")
