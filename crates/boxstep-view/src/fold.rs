//! Items that depend on more than one event: who holds a resource and who waits for it since when, how a timeline has
//! moved since its last command, and what a tablet shows. Each new value is computed from the old value and an event.

use boxstep_engine::trace::{ResourceEvent, ResourcePhase, TimelinePhase};
use boxstep_types::Value;
use serde::Serialize;

/// The structured value of such an item.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum FoldState {
    Resource(Resource),
    Timeline(Cursor),
    Tablet(Tablet),
}

/// The holders of a resource, and those who wait for it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Resource {
    /// The last event.
    what: ResourcePhase,
    holders: Vec<Claimant>,
    waiters: Vec<Claimant>,
}

/// A box, or an owner that a script has named.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Claimant {
    path: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    owner: String,
    /// Nanoseconds.
    since: i64,
    /// Whether its action was paused for another owner, and continues when it has the resource again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    paused: bool,
}

impl Claimant {
    fn is(&self, other: &Claimant) -> bool {
        self.path == other.path && self.owner == other.owner
    }
}

/// Returns who holds a resource after an event of a box.
pub(crate) fn resource(before: Option<&FoldState>, claim: &ResourceEvent, path: &str, t: i64) -> FoldState {
    let (mut holders, mut waiters) = match before {
        Some(FoldState::Resource(before)) => (before.holders.clone(), before.waiters.clone()),
        _ => (Vec::new(), Vec::new()),
    };
    let what = claim.what;
    let who = Claimant {
        path: path.to_owned(),
        owner: claim.owner.as_deref().unwrap_or_default().to_owned(),
        since: t,
        paused: what == ResourcePhase::Paused,
    };
    let has = |list: &[Claimant]| list.iter().any(|one| one.is(&who));
    match what {
        ResourcePhase::Taken => {
            waiters.retain(|one| !one.is(&who));
            if !has(&holders) {
                holders.push(who);
            }
        }
        ResourcePhase::Released | ResourcePhase::Lost => holders.retain(|one| !one.is(&who)),
        ResourcePhase::Waiting | ResourcePhase::Paused => {
            if who.paused {
                holders.retain(|one| !one.is(&who));
            }
            if !has(&waiters) {
                waiters.push(who);
            }
        }
        ResourcePhase::Dropped | ResourcePhase::Free | ResourcePhase::Refused => waiters.retain(|one| !one.is(&who)),
        ResourcePhase::Asked => {}
    }
    FoldState::Resource(Resource { what, holders, waiters })
}

/// The state of a timeline since its last command: the command, the frame and the time in nanoseconds at that command,
/// whether it plays, and its frames per second as pairs of time and rate: first the rate at the command, then each
/// rate that was set since. The list is empty as long as no rate has been set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Cursor(&'static str, f64, i64, bool, Vec<(i64, f64)>);

impl FoldState {
    /// Returns when a timeline is at a frame, if its next command does not come before. `fps` is the rate of its file, in
    /// frames per second.
    pub(crate) fn reaches(&self, wanted: f64, fps: f64) -> Option<i64> {
        let FoldState::Timeline(Cursor(command, from, since, plays, rates)) = self else { return None };
        let (mut frame, mut at, mut rate) = (*from, *since, fps);
        // One that is only loaded has not begun.
        let is_idle = [TimelinePhase::Load, TimelinePhase::Unload].iter().any(|idle| idle.name() == *command);
        if frame == wanted && !is_idle {
            return Some(at);
        }
        if !plays || frame > wanted {
            return None;
        }
        for (when, next) in rates {
            let then = frame + (when - at) as f64 / 1e9 * rate;
            if *when > at && then >= wanted {
                break;
            }
            if *when > at {
                (frame, at) = (then, *when);
            }
            rate = *next;
        }
        (rate > 0.0).then(|| at + ((wanted - frame) / rate * 1e9).round() as i64)
    }
}

