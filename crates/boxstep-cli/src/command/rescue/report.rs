//! What a rescue was like, without anything private: numbers, versions, kinds of errors.

use super::Rescue;
use crate::failure::Failure;
use crate::{exit, output};
use boxstep_bodies::BodyKind;
use boxstep_rescue::manifest::{self, State};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

/// Prints the report of the rescue in a folder.
pub(super) fn print(folder: &Path) -> Result<i32, Failure> {
    let file = folder.join(super::FILE);
    let text = std::fs::read(&file).map_err(|e| Failure::io(&file, &e))?;
    let rescue: Rescue = serde_json::from_slice(&text).map_err(|e| Failure::File(file, e.to_string()))?;
    let list = folder.join(manifest::FILE);
    let items = manifest::of_folder(folder).map_err(|e| Failure::io(&list, &e))?;
    let mut out = output::stdout();
    writeln!(out, "{:#}", report(&rescue, &items, &facts(folder)))?;
    out.flush()?;
    Ok(exit::OK)
}

/// Returns the robot's version and kind, if it said them: a version has digits and dots, a kind is one of those that are known.
pub(crate) fn facts(folder: &Path) -> BTreeMap<&'static str, String> {
    let text = std::fs::read(folder.join("robot/robot.json")).unwrap_or_default();
    let said: Json = serde_json::from_slice(&text).unwrap_or_default();
    let text = |key: &str| said.get(key).and_then(Json::as_str).map(str::to_owned);
    let mut facts = BTreeMap::new();
    let version =
        text("ALSystem.systemVersion").filter(|v| v.len() < 30 && v.chars().all(|c| c.is_ascii_digit() || c == '.'));
    facts.extend(version.map(|version| ("naoqi", version)));
    facts.extend(kind(&said).map(|kind| ("robot", kind)));
    for (name, fact) in [("Head Version", "head"), ("Body Version", "body")] {
        // `VERSION_40` or `V4`: what follows letters is a number, and not that of one robot.
        let version = config(&said, name).filter(|text| {
            text.len() <= 12
                && text.starts_with('V')
                && text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_' || c == '.')
        });
        facts.extend(version.map(|version| (fact, version)));
    }
    facts
}

/// Returns the kind of the robot: its model, if that is one that is known, or what its type stands for.
fn kind(said: &Json) -> Option<String> {
    let model = config(said, "Model Type").and_then(|model| BodyKind::from_name(&model)).map(|kind| kind.to_string());
    model.or_else(|| {
        let told = said.get("ALRobotModel.getRobotType")?;
        // As numbered in `AL::RobotType`, or in words.
        let kind = match told.as_i64() {
            Some(0) => "nao",
            Some(1) => "romeo",
            Some(2) => "pepper",
            _ => match told.as_str()? {
                "Nao" => "nao",
                "Romeo" => "romeo",
                "Juliette" | "Pepper" => "pepper",
                _ => return None,
            },
        };
        Some(kind.to_owned())
    })
}

/// Returns a value of `ALMotion.getRobotConfig`: a list of names, and one of values.
fn config(said: &Json, name: &str) -> Option<String> {
    let lists = said.get("ALMotion.getRobotConfig")?.as_array()?;
    let at = lists.first()?.as_array()?.iter().position(|known| known.as_str() == Some(name))?;
    Some(lists.get(1)?.as_array()?.get(at)?.as_str()?.to_owned())
}

fn report(rescue: &Rescue, items: &BTreeMap<String, State>, facts: &BTreeMap<&'static str, String>) -> Json {
    let (mut folders, mut left, mut endings) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let (mut links, mut remarks) = (0, 0);
    for (path, state) in items {
        match state {
            State::Taken(taken) => {
                let folder = taken.file.split('/').next().unwrap_or_default().to_owned();
                let of: &mut (u64, u64) = folders.entry(folder).or_default();
                (of.0, of.1) = (of.0 + 1, of.1 + taken.size);
                *endings.entry(ending(path)).or_insert(0) += 1;
                remarks += usize::from(taken.remark.is_some());
            }
            State::Left(why) => *left.entry(reason(why)).or_insert(0) += 1,
            State::Begun(_) => *left.entry("cut").or_insert(0) += 1,
            State::Link(_) => links += 1,
        }
    }
    let codes = rescue.tried.iter().fold(BTreeMap::new(), |mut codes: BTreeMap<String, usize>, tried| {
        let code = tried.code.map_or_else(|| "none".to_owned(), |code| code.to_string());
        *codes.entry(format!("{} {code}", tried.kind)).or_default() += 1;
        codes
    });
    json!({
        "boxstep": rescue.boxstep,
        "system": std::env::consts::OS,
        "robot": facts,
        "whole": rescue.whole,
        "files": folders,
        "endings": endings,
        "links": links,
        "other_sizes": remarks,
        "left": left,
        "left_services": rescue.left.len(),
        "answers": rescue.subjects,
        "plays": codes,
    })
}

/// The endings of files that are no secret.
const ENDINGS: [&str; 24] = [
    "xar", "pml", "top", "dlg", "xml", "crg", "pkg", "py", "wav", "ogg", "mp3", "png", "jpg", "html", "js", "css",
    "json", "log", "ini", "txt", "qm", "ts", "so", "dic",
];

fn ending(path: &str) -> &'static str {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    ENDINGS.into_iter().find(|known| ending.eq_ignore_ascii_case(known)).unwrap_or("other")
}

/// Returns the kind of a reason: its words may have names.
fn reason(why: &str) -> &'static str {
    const REASONS: [&str; 6] =
        ["Permission denied", "is not there", "socket, a pipe", "entries", "in each other", "bytes"];
    REASONS.into_iter().find(|known| why.contains(known)).unwrap_or("other")
}
