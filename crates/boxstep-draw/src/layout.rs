//! Placement of boxes: at the editor's positions where these are usable, otherwise in columns along the links; without
//! overlaps, unless a page edits them.

use petgraph::algo::{greedy_feedback_arc_set, toposort};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef as _;

/// Pixels in the drawing per pixel in the editor. The editor's boxes show an icon, and names of ports only on hover;
/// boxes in a drawing show the names and need the space.
pub(crate) const SCALE: f64 = 1.5;

/// Positions beyond this, in the editor's pixels, cannot have been made by hand.
const FARTHEST: f64 = 20_000.0;

/// The maximum number of boxes that are moved apart or sorted by their links. Nobody has drawn more by hand, and the
/// layout would take too long.
const MANY: usize = 600;

const GAP_X: f64 = 70.0;
const GAP_Y: f64 = 30.0;
const MARGIN: f64 = 14.0;

/// A rectangle in the drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rect {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) w: f64,
    pub(crate) h: f64,
}

impl Rect {
    fn touches(&self, other: &Rect) -> bool {
        self.x < other.x + other.w + MARGIN
            && other.x < self.x + self.w + MARGIN
            && self.y < other.y + other.h + MARGIN
            && other.y < self.y + self.h + MARGIN
    }

    /// Returns the smallest rectangle that contains both.
    pub(crate) fn around(&self, other: &Rect) -> Rect {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Rect { x, y, w: self.right().max(other.right()) - x, h: self.bottom().max(other.bottom()) - y }
    }

    pub(crate) fn right(&self) -> f64 {
        self.x + self.w
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.y + self.h
    }
}

/// What is done about boxes that lie on each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Overlaps {
    /// They are moved apart, so that each can be read.
    #[default]
    Apart,
    /// They stay: who moves boxes sees them where the file says, and one that is moved moves no other.
    Stay,
}

/// Places boxes of these sizes. `wanted` are the editor's positions, and `links` are pairs of box indices.
pub(crate) fn place(
    sizes: &[(f64, f64)],
    wanted: &[(f64, f64)],
    links: &[(usize, usize)],
    overlaps: Overlaps,
) -> Vec<Rect> {
    let mut rects: Vec<Rect> = sizes.iter().map(|(w, h)| Rect { w: *w, h: *h, ..Rect::default() }).collect();
    let (there, lost): (Vec<usize>, Vec<usize>) = split(wanted, overlaps);
    for &i in &there {
        if let (Some(rect), Some((x, y))) = (rects.get_mut(i), wanted.get(i)) {
            (rect.x, rect.y) = (x * SCALE, y * SCALE);
        }
    }
    if overlaps == Overlaps::Apart && rects.len() <= MANY {
        move_apart(&mut rects, &there);
    }
    let bottom =
        there.iter().filter_map(|i| rects.get(*i)).map(|r| r.bottom() + GAP_Y).fold(f64::NEG_INFINITY, f64::max);
    let left = there.iter().filter_map(|i| rects.get(*i)).map(|r| r.x).fold(f64::INFINITY, f64::min);
    in_layers(&mut rects, &lost, links, if there.is_empty() { (0.0, 0.0) } else { (left, bottom) });
    rects
}

/// Returns the bounding rectangle of all rectangles.
pub(crate) fn room(rects: &[Rect]) -> Rect {
    rects.iter().copied().reduce(|room, r| room.around(&r)).unwrap_or_default()
}

/// Separates boxes with a usable position from those without: a position that is out of range, or that another box has
/// too. Where overlaps stay, only a position that all boxes have is none, as nobody has placed them.
fn split(wanted: &[(f64, f64)], overlaps: Overlaps) -> (Vec<usize>, Vec<usize>) {
    let bits = |(x, y): &(f64, f64)| (x.to_bits(), y.to_bits());
    let mut count = std::collections::HashMap::new();
    for at in wanted {
        *count.entry(bits(at)).or_insert(0_usize) += 1;
    }
    let most = match overlaps {
        Overlaps::Apart => 1,
        Overlaps::Stay => wanted.len().saturating_sub(1).max(1),
    };
    (0..wanted.len()).partition(|i| {
        let at = &wanted[*i];
        at.0.abs() <= FARTHEST && at.1.abs() <= FARTHEST && count.get(&bits(at)).is_some_and(|all| *all <= most)
    })
}

