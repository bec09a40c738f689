//! Limits of one joint that depend on another.

/// The limits of `joint` as a function of the angle of `by`, so that the shells do not collide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShellLimit {
    /// The joint whose limits these are.
    pub joint: &'static str,
    /// The joint on which the limits depend.
    pub by: &'static str,
    /// The angle of `by`, and the smallest and largest value of `joint`; ordered by the angle.
    pub rows: &'static [(f64, f64, f64)],
}

impl ShellLimit {
    /// Returns the smallest and largest value at this angle of `by`. Between the rows the limits are interpolated
    /// linearly, beyond them those of the first or last row apply. (Only the rows are published.)
    pub fn at(&self, angle: f64) -> (f64, f64) {
        let after = self.rows.partition_point(|row| row.0 <= angle);
        let before = after.checked_sub(1).and_then(|index| self.rows.get(index));
        match (before, self.rows.get(after)) {
            (Some(a), Some(b)) => {
                let part = (angle - a.0) / (b.0 - a.0);
                (a.1 + (b.1 - a.1) * part, a.2 + (b.2 - a.2) * part)
            }
            (Some(row), None) | (None, Some(row)) => (row.1, row.2),
            (None, None) => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }
}
