//! A recorded show: the folder that `--record` of `fleet rehearse` and `fleet play` writes.

use super::{lanes, report};
use crate::failure::Failure;
use boxstep_engine::trace::{Header, Kind, ShowEvent, ShowHeader};
use boxstep_fleet::leader::Entry;
use boxstep_fleet::show::Show;
use boxstep_types::printable;
use boxstep_view::{Server, SharedShow, ShowControls, ShowPage, ShowState};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The largest account that is read, in bytes.
const MOST_BYTES: u64 = 256 << 20;
/// The latest time of an account, in seconds: four months.
const LATEST: f64 = 1e7;

/// Returns the folder of a recorded show, if a path names one or its account.
pub(crate) fn folder(path: &Path) -> Option<PathBuf> {
    if path.file_name().is_some_and(|name| name == report::ACCOUNT) && path.is_file() {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        return Some(folder.unwrap_or(Path::new(".")).to_owned());
    }
    (path.is_dir() && path.join(report::ACCOUNT).is_file()).then(|| path.to_owned())
}

/// Opens the page of a trace.
pub(crate) type OpenTrace = Box<dyn Fn(&Path) -> Result<Server, Failure> + Send + Sync>;

/// Reads a recorded show for its page. `open` opens the pages of its traces.
pub(crate) fn page(folder: &Path, open: OpenTrace) -> Result<ShowPage, Failure> {
    let path = folder.join(report::ACCOUNT);
    let text = text(&path).map_err(|e| Failure::io(&path, &e))?;
    let (show, state) = account(&text).map_err(|why| Failure::File(path.clone(), why))?;
    let traces = report::file_names(&show).iter().map(|name| report::trace_file(folder, name, 1)).collect();
    Ok(with_traces(state, traces, open))
}

/// Adds the traces of the robots, as far as they are there.
fn with_traces(mut state: ShowState, traces: Vec<PathBuf>, open: OpenTrace) -> ShowPage {
    for (lane, trace) in state.lanes.iter_mut().zip(&traces).filter(|(_, trace)| trace.is_file()) {
        lane.trace = Some(lanes::shown(&format!("boxstep view {}", quoted(trace))));
    }
    let controls = Arc::new(Traces { traces, open, opened: Mutex::default() });
    ShowPage { shared: SharedShow::new(state), live: false, controls }
}

/// Reads an account.
fn text(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    if file.seek(std::io::SeekFrom::End(0))? > MOST_BYTES {
        return Err(std::io::Error::other("the account is too large"));
    }
    file.rewind()?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes)?;
    String::from_utf8(bytes).map_err(|_| std::io::Error::other("the account is not text"))
}

/// Returns the show of which a folder has the account, if it has one.
///
/// # Errors
/// It has a file of that name which cannot be read, or is none.
pub(super) fn show_of(folder: &Path) -> Result<Option<Show>, Failure> {
    let path = folder.join(report::ACCOUNT);
    if !path.exists() {
        return Ok(None);
    }
    let text = text(&path).map_err(|e| Failure::io(&path, &e))?;
    let show = first_line(&text).map_err(|why| Failure::File(path, why))?;
    Ok(Some(show))
}

/// Reads the show in the first line of an account.
fn first_line(text: &str) -> Result<Show, String> {
    let first = text.split_inclusive('\n').next().ok_or("the account is empty")?;
    let show: Show = serde_json::from_str(first)
        .map_err(|e| format!("line 1 is not a show, as `boxstep fleet rehearse --record` writes it: {e}"))?;
    show.check().map_err(|why| format!("line 1: the show cannot be used: {why}"))?;
    Ok(show)
}

/// Returns a path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+:\\".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// Reads the account in a folder: the show, what has happened, and whether the last line was cut off.
///
/// # Errors
/// It has a file of that name which cannot be read, or is none.
pub(super) fn account_of(folder: &Path) -> Result<Option<(Show, Vec<Entry>, bool)>, Failure> {
    let path = folder.join(report::ACCOUNT);
    if !path.exists() {
        return Ok(None);
    }
    let text = text(&path).map_err(|e| Failure::io(&path, &e))?;
    entries(&text).map(Some).map_err(|why| Failure::File(path, why))
}

