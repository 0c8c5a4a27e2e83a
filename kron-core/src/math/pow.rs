//! x^y for x >= 0.

use super::exp::{Parts, exp_parts};
use super::ln::decompose;
use super::{LN2_HI, LN2_LO, NAN, TWO_M54, fast_two_sum, head, polynomial, scale, sqrt};

/// x^y.
///
/// For x >= 0 and any y; relative error below 2e-16 (where the result is not subnormal), so a power
/// is almost always the f64 nearest to the true one; for y = 1/2, 1 and 2 it always is. Overflow
/// gives +inf, underflow subnormal numbers and then 0.
///
/// Special values, in this order: x^0 = 1 and 1^y = 1 for every x and y, even a NaN; a NaN or a
/// negative x gives NaN, for whole y too; -0 counts as 0; 0^y and inf^y are 0 or +inf, whichever is
/// the limit.
///
/// Source: x^y = e^(y ln x), with ln x and the product in double length, because the relative error of
/// the exponent is multiplied by up to 745 on its way to the result.
pub(crate) fn pow(x: f64, y: f64) -> f64 {
    if y == 0.0 || x == 1.0 {
        return 1.0;
    }
    if x.is_nan() || y.is_nan() || x < 0.0 {
        return NAN;
    }
    if x == 0.0 || x == f64::INFINITY {
        return if (x == 0.0) == (y > 0.0) { 0.0 } else { f64::INFINITY };
    }
    // The shapes that people write; one rounding, and quicker.
    if y == 2.0 {
        return x * x;
    }
    if y == 1.0 {
        return x;
    }
    if y == 0.5 {
        return sqrt(x);
    }
    let (l, l_lo) = ln_double(x);
    let estimate = y * l;
    if estimate > 710.0 {
        return f64::INFINITY;
    }
    if estimate < -746.0 {
        return 0.0;
    }
    if estimate.abs() < TWO_M54 {
        return 1.0;
    }
    // The product of the heads is exact, and the rest is small against it.
    let (y_head, l_head) = (head(y), head(l));
    let product = y_head * l_head;
    let rest = (y - y_head) * l + y_head * ((l - l_head) + l_lo);
    match exp_parts(product, rest) {
        Parts::Scaled { y, k } => scale(y, k),
        Parts::Huge => f64::INFINITY,
        Parts::Zero => 0.0,
    }
}

