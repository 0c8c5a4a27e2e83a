//! The standard normal distribution function Phi and its inverse.
//!
//! Neither comes as Phi itself. Near the median the interesting number is Phi - 1/2, far out it is
//! 1 - Phi, and both lose their digits when they are stored as Phi; so there is one function for each,
//! and each has an inverse. The other half of the line follows by symmetry.
//!
//! Sources: Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964), chapter 26, for the
//! distribution function; M. J. Wichura, "Algorithm AS 241: The percentage points of the normal
//! distribution", Applied Statistics 37 (1988), 477-484, for the inverse.

use super::exp::{Parts, exp_parts};
use super::{NAN, exp, head, ln, polynomial, scale, sqrt};

/// 1 / sqrt(2 pi), the normal density at 0 (Abramowitz and Stegun 26.2.1).
const DENSITY_AT_0: f64 = f64::from_bits(0x3fd9_8845_33d4_3651);

/// The end of the series around 0 and the start of the continued fraction: below it the fraction needs too
/// many terms, above it 1/2 - series cancels too much.
const SERIES_END: f64 = 1.5;

/// Phi(x) - 1/2, an odd function.
///
/// Any x; relative error below 1e-15, near 0 too.
pub(crate) fn normal_center(x: f64) -> f64 {
    if x.is_nan() {
        return NAN;
    }
    let a = x.abs();
    if a <= SERIES_END {
        return x * series(a * a);
    }
    let center = 0.5 - tail_fraction(a);
    if x < 0.0 { -center } else { center }
}

/// 1 - Phi(x) = Phi(-x), the upper tail.
///
/// Any x; relative error below 4e-15 as long as the result is not subnormal (up to x = 37.5); beyond
/// x = 38.49 it is 0. For negative x it is 1 less the other tail.
pub(crate) fn normal_tail(x: f64) -> f64 {
    if x.is_nan() {
        return NAN;
    }
    if x > SERIES_END {
        tail_fraction(x)
    } else if x < -SERIES_END {
        1.0 - tail_fraction(-x)
    } else {
        0.5 - x * series(x * x)
    }
}

/// The x with Phi(x) - 1/2 = c, an odd function.
///
/// For |c| <= 0.425 the relative error is below 1e-15, for tiny c too. Up to |c| = 1/2 (which gives an infinity) the
/// value is right for this c, but c has fewer and fewer digits of the tail: use [`normal_quantile_tail`] there. Beyond,
/// NaN.
///
/// Source: Wichura 1988, PPND16, whose central region works on p - 1/2, here given directly.
pub(crate) fn normal_quantile_center(c: f64) -> f64 {
    let a = c.abs();
    if a <= CENTRAL {
        quantile_central(c)
    } else if a <= 0.5 {
        let x = quantile_outer(0.5 - a);
        if c < 0.0 { -x } else { x }
    } else {
        NAN
    }
}

/// The x with 1 - Phi(x) = r.
///
/// For 0 < r <= 1/2, where x >= 0, the relative error is below 1e-15. r = 0 gives +inf. Up to r = 1 (-inf) the value is
/// right for this r, but r has fewer and fewer digits of the other tail. Outside, NaN.
///
/// Source: Wichura 1988, PPND16, whose tail regions work on the smaller of p and 1 - p, here given
/// directly.
pub(crate) fn normal_quantile_tail(r: f64) -> f64 {
    if (0.0..0.075).contains(&r) {
        quantile_outer(r)
    } else if (0.075..=0.925).contains(&r) {
        quantile_central(0.5 - r)
    } else if r > 0.925 && r <= 1.0 {
        -quantile_outer(1.0 - r)
    } else {
        NAN
    }
}

/// (Phi(x) - 1/2) / x as a function of x^2, for |x| <= [`SERIES_END`].
///
/// Abramowitz and Stegun 26.2.11: Phi(x) - 1/2 = Z(x) (x + x^3/3 + x^5/(3*5) + ...), Z the density;
/// every term is positive, so nothing cancels. Nested from the inside out.
fn series(square: f64) -> f64 {
    /// The denominator of the last factor: the first term left out is below 1e-18.
    const LAST: u32 = 41;
    let mut sum = 1.0;
    let mut denominator = f64::from(LAST);
    while denominator > 1.0 {
        sum = 1.0 + sum * square / denominator;
        denominator -= 2.0;
    }
    DENSITY_AT_0 * exp(-0.5 * square) * sum
}