/// Reads an account for its page.
fn account(text: &str) -> Result<(Show, ShowState), String> {
    let (show, entries, cut) = entries(text)?;
    let state = state(&show, &entries, cut);
    Ok((show, state))
}

/// Returns what the page of a recorded show displays.
fn state(show: &Show, entries: &[Entry], cut: bool) -> ShowState {
    let mut state = lanes::of_show(show);
    entries.iter().for_each(|entry| lanes::add(&mut state, show, entry));
    if cut || !state.over {
        state.says += if cut { "; the account is cut off here" } else { "; the account ends here" };
    }
    state.over = true;
    state
}

/// Checks that an entry is one of a show.
fn check(show: &Show, entry: &Entry) -> Result<(), String> {
    if !(0.0..=LATEST).contains(&entry.at) {
        return Err(format!("has a time that is none: {}", entry.at));
    }
    match entry.robot.filter(|robot| *robot >= show.robots.len()) {
        Some(robot) => Err(format!("names robot {robot}, and the show has {}", show.robots.len())),
        None => Ok(()),
    }
}

/// Reads an account: a line with the show, and one for each thing that has happened.
fn entries(text: &str) -> Result<(Show, Vec<Entry>, bool), String> {
    let lines = text.split_inclusive('\n').zip(1..).skip(1);
    let show = first_line(text)?;
    let (mut entries, mut cut) = (Vec::new(), false);
    for (line, number) in lines.filter(|(line, _)| !line.trim().is_empty()) {
        let entry: Entry = match serde_json::from_str(line) {
            Ok(entry) => entry,
            // A program that was killed may have written half a line.
            Err(_) if !line.ends_with('\n') => {
                cut = true;
                break;
            }
            Err(why) => return Err(format!("line {number} is not an entry of the account: {why}")),
        };
        check(&show, &entry).map_err(|why| format!("line {number} {why}"))?;
        entries.push(entry);
    }
    Ok((show, entries, cut))
}