/// ln x as an unevaluated sum, for finite x > 0 other than 1; relative error below 2^-64.
///
/// With s = f / (2 + f): ln(1 + f) = 2 atanh s = 2/3 s (3 + s^2 + r), where r = 3/5 s^4 + 3/7 s^6 + ...,
/// Abramowitz and Stegun 4.1.27. |s| <= 0.1716, so r <= 2^-10 and single length suffices for it; what
/// comes before it is kept exactly, as heads and rests.
#[inline]
fn ln_double(x: f64) -> (f64, f64) {
    /// The first term left out of the logarithm, s^28/29, is below 2^-75.
    const C: [f64; 12] = [
        3.0 / 5.0,
        3.0 / 7.0,
        3.0 / 9.0,
        3.0 / 11.0,
        3.0 / 13.0,
        3.0 / 15.0,
        3.0 / 17.0,
        3.0 / 19.0,
        3.0 / 21.0,
        3.0 / 23.0,
        3.0 / 25.0,
        3.0 / 27.0,
    ];
    const TWO_THIRDS: f64 = 2.0 / 3.0;
    /// The leading 26 bits of 2/3.
    const TWO_THIRDS_HEAD: f64 = f64::from_bits(0x3fe5_5555_5000_0000);
    /// 2/3 - TWO_THIRDS_HEAD: the f64 2/3 is (1 - 2^-54) * 2/3.
    const TWO_THIRDS_REST: f64 = (TWO_THIRDS - TWO_THIRDS_HEAD) + TWO_M54 * TWO_THIRDS;

    let (k, f) = decompose(x);
    // s = f / (2 + f), and s_rest from the remainder of that division by s_head.
    let reciprocal = 1.0 / (2.0 + f);
    let s = f * reciprocal;
    let s_head = head(s);
    let d_head = head(2.0 + f);
    let d_rest = f - (d_head - 2.0);
    let s_rest = ((f - s_head * d_head) - s_head * d_rest) * reciprocal;
    // t = 3 + s^2 + r
    let z = s * s;
    let square = s_head * s_head;
    let r = z * z * polynomial(&C, z) + s_rest * (s_head + s);
    let t_head = head(3.0 + square + r);
    let t_rest = r - ((t_head - 3.0) - square);
    // p = s t
    let product = s_head * t_head;
    let correction = s_rest * t_head + t_rest * s;
    let p_head = head(product + correction);
    let p_rest = correction - (p_head - product);
    // m = 2/3 p
    let m = TWO_THIRDS_HEAD * p_head;
    let m_rest = TWO_THIRDS_REST * p_head + TWO_THIRDS * p_rest;
    // k LN2_HI is exact and, unless it is 0, larger than m.
    let (l, l_error) = fast_two_sum(k * LN2_HI, m);
    fast_two_sum(l, l_error + (m_rest + k * LN2_LO))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Random, assert_close, assert_total};
    use super::super::{exp, ln};
    use super::*;

    #[test]
    fn pow_is_close_to_libm() {
        for i in 1..=2_000 {
            for j in 1..=100 {
                let (x, y) = (f64::from(i) / 1_000.0, f64::from(j) / 7.0);
                assert_close(pow(x, y), libm::pow(x, y), 1e-15, x);
                assert_close(pow(x, -y), libm::pow(x, -y), 1e-15, x);
            }
        }
        let mut random = Random(1);
        for _ in 0..200_000 {
            // Any base, and an exponent that uses the whole range of the result.
            let x = random.log_uniform(-1074, 1023).abs();
            let y = (1_500.0 * random.unit() - 760.0) / libm::log(x);
            assert_close(pow(x, y), libm::pow(x, y), 1e-14, x);
            // A base nearer to 1, and so a larger exponent.
            let x = 1.0 + random.log_uniform(-19, -2);
            let y = (1_500.0 * random.unit() - 760.0) / libm::log(x);
            assert_close(pow(x, y), libm::pow(x, y), 1e-14, x);
            // A draw and a shape, large, small and subnormal ones too.
            let (x, y) = (random.unit(), random.log_uniform(-1074, 1023));
            assert_close(pow(x, y), libm::pow(x, y), 1e-14, x);
            let (x, y) = (random.any().abs(), random.any());
            assert_close(pow(x, y), libm::pow(x, y), 1e-14, x);
        }
    }

    #[test]
    fn pow_is_right_for_bases_next_to_1() {
        // There libm is wrong by up to 2e-13 (it has a short cut for exponents above 2^31), so the oracle
        // is a series of the logarithm of its own: ln(1 + f) = f - f^2/2 + f^3/3 - ...
        let mut random = Random(6);
        for _ in 0..200_000 {
            let x = 1.0 + random.log_uniform(-52, -20);
            let y = (1_500.0 * random.unit() - 760.0) / libm::log(x);
            let f = x - 1.0;
            let rest = -f * f * (1.0 / 2.0 - f * (1.0 / 3.0 - f * (1.0 / 4.0 - f / 5.0)));
            let exponent = y * f;
            let error = y.mul_add(f, -exponent);
            let want = match exponent {
                // Split, so that the first factor stays normal where the result is not.
                e if e < -690.0 => libm::exp(e + 64.0) * libm::exp(error + y * rest) * libm::exp(-64.0),
                e if e > 709.0 => libm::exp(e - 64.0) * libm::exp(error + y * rest) * libm::exp(64.0),
                e => libm::exp(e) * libm::exp(error + y * rest),
            };
            assert_close(pow(x, y), want, 1e-14, x);
        }
    }

    #[test]
    fn whole_powers_are_products() {
        let mut random = Random(2);
        for _ in 0..50_000 {
            // Few bits, so that the products are exact.
            let x = (random.unit() * 8_192.0 + 1.0).trunc() / 64.0;
            for (y, product) in [(3.0, x * x * x), (4.0, x * x * x * x), (-1.0, 1.0 / x)] {
                assert_close(pow(x, y), product, 2.3e-16, x);
            }
        }
        assert_eq!(pow(10.0, 22.0), 1e22);
        assert_eq!(pow(2.0, -1074.0), 5e-324);
        assert_eq!(pow(2.0, 1023.0), 8.98846567431158e307);
        assert_eq!(pow(2.0, 10.0), 1024.0);
    }

    #[test]
    fn powers_of_e_agree_with_exp() {
        let mut random = Random(3);
        for _ in 0..50_000 {
            let (x, y) = (random.log_uniform(-3, 3).abs(), 20.0 * random.unit());
            assert_close(pow(x, y), exp(y * ln(x)), 3e-14, x);
        }
    }

    #[test]
    fn pow_is_monotone_in_its_base() {
        for y in [1e-3, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 2.5, 3.0, 10.0, 40.0] {
            let mut before = -1.0;
            for i in 0..=1 << 14 {
                let now = pow(f64::from(i) / f64::from(1 << 14), y);
                assert!(now > before, "{i}^{y}");
                before = now;
            }
        }
    }

    #[test]
    fn exact_shapes() {
        let mut random = Random(4);
        for _ in 0..10_000 {
            let x = random.any().abs();
            if x.is_finite() && x > 0.0 {
                assert_eq!(pow(x, 1.0), x);
                assert_eq!(pow(x, 2.0), x * x);
                assert_eq!(pow(x, 0.5), sqrt(x));
            }
            // The general path must not be a step away from the exact shapes.
            let x = random.unit() + f64::MIN_POSITIVE;
            assert_close(pow(x, f64::from_bits(2.0_f64.to_bits() + 1)), x * x, 3e-14, x);
        }
    }

    #[test]
    fn pow_special_values() {
        let inf = f64::INFINITY;
        for x in [0.0, -0.0, 1.0, -1.0, 0.3, inf, -inf, f64::NAN] {
            assert_eq!(pow(x, 0.0), 1.0, "{x}");
            assert_eq!(pow(x, -0.0), 1.0, "{x}");
            assert_eq!(pow(1.0, x), 1.0, "{x}");
        }
        for (x, y, want) in [
            (0.0, 5e-324, 0.0),
            (0.0, 1.0, 0.0),
            (0.0, 3.0, 0.0),
            (-0.0, 3.0, 0.0),
            (0.0, inf, 0.0),
            (0.0, -1.0, inf),
            (-0.0, -1.0, inf),
            (0.0, -inf, inf),
            (inf, 5e-324, inf),
            (inf, -5e-324, 0.0),
            (inf, inf, inf),
            (inf, -inf, 0.0),
            (0.5, inf, 0.0),
            (0.5, -inf, inf),
            (2.0, inf, inf),
            (2.0, -inf, 0.0),
            (0.5, 1e308, 0.0),
            (0.5, -1e308, inf),
            (0.5, 5e-324, 1.0),
            (f64::MAX, 5e-324, 1.0),
            (5e-324, -1.0, inf),
            (5e-324, 1.0, 5e-324),
            (5e-324, 2.0, 0.0),
            (f64::MAX, 2.0, inf),
            (f64::MAX, -2.0, 0.0),
            (1.0 - f64::EPSILON / 2.0, 1e308, 0.0),
            (1.0 + f64::EPSILON, 1e308, inf),
        ] {
            assert_eq!(pow(x, y).to_bits(), want.to_bits(), "{x}^{y}");
        }
        for (x, y) in [(f64::NAN, 1.0), (0.5, f64::NAN), (0.0, f64::NAN), (inf, f64::NAN)] {
            assert!(pow(x, y).is_nan(), "{x}^{y}");
        }
        for x in [-5e-324, -0.5, -1.0, -2.0, -inf] {
            for y in [2.0, 3.0, -1.0, 0.5, inf] {
                assert!(pow(x, y).is_nan(), "{x}^{y}");
            }
        }
        let mut random = Random(5);
        for _ in 0..300 {
            let y = random.any();
            assert_total(|x| pow(x, y));
            assert_total(|x| pow(y, x));
        }
    }
}
