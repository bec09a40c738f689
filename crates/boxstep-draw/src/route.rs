//! Routing of links around boxes. A link drawn behind a box would look as if it ended there.

use crate::layout::Rect;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

type Point = (f64, f64);
/// A cubic Bezier.
type Cubic = [Point; 4];

/// Distance of a link from a box: normally, and if another box is near.
const AWAY: f64 = 12.0;
const NEAR: f64 = 7.0;
/// A link closer to a box than this counts as touching it.
const TOUCH: f64 = 3.0;
/// Distance between two parallel links.
const LANE: f64 = 6.0;
/// The cost of a bend, and of a segment that another link uses too, in pixels.
const BEND: f64 = 14.0;
const SHARED: f64 = 40.0;
/// The maximum number of boxes near a link that are considered.
const MANY: usize = 24;
/// The maximum number of segments that are recorded to keep links apart. Each new link is compared with all of them,
/// and with so many links nobody could follow one anyway.
const PIECES: usize = 4000;

/// Routes the links of one diagram, one after the other.
#[derive(Default)]
pub(crate) struct Router {
    /// The horizontal and vertical segments of the routes so far.
    taken: Vec<(Point, Point)>,
}

impl Router {
    /// Routes a link from the right side of one box to the left side of another. Returns the SVG path and its lowest y.
    /// The link is a single curve if nothing is in the way; otherwise it goes around `boxes`.
    pub(crate) fn way(&mut self, a: Point, b: Point, boxes: &[Rect]) -> (String, f64) {
        let bow = bow(a, b);
        let forward = b.0 - a.0 >= 24.0;
        let at_end = |r: &Rect| on_edge(a, r.right(), r) || on_edge(b, r.x, r);
        if forward && !boxes.iter().any(|r| !at_end(r) && is_hit(&bow, r)) {
            return (format!("M{} C{} {} {}", p(bow[0]), p(bow[1]), p(bow[2]), p(bow[3])), 0.0);
        }
        let near = nearest(a, b, boxes);
        let Some(mut way) = self.around(a, b, &near) else {
            return (format!("M{} C{} {} {}", p(bow[0]), p(bow[1]), p(bow[2]), p(bow[3])), 0.0);
        };
        self.side_by_side(&mut way, &near);
        if self.taken.len() < PIECES {
            self.taken.extend(way.windows(2).map(|w| (w[0], w[1])));
        }
        let lowest = way.iter().map(|p| p.1).fold(0.0, f64::max);
        (rounded(&way), lowest)
    }

    /// Returns the shortest route of horizontal and vertical segments between the boxes.
    fn around(&self, a: Point, b: Point, boxes: &[Rect]) -> Option<Vec<Point>> {
        let room = |r: &Rect, gap: &dyn Fn(&Rect) -> f64| {
            let tight = boxes.iter().any(|o| o != r && (0.0..2.0 * AWAY).contains(&gap(o)));
            if tight { NEAR } else { AWAY }
        };
        let mut xs = Vec::new();
        let mut ys = vec![a.1, b.1];
        let (mut start, mut end) = (a.0 + AWAY, b.0 - AWAY);
        for r in boxes {
            let left = r.x - room(r, &|o| r.x - o.right());
            let right = r.right() + room(r, &|o| o.x - r.right());
            if on_edge(a, r.right(), r) {
                start = right;
            }
            if on_edge(b, r.x, r) {
                end = left;
            }
            xs.extend([left, right]);
            ys.extend([r.y - room(r, &|o| r.y - o.bottom()), r.bottom() + room(r, &|o| o.y - r.bottom())]);
        }
        xs.extend([start, end]);
        for list in [&mut xs, &mut ys] {
            list.sort_by(f64::total_cmp);
            list.dedup();
        }
        let place = |(x, y): Point| {
            let at = |list: &[f64], v: f64| list.binary_search_by(|o| o.total_cmp(&v)).ok();
            Some((at(&xs, x)?, at(&ys, y)?))
        };
        let near = Self { taken: self.within((xs[0], xs[xs.len() - 1]), (ys[0], ys[ys.len() - 1])) };
        let (from, to) = (place((start, a.1))?, place((end, b.1))?);
        let n = xs.len() * ys.len();
        let point = |i: usize| (xs[i / ys.len()], ys[i % ys.len()]);
        let number = |(x, y): (usize, usize)| x * ys.len() + y;
        // There are two states per point: reached horizontally, and reached vertically.
        let mut best = vec![(u64::MAX, usize::MAX); 2 * n];
        let mut heap = BinaryHeap::new();
        let first = 2 * number(from);
        best[first].0 = 0;
        heap.push(Reverse((0_u64, first)));
        while let Some(Reverse((cost, state))) = heap.pop() {
            if cost > best[state].0 {
                continue;
            }
            if state / 2 == number(to) {
                break;
            }
            let (x, y) = (state / 2 / ys.len(), state / 2 % ys.len());
            let level = [x.checked_sub(1), Some(x + 1).filter(|x| *x < xs.len())].map(|x| Some((x?, y, 0)));
            let upright = [y.checked_sub(1), Some(y + 1).filter(|y| *y < ys.len())].map(|y| Some((x, y?, 1)));
            for (x, y, turn) in level.into_iter().chain(upright).flatten() {
                let next = 2 * number((x, y)) + turn;
                let (p, q) = (point(state / 2), point(next / 2));
                // A link must leave and reach each port on the port's own side.
                let back = turn == 0 && q.0 < p.0 && (state == first || next / 2 == number(to));
                if back || boxes.iter().any(|r| is_crossed(p, q, r)) {
                    continue;
                }
                let bend = if turn == state % 2 { 0.0 } else { BEND };
                let last = if next / 2 == number(to) && turn == 1 { BEND } else { 0.0 };
                let shared = if near.is_taken(p, q) { SHARED } else { 0.0 };
                let step = (p.0 - q.0).abs() + (p.1 - q.1).abs() + bend + last + shared;
                let sum = cost + (step * 16.0) as u64;
                if sum < best[next].0 {
                    best[next] = (sum, state);
                    heap.push(Reverse((sum, next)));
                }
            }
        }
        let reached = [0, 1].map(|turn| 2 * number(to) + turn).into_iter().min_by_key(|s| best[*s].0)?;
        if best[reached].0 == u64::MAX {
            return None;
        }
        let mut way = vec![b, point(reached / 2)];
        let mut at = reached;
        while best[at].1 != usize::MAX {
            at = best[at].1;
            way.push(point(at / 2));
        }
        way.push(a);
        way.reverse();
        Some(corners(&way))
    }

