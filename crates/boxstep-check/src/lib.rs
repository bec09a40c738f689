//! Static checks of behaviors ([`check()`]), and the display of diagnostics to users ([`render()`]) and to programs
//! ([`to_json`], [`sarif()`]).
//!
//! No part of a behavior is run. A Python interpreter of the user parses the scripts ([`Scripts`]), but does not run
//! them.
//!
//! ```
//! use boxstep_check::{Context, check, render};
//! use boxstep_format::{Limits, read_xar};
//!
//! // The link leads to a box that is not there.
//! let xar = br#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1">
//! <Output name="onStopped" type="1" type_size="1" nature="1" inner="0" id="1"/>
//! <Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>
//! <Link inputowner="7" indexofinput="2" outputowner="0" indexofoutput="2"/>
//! </Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box></ChoregrapheProject>"#;
//! let file = read_xar("behavior.xar", xar, &Limits::default())?;
//! let found = check(&file, &Context::default());
//! let text = render(&found.behavior[0], &file.sources, false);
//! assert!(text.contains("behavior.xar:4"), "{text}");
//! # Ok::<(), boxstep_format::FormatError>(())
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod baseline;
pub mod codes;
pub mod config;
mod explain;
mod findings;
mod report;
mod scripts;

pub use boxstep_dialog::codes::CODES as DIALOG_CODES;
pub use codes::CODES;
pub use explain::{explain, pages};
pub use findings::dialog_boxes::dialogs_of;
pub use findings::dialogs::{CheckedDialog, dialog_file};
pub use findings::projects::{Found, listed_dialogs, project, project_of_behavior};
pub use findings::topics::{TopicCheck, topic_file};
pub use findings::{Context, Findings, check};
pub use report::{Reported, render, render_in, sarif, to_json};
pub use scripts::{
    Import, Python, Remnant, Rewriter, Rewritten, Scripts, Source, Use, Uses, lines, query_python, scripts_of,
};
