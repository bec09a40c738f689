//! Where a thing is over time.

use super::Vec3;

/// The places of a thing: it goes straight from each to the next, and is there from one time until another.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Track {
    /// Times in seconds, in order, and places; at least one.
    stops: Vec<(f64, Vec3)>,
    from: f64,
    until: f64,
}

impl Track {
    pub(crate) fn new(stops: Vec<(f64, Vec3)>, from: f64, until: f64) -> Self {
        Self { stops, from, until }
    }

    /// Returns where it is; `None` if it is not there.
    pub(crate) fn at(&self, t: f64) -> Option<Vec3> {
        if t < self.from || t >= self.until {
            return None;
        }
        let next = self.stops.iter().position(|(time, _)| *time > t);
        match next {
            Some(0) => self.stops.first().map(|s| s.1),
            None => self.stops.last().map(|s| s.1),
            Some(next) => {
                let ((t0, a), (t1, b)) = (self.stops.get(next - 1)?, self.stops.get(next)?);
                let part = (t - t0) / (t1 - t0);
                Some([0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * part))
            }
        }
    }

    /// Returns whether it changes its place at this time.
    pub(crate) fn moves(&self, t: f64) -> bool {
        let next = self.stops.iter().position(|(time, _)| *time > t);
        let pair = next.and_then(|next| Some((self.stops.get(next.checked_sub(1)?)?, self.stops.get(next)?)));
        self.at(t).is_some() && pair.is_some_and(|(a, b)| a.1 != b.1)
    }

    /// Returns when it moves, comes or goes for the last time.
    pub(crate) fn last_change(&self) -> f64 {
        let moved = if self.stops.len() > 1 { self.stops.last().map_or(0.0, |s| s.0) } else { 0.0 };
        let until = if self.until.is_finite() { self.until } else { 0.0 };
        moved.max(self.from).max(until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_goes_from_stop_to_stop_while_it_is_there() {
        let track = Track::new(vec![(1.0, [0.0; 3]), (3.0, [4.0, 2.0, 0.0])], 0.5, 5.0);
        assert_eq!(track.at(0.4), None);
        assert_eq!(track.at(0.5), Some([0.0; 3]), "before its first stop it waits there");
        assert_eq!(track.at(2.0), Some([2.0, 1.0, 0.0]));
        assert_eq!(track.at(4.0), Some([4.0, 2.0, 0.0]));
        assert_eq!(track.at(5.0), None);
        assert!(track.moves(2.0) && !track.moves(0.7) && !track.moves(4.0));
        assert_eq!(track.last_change(), 5.0);
    }
}
