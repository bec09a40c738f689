//! `boxstep examples`

use crate::failure::Failure;
use crate::{examples, exit, output};
use std::fs;
use std::io::Write as _;

/// Lists the examples, and where they are.
pub(crate) fn run() -> Result<i32, Failure> {
    let missing = || Failure::Usage("no examples are installed with this program".to_owned());
    let folder = examples::folder().ok_or_else(missing)?;
    let readme = folder.join("README.md");
    let readme = fs::read_to_string(&readme).map_err(|e| Failure::io(&readme, &e))?;
    let listed = examples::listed(&readme);
    let width = listed.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let mut out = output::stdout();
    for (name, shows) in &listed {
        writeln!(out, "{name:width$}  {shows}")?;
    }
    let example = listed.first().map_or("hello", |(name, _)| name);
    writeln!(
        out,
        "\nPlay one with `boxstep play {example}`. To change one, copy its folder from\n{}",
        folder.display()
    )?;
    out.flush()?;
    Ok(exit::OK)
}