/// Moves each box that touches another one down until it is free, in order from top to bottom, so that the topmost
/// stays.
fn move_apart(rects: &mut [Rect], which: &[usize]) {
    let mut order = which.to_vec();
    order.sort_by(|a, b| (rects[*a].y, rects[*a].x).partial_cmp(&(rects[*b].y, rects[*b].x)).unwrap_or(a.cmp(b)));
    let mut placed: Vec<Rect> = Vec::with_capacity(order.len());
    for i in order {
        // Each step moves the box below one more of the others, so the loop ends.
        while let Some(other) = placed.iter().find(|p| p.touches(&rects[i])) {
            rects[i].y = other.bottom() + MARGIN + 0.1;
        }
        placed.push(rects[i]);
    }
}

/// Arranges boxes in columns along the links, from left to right.
fn in_layers(rects: &mut [Rect], which: &[usize], links: &[(usize, usize)], origin: (f64, f64)) {
    let layers = layers(rects.len(), which, links);
    let height = |layer: &[usize], rects: &[Rect]| layer.iter().map(|i| rects[*i].h + GAP_Y).sum::<f64>() - GAP_Y;
    let tallest = layers.iter().map(|l| height(l, rects)).fold(0.0, f64::max);
    let (mut x, top) = origin;
    for layer in &layers {
        let wide = layer.iter().map(|i| rects[*i].w).fold(0.0, f64::max);
        let mut y = top + (tallest - height(layer, rects)) / 2.0;
        for &i in layer {
            rects[i].x = x + (wide - rects[i].w) / 2.0;
            rects[i].y = y;
            y += rects[i].h + GAP_Y;
        }
        x += wide + GAP_X;
    }
}

