//! `boxstep why`

use crate::args::{WhyArgs, WhyFormat};
use crate::failure::{Failure, plain};
use crate::{exit, output};
use boxstep_record::why::{NoAnswer, stopped, why};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

const ENDINGS: &[(&str, WhyFormat)] = &[("txt", WhyFormat::Text), ("json", WhyFormat::Json)];

/// Says why a behavior runs or not, or why the last one stopped.
pub(crate) fn run(args: &WhyArgs) -> Result<i32, Failure> {
    let format = output::format(args.format, &args.output, ENDINGS, WhyFormat::Text)?;
    let path = args
        .recording()
        .ok_or_else(|| Failure::Usage("a recording is missing: one is written by boxstep play --trace".to_owned()))?;
    let name = args.name();
    let (text, json) = match &name {
        None if args.at.is_some() => {
            return Err(Failure::Usage(
                "--at is for a behavior of a character: name it before the recording".to_owned(),
            ));
        }
        None => {
            let answer = stopped(open(path)?, None).map_err(|none| no_answer(path, none))?;
            (answer.to_string(), answer.json())
        }
        Some(name) => match why(name, open(path)?, args.at) {
            Ok(answer) => (answer.to_string(), answer.json()),
            // Without a character a behavior has nobody who would give it control: it plays until it stops.
            Err(none @ NoAnswer::NoCharacter) => match stopped(open(path)?, Some(name)) {
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
    output::write(&args.output, &text)?;
    Ok(exit::OK)
}

fn open(path: &Path) -> Result<BufReader<File>, Failure> {
    Ok(BufReader::new(File::open(path).map_err(|e| Failure::io(path, &e))?))
}

fn no_answer(path: &Path, none: NoAnswer) -> Failure {
    match none {
        NoAnswer::Io(error) => Failure::File(path.to_owned(), plain(&error)),
        other => Failure::File(path.to_owned(), other.to_string()),
    }
}
