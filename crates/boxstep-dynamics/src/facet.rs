//! On which corners a robot rests if its soles are not in one plane.
//!
//! A leg that is swung back far has its toes on the floor, and lifts the heel of the other foot a little. A rigid body
//! rests on a facet of the convex hull of all points that can touch the floor: on that which its center of mass is over,
//! once the facet is level. A robot that tips over the edge of one facet comes to rest on the next, or falls.

use crate::Model;
use crate::support::{Ground, Polygon, Sole};
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector2, Vector3};

/// A corner of a sole: the number of the sole, and that of its corner.
pub(crate) type Corner = (usize, usize);

/// Three corners of a facet, in ascending order.
pub(crate) type Facet = [Corner; 3];

/// A point that is not lower than this under a facet is on it, in metres.
const EXACT: f64 = 1e-9;
/// On the border several facets are as good. A place there is moved inward by this share of the way to the middle; closer to
/// the border than this, in metres, it is on it.
const INWARD: f64 = 1e-6;
/// The cosine of the most that a robot tips over without falling. (Ours: 45°.)
const NEAR: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// The most facets over which a robot tips, and the most triangles that are tried to find one.
const MOST: usize = 64;

impl Model {
    /// Returns the facet on which a robot with two soles rests. `None` if there is none near to how its soles lie.
    pub(crate) fn facet(&self, links: &[Isometry3<f64>]) -> Option<Facet> {
        let numbers = |(sole, of): (usize, &Sole)| (0..of.corners.len()).map(move |at| (sole, at));
        let corners: Vec<Corner> = self.soles.iter().enumerate().flat_map(numbers).collect();
        let center = Point3::from(self.center_of_mass(links)?);
        let between = self.floor(links, Ground::Between(0, 1));
        let (mut floor, mut facet) = (between, None);
        for _ in 0..MOST {
            let over = |point: Point3<f64>| floor.inverse_transform_point(&point).coords;
            let points: Vec<Vector3<f64>> = corners.iter().map(|corner| over(self.corner(*corner, links))).collect();
            let (triangle, is_inside) = under(&points, over(center).xy())?;
            let mut found = triangle.map(|at| corners[at]);
            found.sort_unstable();
            let next = self.level(found, &between, links);
            let falls = !is_inside && facet.is_some();
            if falls || !is_near(&next, &between) || facet.replace(found) == Some(found) {
                break;
            }
            floor = next;
        }
        facet
    }

    /// Returns the floor of a facet: that between its two soles, turned as little as possible.
    pub(crate) fn level(&self, facet: Facet, between: &Isometry3<f64>, links: &[Isometry3<f64>]) -> Isometry3<f64> {
        let [a, b, c] = facet.map(|corner| between.inverse_transform_point(&self.corner(corner, links)));
        let normal = (b - a).cross(&(c - a));
        let normal = if normal.z < 0.0 { -normal } else { normal };
        let turn = UnitQuaternion::rotation_between(&Vector3::z(), &normal).unwrap_or_else(UnitQuaternion::identity);
        let height = turn.inverse_transform_vector(&a.coords).z;
        between * turn * Translation3::new(0.0, 0.0, height)
    }

    fn corner(&self, (sole, at): Corner, links: &[Isometry3<f64>]) -> Point3<f64> {
        let sole = &self.soles[sole];
        links[sole.link] * sole.corners[at]
    }
}

/// Returns whether a robot can tip from one of two floors to the other, and stand.
fn is_near(one: &Isometry3<f64>, other: &Isometry3<f64>) -> bool {
    (one.rotation * Vector3::z()).dot(&(other.rotation * Vector3::z())) > NEAR
}