    /// Moves segments that another link uses too to the side, if there is space.
    fn side_by_side(&self, way: &mut [Point], boxes: &[Rect]) {
        // The first and the last segment belong to the ports.
        for i in 1..way.len().saturating_sub(2) {
            for step in [0.0, LANE, -LANE, 2.0 * LANE, -2.0 * LANE, 3.0 * LANE, -3.0 * LANE] {
                let mut moved = way.to_vec();
                for p in &mut moved[i..=i + 1] {
                    if way[i].0 == way[i + 1].0 { p.0 += step } else { p.1 += step }
                }
                // The link must still leave and reach the ports in the right direction.
                let ends = (moved[1].0 - moved[0].0, moved[moved.len() - 1].0 - moved[moved.len() - 2].0);
                let free = |w: &[Point]| !boxes.iter().any(|r| is_crossed(w[0], w[1], r));
                if ends.0 >= NEAR - 1.0
                    && ends.1 >= NEAR - 1.0
                    && !self.is_taken(moved[i], moved[i + 1])
                    && moved[1..moved.len() - 1].windows(2).all(free)
                {
                    way.copy_from_slice(&moved);
                    break;
                }
            }
        }
    }

    /// Returns the recorded segments in a part of the diagram.
    fn within(&self, x: (f64, f64), y: (f64, f64)) -> Vec<(Point, Point)> {
        let meets = |a: f64, b: f64, of: (f64, f64)| a.min(b) <= of.1 && a.max(b) >= of.0;
        let is_near = |(p, q): &&(Point, Point)| meets(p.0, q.0, x) && meets(p.1, q.1, y);
        self.taken.iter().filter(is_near).copied().collect()
    }

    /// Returns true if another link runs along this segment.
    fn is_taken(&self, p: Point, q: Point) -> bool {
        let overlap = |a: (f64, f64), b: (f64, f64)| a.0.max(a.1).min(b.0.max(b.1)) - a.0.min(a.1).max(b.0.min(b.1));
        self.taken.iter().any(|(r, s)| {
            let level = p.1 == q.1 && r.1 == s.1 && (p.1 - r.1).abs() < LANE - 1.0;
            let upright = p.0 == q.0 && r.0 == s.0 && (p.0 - r.0).abs() < LANE - 1.0;
            (level && overlap((p.0, q.0), (r.0, s.0)) > 1.0) || (upright && overlap((p.1, q.1), (r.1, s.1)) > 1.0)
        })
    }
}