/// Returns the boxes of each column. A link that does not close a cycle goes to the right. A column that would be too
/// tall is continued in the next one.
fn layers(n: usize, which: &[usize], links: &[(usize, usize)]) -> Vec<Vec<usize>> {
    // The drawing becomes about as wide as tall, even without links.
    let tallest = ((which.len() as f64).sqrt().ceil() as usize).max(4);
    if which.len() > MANY {
        return which.chunks(tallest).map(<[usize]>::to_vec).collect();
    }
    let mut graph: DiGraph<usize, ()> = DiGraph::new();
    let mut node: Vec<Option<NodeIndex>> = vec![None; n];
    for &i in which {
        node[i] = Some(graph.add_node(i));
    }
    for &(from, to) in links {
        if let (Some(Some(a)), Some(Some(b))) = (node.get(from), node.get(to))
            && a != b
        {
            graph.update_edge(*a, *b, ());
        }
    }
    let back: Vec<_> = greedy_feedback_arc_set(&graph).map(|e| e.id()).collect();
    let back: std::collections::HashSet<_> = back.into_iter().collect();
    graph.retain_edges(|_, e| !back.contains(&e));
    let mut depth = vec![0_usize; graph.node_count()];
    for at in toposort(&graph, None).unwrap_or_default() {
        for next in graph.neighbors(at) {
            depth[next.index()] = depth[next.index()].max(depth[at.index()] + 1);
        }
    }
    let mut columns: Vec<Vec<usize>> = Vec::new();
    for at in graph.node_indices() {
        let d = depth[at.index()];
        columns.resize(columns.len().max(d + 1), Vec::new());
        columns[d].push(graph[at]);
    }
    columns.iter().flat_map(|c| c.chunks(tallest).map(<[usize]>::to_vec)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SIZE: (f64, f64) = (120.0, 60.0);

    fn free(rects: &[Rect]) -> bool {
        rects.iter().enumerate().all(|(i, a)| {
            rects[..i].iter().all(|b| a.x >= b.right() || b.x >= a.right() || a.y >= b.bottom() || b.y >= a.bottom())
        })
    }

    #[test]
    fn the_editors_positions_are_kept() {
        let rects = place(&[SIZE; 3], &[(100.0, 50.0), (300.0, 50.0), (100.0, 150.0)], &[], Overlaps::Apart);
        let at: Vec<_> = rects.iter().map(|r| (r.x, r.y)).collect();
        assert_eq!(at, [(150.0, 75.0), (450.0, 75.0), (150.0, 225.0)]);
        assert_eq!(room(&rects), Rect { x: 150.0, y: 75.0, w: 300.0 + SIZE.0, h: 150.0 + SIZE.1 });
    }

    #[test]
    fn boxes_without_a_position_stand_in_order_of_their_links() {
        let rects = place(&[SIZE; 3], &[(0.0, 0.0); 3], &[(2, 0), (0, 1), (1, 2)], Overlaps::Apart);
        assert!(free(&rects));
        let mut xs: Vec<_> = rects.iter().map(|r| r.x).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        assert_eq!(xs.len(), 3, "a circle is cut once: {rects:?}");
        let rects = place(&[SIZE; 2], &[(f64::NAN, 0.0), (1e300, 5.0)], &[(1, 0)], Overlaps::Apart);
        assert!(rects[1].x < rects[0].x);
    }

    #[test]
    fn a_box_on_another_is_moved_below_it() {
        let rects = place(&[SIZE; 3], &[(10.0, 10.0), (20.0, 12.0), (400.0, 10.0)], &[], Overlaps::Apart);
        assert!(free(&rects) && rects[1].y > rects[0].bottom());
        assert_eq!((rects[0].y, rects[2].y), (15.0, 15.0));
    }

    #[test]
    fn boxes_that_are_edited_stand_where_the_file_says() {
        let wanted = [(10.0, 10.0), (20.0, 12.0), (20.0, 12.0), (400.0, 10.0)];
        let rects = place(&[SIZE; 4], &wanted, &[], Overlaps::Stay);
        let at: Vec<_> = rects.iter().map(|r| (r.x / SCALE, r.y / SCALE)).collect();
        assert_eq!(at, wanted, "also on each other");
        let rects = place(&[SIZE; 3], &[(0.0, 0.0); 3], &[(0, 1)], Overlaps::Stay);
        assert!(free(&rects), "nobody has placed them: {rects:?}");
        let rects = place(&[SIZE; 2], &[(f64::NAN, 0.0), (5.0, 5.0)], &[], Overlaps::Stay);
        assert!(rects.iter().all(|r| r.x.is_finite() && r.y.is_finite()));
    }

    #[test]
    fn very_many_boxes_are_placed_soon() {
        let n = 50_000;
        let links: Vec<_> = (0..n).map(|i| (i, (i * 7 + 1) % n)).collect();
        assert_eq!(place(&vec![SIZE; n], &vec![(0.0, 0.0); n], &links, Overlaps::Apart).len(), n);
    }

    proptest! {
        #[test]
        fn boxes_never_cover_each_other(
            wanted in prop::collection::vec((any::<f64>(), any::<f64>()), 0..12),
            near in prop::collection::vec((0.0..500.0, 0.0..500.0), 0..24),
            links in prop::collection::vec((0..40_usize, 0..40_usize), 0..40),
        ) {
            let wanted = [wanted, near].concat();
            let sizes: Vec<_> = (0..wanted.len()).map(|i| (100.0 + i as f64, 60.0 + (i % 5) as f64 * 16.0)).collect();
            let rects = place(&sizes, &wanted, &links, Overlaps::Apart);
            prop_assert!(rects.iter().all(|r| r.x.is_finite() && r.y.is_finite()));
            prop_assert!(free(&rects), "{:?}", rects);
        }
    }
}