/// 1 - Phi(x) for x > [`SERIES_END`].
///
/// Abramowitz and Stegun 26.2.14: Z(x) times the continued fraction 1/(x + 1/(x + 2/(x + 3/(x + ...)))),
/// Z the density; it is evaluated from the inside out, where every term is positive.
fn tail_fraction(x: f64) -> f64 {
    // Phi(-38.5) is below half the least f64; and the square of a huge x would overflow.
    if x > 39.0 {
        return 0.0;
    }
    // After n terms it is right to about e^(-2x sqrt(n)); the 12 are for large x, where this estimate is too small. OK
    // because the quotient lies between 0.2 and 178.
    let mut n = (400.0 / (x * x)) as u32 + 12;
    let mut denominator = x;
    while n > 0 {
        denominator = x + f64::from(n) / denominator;
        n -= 1;
    }
    // A square that were merely rounded would cost up to 760 units in the last place of e^(-x^2/2).
    // x^2 = head^2, which is exact, and the difference of two squares.
    let x_head = head(x);
    let square_rest = (x - x_head) * (x + x_head);
    match exp_parts(-0.5 * x_head * x_head, -0.5 * square_rest) {
        // The density is folded in before scaling: a subnormal result is rounded only once.
        Parts::Scaled { y, k } => scale(DENSITY_AT_0 * y / denominator, k),
        // OK because the exponent is negative.
        Parts::Huge | Parts::Zero => 0.0,
    }
}

/// Wichura's split between the central region and the tails.
const CENTRAL: f64 = 0.425;

/// Wichura's central region: |c| <= [`CENTRAL`].
#[expect(clippy::excessive_precision, reason = "the digits as published")]
fn quantile_central(c: f64) -> f64 {
    /// Wichura's a0 ... a7.
    const A: [f64; 8] = [
        3.387_132_872_796_366_608_0,
        133.141_667_891_784_377_45,
        1_971.590_950_306_551_442_7,
        13_731.693_765_509_461_125,
        45_921.953_931_549_871_457,
        67_265.770_927_008_700_853,
        33_430.575_583_588_128_105,
        2_509.080_928_730_122_672_7,
    ];
    /// 1 and Wichura's b1 ... b7.
    const B: [f64; 8] = [
        1.0,
        42.313_330_701_600_911_252,
        687.187_007_492_057_908_30,
        5_394.196_021_424_751_107_7,
        21_213.794_301_586_595_867,
        39_307.895_800_092_710_610,
        28_729.085_735_721_942_674,
        5_226.495_278_852_854_561_0,
    ];
    let r = 0.180_625 - c * c; // CENTRAL^2 - c^2
    c * (polynomial(&A, r) / polynomial(&B, r))
}

