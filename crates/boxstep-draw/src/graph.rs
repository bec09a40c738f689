//! A behavior as nodes, clusters and edges, for the writers of graph languages.

use crate::level::{Level, has_inside};
use crate::scene::{Icon, kind};
use crate::text::one_line;
use boxstep_format::model::{BoxDef, Diagram};
use boxstep_format::paths;
use boxstep_format::resolve::{End, PortRef, resolve};
use std::collections::BTreeSet;

/// A box with contents, or one keyframe of its timeline.
pub(crate) struct Cluster {
    pub(crate) id: String,
    pub(crate) label: String,
    /// The ports that links use: id, name, and whether signals go in there.
    pub(crate) ports: Vec<(String, String, bool)>,
    pub(crate) items: Vec<LayoutItem>,
    pub(crate) edges: Vec<LayoutEdge>,
}

pub(crate) enum LayoutItem {
    Node { id: String, label: String, kind: Icon },
    Cluster(Cluster),
}

pub(crate) struct LayoutEdge {
    pub(crate) from: String,
    pub(crate) to: String,
    /// The names of ports that have no node of their own.
    pub(crate) label: String,
}

/// Returns the graph of everything inside a level. Broken links are left out.
pub(crate) fn graph(level: &Level<'_>) -> Cluster {
    let mut maker = Maker { count: 0 };
    match maker.item(level.at.def, &BTreeSet::new(), level.keyframe) {
        LayoutItem::Cluster(cluster) => cluster,
        node @ LayoutItem::Node { .. } => Cluster {
            id: "top".to_owned(),
            label: one_line(&level.at.def.name),
            ports: Vec::new(),
            items: vec![node],
            edges: Vec::new(),
        },
    }
}

struct Maker {
    count: usize,
}

impl Maker {
    fn id(&mut self, kind: char) -> String {
        self.count += 1;
        format!("{kind}{}", self.count)
    }

    /// Returns the node or cluster of a box. `outside` are the ports that links in the parent's diagram use; `only`
    /// selects one keyframe.
    fn item(&mut self, def: &BoxDef, outside: &BTreeSet<PortKey>, only: Option<(usize, usize)>) -> LayoutItem {
        let id = self.id('b');
        if !has_inside(def) {
            return LayoutItem::Node { id, label: one_line(&def.name), kind: kind(def) };
        }
        let Some(timeline) = &def.timeline else {
            return LayoutItem::Node { id, label: one_line(&def.name), kind: kind(def) };
        };
        let several = !paths::keyframe_segments(timeline).is_empty();
        let mut used = outside.clone();
        let mut inner = Vec::new();
        for (l, layer) in timeline.layers.iter().enumerate() {
            for (k, keyframe) in layer.keyframes.iter().enumerate() {
                if only.is_some_and(|o| o != (l, k)) {
                    continue;
                }
                let label = format!("{}: {} ({})", layer.name, keyframe.name, keyframe.index);
                let (items, edges) = self.diagram(def, &keyframe.diagram, &id, &mut used);
                inner.push((one_line(&label), items, edges));
            }
        }
        let ports = ports(def, &id, &used);
        let mut cluster = Cluster { id, label: one_line(&def.name), ports, items: Vec::new(), edges: Vec::new() };
        for (label, items, edges) in inner {
            if several {
                let id = self.id('k');
                // Edges to the ports of the box cross the keyframe's border, so they belong to the cluster of the box.
                cluster.edges.extend(edges);
                let part = Cluster { id, label, ports: Vec::new(), items, edges: Vec::new() };
                cluster.items.push(LayoutItem::Cluster(part));
            } else {
                cluster.items.extend(items);
                cluster.edges.extend(edges);
            }
        }
        LayoutItem::Cluster(cluster)
    }

    fn diagram(
        &mut self,
        owner: &BoxDef,
        diagram: &Diagram,
        owner_id: &str,
        used: &mut BTreeSet<PortKey>,
    ) -> (Vec<LayoutItem>, Vec<LayoutEdge>) {
        let routes: Vec<_> = resolve(owner, diagram).into_iter().flatten().collect();
        let mut of_box: Vec<BTreeSet<PortKey>> = vec![BTreeSet::new(); diagram.boxes.len()];
        for end in routes.iter().flat_map(|r| [r.from, r.to]) {
            match end {
                End::Parent(port) => {
                    used.insert(port_key(port));
                }
                End::Box(i, port) => {
                    if let Some(set) = of_box.get_mut(i) {
                        set.insert(port_key(port));
                    }
                }
            }
        }
        let items: Vec<LayoutItem> =
            diagram.boxes.iter().zip(&of_box).map(|(b, used)| self.item(b, used, None)).collect();
        let place = |end: End| match end {
            End::Parent(port) => Some((port_id(owner_id, port), None)),
            End::Box(i, port) => match items.get(i)? {
                LayoutItem::Cluster(c) => Some((port_id(&c.id, port), None)),
                LayoutItem::Node { id, .. } => {
                    let name = diagram.boxes.get(i).map(|b| one_line(port.describe(b).1));
                    Some((id.clone(), name))
                }
            },
        };
        let edge = |from: End, to: End| {
            let ((from, out), (to, into)) = (place(from)?, place(to)?);
            let label = match (out, into) {
                (Some(out), Some(into)) => format!("{out} → {into}"),
                (Some(one), None) | (None, Some(one)) => one,
                (None, None) => String::new(),
            };
            Some(LayoutEdge { from, to, label })
        };
        let edges = routes.iter().filter_map(|r| edge(r.from, r.to)).collect();
        (items, edges)
    }
}

type PortKey = (u8, usize);

fn port_key(port: PortRef) -> PortKey {
    match port {
        PortRef::Input(i) => (0, i),
        PortRef::Output(i) => (1, i),
        PortRef::Parameter(i) => (2, i),
    }
}

fn port_id(owner: &str, port: PortRef) -> String {
    let (kind, i) = port_key(port);
    format!("{owner}_{}{i}", ["in", "out", "set"][usize::from(kind)])
}

fn ports(def: &BoxDef, id: &str, used: &BTreeSet<PortKey>) -> Vec<(String, String, bool)> {
    let port = |key: &PortKey| {
        let port = match *key {
            (0, i) => PortRef::Input(i),
            (1, i) => PortRef::Output(i),
            (_, i) => PortRef::Parameter(i),
        };
        (port_id(id, port), one_line(port.describe(def).1), key.0 != 1)
    };
    used.iter().map(port).collect()
}
