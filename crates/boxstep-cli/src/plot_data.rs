//! The note about curves that were made for another body and do not move this one.

use boxstep_bodies::Body;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Returns a note about curves without a joint, if there are any.
pub(crate) fn unnamed_note(unnamed: &BTreeSet<Arc<str>>, body: &Body) -> Option<String> {
    let names: Vec<&str> = unnamed.iter().map(|name| &**name).collect();
    let what = match &*names {
        [] => return None,
        [_] => "this curve does",
        _ => "these curves do",
    };
    Some(format!("the body {} names no joint for {}: {what} not move it", body.name, names.join(", ")))
}
