//! Curves, prepared once so that sampling takes a few multiplications.

use crate::bezier::{Bezier, Handles, forward};
use crate::polynomial::cubic;
use crate::{CurveError, Extent, Interpolation, Key, normalize};

/// The interpolation of a segment between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// The first key's value is held; the second key's value takes effect at the second key's time.
    Constant,
    /// A straight line.
    Linear,
    /// A Bezier whose time is linear in its parameter, so its value is a cubic in time. All keys without explicit
    /// tangents give these.
    Cubic,
    /// A Bezier whose time is not linear in its parameter; each sample solves for the parameter.
    Bezier,
}

/// A segment between two keys of a [`Curve`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// The time of the first key.
    pub from: f64,
    /// The time of the second key.
    pub to: f64,
    /// The segment's interpolation.
    pub shape: Shape,
    /// The range and speed of the segment.
    pub extent: Extent,
    /// The instantaneous change of value at `to`; 0 unless the segment is constant.
    pub jump: f64,
}

/// A curve that can be sampled at any time. Before the first key it has the first key's value, from the last key on the
/// last key's.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Pieces in order and without gaps over all time, so never empty: the constant piece before the first key, the
    /// segments, the constant piece after the last key.
    pieces: Vec<Piece>,
    /// The Beziers of the pieces of shape [`Shape::Bezier`].
    beziers: Vec<Bezier>,
}

/// One interval of time and the polynomial in it; fits one cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
struct Piece {
    from: f64,
    to: f64,
    /// The time at which the argument of `cubic` is zero.
    origin: f64,
    cubic: [f64; 4],
    /// Index into `beziers`, or [`NO_BEZIER`].
    bezier: u32,
    shape: Shape,
}

const NO_BEZIER: u32 = u32::MAX;

/// How far a control point may lie from its third of the segment, relative to the segment's length, for the curve to
/// count as a cubic in time. This allows for the rounding of frames to seconds, and no more.
const THIRD_TOLERANCE: f64 = 1e-10;

impl Curve {
    /// Prepares a curve from keys in any order; [`normalize`] says how they are treated.
    ///
    /// # Errors
    /// There are no keys, or a number is not finite.
    pub fn new(keys: &[Key]) -> Result<Self, CurveError> {
        Self::from_normalized(&normalize(keys)?)
    }

    pub(crate) fn from_normalized(keys: &[Key]) -> Result<Self, CurveError> {
        let (Some(first), Some(last)) = (keys.first(), keys.last()) else { return Err(CurveError::Empty) };
        let mut curve = Self { pieces: Vec::with_capacity(keys.len() + 1), beziers: Vec::new() };
        curve.pieces.push(Piece::still(f64::MIN, first.time, first));
        for pair in keys.windows(2) {
            if let [from, to] = pair {
                curve.push_segment(from, to);
            }
        }
        curve.pieces.push(Piece::still(last.time, f64::INFINITY, last));
        Ok(curve)
    }

    fn push_segment(&mut self, from: &Key, to: &Key) {
        let length = to.time - from.time;
        let (out, back) = (from.right, to.left);
        let shape = match (out.interpolation, back.interpolation) {
            (Interpolation::Constant, _) => Shape::Constant,
            (a, b) if a.is_bezier() || b.is_bezier() => Shape::Bezier,
            _ => Shape::Linear,
        };
        let mut piece = Piece { to: to.time, shape, ..Piece::still(from.time, to.time, from) };
        match shape {
            Shape::Constant => {}
            Shape::Linear | Shape::Cubic => piece.cubic[1] = (to.value - from.value) / length,
            Shape::Bezier => {
                let reach = |t: crate::Tangent| if t.interpolation.is_bezier() { (t.dx, t.dy) } else { (0.0, 0.0) };
                let handles = forward(length, Handles { start: reach(out), end: reach(back) });
                let (x1, y1) = handles.start;
                let (x2, y2) = handles.end;
                let off_third = (x1 - length / 3.0).abs().max((x2 + length / 3.0).abs());
                if off_third <= THIRD_TOLERANCE * length {
                    let rise = to.value - from.value;
                    piece.shape = Shape::Cubic;
                    piece.cubic[1] = 3.0 * y1 / length;
                    piece.cubic[2] = 3.0 * (rise + y2 - 2.0 * y1) / (length * length);
                    piece.cubic[3] = (3.0 * (y1 - y2) - 2.0 * rise) / (length * length * length);
                } else {
                    piece.bezier = u32::try_from(self.beziers.len()).unwrap_or(NO_BEZIER);
                    self.beziers.push(Bezier::new(length, from.value, to.value, &handles));
                }
            }
        }
        self.pieces.push(piece);
    }