/// Wichura's two tail regions: 0 <= p < 0.075.
#[expect(clippy::excessive_precision, reason = "the digits as published")]
fn quantile_outer(p: f64) -> f64 {
    /// Wichura's c0 ... c7.
    const C: [f64; 8] = [
        1.423_437_110_749_683_577_34,
        4.630_337_846_156_545_295_90,
        5.769_497_221_460_691_405_50,
        3.647_848_324_763_204_605_04,
        1.270_458_252_452_368_382_58,
        0.241_780_725_177_450_611_770,
        0.022_723_844_989_269_184_583_3,
        7.745_450_142_783_414_076_40e-4,
    ];
    /// 1 and Wichura's d1 ... d7.
    const D: [f64; 8] = [
        1.0,
        2.053_191_626_637_758_821_87,
        1.676_384_830_183_803_849_40,
        0.689_767_334_985_100_004_550,
        0.148_103_976_427_480_074_590,
        0.015_198_666_563_616_457_196_6,
        5.475_938_084_995_344_946_00e-4,
        1.050_750_071_644_416_843_24e-9,
    ];
    /// Wichura's e0 ... e7.
    const E: [f64; 8] = [
        6.657_904_643_501_103_777_20,
        5.463_784_911_164_114_369_90,
        1.784_826_539_917_291_335_80,
        0.296_560_571_828_504_891_230,
        0.026_532_189_526_576_123_093_0,
        0.001_242_660_947_388_078_438_60,
        2.711_555_568_743_487_578_15e-5,
        2.010_334_399_292_288_132_65e-7,
    ];
    /// 1 and Wichura's f1 ... f7.
    const F: [f64; 8] = [
        1.0,
        0.599_832_206_555_887_937_690,
        0.136_929_880_922_735_805_310,
        0.014_875_361_290_850_614_852_5,
        7.868_691_311_456_132_591_00e-4,
        1.846_318_317_510_054_681_80e-5,
        1.421_511_758_316_445_888_70e-7,
        2.044_263_103_389_939_785_64e-15,
    ];
    if p == 0.0 {
        return f64::INFINITY;
    }
    let r = sqrt(-ln(p));
    if r <= 5.0 {
        let t = r - 1.6;
        polynomial(&C, t) / polynomial(&D, t)
    } else {
        let t = r - 5.0;
        polynomial(&E, t) / polynomial(&F, t)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Random, assert_close, assert_total};
    use super::*;

    /// 1/sqrt(2) less its f64.
    const FRAC_1_SQRT_2_LO: f64 = -4.833_646_656_726_457e-17;

    /// 1 - Phi(x) = erfc(x/sqrt(2)) / 2.
    ///
    /// Rounding x/sqrt(2) to t would cost up to 2t^2 units in the last place, so the rest of x/sqrt(2)
    /// is carried over to the first order: erfc'(t) = -2/sqrt(pi) e^(-t^2).
    fn oracle_tail(x: f64) -> f64 {
        let t = x * core::f64::consts::FRAC_1_SQRT_2;
        let rest = x.mul_add(core::f64::consts::FRAC_1_SQRT_2, -t) + x * FRAC_1_SQRT_2_LO;
        let slope = core::f64::consts::FRAC_2_SQRT_PI * libm::exp(-t * t);
        0.5 * (libm::erfc(t) - slope * rest)
    }

    /// Phi(x) - 1/2 = erf(x/sqrt(2)) / 2; erf needs no correction, it is flat where x is large.
    fn oracle_center(x: f64) -> f64 {
        0.5 * libm::erf(x * core::f64::consts::FRAC_1_SQRT_2)
    }

    #[test]
    fn center_is_close_to_libm() {
        for i in -40_000..=40_000 {
            let x = f64::from(i) / 4_000.0;
            assert_close(normal_center(x), oracle_center(x), 1e-14, x);
        }
        let mut random = Random(1);
        for _ in 0..50_000 {
            let x = random.log_uniform(-1021, 5);
            assert_close(normal_center(x), oracle_center(x), 1e-14, x);
        }
    }

    #[test]
    fn tail_is_close_to_libm() {
        for i in -40_000..=155_000 {
            let x = f64::from(i) / 4_000.0;
            assert_close(normal_tail(x), oracle_tail(x), 1e-14, x);
        }
        let mut random = Random(2);
        for _ in 0..50_000 {
            let x = random.log_uniform(-60, 5);
            assert_close(normal_tail(x), oracle_tail(x), 1e-14, x);
        }
    }

    #[test]
    fn distribution_is_consistent() {
        for i in 0..=10_000 {
            let x = f64::from(i) / 1_000.0;
            assert_eq!(normal_center(-x), -normal_center(x), "{x}");
            assert_close(normal_tail(x) + normal_tail(-x), 1.0, 4e-16, x);
            assert_close(normal_center(x) + normal_tail(x), 0.5, 4e-16, x);
        }
        // Where the series and the fraction meet, and where the fraction has one term less.
        for join in [1.5, 2.0, 5.0] {
            let above = f64::from_bits(f64::to_bits(join) + 1);
            assert_close(normal_tail(above), normal_tail(join), 1e-14, join);
            assert_close(normal_center(above), normal_center(join), 5e-16, join);
        }
    }

    #[test]
    fn distribution_special_values() {
        assert_eq!(normal_center(0.0).to_bits(), 0.0_f64.to_bits());
        assert_eq!(normal_center(-0.0).to_bits(), (-0.0_f64).to_bits());
        assert_eq!(normal_center(f64::INFINITY), 0.5);
        assert_eq!(normal_center(f64::NEG_INFINITY), -0.5);
        assert_eq!(normal_center(f64::MAX), 0.5);
        assert_eq!(normal_tail(0.0), 0.5);
        assert_eq!(normal_tail(-0.0), 0.5);
        assert_eq!(normal_tail(f64::INFINITY).to_bits(), 0);
        assert_eq!(normal_tail(f64::MAX).to_bits(), 0);
        assert_eq!(normal_tail(f64::NEG_INFINITY), 1.0);
        assert!(normal_tail(38.46) > 0.0);
        assert_eq!(normal_tail(38.5), 0.0);
        assert_eq!(normal_tail(-10.0), 1.0);
        assert_total(normal_center);
        assert_total(normal_tail);
    }

    #[test]
    fn quantile_inverts_the_center() {
        for i in -1_440_000..=1_440_000 {
            let x = f64::from(i) / 1_000_000.0;
            if i % 31 == 0 && normal_center(x).abs() <= CENTRAL {
                assert_close(normal_quantile_center(normal_center(x)), x, 1e-13, x);
            }
        }
        let mut random = Random(3);
        for _ in 0..100_000 {
            let c = random.log_uniform(-1021, -2);
            assert_close(normal_center(normal_quantile_center(c)), c, 1e-13, c);
        }
    }

    #[test]
    fn quantile_inverts_the_tail() {
        for i in 1..=37_500 {
            let x = f64::from(i) / 1_000.0;
            // Near 0 the tail is near 1/2 and cannot hold more of x than this.
            let absolute = if x < 1.0 { 1e-15 } else { 0.0 };
            let back = normal_quantile_tail(normal_tail(x));
            assert!((back - x).abs() <= 1e-13 * x + absolute, "{x}: {back}");
        }
        let mut random = Random(4);
        for _ in 0..100_000 {
            let r = random.log_uniform(-1021, -1).abs();
            let x = normal_quantile_tail(r);
            // An error of x is multiplied by about x^2 on its way to the tail.
            assert_close(normal_tail(x), r, 1e-15 * (1.0 + x * x), r);
        }
    }

    #[test]
    fn quantile_of_known_points() {
        // Wichura 1988 gives these two as test values, to 16 digits.
        assert_close(normal_quantile_center(-0.25), -0.674_489_750_196_081_7, 1e-15, 0.25);
        assert_close(normal_quantile_tail(0.001), 3.090_232_306_167_813_5, 1e-15, 0.001);
        assert_close(normal_quantile_tail(1e-20), 9.262_340_089_798_408, 1e-15, 1e-20);
    }

    #[test]
    fn quantile_halves_agree() {
        for i in 0..=4_096 {
            // Both r and 1/2 - r are exact.
            let r = f64::from(i) / 8_192.0;
            assert_eq!(normal_quantile_center(0.5 - r), normal_quantile_tail(r), "{r}");
            assert_eq!(normal_quantile_center(r - 0.5), -normal_quantile_tail(r), "{r}");
            assert_eq!(normal_quantile_tail(1.0 - r), -normal_quantile_tail(r), "{r}");
        }
    }

    #[test]
    fn quantiles_are_monotone() {
        let mut before = f64::NEG_INFINITY;
        for i in 1 - (1 << 19)..=1 << 19 {
            let x = normal_quantile_center(f64::from(i) / f64::from(1 << 20));
            assert!(x > before, "{i}");
            before = x;
        }
        // Small steps across the joins of the regions, p = 0.075 and p = e^-25, and a long way down.
        for (start, factor) in [(0.075, 1.0 - 1e-12), (1.388_794_386e-11, 1.0 - 1e-12), (0.5, 0.9)] {
            let mut r = start * (2.0 - factor) * (1.0 + 1e-9);
            let mut before = f64::NEG_INFINITY;
            for _ in 0..5_000 {
                let x = normal_quantile_tail(r);
                assert!(x > before || (r == 0.0 && x == before), "{r:e}");
                before = x;
                r *= factor;
            }
        }
    }

    #[test]
    fn quantile_special_values() {
        assert_eq!(normal_quantile_center(0.0).to_bits(), 0.0_f64.to_bits());
        assert_eq!(normal_quantile_center(-0.0).to_bits(), (-0.0_f64).to_bits());
        assert_eq!(normal_quantile_center(0.5), f64::INFINITY);
        assert_eq!(normal_quantile_center(-0.5), f64::NEG_INFINITY);
        assert_eq!(normal_quantile_tail(0.5), 0.0);
        assert_eq!(normal_quantile_tail(0.0), f64::INFINITY);
        assert_eq!(normal_quantile_tail(-0.0), f64::INFINITY);
        assert_eq!(normal_quantile_tail(1.0), f64::NEG_INFINITY);
        for outside in [-f64::MIN_POSITIVE, 1.0 + f64::EPSILON, f64::INFINITY, f64::NAN] {
            assert!(normal_quantile_tail(outside).is_nan(), "{outside}");
        }
        for outside in [0.5 + f64::EPSILON, -0.6, f64::NEG_INFINITY, f64::NAN] {
            assert!(normal_quantile_center(outside).is_nan(), "{outside}");
        }
        assert_total(normal_quantile_center);
        assert_total(normal_quantile_tail);
    }
}
