//! `boxstep show`

mod character;

pub(crate) use character::chart_of;

use crate::args::{ShowArgs, ShowFormat};
use crate::failure::Failure;
use crate::open::Chosen;
use crate::settings::Settings;
use crate::terminal::Reader;
use crate::topic_errors::tell_errors;
use crate::{body, boxes, exit, files, open, output};
use boxstep_api::play::fit_curves;
use boxstep_bodies::Body;
use boxstep_dialog::files as dialog_files;
use boxstep_draw::Level;
use boxstep_format::Limits;
use boxstep_format::project::ProjectContents;
use boxstep_types::BoxPath;
use std::fmt;
use std::path::Path;

/// Shows a behavior, one of its boxes, or a character.
pub(crate) fn run(args: &ShowArgs) -> Result<i32, Failure> {
    let format = output::format(args.format, &args.output, ENDINGS, ShowFormat::Tree)?;
    // The folder of a character may also have behaviors; `--behavior` selects them.
    if let Some(file) = crate::character::file_of(&args.file).filter(|_| args.behavior.is_none()) {
        return character::show(&file, args, format);
    }
    if args.stacks {
        return Err(Failure::Usage(format!("--stacks is for characters, and {} is not one", args.file.display())));
    }
    if format == ShowFormat::Tree && files::is_dialog(&args.file) {
        let topics = dialog_files::open_dialog(&args.file, None).map_err(|why| Failure::Usage(why.to_string()))?;
        tell_errors(topics.iter().map(|files| &files.topic))?;
        let trees: Vec<String> = topics.iter().map(|files| boxstep_draw::topic_tree(&files.topic)).collect();
        output::write(&args.output, &trees.join("\n"), format.reader())?;
        return Ok(exit::OK);
    }
    let opened = open::project_for(&args.file, args.behavior.as_deref())?;
    if opened.behaviors.is_empty() && matches!(format, ShowFormat::Tree | ShowFormat::Json) {
        let contents = opened.contents(&Limits::default());
        let text = match format {
            ShowFormat::Json => boxstep_draw::json_with(&opened.name, None, &contents),
            _ => format!("{}\n{}", opened.name, boxstep_draw::contents_tree(&contents)),
        };
        output::write(&args.output, &text, format.reader())?;
        return Ok(exit::OK);
    }
    // The other contents of a project are only shown for the whole project, as in `check`.
    let one = files::is_one(&args.file, &opened);
    let mut chosen = open::behavior_of(opened, &args.file, args.behavior.as_deref())?;
    let contents = |chosen: &Chosen| if one { ProjectContents::default() } else { chosen.contents() };
    let body = body_of(&chosen, &args.file, args.body.as_deref())?;
    fit_curves(&mut chosen.file.project, body);
    let project = &chosen.file.project;
    let level = level(&chosen, args.level.as_deref())?;
    let text = match format {
        ShowFormat::Tree if args.level.is_some() => boxstep_draw::tree_of(&level),
        ShowFormat::Tree => {
            let contents = boxstep_draw::contents_tree(&contents(&chosen));
            format!("{}\n{}{contents}", chosen.name, boxstep_draw::tree(project))
        }
        ShowFormat::Dot => boxstep_draw::dot(&level),
        ShowFormat::Mermaid => boxstep_draw::mermaid(&level),
        ShowFormat::Svg => boxstep_draw::svg(&level, body),
        ShowFormat::Html => boxstep_draw::page(&chosen.name, project, &level, body),
        ShowFormat::Json if args.level.is_some() => {
            return Err(Failure::Usage("--format json writes the whole behavior: leave --box out".to_owned()));
        }
        ShowFormat::Json => boxstep_draw::json_with(&chosen.name, Some(&chosen.file), &contents(&chosen)),
    };
    output::write(&args.output, &text, format.reader())?;
    Ok(exit::OK)
}

const ENDINGS: &[(&str, ShowFormat)] = &[
    ("txt", ShowFormat::Tree),
    ("dot", ShowFormat::Dot),
    ("gv", ShowFormat::Dot),
    ("mmd", ShowFormat::Mermaid),
    ("mermaid", ShowFormat::Mermaid),
    ("svg", ShowFormat::Svg),
    ("html", ShowFormat::Html),
    ("htm", ShowFormat::Html),
    ("json", ShowFormat::Json),
];

/// Returns the level that `--box` names, or the root.
pub(crate) fn level<'a>(chosen: &'a Chosen, path: Option<&str>) -> Result<Level<'a>, Failure> {
    let project = &chosen.file.project;
    match path {
        None => Ok(Level::root(project)),
        Some(path) => {
            let refused = |why: &dyn fmt::Display| Failure::Usage(format!("--box: {why}"));
            let path: BoxPath = path.parse().map_err(|e| refused(&e))?;
            let whole = boxes::whole_path(project, &path).map_err(|why| refused(&why))?;
            Level::find(project, &whole.to_string()).map_err(|e| refused(&e))
        }
    }
}

/// Returns the body of `--body`, else that of the project's settings, else the one that the files were made for.
pub(crate) fn body_of(chosen: &Chosen, path: &Path, asked: Option<&str>) -> Result<&'static Body, Failure> {
    let asked = asked.map(body::asked).transpose()?;
    Ok(body::choose(asked, &*Settings::for_path(path)?, chosen.robots(), &chosen.file.project)?.0)
}

impl ShowFormat {
    /// Returns the kind of reader of this format.
    fn reader(self) -> Reader {
        match self {
            ShowFormat::Tree => Reader::People,
            ShowFormat::Json => Reader::Json,
            ShowFormat::Dot | ShowFormat::Mermaid | ShowFormat::Svg | ShowFormat::Html => Reader::Program,
        }
    }
}
