//! `boxstep convert tree.xml character.yaml`

use crate::args::ConvertArgs;
use crate::failure::Failure;
use crate::tree::{Tree, is_tree};
use crate::{exit, output};
use boxstep_format::output::write_file;
use std::fmt::Write as _;
use std::io::Write as _;

/// Writes the character made from a behavior tree, and reports what must be bound and what could not be converted.
pub(super) fn run(args: &ConvertArgs) -> Result<i32, Failure> {
    if !is_tree(&args.input) {
        let input = args.input.display();
        let why =
            format!("a character is made from a behavior tree of BehaviorTree.CPP (.xml), and {input} is not one");
        return Err(Failure::Usage(why));
    }
    if args.output.is_dir() || args.output.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]) {
        let output = args.output.display();
        return Err(Failure::Usage(format!("{output} names a folder, and a character is a file: NAME.yaml")));
    }
    let tree = Tree::read(&args.input, args.behavior.as_deref())?;
    let written = write_file(&args.output, tree.character.as_bytes(), args.force);
    written.map_err(|e| Failure::unwritten(&args.output, &e))?;
    let mut err = crate::terminal::stderr();
    // A closed standard error is ignored.
    let _ = write!(err, "{}", tree.rendered(true));
    drop(err);
    let mut said = format!("wrote {}", args.output.display());
    let (open, lost) = (tree.slots(), tree.lost());
    if open > 0 {
        let _ = write!(said, "; leaves and conditions to be bound: {open}");
    }
    if lost > 0 {
        let _ = write!(said, "; not carried over: {lost}");
    }
    writeln!(output::stdout(), "{said}")?;
    Ok(exit::OK)
}
