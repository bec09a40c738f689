//! The area over which a robot stands.

use nalgebra::Vector2;

/// A convex area on the floor: its corners, counter-clockwise from above, in metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygon {
    corners: Vec<Vector2<f64>>,
}

impl Polygon {
    /// Returns the smallest convex area that contains these points (Andrew's monotone chain).
    pub fn around(mut points: Vec<Vector2<f64>>) -> Self {
        points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        points.dedup();
        let mut corners: Vec<Vector2<f64>> = Vec::with_capacity(points.len() + 1);
        let half = |corners: &mut Vec<Vector2<f64>>, points: &mut dyn Iterator<Item = Vector2<f64>>| {
            let kept = corners.len();
            for point in points {
                while let [.., a, b] = corners[kept..] {
                    if (b - a).perp(&(point - b)) > 0.0 {
                        break;
                    }
                    corners.pop();
                }
                corners.push(point);
            }
            corners.pop();
        };
        half(&mut corners, &mut points.iter().copied());
        half(&mut corners, &mut points.iter().rev().copied());
        Self { corners }
    }

    /// Returns the corners.
    pub fn corners(&self) -> &[Vector2<f64>] {
        &self.corners
    }

    /// Returns how far a point is inside of the border, in metres, negative if it is outside, and the direction from
    /// the inside over the nearest edge. `None` if the area has no inside.
    pub fn margin(&self, point: Vector2<f64>) -> Option<(f64, Vector2<f64>)> {
        if self.corners.len() < 3 {
            return None;
        }
        let next = self.corners.iter().cycle().skip(1);
        let edges = self.corners.iter().zip(next).filter_map(|(a, b)| {
            let along = (b - a).try_normalize(1e-12)?;
            let out = Vector2::new(along.y, -along.x);
            let beyond = out.dot(&(point - a));
            // Outside of a corner the distance is that to the corner.
            let share = (point - a).dot(&along).clamp(0.0, (b - a).norm());
            let to = point - (a + along * share);
            Some((beyond, if beyond > 0.0 { to.norm() } else { beyond }, out))
        });
        let edges: Vec<_> = edges.collect();
        let outside = edges.iter().filter(|edge| edge.0 > 0.0).min_by(|a, b| a.1.total_cmp(&b.1));
        let nearest = outside.or_else(|| edges.iter().max_by(|a, b| a.0.total_cmp(&b.0)));
        nearest.map(|(_, distance, out)| (-distance, *out))
    }
}
