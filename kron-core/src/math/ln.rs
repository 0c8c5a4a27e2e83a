//! The natural logarithm and its neighbour ln(1 + x).

use super::{LN2_HI, LN2_LO, NAN, TWO_M54, polynomial};

/// The natural logarithm of x.
///
/// Any x; relative error below 2e-16, near 1 too. ln 0 = -inf (of either sign), the logarithm of a
/// negative number is NaN.
///
/// Source: x = 2^k * (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2), and ln(1 + f) = 2 atanh(f / (2 + f)),
/// Abramowitz and Stegun 4.1.27.
pub(crate) fn ln(x: f64) -> f64 {
    if x.is_nan() || x < 0.0 {
        return NAN;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x == f64::INFINITY {
        return x;
    }
    let (k, f) = decompose(x);
    reduced(k, f, 0.0)
}

/// ln(1 + x).
///
/// Any x; relative error below 3e-16, near 0 too; -0 stays -0. ln_1p(-1) = -inf, below that NaN.
///
/// Source: with u the rounded 1 + x and c its rounding error, ln(1 + x) = ln u + c/u to the first
/// order, and the second, (c/u)^2 / 2, is below the last bit.
pub(crate) fn ln_1p(x: f64) -> f64 {
    if x.is_nan() || x < -1.0 {
        return NAN;
    }
    if x == -1.0 {
        return f64::NEG_INFINITY;
    }
    // Within 2^-54 of 0, x is the correctly rounded result, and the only one that keeps -0.
    if x == f64::INFINITY || x.abs() < TWO_M54 {
        return x;
    }
    let u = 1.0 + x;
    // Dekker's error of a sum needs the larger term first.
    let c = if x < 1.0 { x - (u - 1.0) } else { 1.0 - (u - x) };
    let (k, f) = decompose(u);
    reduced(k, f, c / u)
}

/// Finds k and f with x = 2^k * (1 + f), sqrt(1/2) <= 1 + f < sqrt(2), for finite x > 0; exact.
#[inline]
pub(super) fn decompose(x: f64) -> (f64, f64) {
    const EXPONENT: u64 = 0xfff << 52;
    /// The bits of the f64 next to sqrt(1/2).
    const SQRT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    let (bits, bias) = if x < f64::MIN_POSITIVE {
        ((x * 18_014_398_509_481_984.0).to_bits(), -54) // 2^54 makes a subnormal x normal
    } else {
        (x.to_bits(), 0)
    };
    // The exponent field of the difference of bits is k: it steps where the mantissa passes sqrt(1/2).
    let distance = bits.wrapping_sub(SQRT_HALF);
    let k = (distance.cast_signed() >> 52) + bias;
    let m = f64::from_bits(bits.wrapping_sub(distance & EXPONENT));
    // OK because |k| <= 1075; m - 1 is exact because m is within a factor of 2 of 1.
    (k as f64, m - 1.0)
}

/// k ln 2 + ln(1 + f) + c, for small c.
///
/// With s = f / (2 + f), 2 atanh s = 2s + sR, R = 2 (s^2/3 + s^4/5 + ...), and 2s is written as
/// f - f^2/2 + s f^2/2, so that the exact f leads and all that is rounded is small against it.
#[inline]
fn reduced(k: f64, f: f64, c: f64) -> f64 {
    /// The first term left out is 2 s^24/25, below 1e-19.
    const C: [f64; 11] = [
        2.0 / 3.0,
        2.0 / 5.0,
        2.0 / 7.0,
        2.0 / 9.0,
        2.0 / 11.0,
        2.0 / 13.0,
        2.0 / 15.0,
        2.0 / 17.0,
        2.0 / 19.0,
        2.0 / 21.0,
        2.0 / 23.0,
    ];
    let s = f / (2.0 + f);
    let z = s * s;
    let series = z * polynomial(&C, z);
    let half_square = 0.5 * f * f;
    let low = s * (half_square + series) + (k * LN2_LO + c);
    k * LN2_HI - ((half_square - low) - f)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Random, assert_close, assert_total};
    use super::super::{exp, expm1};
    use super::*;

    #[test]
    fn ln_is_close_to_libm() {
        for i in 1..=400_000 {
            let x = f64::from(i) / 100_000.0;
            assert_close(ln(x), libm::log(x), 1e-14, x);
        }
        let mut random = Random(1);
        for _ in 0..100_000 {
            let x = 1.0 + random.log_uniform(-53, -1);
            assert_close(ln(x), libm::log(x), 1e-15, x);
            let x = random.log_uniform(-1074, 1023).abs();
            assert_close(ln(x), libm::log(x), 1e-15, x);
            let x = random.any();
            assert_close(ln(x), libm::log(x), 1e-14, x);
        }
    }

    #[test]
    fn ln_1p_is_close_to_libm() {
        for i in -99_999..=400_000 {
            let x = f64::from(i) / 100_000.0;
            assert_close(ln_1p(x), libm::log1p(x), 1e-14, x);
        }
        let mut random = Random(2);
        for _ in 0..100_000 {
            let x = random.log_uniform(-1074, 1023);
            assert_close(ln_1p(x), libm::log1p(x), 1e-14, x);
            let x = random.log_uniform(-60, 2);
            assert_close(ln_1p(x), libm::log1p(x), 1e-15, x);
            let x = -1.0 + random.log_uniform(-53, -1).abs();
            assert_close(ln_1p(x), libm::log1p(x), 1e-14, x);
            let x = random.any();
            assert_close(ln_1p(x), libm::log1p(x), 1e-14, x);
        }
    }

    #[test]
    fn logarithms_invert_exponentials() {
        let mut random = Random(3);
        for _ in 0..100_000 {
            let x = 1_400.0 * random.unit() - 700.0;
            // The rounding of exp(x) shifts its logarithm by up to 2^-53.
            assert!((ln(exp(x)) - x).abs() <= 4e-16 + 2e-16 * x.abs(), "{x}");
            let x = random.log_uniform(-1021, -1);
            assert_close(ln_1p(expm1(x)), x, 1e-15, x);
            assert_close(expm1(ln_1p(x)), x, 1e-15, x);
        }
    }

    #[test]
    fn logarithms_are_monotone() {
        let mut before = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        for i in 1..1_000_000 {
            let x = f64::from(i) / 262_144.0;
            let now = (ln(x), ln_1p(x - 1.0));
            assert!(now.0 > before.0 && now.1 > before.1, "{x}");
            before = now;
        }
    }

    #[test]
    fn ln_special_values() {
        assert_eq!(ln(1.0).to_bits(), 0);
        assert_eq!(ln(0.0), f64::NEG_INFINITY);
        assert_eq!(ln(-0.0), f64::NEG_INFINITY);
        assert_eq!(ln(f64::INFINITY), f64::INFINITY);
        assert_eq!(ln(2.0), core::f64::consts::LN_2);
        assert_eq!(ln(core::f64::consts::E), 1.0);
        assert_eq!(ln(5e-324), -744.440_071_921_381_2);
        for negative in [-5e-324, -1.0, f64::MIN, f64::NEG_INFINITY, f64::NAN] {
            assert!(ln(negative).is_nan(), "{negative}");
        }
        assert_total(ln);
    }

    #[test]
    fn ln_1p_special_values() {
        for x in [0.0, -0.0, 5e-324, -5e-324, f64::MIN_POSITIVE, -1e-17, f64::INFINITY] {
            assert_eq!(ln_1p(x).to_bits(), x.to_bits());
        }
        assert_eq!(ln_1p(-1.0), f64::NEG_INFINITY);
        assert_eq!(ln_1p(1.0), core::f64::consts::LN_2);
        for below in [-1.0 - f64::EPSILON, -2.0, f64::MIN, f64::NEG_INFINITY, f64::NAN] {
            assert!(ln_1p(below).is_nan(), "{below}");
        }
        assert_total(ln_1p);
    }
}
