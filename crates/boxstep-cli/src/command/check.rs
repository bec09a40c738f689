//! `boxstep check`

mod baselines;
mod characters;
pub(crate) mod files;
pub(crate) mod interpreter;
mod report;
mod statistics;

use crate::args::{CheckArgs, CheckFormat};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::terminal::Reader;
use crate::{Program, body, exit, output, plot_data};
use baselines::Baselines;
use boxstep_api::play::{fit_curves, known_body};
use boxstep_bodies::Body;
use boxstep_check::config::Rules;
use boxstep_check::{Context, Findings, Found, Scripts};
use boxstep_types::{Diagnostic, Sources, Span};
use files::{Checked, Gathered};
use report::Report;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Checks all files, even if some cannot be read.
pub(crate) fn run(args: &CheckArgs, program: &Program) -> Result<i32, Failure> {
    if !args.explain.is_empty() {
        return explain(&args.explain);
    }
    let rules = Rules { denied: args.deny.clone(), allowed: args.allow.clone() };
    if let Some(mistake) = rules.mistake() {
        return Err(Failure::Usage(format!("--deny, --allow: {mistake}")));
    }
    if args.statistics && args.format == CheckFormat::Sarif {
        let why = "a SARIF log has the findings themselves: with --statistics, --format is text or json";
        return Err(Failure::Usage(why.to_owned()));
    }
    let asked = args.body.as_deref().map(body::asked).transpose()?;
    let progress = Progress::growing(args.recursive);
    let mut gathered = files::gather(&args.files, args.recursive, &progress)?;
    let mut baselines = Baselines::new(args)?;
    // One process per interpreter; there is nearly always only one.
    let mut read: BTreeMap<By, Scripts> = BTreeMap::new();
    for checked in gathered.behaviors.iter().chain(&gathered.played) {
        read.entry(by(checked, args, program)).or_default().add(&checked.file);
    }
    progress.doing("the scripts");
    for ((python, dialect), scripts) in &mut read {
        scripts.read(python, &interpreter::ScriptReader { dialect: *dialect });
    }

    progress.more(gathered.behaviors.len());
    let mut report = Report::new(output::stdout_for(Reader::json_if(args.format != CheckFormat::Text)), args);
    report.topics = gathered.topics;
    // The finding belongs to no file, but code hosts refuse a SARIF result without one.
    let somewhere = gathered.behaviors.first().filter(|_| args.format == CheckFormat::Sarif);
    let somewhere = somewhere.map_or("", |b| b.behavior.shown.as_str()).to_owned();
    for scripts in read.values() {
        if let Some(finding) = scripts.not_checked() {
            let finding = rules.judge(&Rules::default(), finding);
            progress.aside(|| finding.into_iter().try_for_each(|f| report.write(f, &Sources::new(), &somewhere)))?;
        }
    }
    progress.aside(|| report_projects(&mut gathered, &rules, &mut baselines, &mut report))?;
    let offers = offers(gathered.behaviors.iter().chain(&gathered.played), &read, args, program);
    let check = CheckContext { asked, read: &read, offers: &offers, rules: &rules, args, program };
    let mut dialogs = gathered.dialogs.clone();
    for checked in &gathered.behaviors {
        report.behaviors += 1;
        progress.file(Path::new(&checked.behavior.shown));
        let known_as = checked.known_as();
        let found = check.findings(checked, &dialogs)?;
        for finding in found.behavior {
            if !baselines.knows(&checked.settings, &finding, &known_as)? {
                progress.aside(|| report.add(finding, &checked.file.sources, &checked.behavior.shown))?;
            }
        }
        for Found { finding, sources, file } in found.dialogs {
            if !baselines.knows(&checked.settings, &finding, &known_as)? {
                progress.aside(|| report.add(finding, &sources, &file))?;
            }
        }
        // Other behaviors may share the dialogs.
        dialogs.extend(boxstep_check::dialogs_of(&checked.file, &checked.behavior.folder));
        progress.done();
    }
    drop(progress);
    for checked in &gathered.characters {
        report.characters += 1;
        let (findings, sources) = characters::findings(checked, &gathered.played, &check)?;
        for finding in findings {
            if !baselines.knows(&checked.settings, &finding, &checked.path)? {
                report.add(finding, &sources, &checked.shown)?;
            }
        }
    }
    let old = baselines.finish()?;
    Ok(report.finish(old)?)
}

/// The inputs that the checks of all files share.
struct CheckContext<'a> {
    /// The body of `--body`.
    asked: Option<&'static Body>,
    read: &'a BTreeMap<By, Scripts>,
    offers: &'a BTreeMap<PathBuf, Vec<String>>,
    rules: &'a Rules,
    args: &'a CheckArgs,
    program: &'a Program,
}