/// Returns the state of a timeline after an event; `None` if nothing has changed.
pub(crate) fn timeline(before: Option<&FoldState>, command: TimelinePhase, frame: i64, t: i64) -> Option<FoldState> {
    let Cursor(last, at, since, played, mut rates) = match before {
        Some(FoldState::Timeline(before)) => before.clone(),
        _ => Cursor("", 0.0, t, false, Vec::new()),
    };
    let frame = frame as f64;
    let plays = match command {
        TimelinePhase::Fps => {
            // Earlier rates matter only while the timeline plays.
            if !played {
                rates.clear();
            }
            rates.push((t, frame));
            return Some(FoldState::Timeline(Cursor(last, at, since, played, rates)));
        }
        TimelinePhase::Play => true,
        // A dropped command changes nothing.
        TimelinePhase::Dropped => return None,
        TimelinePhase::Goto | TimelinePhase::Frame => played,
        TimelinePhase::Load
        | TimelinePhase::Pause
        | TimelinePhase::Wait
        | TimelinePhase::End
        | TimelinePhase::Unload => false,
    };
    let rate = rates.pop();
    let frame = if frame < 0.0 { at } else { frame };
    let rates = rate.map(|(_, rate)| (t, rate)).into_iter().collect();
    Some(FoldState::Timeline(Cursor(command.name(), frame, t, plays, rates)))
}

/// Returns the group of LEDs that an act is about. Acts on the ears with an angle do not name the group.
pub(crate) fn group(data: &Value) -> &str {
    data.get("group").and_then(Value::as_str).unwrap_or("EarLeds")
}

/// What a tablet shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Tablet {
    /// `page`, `application`, `image` or `video`; `None` if the screen is dark.
    shows: Option<&'static str>,
    /// The address of what it shows.
    url: String,
    /// The page that was loaded last.
    page: String,
    application: bool,
}

