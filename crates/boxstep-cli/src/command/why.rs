//! `boxstep why`

use crate::args::{WhyArgs, WhyFormat};
use crate::command::fleet::{merged, recorded};
use crate::failure::{Failure, system_message};
use crate::terminal::Reader;
use crate::{exit, flight, output};
use boxstep_engine::trace::{ReadError, Recording};
use boxstep_record::OpenError;
use boxstep_record::why::{NoAnswer, across, stopped, why};
use std::path::Path;

const ENDINGS: &[(&str, WhyFormat)] = &[("txt", WhyFormat::Text), ("json", WhyFormat::Json)];

/// Explains why a behavior runs or not, or why the last one stopped.
pub(crate) fn run(args: &WhyArgs) -> Result<i32, Failure> {
    let format = output::format(args.format, &args.output, ENDINGS, WhyFormat::Text)?;
    let path = args.recording().map_or_else(flight::last, |path| Ok(path.to_owned()))?;
    let path = merged::recording(&path);
    let path = path.as_path();
    let name = args.name();
    if name.is_none() && args.at.is_some() && !recorded::is_whole(path) {
        let what = "--at is for a behavior of a character: name it before the recording";
        return Err(Failure::Usage(what.to_owned()));
    }
    let recording = read(path)?;
    let is_show = recording.header.as_ref().is_some_and(|header| header.show.is_some());
    let (text, json) = match &name {
        name if is_show => {
            let answer = across(&recording, name.as_deref(), args.at).map_err(|none| no_answer(path, none))?;
            (answer.to_string(), answer.json())
        }
        None => {
            let answer = stopped(&recording, None).map_err(|none| no_answer(path, none))?;
            (answer.to_string(), answer.json())
        }
        Some(name) => match why(name, &recording, args.at) {
            Ok(answer) => (answer.to_string(), answer.json()),
            // Outside a character a behavior gets control from nobody: it plays until it stops.
            Err(none @ NoAnswer::NoCharacter) => match stopped(&recording, Some(name)) {
                Ok(answer) if args.at.is_none() => (answer.to_string(), answer.json()),
                _ => return Err(no_answer(path, none)),
            },
            Err(none) => return Err(no_answer(path, none)),
        },
    };
    let text = match format {
        WhyFormat::Text => text,
        WhyFormat::Json => format!("{json:#}\n"),
    };
    output::write(&args.output, &text, Reader::json_if(format == WhyFormat::Json))?;
    Ok(exit::OK)
}

fn read(path: &Path) -> Result<Recording, Failure> {
    let lines = boxstep_record::open(path).map_err(|error| match error {
        OpenError::Io(error) => Failure::io(path, &error),
        other => Failure::File(path.to_owned(), other.to_string()),
    })?;
    Recording::read(lines).map_err(|error| match error {
        ReadError::Io(error) => Failure::File(path.to_owned(), system_message(&error)),
        other => Failure::File(path.to_owned(), other.to_string()),
    })
}

fn no_answer(path: &Path, none: NoAnswer) -> Failure {
    Failure::File(path.to_owned(), none.to_string())
}