impl CheckContext<'_> {
    /// Returns the findings of a behavior that the rules let through, in the order of its file. `dialogs` are reported
    /// elsewhere.
    fn findings(&self, checked: &Checked, dialogs: &[PathBuf]) -> Result<Findings, Failure> {
        let config = &checked.settings.config;
        let named = match self.asked {
            Some(body) => Some(body),
            None => body::of_settings(&checked.settings)?,
        };
        let made_for = || known_body(checked.robots(), &checked.file.project).map(|(kind, _)| kind.body());
        let body = named.or_else(made_for);
        let mut file = checked.file.clone();
        let unnamed = body.map_or_else(Default::default, |body| fit_curves(&mut file.project, body));
        let scripts = self.read.get(&by(checked, self.args, self.program));
        let context = Context {
            folder: Some(&checked.behavior.folder),
            body,
            body_asked: named.is_some(),
            scripts: scripts.filter(|s| s.not_checked().is_none()),
            dialogs,
            services: self.offers.get(&checked.project).map_or(&[], Vec::as_slice),
        };
        let mut found = boxstep_check::check(&file, &context);
        let mut findings = checked.file.findings.clone();
        findings.append(&mut found.behavior);
        if let Some(note) = body.and_then(|body| plot_data::unnamed_note(&unnamed, body)) {
            let at = Span { file: checked.file.file, start: 0, end: 0 };
            findings.push(Diagnostic::note(boxstep_check::codes::UNKNOWN_JOINT, note).at(at));
        }
        findings.sort_by_key(|d| d.span.map(|s| s.start));
        let judge = |finding| self.rules.judge(&config.rules, finding);
        let of_dialogs = found.dialogs.into_iter();
        Ok(Findings {
            behavior: findings.into_iter().filter_map(judge).collect(),
            dialogs: of_dialogs.filter_map(|f| Some(Found { finding: judge(f.finding)?, ..f })).collect(),
        })
    }
}

/// The interpreter that parses scripts, and the Python version of scripts that do not name one.
type By = (boxstep_check::Python, u8);

fn by(checked: &Checked, args: &CheckArgs, program: &Program) -> By {
    let config = &checked.settings.config;
    (interpreter::choose(args.python.as_deref(), config.python.as_deref(), program), config.dialect)
}

/// Reports what was found while projects were opened.
fn report_projects<W: std::io::Write>(
    gathered: &mut Gathered,
    rules: &Rules,
    baselines: &mut Baselines,
    report: &mut Report<W>,
) -> Result<(), Failure> {
    for (finding, sources, name) in gathered.unreadable.drain(..) {
        report.unreadable += 1;
        report.write(finding, &sources, &name)?;
    }
    for (found, path, settings) in gathered.findings.drain(..) {
        if let Some(finding) = rules.judge(&settings.config.rules, found.finding)
            && !baselines.knows(&settings, &finding, &path)?
        {
            report.add(finding, &found.sources, &found.file)?;
        }
    }
    Ok(())
}

/// Returns the services that each project brings, from its manifest and from its scripts.
fn offers<'a>(
    behaviors: impl Iterator<Item = &'a Checked>,
    read: &BTreeMap<By, Scripts>,
    args: &CheckArgs,
    program: &Program,
) -> BTreeMap<PathBuf, Vec<String>> {
    let mut offers: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for checked in behaviors {
        let of_project = offers.entry(checked.project.clone()).or_insert_with(|| checked.services());
        of_project.extend(read.get(&by(checked, args, program)).map(|s| s.offers(&checked.file)).unwrap_or_default());
    }
    offers
}

fn explain(codes: &[String]) -> Result<i32, Failure> {
    let mut out = output::stdout();
    for (i, code) in codes.iter().enumerate() {
        let page = boxstep_check::explain(code);
        let page = page.ok_or_else(|| Failure::Usage(format!("there is no code `{code}`")))?;
        write!(out, "{}{}", if i > 0 { "\n" } else { "" }, page)?;
    }
    out.flush()?;
    Ok(exit::OK)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    #[test]
    fn every_code_has_a_page_and_every_page_a_code() {
        let format = boxstep_format::CODES
            .iter()
            .chain(boxstep_check::CODES)
            .chain(boxstep_check::DIALOG_CODES)
            .map(|(code, _)| *code);
        let others = boxstep_motion::CODES
            .iter()
            .chain(boxstep_bodies::own::CODES)
            .chain(boxstep_engine::CODES)
            .chain(boxstep_test::CODES)
            .copied();
        let characters = boxstep_runner::CODES.iter().map(|(code, _)| *code);
        let shows = boxstep_fleet::show_file::CODES.iter().map(|(code, _)| *code);
        let codes: Vec<_> = format.chain(others).chain(characters).chain(shows).collect();
        let by_number: BTreeMap<u16, &str> = codes.iter().map(|c| (c.number, c.name)).collect();
        assert_eq!(by_number.len(), codes.len(), "a number is there twice");
        for (number, name) in &by_number {
            let page = boxstep_check::explain(&format!("BS{number:04}"));
            let page = page.unwrap_or_else(|| panic!("docs/reference/codes/BS{number:04}.md is not there ({name})"));
            assert!(page.starts_with(&format!("# BS{number:04} {name}\n\n")), "{number}: its first line");
            for part in ["Why it matters on a robot", "Example", "How to fix it"] {
                assert!(page.contains(&format!("\n## {part}\n\n")), "{number} does not say: {part}");
            }
            assert_eq!(boxstep_check::explain(name), Some(page));
        }
        for (number, _) in boxstep_check::pages() {
            assert!(by_number.contains_key(number), "docs/reference/codes/BS{number:04}.md is of no code");
        }
    }
}
