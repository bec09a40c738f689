//! Limits of one joint that depend on another.

/// Limits of `joint` over the angle of `by`, so that shells do not touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShellLimit {
    /// The joint that is limited.
    pub joint: &'static str,
    /// The joint it depends on.
    pub by: &'static str,
    /// Angle of `by`, smallest and largest value of `joint`; in order of the angle.
    pub rows: &'static [(f64, f64, f64)],
}

impl ShellLimit {
    /// Smallest and largest value when `by` stands at this angle: straight lines between the rows,
    /// the first and last row beyond them. (Only the rows are published.)
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
