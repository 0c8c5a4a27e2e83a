//! The exponential function and its neighbour e^x - 1.

use super::{LN2_HI, LN2_LO, NAN, TWO_M54, fast_two_sum, polynomial, pow2, scale};

/// e^x.
///
/// Any x; relative error below 2e-16. Above 709.78 the result is +inf, below -708.4 it loses bits
/// as subnormal numbers do, below -745.13 it is 0.
///
/// Source: e^x = 2^k * e^r with r = x - k ln 2, |r| <= ln(2)/2 (Cody and Waite 1980), and the Taylor
/// series of e^r.
pub(crate) fn exp(x: f64) -> f64 {
    if x.is_nan() {
        return NAN;
    }
    let (y, k) = match exp_parts(x, 0.0) {
        Parts::Scaled { y, k } => (y, k),
        Parts::Huge => return f64::INFINITY,
        Parts::Zero => return 0.0,
    };
    scale(y, k)
}

/// e^x - 1.
///
/// Any x; relative error below 3e-16, near 0 too; -0 stays -0.
///
/// Source: as [`exp`]; with p = e^r - 1 taken from the same series without its leading 1,
/// e^x - 1 = 2^k * ((1 - 2^-k) + p).
pub(crate) fn expm1(x: f64) -> f64 {
    if x.is_nan() {
        return NAN;
    }
    // Within 2^-54 of 0, x is the correctly rounded result, and the only one that keeps -0.
    if x.abs() < TWO_M54 {
        return x;
    }
    // e^-40 = 2^-57.7 is less than half the last bit of either result.
    if x > 40.0 {
        return exp(x);
    }
    if x < -40.0 {
        return -1.0;
    }
    let (r, r_lo, k) = reduce(x, 0.0);
    let p = r + (r_lo + r * r * taylor(r));
    if k == 0 {
        return p;
    }
    ((1.0 - pow2(-k)) + p) * pow2(k)
}

/// What [`exp_parts`] found.
pub(super) enum Parts {
    /// e^(hi + lo) = y * 2^k, 0.7 < y < 1.42, -1110 <= k <= 1025.
    Scaled { y: f64, k: i64 },
    /// The result overflows, even times 1e-2.
    Huge,
    /// The result rounds to 0.
    Zero,
}

/// e^(hi + lo), |lo| <= 2^-20 |hi|, neither a NaN.
///
/// The unscaled form lets a caller multiply by another factor before a subnormal result is rounded.
#[inline]
pub(super) fn exp_parts(hi: f64, lo: f64) -> Parts {
    if hi > 710.0 {
        return Parts::Huge;
    }
    if hi < -765.0 {
        return Parts::Zero;
    }
    let (r, r_lo, k) = reduce(hi, lo);
    // 1 + r keeps its rounding error, so that what remains inexact is below 1/8 of the last bit.
    let (sum, error) = fast_two_sum(1.0, r);
    let y = sum + (error + (r_lo + r * r * taylor(r)));
    Parts::Scaled { y, k }
}

/// hi + lo = k ln 2 + r + r_lo with |r| <= ln(2)/2 (and a rounding error), for |hi| < 1000.
#[inline]
fn reduce(hi: f64, lo: f64) -> (f64, f64, i64) {
    // 1.5 * 2^52: adding it rounds to the nearest integer, which is then in the low bits.
    const SHIFT: f64 = f64::from_bits(0x4338_0000_0000_0000);
    let shifted = hi * core::f64::consts::LOG2_E + SHIFT;
    let k = shifted.to_bits().wrapping_sub(SHIFT.to_bits()).cast_signed();
    let k_float = shifted - SHIFT;
    // Exact: the product fits 43 bits, and the difference cancels.
    let a = hi - k_float * LN2_HI;
    let b = k_float * LN2_LO - lo;
    let r = a - b;
    (r, (a - r) - b, k)
}

