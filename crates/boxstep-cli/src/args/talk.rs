//! The arguments of `boxstep talk`.

use clap::Args;
use std::path::PathBuf;

pub(super) const TALK_EXAMPLES: &str = "\
Examples:
  boxstep talk greet.top
  boxstep talk app.pml --language French
  echo hello | boxstep talk greet.top --trace

A line is what you say. Lines that begin with / are commands:
  /event FrontTactilTouched=1   raise an event
  /wait 10                      let 10 seconds pass
  /focus TOPIC                  give a topic the focus
  /next                         ask for the next proposal
  /quit                         end

Exit codes: 0 at the end of the input; 2 bad usage or file.";

#[derive(Debug, Args)]
pub(crate) struct TalkArgs {
    /// A topic (.top), a dialog (.dlg), or a project with dialogs
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The language to talk in, e.g. French [default: English if a topic has it, else that of the first topic]
    #[arg(long)]
    pub(crate) language: Option<String>,
    /// Seed of what is random
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Show focus, open sub-rules, variables, and the rules that came near
    #[arg(long)]
    pub(crate) trace: bool,
}