/// Returns true if a port is on this edge of a box.
fn on_edge(port: Point, edge: f64, r: &Rect) -> bool {
    (port.0 - edge).abs() < 0.5 && (r.y..=r.bottom()).contains(&port.1)
}

/// Returns the boxes near a link, the nearest first.
fn nearest(a: Point, b: Point, boxes: &[Rect]) -> Vec<Rect> {
    let around = Rect { x: a.0.min(b.0), y: a.1.min(b.1), w: (a.0 - b.0).abs(), h: (a.1 - b.1).abs() };
    let far = |r: &Rect| {
        let dx = (r.x - around.right()).max(around.x - r.right()).max(0.0);
        let dy = (r.y - around.bottom()).max(around.y - r.bottom()).max(0.0);
        dx + dy
    };
    let mut near = boxes.to_vec();
    near.sort_by(|x, y| far(x).total_cmp(&far(y)));
    near.truncate(MANY);
    near
}

/// Returns a curve that is horizontal at both ends.
fn bow(a: Point, b: Point) -> Cubic {
    let dx = b.0 - a.0;
    let reach = (dx / 2.0).clamp(14.0, 160.0).max(dx * 0.4);
    [a, (a.0 + reach, a.1), (b.0 - reach, b.1), b]
}

fn is_in(p: Point, r: &Rect) -> bool {
    p.0 > r.x - TOUCH && p.0 < r.right() + TOUCH && p.1 > r.y - TOUCH && p.1 < r.bottom() + TOUCH
}

/// Returns true if a curve runs behind a box.
fn is_hit(c: &Cubic, r: &Rect) -> bool {
    const STEPS: u32 = 40;
    let mix = |t: f64, of: fn(&Point) -> f64| {
        let (s, v) = (1.0 - t, c.each_ref().map(of));
        s * s * s * v[0] + 3.0 * s * s * t * v[1] + 3.0 * s * t * t * v[2] + t * t * t * v[3]
    };
    (0..=STEPS).map(|i| f64::from(i) / f64::from(STEPS)).any(|t| is_in((mix(t, |q| q.0), mix(t, |q| q.1)), r))
}

/// Returns true if a horizontal or vertical segment runs behind a box.
fn is_crossed(p: Point, q: Point, r: &Rect) -> bool {
    p.0.min(q.0) < r.right() + TOUCH
        && p.0.max(q.0) > r.x - TOUCH
        && p.1.min(q.1) < r.bottom() + TOUCH
        && p.1.max(q.1) > r.y - TOUCH
}

/// Returns only the ends of the route and the points where it bends.
fn corners(way: &[Point]) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::with_capacity(way.len());
    for &p in way {
        if kept.last() == Some(&p) {
            continue;
        }
        if let [.., x, y] = kept.as_slice()
            && ((x.0 == y.0 && y.0 == p.0) || (x.1 == y.1 && y.1 == p.1))
        {
            kept.pop();
        }
        kept.push(p);
    }
    kept
}

fn p(q: Point) -> String {
    format!("{} {}", crate::xml::number(q.0), crate::xml::number(q.1))
}

