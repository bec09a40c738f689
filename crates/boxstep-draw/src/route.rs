//! The way of a link. A link that ran behind a box would look like one that ends there.

use crate::layout::Rect;

type Point = (f64, f64);
/// A cubic Bezier.
type Cubic = [Point; 4];

/// From a port on the right of something to one on the left of something else, as an SVG path; and how
/// far down it goes. A link that runs back goes around at the height `low`; one that runs forward goes
/// around the boxes in its way, above or below them, whatever is shorter.
pub(crate) fn curve(a: Point, b: Point, low: f64, others: &[Rect]) -> (String, f64) {
    if b.0 - a.0 < 24.0 {
        let (out, back) = (a.0 + 44.0, b.0 - 44.0);
        let (turn, end) = ((a.0 - 6.0, low), (b.0 + 6.0, low));
        return (path(&[[a, (out, a.1), (out, low), turn], [end, (back, low), (back, b.1), b]]), low);
    }
    let straight = [bow(a, b)];
    let around = hits(&straight, others);
    let Some(first) = around.first() else { return (path(&straight), 0.0) };
    let hull = around.iter().fold(**first, |h, r| {
        let (x, y) = (h.x.min(r.x), h.y.min(r.y));
        Rect { x, y, w: h.right().max(r.right()) - x, h: h.bottom().max(r.bottom()) - y }
    });
    let mut ways: Vec<(usize, f64, Vec<Cubic>)> = [hull.y - 11.0, hull.bottom() + 11.0]
        .into_iter()
        .filter(|y| *y > 4.0)
        .map(|y| {
            let (from, to) = (hull.x.max(a.0 + 20.0), hull.right().min(b.0 - 20.0).max(hull.x.max(a.0 + 20.0)));
            let way = vec![bow(a, (from, y)), bow((to, y), b)];
            (hits(&way, others).len(), (y - a.1).abs() + (y - b.1).abs(), way)
        })
        .collect();
    ways.push((around.len(), f64::INFINITY, straight.to_vec()));
    ways.sort_by(|x, y| x.0.cmp(&y.0).then(x.1.total_cmp(&y.1)));
    let way = ways.into_iter().next().map_or(straight.to_vec(), |w| w.2);
    let lowest = way.iter().flatten().map(|p| p.1).fold(0.0, f64::max);
    (path(&way), lowest)
}

/// A curve that leaves and arrives level.
fn bow(a: Point, b: Point) -> Cubic {
    let dx = b.0 - a.0;
    let reach = (dx / 2.0).clamp(14.0, 160.0).max(dx * 0.4);
    [a, (a.0 + reach, a.1), (b.0 - reach, b.1), b]
}

/// The boxes that a way runs behind.
fn hits<'a>(way: &[Cubic], others: &'a [Rect]) -> Vec<&'a Rect> {
    const STEPS: u32 = 40;
    let at = |c: &Cubic, t: f64| {
        let (s, p) = (1.0 - t, |f: fn(&Point) -> f64| c.each_ref().map(f));
        let mix = |v: [f64; 4]| s * s * s * v[0] + 3.0 * s * s * t * v[1] + 3.0 * s * t * t * v[2] + t * t * t * v[3];
        (mix(p(|q| q.0)), mix(p(|q| q.1)))
    };
    let bends = way.iter().flat_map(|c| (0..=STEPS).map(move |i| at(c, f64::from(i) / f64::from(STEPS))));
    // Between two parts the way is a straight line.
    let lines = way.windows(2).flat_map(|w| {
        let (from, to) = (w[0][3], w[1][0]);
        (0..=STEPS).map(move |i| (from.0 + (to.0 - from.0) * f64::from(i) / f64::from(STEPS), from.1))
    });
    let points: Vec<Point> = bends.chain(lines).collect();
    let inside =
        |r: &Rect, p: &Point| p.0 > r.x - 3.0 && p.0 < r.right() + 3.0 && p.1 > r.y - 3.0 && p.1 < r.bottom() + 3.0;
    others.iter().filter(|r| points.iter().any(|p| inside(r, p))).collect()
}

fn path(way: &[Cubic]) -> String {
    let p = |q: Point| format!("{} {}", crate::xml::number(q.0), crate::xml::number(q.1));
    let part = |(i, c): (usize, &Cubic)| {
        let [a, b, c, d] = c.map(p);
        format!("{}{a} C{b} {c} {d}", if i == 0 { "M" } else { " L" })
    };
    way.iter().enumerate().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Rect = Rect { x: 100.0, y: 80.0, w: 120.0, h: 60.0 };

    #[test]
    fn a_link_does_not_run_behind_a_box() {
        let (free, _) = curve((0.0, 20.0), (400.0, 20.0), 0.0, &[BOX]);
        assert_eq!(free, "M0 20 C160 20 240 20 400 20");
        let (above, lowest) = curve((0.0, 100.0), (400.0, 100.0), 0.0, &[BOX]);
        assert!(above.contains(" L220 69 ") && lowest == 100.0, "{above}");
        let (below, lowest) = curve((0.0, 125.0), (400.0, 125.0), 0.0, &[BOX]);
        assert!(below.contains(" L220 151 ") && lowest == 151.0, "{below}");
    }

    #[test]
    fn a_link_back_runs_below_its_boxes() {
        let (back, lowest) = curve((300.0, 50.0), (20.0, 50.0), 90.0, &[]);
        assert_eq!((back.as_str(), lowest), ("M300 50 C344 50 344 90 294 90 L26 90 C-24 90 -24 50 20 50", 90.0));
    }
}