    /// Returns the value at a time.
    pub fn sample(&self, time: f64) -> f64 {
        self.value(self.find(time), time)
    }

    fn value(&self, index: usize, time: f64) -> f64 {
        let Some(piece) = self.pieces.get(index) else { return 0.0 };
        match self.beziers.get(piece.bezier as usize) {
            // Infinite times lie in the constant pieces; a time that is NaN counts as before the first key.
            _ if !time.is_finite() => piece.cubic[0],
            None => cubic(&piece.cubic, time - piece.origin),
            Some(bezier) => bezier.value(time - piece.origin),
        }
    }

    fn find(&self, time: f64) -> usize {
        self.pieces.partition_point(|piece| piece.to <= time).min(self.pieces.len() - 1)
    }

    /// The time of the first key.
    pub fn start(&self) -> f64 {
        self.pieces.first().map_or(0.0, |piece| piece.to)
    }

    /// The time of the last key.
    pub fn end(&self) -> f64 {
        self.pieces.last().map_or(0.0, |piece| piece.from)
    }

    /// The segments between the keys, in order; none if there is only one key.
    pub fn segments(&self) -> impl Iterator<Item = Segment> + '_ {
        self.pieces.windows(2).skip(1).filter_map(|pair| match pair {
            [piece, next] => Some(self.segment(piece, next.cubic[0])),
            _ => None,
        })
    }

    /// The range and speed over all segments; for a curve of one key, its value and speed 0.
    pub fn extent(&self) -> Extent {
        let value = self.pieces.last().map_or(0.0, |piece| piece.cubic[0]);
        self.segments().fold(Extent::still(value), |extent, segment| extent.join(segment.extent))
    }

    fn segment(&self, piece: &Piece, end: f64) -> Segment {
        let Piece { from, to, shape, .. } = *piece;
        let (extent, jump) = match (shape, self.beziers.get(piece.bezier as usize)) {
            (Shape::Constant, _) => (Extent::still(piece.cubic[0]), end - piece.cubic[0]),
            (_, None) => (Extent::of_cubic(&piece.cubic, to - from, end), 0.0),
            (_, Some(bezier)) => (Extent::of_bezier(bezier), 0.0),
        };
        Segment { from, to, shape, extent, jump }
    }
}

impl Piece {
    fn still(from: f64, to: f64, key: &Key) -> Self {
        Self {
            from,
            to,
            origin: key.time,
            cubic: [key.value, 0.0, 0.0, 0.0],
            bezier: NO_BEZIER,
            shape: Shape::Constant,
        }
    }

    #[inline]
    fn holds(&self, time: f64) -> bool {
        self.from <= time && time < self.to
    }
}

/// A curve with a cursor: sampling is fastest at times that rise in small steps, and correct at any time.
///
/// The current piece is copied here, so that a sample touches one cache line.
#[derive(Clone, Debug)]
pub struct Sampler {
    /// The piece of the last sample. Its interval is empty if its `cubic` is not enough to sample it.
    now: Piece,
    index: usize,
    curve: Curve,
}

impl Sampler {
    /// Creates a sampler for a curve.
    pub fn new(curve: Curve) -> Self {
        Self { now: Piece::still(0.0, 0.0, &Key::new(0.0, 0.0)), index: 0, curve }
    }

    /// The sampled curve.
    pub fn curve(&self) -> &Curve {
        &self.curve
    }

    /// Returns the value at a time, the same as [`Curve::sample`] returns.
    #[inline]
    pub fn sample(&mut self, time: f64) -> f64 {
        if self.now.holds(time) { cubic(&self.now.cubic, time - self.now.origin) } else { self.seek(time) }
    }

    fn seek(&mut self, time: f64) -> f64 {
        let is_current = |index: &usize| self.curve.pieces.get(*index).is_some_and(|piece| piece.holds(time));
        self.index = [self.index, self.index + 1].into_iter().find(is_current).unwrap_or_else(|| self.curve.find(time));
        if let Some(&piece) = self.curve.pieces.get(self.index) {
            self.now = piece;
            if piece.bezier != NO_BEZIER {
                self.now.to = piece.from;
            }
        }
        self.curve.value(self.index, time)
    }
}

impl From<Curve> for Sampler {
    fn from(curve: Curve) -> Self {
        Self::new(curve)
    }
}