/// Returns an SVG path of lines with rounded corners.
fn rounded(way: &[Point]) -> String {
    const RADIUS: f64 = 10.0;
    let mut d = format!("M{}", way.first().map_or_else(String::new, |a| p(*a)));
    for w in way.windows(3) {
        let towards = |to: Point| {
            let (dx, dy) = (to.0 - w[1].0, to.1 - w[1].1);
            let length = dx.abs() + dy.abs();
            let part = if length > 0.0 { (RADIUS / length).min(0.5) } else { 0.0 };
            (w[1].0 + dx * part, w[1].1 + dy * part)
        };
        let (before, after) = (towards(w[0]), towards(w[2]));
        d.push_str(&format!(" L{} C{} {} {}", p(before), p(w[1]), p(w[1]), p(after)));
    }
    d.push_str(&way.last().map_or_else(String::new, |b| format!(" L{}", p(*b))));
    d
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{Overlaps, place};
    use proptest::prelude::*;

    const BOX: Rect = Rect { x: 100.0, y: 80.0, w: 120.0, h: 60.0 };

    /// Returns the points of a path, including the control points of its corners.
    fn points(d: &str) -> Vec<Point> {
        let numbers: Vec<f64> = d.split([' ', 'M', 'L', 'C']).filter_map(|n| n.parse().ok()).collect();
        numbers.chunks(2).map(|c| (c[0], c[1])).collect()
    }

    #[test]
    fn a_link_with_nothing_in_its_way_is_one_curve() {
        let (free, _) = Router::default().way((0.0, 20.0), (400.0, 20.0), &[BOX]);
        assert_eq!(free, "M0 20 C160 20 240 20 400 20");
    }

    #[test]
    fn a_link_runs_around_a_box_on_the_shorter_side() {
        let lane = |y: f64| {
            let (d, _) = Router::default().way((0.0, y), (400.0, y), &[BOX]);
            points(&d).iter().map(|p| p.1).find(|at| *at != y && (*at - y).abs() > 11.0).unwrap()
        };
        assert!(lane(100.0) < BOX.y && lane(130.0) > BOX.bottom());
    }

    #[test]
    fn a_link_back_uses_the_gap_between_its_boxes() {
        let (above, below) = (BOX, Rect { y: 200.0, ..BOX });
        let (d, lowest) = Router::default().way((220.0, 230.0), (100.0, 110.0), &[above, below]);
        assert!(points(&d).iter().any(|p| p.1 > above.bottom() && p.1 < below.y), "{d}");
        assert_eq!(lowest, 230.0);
    }

    #[test]
    fn links_along_the_same_boxes_run_side_by_side() {
        let mut router = Router::default();
        let lanes: Vec<f64> = (0..3)
            .map(|i| {
                let y = 100.0 + f64::from(i) * 10.0;
                let (_, lowest) = router.way((220.0, y), (100.0, 110.0), &[BOX]);
                lowest
            })
            .collect();
        let mut apart = lanes.clone();
        apart.sort_by(f64::total_cmp);
        apart.dedup_by(|a, b| (*a - *b).abs() < LANE - 1.0);
        assert_eq!(apart.len(), 3, "{lanes:?}");
    }

    #[test]
    fn a_link_that_leaves_where_another_passes_runs_beside_it() {
        let head = Rect { x: 136.0, y: 24.0, w: 153.5, h: 100.0 };
        let hand = Rect { x: 433.4, y: 45.0, w: 144.0, h: 100.0 };
        let say = Rect { x: 128.9, y: 264.0, w: 129.0, h: 68.0 };
        let boxes = [head, hand, say];
        let mut router = Router::default();
        let (first, _) = router.way((64.9, 370.3), (433.4, 83.0), &boxes);
        let (second, _) = router.way((289.5, 94.0), (128.9, 302.0), &boxes);
        let upright = |d: &str| {
            let all = points(d);
            all.windows(2).find(|w| w[0].0 == w[1].0 && w[0].0 > 289.5).map(|w| w[0].0).unwrap()
        };
        let apart = (upright(&first) - upright(&second)).abs();
        assert!(apart >= LANE - 1.0, "{first}\n{second}");
    }

    proptest! {
        #[test]
        fn no_link_runs_behind_a_box(
            wanted in prop::collection::vec((0.0..500.0, 0.0..300.0), 1..12),
            links in prop::collection::vec((0..12_usize, 0..12_usize, 0..3_usize), 1..20),
        ) {
            let sizes = vec![(120.0, 80.0); wanted.len()];
            let rects = place(&sizes, &wanted, &[], Overlaps::Apart);
            let mut router = Router::default();
            for (from, to, row) in links {
                let (from, to) = (rects[from % rects.len()], rects[to % rects.len()]);
                let row = 30.0 + row as f64 * 16.0;
                let (a, b) = ((from.right(), from.y + row), (to.x, to.y + row));
                let (d, _) = router.way(a, b, &rects);
                let way = points(&d);
                prop_assert_eq!((way[0], way[way.len() - 1]), ((round(a.0), round(a.1)), (round(b.0), round(b.1))));
                // The segments between the points are straight; a single curve is tested at many points.
                let straight = if way.len() == 4 {
                    let c = [way[0], way[1], way[2], way[3]];
                    // Written coordinates are rounded to tenths, so a link may graze an edge.
                    let deep = |r: &Rect| Rect { x: r.x + 0.5, y: r.y + 0.5, w: r.w - 1.0, h: r.h - 1.0 };
                    !rects.iter().any(|r| *r != from && *r != to && is_hit(&c, &deep(r)))
                } else {
                    let inner = &way[1..way.len() - 1];
                    let deep = |r: &Rect| Rect { x: r.x + TOUCH, y: r.y + TOUCH, w: r.w - 2.0 * TOUCH, h: r.h - 2.0 * TOUCH };
                    !inner.windows(2).any(|w| rects.iter().any(|r| is_crossed(w[0], w[1], &deep(r))))
                };
                prop_assert!(straight, "{} behind one of {:?}", d, rects);
            }
        }
    }

    fn round(v: f64) -> f64 {
        (v * 10.0).round() / 10.0
    }
}
