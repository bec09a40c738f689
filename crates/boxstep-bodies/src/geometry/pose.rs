//! Positions with orientations.

/// A position and an orientation in another frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The position.
    pub at: [f64; 3],
    /// The rows of the matrix that rotates a vector of this frame into the other frame.
    pub rows: [[f64; 3]; 3],
}

impl Default for Pose {
    fn default() -> Self {
        Self { at: [0.0; 3], rows: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] }
    }
}

impl Pose {
    /// Returns the rotation about an axis of length 1 (Rodrigues' formula).
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

    /// Returns the pose at a position, rotated about the fixed axes x, then y, then z.
    pub fn turned(at: [f64; 3], [roll, pitch, yaw]: [f64; 3]) -> Self {
        let yawed = Self::about([0.0, 0.0, 1.0], yaw);
        let pitched = yawed.then(&Self::about([0.0, 1.0, 0.0], pitch));
        Self { at, ..pitched.then(&Self::about([1.0, 0.0, 0.0], roll)) }
    }

    /// Converts a point of this frame to the other frame.
    pub fn point(&self, of_this: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|i| self.at[i] + (0..3).map(|j| self.rows[i][j] * of_this[j]).sum::<f64>())
    }

    /// Converts a pose in this frame to the other frame.
    pub fn then(&self, inner: &Self) -> Self {
        let rows = [0, 1, 2].map(|i| [0, 1, 2].map(|j| (0..3).map(|k| self.rows[i][k] * inner.rows[k][j]).sum()));
        Self { at: self.point(inner.at), rows }
    }
}