/// Reads the recording of a whole show for its page: its lanes are those of the account that it has.
pub(crate) fn page_of_whole(path: &Path, open: OpenTrace) -> Result<ShowPage, Failure> {
    let wrong = |why: String| Failure::File(path.to_owned(), why);
    let mut lines = boxstep_record::open(path).map_err(|why| wrong(why.to_string()))?.lines();
    let first = lines.next().transpose().map_err(|why| Failure::io(path, &why))?.unwrap_or_default();
    let of = header(&first).ok_or_else(|| wrong("line 1 is not of the recording of a show".to_owned()))?;
    let show = serde_json::to_string(&of.show).and_then(|text| serde_json::from_str::<Show>(&text));
    let show = show.map_err(|_| {
        let own = of.robots.iter().find_map(|robot| robot.runs.first());
        let own = own.map(|run| format!("; `boxstep view {}` shows one robot", run.file)).unwrap_or_default();
        wrong(format!("it has no account of the show, so there are no lanes{own}"))
    })?;
    show.check().map_err(|why| wrong(format!("line 1: the show cannot be used: {why}")))?;
    let (mut entries, mut number) = (Vec::new(), 1);
    for line in lines {
        number += 1;
        let line = line.map_err(|why| Failure::io(path, &why))?;
        // Most lines are of robots, and need not be read.
        let Some(entry) = Some(&line).filter(|line| line.contains(r#""what":"account""#)).and_then(|line| entry(line))
        else {
            continue;
        };
        check(&show, &entry).map_err(|why| wrong(format!("line {number} {why}")))?;
        entries.push(entry);
    }
    let beside = path.parent().unwrap_or(Path::new(""));
    let file = |role: &boxstep_fleet::show::Role| {
        let robot = of.robots.iter().find(|robot| robot.name == role.name)?;
        // A name with a folder in it is none of ours.
        let name = Path::new(&robot.runs.first()?.file).file_name()?.to_owned();
        Some(beside.join(name))
    };
    let traces = show.robots.iter().map(|role| file(role).unwrap_or_default()).collect();
    let mut state = state(&show, &entries, false);
    for lane in &mut state.lanes {
        let runs = of.robots.iter().filter(|robot| robot.name == lane.name).flat_map(|robot| &robot.runs);
        lane.clock = runs.map(|run| run.error.0 as f64 / 1e6).reduce(f64::max);
    }
    Ok(with_traces(state, traces, open))
}

/// Reads the first line of a recording, if it is that of a whole show.
fn header(line: &str) -> Option<ShowHeader> {
    let header: Header = serde_json::from_str(line).ok()?;
    header.show.map(|show| *show)
}

/// Returns whether a path is the recording of a whole show.
pub(crate) fn is_whole(path: &Path) -> bool {
    let first = || boxstep_record::open(path).ok()?.take(MOST_BYTES).lines().next()?.ok();
    path.is_file() && first().is_some_and(|line| header(&line).is_some())
}

/// Reads an entry of the account in the line of a recording.
fn entry(line: &str) -> Option<Entry> {
    let Ok(Kind::Show(event)) = serde_json::from_str(line) else { return None };
    let ShowEvent::Account { entry, .. } = *event else { return None };
    serde_json::from_str(&serde_json::to_string(&entry).ok()?).ok()
}

/// Opens the pages of traces, each once.
struct Traces {
    /// By robot.
    traces: Vec<PathBuf>,
    open: OpenTrace,
    opened: Mutex<BTreeMap<usize, Server>>,
}

impl ShowControls for Traces {
    fn trace(&self, robot: usize) -> Result<String, String> {
        let path = self.traces.get(robot).ok_or_else(|| format!("there is no robot {robot}"))?;
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(server) = opened.get(&robot) {
            return Ok(server.url());
        }
        let server = (self.open)(path).map_err(|failure| printable(&failure.to_string()).into_owned())?;
        Ok(opened.entry(robot).or_insert(server).url())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_view::{LaneState, ShowEvent};

    const SHOW: &str = concat!(
        r#"{"name":"Duo","robots":[{"name":"alto","body":"nao"},{"name":"bass","body":null}],"packages":[],"#,
        r#""scenes":[{"name":"Song","parts":[],"at":null,"at_most":null}],"#,
        r#""cues":[{"from":0,"when":{"event":{"key":"a"}},"to":[1],"then":{"event":{"key":"b"}},"after":0.2}],"#,
        r#""lost":"go-on","alone":30.0,"posture":null}"#,
        "\n"
    );

    fn read(lines: &str) -> Result<ShowState, String> {
        account(&format!("{SHOW}{lines}")).map(|(_, state)| state)
    }

    #[test]
    fn an_account_becomes_lanes() {
        let state = read(concat!(
            "{\"at\":0.1,\"robot\":0,\"event\":\"joined\"}\n",
            "{\"at\":1.0,\"robot\":null,\"event\":{\"scene\":{\"scene\":0,\"at\":1500000000}}}\n",
            "{\"at\":1.6,\"robot\":0,\"event\":{\"started\":{\"scene\":0}}}\n",
            "{\"at\":2.0,\"robot\":0,\"event\":{\"cue\":{\"cue\":0}}}\n",
            "{\"at\":3.0,\"robot\":1,\"event\":\"lost\"}\n",
            "{\"at\":4.0,\"robot\":null,\"event\":\"over\"}\n",
        ))
        .unwrap();
        assert_eq!((state.title.as_str(), state.says.as_str(), state.now), ("Duo", "the show is over", 4.0));
        assert_eq!(state.entries[1].event, ShowEvent::Scene { scene: "Song".to_owned(), begins: 1.5 });
        assert_eq!(state.entries[3].event, ShowEvent::Cue { to: vec![1], after: 0.2 });
        assert_eq!(state.entries[3].text, "gives a signal to bass");
        let states: Vec<_> = state.lanes.iter().map(|lane| lane.state).collect();
        assert_eq!(states, [LaneState::Over, LaneState::Lost]);
    }

    #[test]
    fn an_account_that_is_cut_off_is_shown_to_its_last_whole_line() {
        let state = read("{\"at\":0.1,\"robot\":0,\"event\":\"joined\"}\n{\"at\":0.2,\"rob").unwrap();
        assert_eq!(state.entries.len(), 1);
        assert!(state.over && state.says.ends_with("; the account is cut off here"), "{}", state.says);
    }

    #[test]
    fn a_wrong_account_is_refused_with_its_line() {
        for (lines, why) in [
            ("nothing\n", "line 2 is not an entry of the account"),
            ("{\"at\":0.1,\"robot\":7,\"event\":\"joined\"}\n", "line 2 names robot 7, and the show has 2"),
            ("{\"at\":-1.0,\"robot\":0,\"event\":\"joined\"}\n", "line 2 has a time that is none: -1"),
            ("{\"at\":1e300,\"robot\":0,\"event\":\"joined\"}\n", "line 2 has a time that is none"),
        ] {
            let told = read(lines).unwrap_err();
            assert!(told.starts_with(why), "{told}");
        }
        assert!(account("").unwrap_err().contains("empty"));
        assert!(account("{}\n").unwrap_err().starts_with("line 1 is not a show"));
        let wrong = SHOW.replace("\"to\":[1]", "\"to\":[9]");
        assert!(account(&wrong).unwrap_err().contains("a robot that it does not have"));
    }

    #[test]
    fn the_recording_of_a_whole_show_has_the_lanes_of_its_account() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("show.jsonl");
        // Whatever folder it names, only files beside it are opened.
        let robots = r#"[{"name":"alto","runs":[{"file":"../alto.jsonl","error":1500000}]},{"name":"bass","runs":[]}]"#;
        let written = |show: &str, at: &str| {
            let first =
                format!(r#"{{"schema":1,"show":{{"name":"Duo","performance":"a1","robots":{robots},"show":{show}}}}}"#);
            let entry = format!(r#"{{"at":{at},"robot":0,"event":"armed"}}"#);
            let of = r#""cause":0,"robot":"alto","kind":"show","what":"account""#;
            let told = format!(r#"{{"n":1,"t":5,{of},"text":"is armed","entry":{entry}}}"#);
            let other = r#"{"n":2,"t":6,"cause":0,"robot":"alto","path":"root","kind":"call","method":"x"}"#;
            std::fs::write(&path, format!("{first}\n{told}\n{other}\n")).unwrap();
            let never: OpenTrace = Box::new(|_| Err(Failure::Run("no trace is opened".to_owned())));
            page_of_whole(&path, never).map(|page| page.shared.update(|state| state.clone()))
        };
        std::fs::write(place.path().join("alto.jsonl"), "").unwrap();
        let state = written(SHOW.trim(), "0.5").map_err(|why| why.to_string()).unwrap();
        assert!(is_whole(&path));
        assert_eq!((state.title.as_str(), state.lanes[0].state), ("Duo", LaneState::Armed));
        assert_eq!((state.lanes[0].clock, state.lanes[1].clock), (Some(1.5), None));
        assert!(state.lanes[0].trace.is_some() && state.lanes[1].trace.is_none());
        let why = written("null", "0.5").map(|_| ()).unwrap_err().to_string();
        assert!(why.contains("no account of the show"), "{why}");
        let why = written(SHOW.trim(), "1e300").map(|_| ()).unwrap_err().to_string();
        assert!(why.contains("line 2 has a time that is none"), "{why}");
        std::fs::write(&path, "{\"schema\":1}\n").unwrap();
        assert!(!is_whole(&path));
    }

    #[test]
    fn texts_of_others_stay_what_they_are() {
        let hostile = SHOW.replace("alto", "<img src=x onerror=alert(1)>\\u202egpj\\u0007");
        let (_, state) =
            account(&format!("{hostile}{{\"at\":0.0,\"robot\":0,\"event\":{{\"trouble\":{{\"text\":\"a\\nb\"}}}}}}\n"))
                .unwrap();
        assert_eq!(state.lanes[0].name, "<img src=x onerror=alert(1)>\\u{202e}gpj\\u{7}");
        assert_eq!(state.entries[0].text, "a\\nb");
    }

    #[test]
    fn a_folder_without_an_account_is_no_show() {
        let empty = tempfile::tempdir().unwrap();
        assert_eq!(folder(empty.path()), None);
        let account = empty.path().join(report::ACCOUNT);
        std::fs::write(&account, SHOW).unwrap();
        assert_eq!(folder(empty.path()).as_deref(), Some(empty.path()));
        assert_eq!(folder(&account).as_deref(), Some(empty.path()));
        let never: OpenTrace = Box::new(|_| Err(Failure::Run("no trace is opened".to_owned())));
        let page = page(empty.path(), never).unwrap();
        assert_eq!(page.controls.trace(9), Err("there is no robot 9".to_owned()));
        assert!(page.controls.stop().is_err() && !page.controls.stops());
    }
}