/// Returns what a tablet shows after a call of a method; `None` if the call changes nothing.
pub(crate) fn tablet(before: Option<&FoldState>, data: &Value) -> Option<FoldState> {
    let method = data.get("method")?.as_str()?;
    let arguments = data.get("arguments")?.as_list()?;
    let mut tablet = match before {
        Some(FoldState::Tablet(before)) => before.clone(),
        _ => Tablet::default(),
    };
    let given = arguments.first().and_then(Value::as_str).map(str::to_owned);
    let show = |tablet: &mut Tablet, what, url: String| (tablet.shows, tablet.url) = (Some(what), url);
    let on_page = matches!(tablet.shows, Some("page" | "application"));
    match method {
        "loadUrl" | "loadApplication" => {
            (tablet.page, tablet.application) = (given?, method == "loadApplication");
            if on_page {
                let kind = if tablet.application { "application" } else { "page" };
                let url = tablet.page.clone();
                show(&mut tablet, kind, url);
            }
        }
        "showWebview" => {
            if let Some(url) = given {
                (tablet.page, tablet.application) = (url, false);
            }
            let kind = if tablet.application { "application" } else { "page" };
            let url = tablet.page.clone();
            show(&mut tablet, kind, url);
        }
        "showImage" | "showImageNoCache" => show(&mut tablet, "image", given?),
        "playVideo" => show(&mut tablet, "video", given?),
        "hideImage" | "stopVideo" if on_page => return None,
        "hide" | "hideWebview" | "hideImage" | "stopVideo" | "cleanWebview" | "_clearWebview" | "resetTablet" => {
            (tablet.shows, tablet.url) = (None, String::new());
        }
        _ => return None,
    }
    Some(FoldState::Tablet(tablet))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(state: &FoldState) -> String {
        serde_json::to_string(state).unwrap()
    }

    #[test]
    fn a_tablet_shows_what_it_was_told_last() {
        let shown = |calls: &[(&str, &str)]| {
            let mut state: Option<FoldState> = None;
            for (method, url) in calls {
                let arguments = if url.is_empty() { vec![] } else { vec![Value::from(*url)] };
                let data = Value::map([("method", Value::from(*method)), ("arguments", Value::list(arguments))]);
                state = tablet(state.as_ref(), &data).or(state);
            }
            let Some(FoldState::Tablet(tablet)) = state else { panic!("{state:?}") };
            (tablet.shows.unwrap_or_default().to_owned(), tablet.url)
        };
        let is =
            |calls: &[(&str, &str)], what: &str, url: &str| assert_eq!(shown(calls), (what.to_owned(), url.to_owned()));
        is(&[("loadUrl", "a.html")], "", "");
        is(&[("loadUrl", "a.html"), ("showWebview", "")], "page", "a.html");
        is(&[("showWebview", "b.html"), ("setBrightness", "")], "page", "b.html");
        is(&[("showWebview", "b.html"), ("loadUrl", "c.html"), ("hideImage", "")], "page", "c.html");
        is(&[("loadApplication", "app"), ("showWebview", "")], "application", "app");
        is(&[("showImage", "i.png"), ("executeJS", "x")], "image", "i.png");
        is(&[("showImage", "i.png"), ("hideImage", "")], "", "");
        is(&[("playVideo", "v.mp4"), ("stopVideo", "")], "", "");
        assert_eq!(group(&Value::map([("group", Value::from("ChestLeds"))])), "ChestLeds");
        assert_eq!(group(&Value::map([("degrees", Value::Int(5))])), "EarLeds");
    }

    #[test]
    fn a_resource_has_owners_and_those_who_wait_since_some_time() {
        let all = [
            ("a", ResourcePhase::Taken, None),
            ("b", ResourcePhase::Waiting, None),
            ("", ResourcePhase::Waiting, Some("mine")),
            ("a", ResourcePhase::Asked, None),
            ("a", ResourcePhase::Released, None),
            ("b", ResourcePhase::Taken, None),
            ("b", ResourcePhase::Paused, None),
        ];
        let at = |n: usize| {
            let state = all[..n].iter().enumerate().fold(None, |before, (t, (path, what, owner))| {
                let owner = owner.map(Into::into);
                let claim = ResourceEvent { what: *what, name: "Legs".into(), owner, others: Vec::new() };
                Some(resource(before.as_ref(), &claim, path, t as i64))
            });
            text(&state.unwrap())
        };
        let a = r#"{"path":"a","since":0}"#;
        let waiters = r#"[{"path":"b","since":1},{"path":"","owner":"mine","since":2}]"#;
        assert_eq!(at(4), format!(r#"{{"what":"asked","holders":[{a}],"waiters":{waiters}}}"#));
        assert_eq!(at(5), format!(r#"{{"what":"released","holders":[],"waiters":{waiters}}}"#));
        let mine = r#"{"path":"","owner":"mine","since":2}"#;
        let b = r#"{"path":"b","since":5}"#;
        assert_eq!(at(6), format!(r#"{{"what":"taken","holders":[{b}],"waiters":[{mine}]}}"#));
        let b = r#"{"path":"b","since":6,"paused":true}"#;
        assert_eq!(at(7), format!(r#"{{"what":"paused","holders":[],"waiters":[{mine},{b}]}}"#));
    }

    #[test]
    fn a_timeline_says_where_it_was_and_how_fast_it_has_gone_since() {
        let all = [
            (TimelinePhase::Load, 1),
            (TimelinePhase::Fps, 30),
            (TimelinePhase::Play, 1),
            (TimelinePhase::Fps, 10),
            (TimelinePhase::Dropped, -1),
            (TimelinePhase::Goto, 5),
            (TimelinePhase::Unload, -1),
        ];
        let at = |n: usize| {
            let state = all[..n].iter().enumerate().fold(None, |before, (t, (command, frame))| {
                timeline(before.as_ref(), *command, *frame, t as i64).or(before)
            });
            text(&state.unwrap())
        };
        assert_eq!(at(1), r#"["load",1.0,0,false,[]]"#);
        assert_eq!(at(2), r#"["load",1.0,0,false,[[1,30.0]]]"#);
        assert_eq!(at(3), r#"["play",1.0,2,true,[[2,30.0]]]"#);
        assert_eq!(at(5), r#"["play",1.0,2,true,[[2,30.0],[3,10.0]]]"#);
        assert_eq!(at(6), r#"["goto",5.0,5,true,[[5,10.0]]]"#);
        assert_eq!(at(7), r#"["unload",5.0,6,false,[[6,10.0]]]"#);
    }
}
