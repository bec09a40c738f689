//! `boxstep why`

use crate::args::{WhyArgs, WhyFormat};
use crate::failure::{Failure, plain};
use crate::{exit, output};
use boxstep_record::why::{NoAnswer, why};
use std::fs::File;
use std::io::BufReader;

const ENDINGS: &[(&str, WhyFormat)] = &[("txt", WhyFormat::Text), ("json", WhyFormat::Json)];

/// Says why a behavior runs or not.
pub(crate) fn run(args: &WhyArgs) -> Result<i32, Failure> {
    let format = output::format(args.format, &args.output, ENDINGS, WhyFormat::Text)?;
    let path = &args.recording;
    let file = File::open(path).map_err(|e| Failure::io(path, &e))?;
    let answer = why(&args.name, BufReader::new(file), args.at).map_err(|none| match none {
        NoAnswer::Io(error) => Failure::File(path.clone(), plain(&error)),
        other => Failure::File(path.clone(), other.to_string()),
    })?;
    let text = match format {
        WhyFormat::Text => answer.to_string(),
        WhyFormat::Json => format!("{:#}\n", answer.json()),
    };
    output::write(&args.output, &text)?;
    Ok(exit::OK)
}