/// (e^r - 1 - r) / r^2 = 1/2! + r/3! + r^2/4! + ..., for |r| <= ln(2)/2.
///
/// The first term left out is r^13/15!, below 1e-18.
#[inline]
fn taylor(r: f64) -> f64 {
    const C: [f64; 13] = [
        1.0 / 2.0,
        1.0 / 6.0,
        1.0 / 24.0,
        1.0 / 120.0,
        1.0 / 720.0,
        1.0 / 5_040.0,
        1.0 / 40_320.0,
        1.0 / 362_880.0,
        1.0 / 3_628_800.0,
        1.0 / 39_916_800.0,
        1.0 / 479_001_600.0,
        1.0 / 6_227_020_800.0,
        1.0 / 87_178_291_200.0,
    ];
    polynomial(&C, r)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Random, assert_close, assert_total};
    use super::*;

    #[test]
    fn exp_is_close_to_libm() {
        for i in -150_000..=143_000 {
            let x = f64::from(i) / 200.0;
            assert_close(exp(x), libm::exp(x), 1e-14, x);
        }
        let mut random = Random(1);
        for _ in 0..100_000 {
            let x = random.log_uniform(-60, 9);
            assert_close(exp(x), libm::exp(x), 1e-14, x);
            let x = 2.0 * random.unit() - 1.0;
            assert_close(exp(x), libm::exp(x), 1e-15, x);
            let x = random.any();
            assert_close(exp(x), libm::exp(x), 1e-14, x);
        }
    }

    #[test]
    fn expm1_is_close_to_libm() {
        for i in -12_000..=143_000 {
            let x = f64::from(i) / 200.0;
            assert_close(expm1(x), libm::expm1(x), 1e-14, x);
        }
        let mut random = Random(2);
        for _ in 0..100_000 {
            let x = random.log_uniform(-1074, 9);
            assert_close(expm1(x), libm::expm1(x), 1e-14, x);
            let x = 4.0 * random.unit() - 2.0;
            assert_close(expm1(x), libm::expm1(x), 1e-15, x);
            let x = random.any();
            assert_close(expm1(x), libm::expm1(x), 1e-14, x);
        }
    }

    #[test]
    fn sums_of_exponents_are_products() {
        let mut random = Random(3);
        for _ in 0..100_000 {
            // Multiples of 2^-40, so that the sum is exact.
            let grid = 1_099_511_627_776.0;
            let a = ((400.0 * random.unit() - 200.0) * grid).round() / grid;
            let b = ((400.0 * random.unit() - 200.0) * grid).round() / grid;
            assert_close(exp(a) * exp(b), exp(a + b), 1e-15, a);
            assert_close(expm1(a) + 1.0, exp(a).max(f64::EPSILON / 8.0), 1.0, a);
        }
    }

    #[test]
    fn exp_and_expm1_are_monotone() {
        let mut before = (-1.0, f64::NEG_INFINITY);
        for i in -746 * 1024..=710 * 1024 {
            let x = f64::from(i) / 1024.0;
            let now = (exp(x), expm1(x));
            assert!(now.0 > before.0 || (now.0 == before.0 && x < -735.0) || x > 709.7, "{x}");
            assert!(now.1 > before.1 || (now.1 == before.1 && x < -28.0) || x > 709.7, "{x}");
            before = now;
        }
        // Steps of some units in the last place, across the border between two k: ln(2)/2.
        let border = 0.5 * core::f64::consts::LN_2;
        let mut before = (0.0, 0.0);
        for i in -20_000..20_000 {
            let x = border + f64::from(i) * f64::EPSILON;
            let now = (exp(x), expm1(x));
            assert!(now.0 >= before.0 && now.1 >= before.1, "{x}");
            before = now;
        }
    }

    #[test]
    fn exp_special_values() {
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(-0.0), 1.0);
        assert_eq!(exp(5e-324), 1.0);
        assert_eq!(exp(f64::INFINITY), f64::INFINITY);
        assert_eq!(exp(f64::NEG_INFINITY).to_bits(), 0);
        assert_eq!(exp(f64::MAX), f64::INFINITY);
        assert_eq!(exp(f64::MIN).to_bits(), 0);
        // The last argument on this side of each border, and the first beyond.
        assert!(exp(709.782_712_893_384) < f64::INFINITY);
        assert_eq!(exp(709.782_712_893_384_1), f64::INFINITY);
        assert_eq!(exp(-745.133_219_101_941_1).to_bits(), 1);
        assert_eq!(exp(-745.133_219_101_941_2).to_bits(), 0);
        assert_total(exp);
    }

    #[test]
    fn expm1_special_values() {
        for x in [0.0, -0.0, 5e-324, -5e-324, f64::MIN_POSITIVE, 1e-17, f64::INFINITY] {
            assert_eq!(expm1(x).to_bits(), x.to_bits());
        }
        assert_eq!(expm1(f64::NEG_INFINITY), -1.0);
        assert_eq!(expm1(-40.5), -1.0);
        assert_eq!(expm1(-39.0), -1.0);
        assert_eq!(expm1(709.782_712_893_384_1), f64::INFINITY);
        assert_eq!(expm1(1e-9), 1.000_000_000_500_000_1e-9);
        assert_total(expm1);
    }
}
