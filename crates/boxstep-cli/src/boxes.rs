//! The boxes and their members that arguments name, and what the user may have meant by names that do not exist.

use boxstep_format::model::{BoxDef, Project};
use boxstep_format::paths::{self, FindError};
use boxstep_test::Given;
use boxstep_types::{BoxPath, meant, nearest};

/// Returns the whole path of the box that `--box` names: `Wave` is enough if only one box is called so.
///
/// # Errors
/// A sentence why there is no such box, or which boxes may be meant.
pub(crate) fn whole_path(project: &Project, path: &BoxPath) -> Result<BoxPath, String> {
    match paths::find_by_end(project, path) {
        // The path may end in a keyframe, which is not part of a box's own path.
        Ok(_) if paths::find(project, path).is_ok() => Ok(path.clone()),
        Ok(at) => Ok(at.path),
        Err(error) => Err(not_found(project, path, &error)),
    }
}

/// Says that there is no such box, and which one may be meant.
fn not_found(project: &Project, path: &BoxPath, error: &FindError) -> String {
    match (error, similar(project, path)) {
        (FindError::Ambiguous(_), _) => error.to_string(),
        (FindError::NotFound { parent: Some(_), known, .. }, _) if known.is_empty() => error.to_string(),
        (FindError::NotFound { parent: None, .. }, Some(help)) => format!("there is no box `{path}`; {help}"),
        (FindError::NotFound { parent: None, .. }, None) => {
            let root = &project.root.name;
            format!("there is no box `{path}`: the path of a box begins with `{root}`, and `boxstep show` lists them")
        }
        (_, Some(help)) => format!("{error}; {help}"),
        (_, None) => error.to_string(),
    }
}

/// Returns ``did you mean `…`?`` for a path that looks like that of a box, or whose last name looks like that of a box.
fn similar(project: &Project, path: &BoxPath) -> Option<String> {
    let boxes: Vec<BoxPath> = paths::boxes(project).map(|at| at.path).collect();
    let named: Vec<String> = boxes.iter().map(ToString::to_string).collect();
    let by_name = || {
        let named = |name: &str| boxes.iter().find(|at| at.name() == name);
        let other = || named(nearest(path.name(), boxes.iter().map(BoxPath::name))?);
        let at = named(path.name()).or_else(other)?;
        Some(format!("did you mean `{at}`?"))
    };
    meant(&path.to_string(), named.iter().map(String::as_str)).or_else(by_name)
}

/// Returns what the user may have meant by the first box, parameter or input of `given` that the behavior does not have.
pub(crate) fn meant_by(project: &Project, given: &Given) -> Option<String> {
    let set = given.set.keys().map(|key| (&key.get_ref().path, key.get_ref().name.as_str(), false));
    let stimulate = given.stimulate.iter().map(|one| (&one.get_ref().path.0, one.get_ref().input.as_str(), true));
    set.chain(stimulate).find_map(|(path, name, is_input)| match paths::find(project, path) {
        Ok(at) => member(at.def, name, is_input),
        Err(_) => similar(project, path),
    })
}

fn member(of: &BoxDef, name: &str, is_input: bool) -> Option<String> {
    let names: Vec<&str> = match is_input {
        true => of.inputs.iter().map(|input| &*input.name).collect(),
        false => of.parameters.iter().map(|parameter| &*parameter.name).collect(),
    };
    if names.contains(&name) {
        return None;
    }
    let list = || if names.is_empty() { "it has none".to_owned() } else { format!("it has {}", names.join(", ")) };
    Some(meant(name, names.iter().copied()).unwrap_or_else(list))
}