/// Returns the three points whose plane no point is under, and which are around a place seen from above, and whether
/// the place is inside of all points. If it is not, they are around the nearest place that is. (The dual simplex method:
/// a point under the plane replaces one of the three, which lowers the plane at the place.)
fn under(points: &[Vector3<f64>], place: Vector2<f64>) -> Option<([usize; 3], bool)> {
    let polygon = Polygon::around(points.iter().map(|point| point.xy()).collect());
    let (margin, _) = polygon.margin(place)?;
    let place = if margin > INWARD { place } else { polygon.nearest(place)?.lerp(&polygon.middle(), INWARD) };
    // How far inside of a triangle the place is, as the least of its coordinates there.
    let inside = |triangle: &[usize; 3]| {
        let all = coordinates(triangle.map(|at| points[at].xy()), place);
        all.map_or(f64::NEG_INFINITY, |all| all.into_iter().fold(f64::INFINITY, f64::min))
    };
    let best =
        |triangles: &mut dyn Iterator<Item = [usize; 3]>| triangles.max_by(|a, b| inside(a).total_cmp(&inside(b)));
    let number = |corner: &Vector2<f64>| {
        let there = (0..points.len()).filter(|at| points[*at].xy() == *corner);
        there.min_by(|a, b| points[*a].z.total_cmp(&points[*b].z))
    };
    let outline: Vec<usize> = polygon.corners().iter().filter_map(number).collect();
    let (first, others) = outline.split_first()?;
    let mut triangle = best(&mut others.windows(2).map(|pair| [*first, pair[0], pair[1]]))?;
    for _ in 0..MOST {
        let plane = triangle.map(|at| points[at]);
        let height = |point: &Vector3<f64>| {
            let all = coordinates(plane.map(|corner| corner.xy()), point.xy())?;
            Some(point.z - all.iter().zip(plane).map(|(share, corner)| share * corner.z).sum::<f64>())
        };
        let heights = points.iter().enumerate().filter_map(|(at, point)| Some((at, height(point)?)));
        let (lowest, depth) = heights.min_by(|a, b| a.1.total_cmp(&b.1))?;
        if depth > -EXACT {
            break;
        }
        let [a, b, c] = triangle;
        triangle = best(&mut [[lowest, b, c], [a, lowest, c], [a, b, lowest]].into_iter())?;
    }
    Some((triangle, margin >= 0.0))
}

/// Returns the barycentric coordinates of a point in a triangle; `None` if it has no area.
fn coordinates([a, b, c]: [Vector2<f64>; 3], point: Vector2<f64>) -> Option<[f64; 3]> {
    let (ab, ac, way) = (b - a, c - a, point - a);
    let area = ab.perp(&ac);
    let (second, third) = (way.perp(&ac) / area, ab.perp(&way) / area);
    (area.abs() > EXACT).then_some([1.0 - second - third, second, third])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(all: &[[f64; 3]]) -> Vec<Vector3<f64>> {
        all.iter().map(|point| Vector3::from(*point)).collect()
    }

    #[test]
    fn the_facet_is_under_the_place() {
        // A roof upside down: its ridge is the lowest, and its two sides are facets.
        let roof = points(&[
            [-1.0, -1.0, 0.5],
            [-1.0, 1.0, 0.5],
            [0.0, -1.0, 0.0],
            [0.0, 1.0, 0.0],
            [1.0, -1.0, 0.5],
            [1.0, 1.0, 0.5],
        ]);
        let sides = |x: f64, y: f64| {
            let (triangle, is_inside) = under(&roof, Vector2::new(x, y)).unwrap();
            (triangle.map(|at| roof[at].x).iter().sum::<f64>().signum(), is_inside)
        };
        assert_eq!(sides(0.3, 0.2), (1.0, true));
        assert_eq!(sides(-0.9, 0.8), (-1.0, true));
        assert_eq!(sides(3.0, 0.0), (1.0, false));
        assert_eq!(sides(-3.0, 7.0), (-1.0, false));
    }

    #[test]
    fn points_on_a_line_are_no_facet() {
        let line = points(&[[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [2.0, 2.0, 1.0]]);
        assert_eq!(under(&line, Vector2::new(1.0, 1.0)), None);
        assert_eq!(under(&[], Vector2::zeros()), None);
    }

    proptest::proptest! {
        #[test]
        fn no_point_is_under_the_facet(all in proptest::collection::vec(proptest::array::uniform3(-1.0..1.0), 3..40), x in -1.5..1.5, y in -1.5..1.5) {
            let all = points(&all);
            let Some((triangle, is_inside)) = under(&all, Vector2::new(x, y)) else { return Ok(()) };
            let corners = triangle.map(|at| all[at]);
            let flat = corners.map(|corner| corner.xy());
            for point in &all {
                let shares = coordinates(flat, point.xy()).unwrap();
                let plane: f64 = shares.iter().zip(corners).map(|(share, corner)| share * corner.z).sum();
                proptest::prop_assert!(point.z >= plane - 1e-6, "{point} {plane}");
            }
            let least = coordinates(flat, Vector2::new(x, y)).unwrap().into_iter().fold(f64::INFINITY, f64::min);
            proptest::prop_assert!(!is_inside || least > -1e-5, "{least}");
        }
    }
}
