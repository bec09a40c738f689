//! How a behavior of a file gets to an engine: its source with translated texts, the body that it was made for, the
//! other behaviors of its project, and the robot's resources. The command `boxstep` uses these functions, too.
//!
//! [`Simulation::open`](crate::Simulation::open) does all of this at once. The parts are for programs that need another
//! language, another body, or another robot:
//!
//! ```
//! use boxstep_api::engine::config::Config;
//! use boxstep_api::format::{self, Limits};
//! use boxstep_api::play::{ProjectLibrary, behavior_source, body_of_files};
//! use boxstep_api::services::SimOptions;
//! use boxstep_api::simulated_engine;
//!
//! let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/hello/behavior.xar");
//! let opened = format::open(path.as_ref(), &Limits::default())?;
//! let behavior = opened.default_behavior().ok_or("several behaviors")?;
//! let file = behavior.read(&Limits::default())?;
//! let (kind, why) = body_of_files(&[], &file.project);
//! assert_eq!((kind.body().name, &*why), ("nao", "the file was made for nao"));
//!
//! let (source, untranslated) = behavior_source(&opened, behavior, file, &[], "French", kind.body());
//! assert!(untranslated.is_none());
//! let robot = SimOptions { body: kind.body(), language: "French".into(), ..SimOptions::default() };
//! let library = ProjectLibrary::new(move || opened, "French".into(), kind.body());
//! let (mut engine, _recorded) = simulated_engine(Config::default(), robot, Box::new(library));
//! engine.play(source).map_err(|found| format!("{found:?}"))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod curves;
mod library;
mod source;

pub use boxstep_dynamics::{body_of_files, known_body};
pub use curves::fit_curves;
pub use library::{ProjectLibrary, installed, is_project, whole_project};
pub use source::{behavior_source, full_name, package_name};

use boxstep_bodies::ResourceKind;
use boxstep_engine::config::ResourceTree;

/// Returns the resources of the robots in the form that the engine takes.
pub fn resource_tree() -> ResourceTree {
    let all = boxstep_bodies::resources();
    let states = all.iter().filter(|r| r.kind == ResourceKind::State);
    ResourceTree {
        parents: all
            .iter()
            .filter(|r| r.kind != ResourceKind::State)
            .map(|r| (r.name.to_owned(), r.parent.map(str::to_owned)))
            .collect(),
        states: states.map(|r| r.name.to_owned()).collect(),
    }
}
