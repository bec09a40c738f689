//! Polynomials up to degree three, with coefficients in rising powers; roots are found without cancellation.

/// Evaluates `c[0] + c[1]·x + c[2]·x² + c[3]·x³`.
#[inline(always)]
pub(crate) fn cubic(c: &[f64; 4], x: f64) -> f64 {
    c[0] + x * (c[1] + x * (c[2] + x * c[3]))
}

/// Returns the derivative of a [`cubic`], in rising powers.
pub(crate) fn derivative(c: &[f64; 4]) -> [f64; 3] {
    [c[1], 2.0 * c[2], 3.0 * c[3]]
}

pub(crate) fn quadratic(c: &[f64; 3], x: f64) -> f64 {
    c[0] + x * (c[1] + x * c[2])
}

/// Returns the real roots of a quadratic, by the formula that avoids cancellation. A zero polynomial has none.
pub(crate) fn quadratic_roots(c: &[f64; 3]) -> impl Iterator<Item = f64> + use<> {
    let [c0, c1, c2] = *c;
    let discriminant = c1 * c1 - 4.0 * c0 * c2;
    let roots = if discriminant < 0.0 {
        [f64::NAN; 2]
    } else {
        let q = -0.5 * (c1 + discriminant.sqrt().copysign(c1));
        // If the leading coefficient vanishes, the first root is not finite, and the filter drops it.
        [q / c2, c0 / q]
    };
    roots.into_iter().filter(|root| root.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots(c: [f64; 3]) -> Vec<f64> {
        let mut roots: Vec<f64> = quadratic_roots(&c).collect();
        roots.sort_by(f64::total_cmp);
        roots
    }

    #[test]
    fn roots_of_each_degree() {
        assert_eq!(roots([6.0, -5.0, 1.0]), [2.0, 3.0]);
        assert_eq!(roots([-4.0, 2.0, 0.0]), [2.0]);
        assert!(roots([1.0, 0.0, 1.0]).is_empty());
        assert!(roots([3.0, 0.0, 0.0]).is_empty());
        assert!(roots([0.0, 0.0, 0.0]).is_empty());
        assert_eq!(roots([-1.0, 0.0, 4.0]), [-0.5, 0.5]);
    }
}
