//! The frozen mathematics of the placement algorithms.
//!
//! A decision is a pure function of its inputs, on every platform and for ever, so the last bit of
//! every function here is part of the algorithm's definition. A platform's `exp` differs between
//! systems and a crate's may change in a patch release; these may not. They use nothing but the
//! IEEE 754 operations `+ - * /` and `sqrt` (each correctly rounded, so the same everywhere), bit
//! operations and integers: no fused multiply-add, no platform or crate function. The order of the
//! operations matters as much as the constants do. **Never "simplify" an expression in this module:**
//! a change of an output needs a new algorithm name.
//!
//! Every function takes any `f64` without a panic, and a NaN result always has the one bit pattern
//! of [`NAN`], because the sign and payload of a NaN that arithmetic produces differ by processor.
//!
//! `testing/data/vectors/math.json` holds bit-exact results; `testing/data/vectors/math_oracle.py` checks
//! the same file against an independent calculation with many more digits.
//!
//! Where one f64 is too short, a number is kept as a sum of two, after T. J. Dekker, "A floating-point
//! technique for extending the available precision", Numerische Mathematik 18 (1971), 224-242.

mod exp;
mod ln;
mod normal;
mod pow;
mod sqrt;

pub(crate) use exp::{exp, expm1};
pub(crate) use ln::{ln, ln_1p};
pub(crate) use normal::{normal_center, normal_quantile_center, normal_quantile_tail, normal_tail};
pub(crate) use pow::pow;
pub(crate) use sqrt::sqrt;

/// The one NaN that this module returns: quiet, positive, no payload.
const NAN: f64 = f64::from_bits(0x7ff8_0000_0000_0000);

/// 2^-54: below it, 1 + x rounds to 1.
const TWO_M54: f64 = f64::from_bits((1023 - 54) << 52);

/// The leading 32 bits of ln 2: its product with any binary exponent is exact.
///
/// `LN2_HI + LN2_LO` is ln 2 to 2^-86. The split is the one of W. J. Cody and W. Waite, "Software
/// Manual for the Elementary Functions" (1980); its digits follow from ln 2 alone.
const LN2_HI: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);

/// ln 2 - [`LN2_HI`], rounded.
const LN2_LO: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);

/// 2^k for -1022 <= k <= 1023, by writing the exponent field.
#[inline]
fn pow2(k: i64) -> f64 {
    debug_assert!((-1022..=1023).contains(&k));
    f64::from_bits((k + 1023).cast_unsigned() << 52)
}

/// y * 2^k for -1110 <= k <= 1025 and y near 1, rounded once where the result is subnormal.
#[inline]
fn scale(y: f64, k: i64) -> f64 {
    if k > 1000 {
        // 2^1024 is not an f64, although y * 2^1024 may be one, for y < 1.
        y * pow2(k - 64) * pow2(64)
    } else if k < -1000 {
        // The first product must stay normal, or the rounding would happen twice.
        y * pow2(k + 128) * pow2(-128)
    } else {
        y * pow2(k)
    }
}

/// a + b as the rounded sum and its exact error; needs |a| >= |b| or a = 0 (Dekker 1971, 4.14).
#[inline]
fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// a cut to its leading 26 bits, so that the product of two heads is exact and so is a - head(a).
#[inline]
fn head(a: f64) -> f64 {
    f64::from_bits(a.to_bits() & (u64::MAX << 27))
}

