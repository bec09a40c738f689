//! Where a result goes: to standard output, or whole into a file.

use crate::args::OutputArgs;
use crate::failure::Failure;
use boxstep_format::output::write_file;
use clap::ValueEnum;
use std::io::Write as _;
use std::path::Path;

/// Writes a result. A file that is there is kept unless `--force` says otherwise, and no file is ever
/// seen half written: it is written beside its place, then renamed.
pub(crate) fn write(to: &OutputArgs, text: &str) -> Result<(), Failure> {
    let Some(path) = to.file.as_deref().filter(|p| *p != Path::new("-")) else {
        let mut out = anstream::stdout().lock();
        out.write_all(text.as_bytes())?;
        return Ok(out.flush()?);
    };
    write_file(path, text.as_bytes(), to.force).map_err(|e| Failure::unwritten(path, &e))
}

/// `--format`, or what the file's ending says, or what people read.
pub(crate) fn format<F: ValueEnum + Copy>(
    asked: Option<F>,
    to: &OutputArgs,
    endings: &[(&str, F)],
    plain: F,
) -> Result<F, Failure> {
    let file = to.file.as_deref().filter(|p| *p != Path::new("-"));
    let (None, Some(path)) = (asked, file) else { return Ok(asked.unwrap_or(plain)) };
    let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    endings.iter().find(|(e, _)| *e == ending).map(|(_, format)| *format).ok_or_else(|| {
        let known = endings.iter().map(|(e, _)| format!(".{e}")).collect::<Vec<_>>().join(", ");
        Failure::Usage(format!(
            "the ending of {} does not say the format: use one of {known}, or --format",
            path.display()
        ))
    })
}
