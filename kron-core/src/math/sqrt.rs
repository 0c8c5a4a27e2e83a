//! The square root.

use super::NAN;

/// The square root of x, correctly rounded; NaN below 0, and -0 stays -0.
///
/// IEEE 754 defines every bit of it. With the feature `std` it is the processor's, without (`core` has
/// none) the integer one below; they agree bit for bit.
pub(crate) fn sqrt(x: f64) -> f64 {
    // Written on the bits because of a compiler: LLVM turns `if x is NaN or x < 0 { NAN } else { root }`
    // into the bare processor instruction, whose NaN is another.
    let bits = x.to_bits();
    if bits > f64::INFINITY.to_bits() && bits != (-0.0_f64).to_bits() {
        return NAN;
    }
    #[cfg(feature = "std")]
    let root = x.sqrt();
    #[cfg(not(feature = "std"))]
    let root = sqrt_integer(x);
    root
}

/// The square root of x >= 0, from the integer square root of its shifted mantissa.
///
/// Source: x = m * 2^e with e even, so the root is sqrt(m) * 2^(e/2); m is shifted until the integer
/// root has 54 bits, one more than the result.
#[cfg(any(test, not(feature = "std")))]
fn sqrt_integer(x: f64) -> f64 {
    if x == 0.0 || x == f64::INFINITY {
        return x;
    }
    let bits = x.to_bits();
    let field = (bits >> 52).cast_signed();
    let fraction = bits & ((1 << 52) - 1);
    // x = m * 2^e with 2^52 <= m < 2^53; a subnormal number has no hidden bit.
    let (m, e) = if field == 0 {
        let shift = fraction.leading_zeros() - 11;
        (fraction << shift, -1074 - i64::from(shift))
    } else {
        (fraction | 1 << 52, field - 1075)
    };
    // An even exponent and 2^106 <= n < 2^108, so 2^53 <= root < 2^54.
    let odd = e & 1;
    let n = u128::from(m) << (54 + odd);
    // OK because the root of a number below 2^108 fits 54 bits.
    let root = n.isqrt() as u64;
    // Round to nearest by the last bit. A tie is impossible: n would be the square of an odd number,
    // but its low 54 bits are 0.
    let rounded = (root + 1) >> 1;
    // x = n * 2^(e - odd - 54), so the result is rounded * 2^((e - odd - 52) / 2). Its hidden bit adds
    // 1 to the exponent field, and so does the carry if rounding reached 2^53.
    let result_exponent = (e - odd - 52) / 2;
    let biased = (result_exponent + 1075 - 1).cast_unsigned();
    f64::from_bits((biased << 52) + rounded)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::super::tests::{EDGES, Random, assert_total};
    use super::*;

    #[test]
    fn the_two_agree_bit_for_bit() {
        let agree = |x: f64| {
            assert_eq!(sqrt_integer(x).to_bits(), x.sqrt().to_bits(), "{x:e}");
            assert_eq!(sqrt(x).to_bits(), x.sqrt().to_bits(), "{x:e}");
        };
        for x in EDGES.into_iter().filter(|x| *x >= 0.0) {
            agree(x);
        }
        let mut random = Random(1);
        for _ in 0..500_000 {
            let x = random.any().abs();
            if !x.is_nan() {
                agree(x);
            }
            agree(random.unit());
            agree(random.log_uniform(-1074, -1000).abs());
        }
        for exponent in 0..0x7ff_u64 {
            for mantissa in [0, 1, 2, 3, 1 << 51, (1 << 52) - 2, (1 << 52) - 1] {
                agree(f64::from_bits(exponent << 52 | mantissa));
            }
        }
        // Squares, and the numbers next to them: the hardest to round.
        for _ in 0..200_000 {
            let root = (random.unit() * 67_108_864.0).trunc();
            let bits = (root * root).to_bits();
            agree(f64::from_bits(bits));
            agree(f64::from_bits(bits + 1));
            agree(f64::from_bits(bits.saturating_sub(1)));
        }
    }

    #[test]
    fn sqrt_is_the_same_as_libm() {
        let mut random = Random(2);
        for _ in 0..100_000 {
            let x = random.any().abs();
            assert!(x.is_nan() || sqrt(x).to_bits() == libm::sqrt(x).to_bits(), "{x:e}");
        }
    }

    #[test]
    fn sqrt_special_values() {
        assert_eq!(sqrt(0.0).to_bits(), 0);
        assert_eq!(sqrt(-0.0).to_bits(), (-0.0_f64).to_bits());
        assert_eq!(sqrt_integer(-0.0).to_bits(), (-0.0_f64).to_bits());
        assert_eq!(sqrt(f64::INFINITY), f64::INFINITY);
        assert_eq!(sqrt(4.0), 2.0);
        for x in [-5e-324, -1.0, f64::NEG_INFINITY, f64::NAN] {
            assert!(sqrt(x).is_nan(), "{x}");
        }
        assert_total(sqrt);
    }
}
