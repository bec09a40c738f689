//! Where something is and how it is turned.

/// A place and an orientation in another frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The place.
    pub at: [f64; 3],
    /// Rows of the matrix that turns a vector of this frame into one of the other.
    pub rows: [[f64; 3]; 3],
}

impl Default for Pose {
    fn default() -> Self {
        Self { at: [0.0; 3], rows: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] }
    }
}

impl Pose {
    /// Turned about an axis of length 1 (Rodrigues' formula).
    pub(crate) fn about([x, y, z]: [f64; 3], angle: f64) -> Self {
        let (s, c) = angle.sin_cos();
        let d = 1.0 - c;
        let rows = [
            [c + d * x * x, d * x * y - s * z, d * x * z + s * y],
            [d * x * y + s * z, c + d * y * y, d * y * z - s * x],
            [d * x * z - s * y, d * y * z + s * x, c + d * z * z],
        ];
        Self { at: [0.0; 3], rows }
    }

    /// At a place, turned about the fixed axes x, then y, then z.
    pub(crate) fn turned(at: [f64; 3], [roll, pitch, yaw]: [f64; 3]) -> Self {
        let yawed = Self::about([0.0, 0.0, 1.0], yaw);
        let pitched = yawed.then(&Self::about([0.0, 1.0, 0.0], pitch));
        Self { at, ..pitched.then(&Self::about([1.0, 0.0, 0.0], roll)) }
    }

    /// Where a point of this frame is in the other.
    pub fn point(&self, of_this: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|i| self.at[i] + (0..3).map(|j| self.rows[i][j] * of_this[j]).sum::<f64>())
    }

    /// What has a pose in this frame has this one in the other.
    pub fn then(&self, inner: &Self) -> Self {
        let rows = [0, 1, 2].map(|i| [0, 1, 2].map(|j| (0..3).map(|k| self.rows[i][k] * inner.rows[k][j]).sum()));
        Self { at: self.point(inner.at), rows }
    }
}
