//! `boxstep view`

use crate::args::ViewArgs;
use crate::command::fleet::recorded::{self, OpenTrace};
use crate::failure::Failure;
use crate::open::Chosen;
use crate::playable::Playable;
use crate::remote::wait_for_signal;
use crate::view::PageAddress;
use crate::{browser, character, exit, open, output, page_lines, scenario, view};
use boxstep_api::play::body_of_files;
use boxstep_bodies::BodyKind;
use boxstep_format::Limits;
use boxstep_view::{Model, Server, SharedStore, Show, ShowPage, TraceStore};
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

/// Shows a recording until a signal ends the program.
pub(crate) fn run(args: &ViewArgs) -> Result<i32, Failure> {
    let server = match recorded::folder(&args.recording) {
        Some(folder) => show(args, |open| recorded::page(&folder, open))?,
        None if recorded::is_whole(&args.recording) => {
            show(args, |open| recorded::page_of_whole(&args.recording, open))?
        }
        None => trace(args)?,
    };
    let mut out = output::stdout();
    writeln!(out, "{}", page_lines::announcement(&server.url()))?;
    out.flush()?;
    let _page = browser::open(&server.url(), !args.no_browser);
    wait_for_signal()?;
    Ok(exit::OK)
}

/// Serves the page of a recorded show. The page of each trace is opened beside it when somebody wants it.
fn show(args: &ViewArgs, page: impl FnOnce(OpenTrace) -> Result<ShowPage, Failure>) -> Result<Server, Failure> {
    let PageAddress { at, access } = PageAddress::parse(&args.listen, args.view_token.as_deref())?;
    let of_trace = args.clone();
    let open = move |path: &Path| {
        let listen = SocketAddr::new(at.ip(), 0).to_string();
        trace(&ViewArgs { recording: path.to_owned(), listen, ..of_trace.clone() })
    };
    let page = page(Box::new(open))?;
    Server::of_show(at, page, access).map_err(PageAddress::unheard(at))
}

/// Serves the page of a run.
fn trace(args: &ViewArgs) -> Result<Server, Failure> {
    refuse_behavior(&args.recording)?;
    let text = scenario::recording(&args.recording)?;
    let store = TraceStore::read(&text).map_err(|e| Failure::File(args.recording.clone(), e.to_string()))?;
    // The header says whether a single box was played.
    let alone =
        serde_json::from_str(text.lines().next().unwrap_or_default()).ok().and_then(|first| scenario::box_of(&first));
    let read = |file| open::behavior_or_box(file, args.behavior.as_deref(), alone.as_ref());
    let chosen = args.file.as_deref().map(read).transpose()?;
    // The body of the recording, or else the one that the files were made for.
    let played_on = BodyKind::from_name(store.body()).map(BodyKind::body);
    let of_files = chosen.as_ref().map(|chosen| body_of_files(chosen.robots(), chosen.whole()).0.body());
    let shown = played_on.or(of_files).unwrap_or(BodyKind::Nao.body());
    let robot = view::robot(shown, chosen.as_ref().map(Playable::from), args.meshes.as_deref())?;
    let drawn = |(chosen, body): (&Chosen, _)| {
        let others = chosen.others(|name| store.behaviors().any(|known| known == name));
        let other = |(name, file)| Model { name, file: Arc::new(file), body };
        let others = others.into_iter().map(other);
        std::iter::once(view::model(chosen, body)).chain(others).collect::<Vec<_>>()
    };
    let models = chosen.iter().zip(of_files).flat_map(drawn).collect();
    let title = args.recording.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let shared = SharedStore::new(store);
    view::serve(
        PageAddress::parse(&args.listen, args.view_token.as_deref())?,
        Show { title, shared, models, controls: None, robot, editor: None, texts: None },
    )
}

/// Refuses a folder or file of behaviors, and names the command that shows it.
fn refuse_behavior(path: &Path) -> Result<(), Failure> {
    if boxstep_record::is_recording(path) || !path.exists() {
        return Ok(());
    }
    let shown = path.display();
    let advice = if is_playable(path) {
        format!("is a behavior, and `view` shows recordings: `boxstep play {shown} --view` shows it while it plays")
    } else if path.is_dir() {
        format!("is a folder without recordings: `boxstep open {shown}` shows its behaviors in a browser")
    } else {
        return Ok(());
    };
    Err(Failure::Usage(format!("{shown} {advice}")))
}

/// Returns whether a path can be played.
fn is_playable(path: &Path) -> bool {
    path.is_dir() && character::file_of(path).is_some() || boxstep_format::open(path, &Limits::default()).is_ok()
}
