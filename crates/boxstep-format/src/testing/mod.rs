//! Support for tests of this and other crates: a strategy for models, and a comparison of models. Requires the feature
//! `testing`.

mod generate;
pub mod laws;

pub use generate::{project, small_project};

use crate::model::{BoxDef, Project};
use crate::write::{Printer, print_plugin};
use boxstep_types::{Sources, Span};

/// Returns the model without its spans. Plugin content is only a span, so it is removed too: see [`plugin_contents`].
pub fn without_spans(project: &Project) -> Project {
    let mut project = project.clone();
    project.span = Span::default();
    project.resources.iter_mut().for_each(|r| r.span = Span::default());
    project.root.for_each_span(&mut |span| *span = Span::default());
    clear_plugins(&mut project.root);
    project
}

fn clear_plugins(def: &mut BoxDef) {
    def.plugin_content = None;
    let layers = def.timeline.iter_mut().flat_map(|timeline| &mut timeline.layers);
    let keyframes = layers.flat_map(|layer| &mut layer.keyframes);
    keyframes.flat_map(|keyframe| &mut keyframe.diagram.boxes).for_each(clear_plugins);
}

/// Returns the plugin contents of all boxes in file order, in canonical layout.
pub fn plugin_contents(project: &Project, sources: &Sources) -> Vec<Option<String>> {
    let laid_out = |span: Span| Printer::print(|p| print_plugin(p, sources.slice(span))).ok();
    let all = crate::paths::boxes(project);
    all.map(|at| at.def.plugin_content.and_then(laid_out)).collect()
}

/// Panics unless two models have equal content. Each comes with the texts that its spans refer to.
#[track_caller]
pub fn assert_same(left: (&Project, &Sources), right: (&Project, &Sources)) {
    let (a, b) = (without_spans(left.0), without_spans(right.0));
    if a != b {
        let (a, b) = (format!("{a:#?}"), format!("{b:#?}"));
        let at = a.lines().zip(b.lines()).take_while(|(a, b)| a == b).count();
        let near = |text: &str| text.lines().skip(at.saturating_sub(12)).take(16).collect::<Vec<_>>().join("\n");
        panic!("{}\n--- is not\n{}", near(&a), near(&b));
    }
    assert_eq!(plugin_contents(left.0, left.1), plugin_contents(right.0, right.1));
}
