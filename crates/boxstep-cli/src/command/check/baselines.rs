//! Reads, compares and writes files of known findings.

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::open::rendered;
use crate::settings::Settings;
use boxstep_check::baseline::{Baseline, key};
use boxstep_types::{Diagnostic, Severity, Sources};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The baselines of one `check`.
pub(super) struct Baselines {
    /// The file of `--baseline`.
    asked: Option<PathBuf>,
    /// `--write-baseline` is set.
    write: bool,
    files: BTreeMap<PathBuf, Baseline>,
    old: usize,
}

/// What happened with known findings.
pub(super) enum Old {
    /// So many findings were in a baseline and were not reported.
    Silent(usize),
    /// The baselines were written: their files, and the number of findings.
    Written(Vec<PathBuf>, usize),
}

impl Baselines {
    pub(super) fn new(args: &CheckArgs) -> Result<Self, Failure> {
        let asked = match &args.baseline {
            Some(path) => Some(std::path::absolute(path).map_err(|e| Failure::io(path, &e))?),
            None => None,
        };
        Ok(Self { asked, write: args.write_baseline, files: BTreeMap::new(), old: 0 })
    }

    /// Returns whether a finding is in the baseline, or adds it if the baseline is to be written. Notes are never in a
    /// baseline, because they fail nothing.
    pub(super) fn knows(&mut self, settings: &Settings, finding: &Diagnostic, file: &Path) -> Result<bool, Failure> {
        let Some(path) = self.path(settings) else {
            if self.write {
                let why = "--write-baseline: name the file with --baseline, or as `baseline` in boxstep.toml";
                return Err(Failure::Usage(why.to_owned()));
            }
            return Ok(false);
        };
        if finding.severity == Severity::Note {
            return Ok(false);
        }
        let key = key(finding, &relative(file, &path));
        let write = self.write;
        let baseline = self.open(path)?;
        let known = if write {
            baseline.add(key);
            true
        } else {
            baseline.take(&key)
        };
        self.old += usize::from(known);
        Ok(known)
    }

    fn path(&self, settings: &Settings) -> Option<PathBuf> {
        let own = || Some(settings.folder.as_ref()?.join(settings.config.baseline.as_ref()?));
        self.asked.clone().or_else(own)
    }

    fn open(&mut self, path: PathBuf) -> Result<&mut Baseline, Failure> {
        if !self.files.contains_key(&path) {
            let baseline = if self.write { Baseline::new() } else { read(&path)? };
            self.files.insert(path.clone(), baseline);
        }
        Ok(self.files.entry(path).or_default())
    }

    /// Writes the baselines if `--write-baseline` is set.
    pub(super) fn finish(self) -> Result<Old, Failure> {
        if !self.write {
            return Ok(Old::Silent(self.old));
        }
        // A check without findings writes an empty baseline to the file of `--baseline`.
        let mut files = self.files;
        if let Some(asked) = self.asked {
            files.entry(asked).or_default();
        }
        for (path, baseline) in &files {
            write(path, &baseline.to_text()).map_err(|e| Failure::io(path, &e))?;
        }
        Ok(Old::Written(files.into_keys().collect(), self.old))
    }
}

fn read(path: &Path) -> Result<Baseline, Failure> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        // The first `--write-baseline` creates the file.
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Baseline::new()),
        Err(e) => return Err(Failure::io(path, &e)),
    };
    let wrong = |finding: Box<Diagnostic>| Failure::Rendered(rendered(&[*finding], &Sources::new()));
    Baseline::read(&path.to_string_lossy(), &text).map_err(wrong)
}

/// Writes a temporary file and renames it, so that the baseline is never incomplete.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    let beside = PathBuf::from(beside);
    let done = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, path));
    if done.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    done
}

/// Returns the path of a file relative to the baseline's folder, with `/`.
fn relative(file: &Path, baseline: &Path) -> String {
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let folder = baseline.parent().map(|p| p.canonicalize().unwrap_or_else(|_| p.to_owned())).unwrap_or_default();
    file.strip_prefix(&folder).unwrap_or(&file).to_string_lossy().replace('\\', "/")
}