/// The polynomial whose coefficients are c, that of x^0 first, by Estrin's scheme (G. Estrin, 1960): neighbours are joined to
/// coefficients of x^2, these to ones of x^4, and so on. Processors work on all pairs at a time, where Horner's rule makes
/// them wait for each product.
#[inline]
fn polynomial<const N: usize>(c: &[f64; N], x: f64) -> f64 {
    let (mut c, mut length, mut power) = (*c, N, x);
    while length > 1 {
        for i in 0..length / 2 {
            c[i] = c[2 * i] + c[2 * i + 1] * power;
        }
        if length % 2 == 1 {
            c[length / 2] = c[length - 1];
        }
        length = length.div_ceil(2);
        power *= power;
    }
    c[0]
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::format;
    use std::string::{String, ToString};
    use std::vec::Vec;

    use super::*;

    /// Special arguments of some function.
    pub(super) const EDGES: [f64; 46] = [
        0.0,
        -0.0,
        5e-324,
        -5e-324,
        2.225_073_858_507_201e-308, // the largest subnormal number
        f64::MIN_POSITIVE,
        -f64::MIN_POSITIVE,
        1e-300,
        -1e-300,
        1e-100,
        -1e-20,
        TWO_M54,
        -TWO_M54,
        2.0 * TWO_M54,
        f64::EPSILON,
        -f64::EPSILON,
        1e-10,
        -1e-10,
        1e-5,
        0.001,
        0.074_999_999_999_999_98,
        0.075,
        0.1,
        -0.25,
        0.25,
        0.425,
        -0.425,
        0.5,
        -0.5,
        0.999_999_999_999_999_9,
        1.0,
        -1.0,
        1.000_000_000_000_000_2,
        1.5,
        -1.5,
        2.0,
        -2.0,
        5.0,
        10.0,
        38.0,
        1e10,
        f64::MAX,
        f64::MIN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];

    /// SplitMix64 (G. L. Steele et al., 2014), so that every run tests the same points.
    pub(super) struct Random(pub(super) u64);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }

        /// Uniform in [0, 1).
        pub(super) fn unit(&mut self) -> f64 {
            (self.next() >> 11) as f64 * f64::EPSILON / 2.0
        }

        /// Any bit pattern.
        pub(super) fn any(&mut self) -> f64 {
            f64::from_bits(self.next())
        }

        /// Of either sign, the exponent uniform in low..=high (low >= -1074).
        pub(super) fn log_uniform(&mut self, low: i64, high: i64) -> f64 {
            let span = (high - low + 1).cast_unsigned();
            let exponent = low + (self.next() % span).cast_signed();
            let magnitude = if exponent < -1022 {
                let lead = 1_u64 << (exponent + 1074);
                f64::from_bits(lead | self.next() & (lead - 1))
            } else {
                (1.0 + self.unit()) * pow2(exponent)
            };
            if self.next() & 1 == 0 { magnitude } else { -magnitude }
        }
    }

    /// Equal, both NaN, or within the relative tolerance and one unit of the least subnormal number.
    #[track_caller]
    pub(super) fn assert_close(got: f64, want: f64, tolerance: f64, at: f64) {
        let same = got == want || (got.is_nan() && want.is_nan());
        let near = got.is_finite() && (got - want).abs() <= tolerance * want.abs() + 5e-324;
        assert!(same || near, "at {at:e}: {got:e} instead of {want:e}");
    }

    /// No panic for any bit pattern, and no NaN other than [`NAN`].
    #[track_caller]
    pub(super) fn assert_total(f: impl Fn(f64) -> f64) {
        let mut random = Random(99);
        let any = (0..2_000).map(|_| random.any());
        for x in EDGES.into_iter().chain(any).chain([-f64::NAN]) {
            let y = f(x);
            assert!(!y.is_nan() || y.to_bits() == NAN.to_bits(), "{x:e}");
        }
    }

    #[test]
    fn double_length_operations_are_exact() {
        let mut random = Random(1);
        for _ in 0..100_000 {
            let (a, b) = (random.log_uniform(-60, 60), random.log_uniform(-60, 60));
            // The platform's fused multiply-add is a fine oracle for the rounding error of a product.
            assert_eq!(head(a).mul_add(head(b), -(head(a) * head(b))), 0.0, "{a:e} {b:e}");
            assert!((a - head(a)).abs() <= a.abs() / 33_554_432.0, "{a:e}");
        }
        let small = f64::EPSILON / 8.0;
        assert_eq!(fast_two_sum(1.0, small), (1.0, small));
        assert_eq!(fast_two_sum(-2.0, 0.3), (-1.7, 0.3 - (-1.7 + 2.0)));
        assert_eq!(fast_two_sum(0.0, small), (small, 0.0));
    }

    #[test]
    fn scaling_rounds_once() {
        assert_eq!(scale(0.75, 1024), 0.75 * pow2(1023) * 2.0);
        assert_eq!(scale(1.0, 1024), f64::INFINITY);
        assert_eq!(scale(1.0, -1074).to_bits(), 1);
        assert_eq!(scale(1.25, -1075).to_bits(), 1);
        assert_eq!(scale(1.0, -1075).to_bits(), 0);
        assert_eq!(scale(1.4, -1110).to_bits(), 0);
        for k in -1022..=1023 {
            assert_eq!(scale(1.0, k), pow2(k));
        }
    }

    const VECTORS: &str = include_str!("../../../testing/data/vectors/math.json");

    const FUNCTIONS: [&str; 10] = [
        "exp",
        "expm1",
        "ln",
        "ln_1p",
        "pow",
        "sqrt",
        "normal_center",
        "normal_tail",
        "normal_quantile_center",
        "normal_quantile_tail",
    ];

    fn apply(function: &str, args: &[f64]) -> f64 {
        match (function, args) {
            ("exp", &[x]) => exp(x),
            ("expm1", &[x]) => expm1(x),
            ("ln", &[x]) => ln(x),
            ("ln_1p", &[x]) => ln_1p(x),
            ("pow", &[x, y]) => pow(x, y),
            ("sqrt", &[x]) => sqrt(x),
            ("normal_center", &[x]) => normal_center(x),
            ("normal_tail", &[x]) => normal_tail(x),
            ("normal_quantile_center", &[c]) => normal_quantile_center(c),
            ("normal_quantile_tail", &[r]) => normal_quantile_tail(r),
            _ => panic!("no function {function} of {} numbers", args.len()),
        }
    }

    /// The arguments of the vectors of one function: the edges of all, its own, and a spread.
    fn arguments(function: &str) -> Vec<Vec<f64>> {
        let mut random = Random(7);
        let mut list: Vec<f64> = EDGES.to_vec();
        let mut spread = |count, f: &mut dyn FnMut(&mut Random) -> f64| {
            (0..count).map(|_| f(&mut random)).collect::<Vec<f64>>()
        };
        match function {
            "exp" => {
                list.extend([709.782_712_893_384, 709.782_712_893_384_1, 710.0, 711.0, -708.4]);
                list.extend([-745.133_219_101_941_1, -745.133_219_101_941_2, -746.0, -744.5]);
                list.extend([0.346_573_590_279_972_64, 0.346_573_590_279_972_7, 100.0, -700.0]);
                list.extend(spread(20, &mut |r| 1_456.0 * r.unit() - 746.0));
                list.extend(spread(10, &mut |r| r.log_uniform(-30, 3)));
            }
            "expm1" => {
                list.extend([709.782_712_893_384, 709.782_712_893_384_1, 40.0, 40.000_001, -40.0]);
                list.extend([-37.5, -36.0, 0.346_573_590_279_972_64, -0.346_573_590_279_972_7]);
                list.extend(spread(10, &mut |r| 90.0 * r.unit() - 45.0));
                list.extend(spread(20, &mut |r| r.log_uniform(-60, 3)));
            }
            "ln" => {
                let root = core::f64::consts::FRAC_1_SQRT_2;
                list.extend([root, root.next_down(), 2.0 * root, (2.0 * root).next_up(), 3e-310]);
                list.push(core::f64::consts::E);
                list.extend(spread(20, &mut |r| r.log_uniform(-1074, 1023).abs()));
                list.extend(spread(15, &mut |r| 1.0 + r.log_uniform(-50, -2)));
            }
            "ln_1p" => {
                list.extend([-0.999_999_999_999_999_9, -0.999_999, -1.000_000_000_000_000_2]);
                list.extend([-0.292_893_218_813_452_4, 0.414_213_562_373_095_03]);
                list.extend(spread(20, &mut |r| r.log_uniform(-60, 2).max(-r.unit())));
                list.extend(spread(10, &mut |r| -r.unit()));
                list.extend(spread(5, &mut |r| r.log_uniform(2, 1023).abs()));
            }
            "pow" => return power_arguments(),
            "sqrt" => {
                list.extend([3.0, 4.0, 0.01, 1e-310, 144.0, 67_108_863.0 * 67_108_863.0]);
                list.extend(spread(20, &mut |r| r.log_uniform(-1074, 1023).abs()));
                list.extend(spread(10, &mut |r| r.unit()));
            }
            "normal_center" | "normal_tail" => {
                list.extend([1.500_000_000_000_000_2, 2.5, 2.499_999_999_999_999_6, 8.3, -8.2]);
                list.extend([4.999_999_999_999_999, 20.0, 37.5, 37.6, 38.4, 38.485, 38.5, 39.0, 40.0]);
                list.extend(spread(15, &mut |r| 6.0 * r.unit() - 3.0));
                list.extend(spread(15, &mut |r| 45.0 * r.unit() - 6.0));
                list.extend(spread(6, &mut |r| r.log_uniform(-40, -2)));
            }
            "normal_quantile_center" => {
                list.extend([0.499_999_999_999_999_94, 0.425_000_000_000_000_04, 0.499, -0.3, 0.4]);
                list.extend(spread(20, &mut |r| 0.85 * r.unit() - 0.425));
                list.extend(spread(5, &mut |r| r.unit() - 0.5));
                list.extend(spread(15, &mut |r| r.log_uniform(-80, -2)));
            }
            "normal_quantile_tail" => {
                // e^-25, where Wichura's two tail regions meet.
                list.extend([1.388_794_386_496_402e-11, 1.388_794_386_496_41e-11, 1e-20, 1e-50]);
                list.extend([0.01, 0.02, 0.3, 0.49, 0.499_999_999, 0.925, 0.95, 1e-200, 1e-310]);
                list.extend(spread(20, &mut |r| 0.5 * r.unit()));
                list.extend(spread(10, &mut |r| 0.075 * r.unit()));
                list.extend(spread(15, &mut |r| r.log_uniform(-1022, -4).abs()));
            }
            _ => panic!("no function {function}"),
        }
        list.into_iter().map(|x| std::vec![x]).collect()
    }

    fn power_arguments() -> Vec<Vec<f64>> {
        let mut list = Vec::new();
        let edges = [
            0.0,
            -0.0,
            5e-324,
            1e-300,
            0.3,
            0.999_999_999_999_999_9,
            1.0,
            1.000_000_000_000_000_2,
            2.0,
            f64::MAX,
            f64::INFINITY,
            f64::NAN,
            -1.0,
        ];
        let exponents = [0.0, 5e-324, 1e-17, 0.5, 1.0, 2.0, -1.0, 1e308, f64::INFINITY, f64::NAN];
        for x in edges {
            list.extend(exponents.iter().map(|&y| std::vec![x, y]));
        }
        let mut random = Random(8);
        for shape in [0.1, 0.25, 0.75, 1.5, 2.5, 3.0, 4.0, 7.3, 20.0, 1e3] {
            for _ in 0..4 {
                list.push(std::vec![random.unit(), shape]);
            }
        }
        for _ in 0..20 {
            let x = random.log_uniform(-1074, 1023).abs();
            list.push(std::vec![x, (1_460.0 * random.unit() - 748.0) / ln(x)]);
            let x = 1.0 + random.log_uniform(-50, -3);
            list.push(std::vec![x, (1_460.0 * random.unit() - 748.0) / ln(x)]);
        }
        list
    }

    fn hex(x: f64) -> String {
        format!("\"0x{:016x}\"", x.to_bits())
    }

    fn decimal(x: f64) -> String {
        format!("\"{x:?}\"")
    }

    /// The whole file, one row a line.
    fn render() -> String {
        let mut rows = Vec::new();
        for function in FUNCTIONS {
            for args in arguments(function) {
                let list = |f: fn(f64) -> String| args.iter().map(|&x| f(x)).collect::<Vec<_>>().join(", ");
                let value = apply(function, &args);
                rows.push(format!(
                    "{{\"fn\": \"{function}\", \"args\": [{}], \"decimal\": [{}], \"bits\": {}, \"value\": {}}}",
                    list(hex),
                    list(decimal),
                    hex(value),
                    decimal(value)
                ));
            }
        }
        format!("[\n{}\n]\n", rows.join(",\n"))
    }

    fn parse_bits(value: &serde_json::Value) -> f64 {
        let digits = value.as_str().unwrap().strip_prefix("0x").unwrap();
        assert_eq!(digits.len(), 16);
        f64::from_bits(u64::from_str_radix(digits, 16).unwrap())
    }

    #[test]
    fn vectors_hold_bit_for_bit() {
        let same = |text: &serde_json::Value, x: f64| {
            let parsed: f64 = text.as_str().unwrap().parse().unwrap();
            parsed.to_bits() == x.to_bits() || (parsed.is_nan() && x.is_nan())
        };
        let rows: Vec<serde_json::Value> = serde_json::from_str(VECTORS).unwrap();
        let mut counts = [0; FUNCTIONS.len()];
        for row in &rows {
            let function = row["fn"].as_str().unwrap();
            let bits = row["args"].as_array().unwrap();
            let args: Vec<f64> = bits.iter().map(parse_bits).collect();
            let decimals = row["decimal"].as_array().unwrap();
            assert_eq!(decimals.len(), args.len(), "{row}");
            assert!(decimals.iter().zip(&args).all(|(text, &x)| same(text, x)), "{row}");
            let want = parse_bits(&row["bits"]);
            assert!(same(&row["value"], want), "{row}");
            let got = apply(function, &args);
            assert_eq!(got.to_bits(), want.to_bits(), "{row}: got {got:e}");
            counts[FUNCTIONS.iter().position(|&name| name == function).unwrap()] += 1;
        }
        assert!(counts.iter().all(|&count| count >= 40), "{counts:?}");
    }

    /// Writes the vectors again if KRON_RECORD=1. Their results are frozen: that is for new rows only.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "the one switch of this test, and no part of the core")]
    fn vectors_are_as_generated() {
        let text = render();
        if std::env::var("KRON_RECORD").is_ok_and(|value| value == "1") {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../testing/data/vectors/math.json");
            std::fs::write(path, text).unwrap();
            return;
        }
        for (number, (got, want)) in text.lines().zip(VECTORS.lines()).enumerate() {
            assert_eq!(got.to_string(), want, "line {}", number + 1);
        }
        assert_eq!(text.len(), VECTORS.len());
    }
}
