//! Items that one line does not tell: who has a resource and who waits for it since when, and how a timeline has moved since its
//! last command. Each is made of what it was before, and a line.

use crate::line::Line;
use serde::{Deserialize, Serialize};

/// Who has a resource, and who waits.
#[derive(Default, Deserialize, Serialize)]
struct Resource {
    /// What has happened last.
    what: String,
    holders: Vec<Who>,
    waiters: Vec<Who>,
}

/// A box, or a name that a script gave.
#[derive(Clone, Deserialize, Serialize)]
struct Who {
    path: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    owner: String,
    /// Nanoseconds.
    since: i64,
    /// What it did was held up for another, and goes on when it has the resource again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    paused: bool,
}

impl Who {
    fn is(&self, other: &Who) -> bool {
        self.path == other.path && self.owner == other.owner
    }
}

/// Who has a resource after a line.
pub(crate) fn resource(before: Option<&str>, line: &Line<'_>) -> String {
    let mut all: Resource = before.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    all.what = line.what.as_deref().unwrap_or_default().to_owned();
    let who = Who {
        path: line.path.as_deref().unwrap_or_default().to_owned(),
        owner: line.owner.and_then(|owner| serde_json::from_str(owner.0).ok()).unwrap_or_default(),
        since: line.t,
        paused: all.what == "paused",
    };
    let has = |list: &[Who]| list.iter().any(|one| one.is(&who));
    match all.what.as_str() {
        "taken" => {
            all.waiters.retain(|one| !one.is(&who));
            if !has(&all.holders) {
                all.holders.push(who);
            }
        }
        "released" => all.holders.retain(|one| !one.is(&who)),
        "lost" => all.holders.retain(|one| !one.is(&who)),
        "waiting" | "paused" => {
            if who.paused {
                all.holders.retain(|one| !one.is(&who));
            }
            if !has(&all.waiters) {
                all.waiters.push(who);
            }
        }
        "dropped" | "free" | "refused" => all.waiters.retain(|one| !one.is(&who)),
        _ => {}
    }
    serde_json::to_string(&all).unwrap_or_default()
}

/// A timeline since its last command: what that was, the frame then, when, whether it plays, and its frames per second: first those
/// at that time, then each that was set since, with its time. None are there as long as nobody has set any.
#[derive(Deserialize, Serialize)]
struct Cursor(String, f64, i64, bool, Vec<(i64, f64)>);

/// Where a timeline is after a line; `None` if nothing has changed.
pub(crate) fn timeline(before: Option<&str>, line: &Line<'_>) -> Option<String> {
    let before: Option<Cursor> = before.and_then(|text| serde_json::from_str(text).ok());
    let Cursor(last, at, since, played, mut rates) =
        before.unwrap_or(Cursor(String::new(), 0.0, line.t, false, Vec::new()));
    let command = line.command.as_deref()?;
    let frame: f64 = line.frame.and_then(|frame| serde_json::from_str(frame.0).ok())?;
    let plays = match command {
        "fps" => {
            // What was before is of no use any more, unless it plays on from there.
            if !played {
                rates.clear();
            }
            rates.push((line.t, frame));
            let cursor = Cursor(last, at, since, played, rates);
            return serde_json::to_string(&cursor).ok();
        }
        "play" => true,
        // It came too late, and changes nothing.
        "dropped" => return None,
        "goto" | "frame" => played,
        _ => false,
    };
    let rate = rates.pop();
    let frame = if frame < 0.0 { at } else { frame };
    let rates = rate.map(|(_, rate)| (line.t, rate)).into_iter().collect();
    serde_json::to_string(&Cursor(command.to_owned(), frame, line.t, plays, rates)).ok()
}

/// The LEDs that an act is about. Ears that show an angle do not say their name.
pub(crate) fn group(data: &str) -> String {
    #[derive(Deserialize)]
    struct Data {
        group: String,
    }
    serde_json::from_str(data).map_or_else(|_| "EarLeds".to_owned(), |data: Data| data.group)
}

/// What a tablet shows.
#[derive(Default, Deserialize, Serialize)]
struct Tablet {
    /// `page`, `application`, `image` or `video`; nothing if it is dark.
    shows: Option<String>,
    /// Where that is.
    url: String,
    /// The page that was loaded last, and whether it is an application.
    page: String,
    application: bool,
}

/// What a tablet shows after a method was called; `None` if that changes nothing.
pub(crate) fn tablet(before: Option<&str>, data: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Data {
        method: String,
        arguments: Vec<serde_json::Value>,
    }
    let Data { method, arguments } = serde_json::from_str(data).ok()?;
    let mut tablet: Tablet = before.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let given = arguments.first().and_then(|first| first.as_str()).map(str::to_owned);
    let show = |tablet: &mut Tablet, what: &str, url: String| (tablet.shows, tablet.url) = (Some(what.to_owned()), url);
    let on_page = matches!(tablet.shows.as_deref(), Some("page" | "application"));
    match method.as_str() {
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
    serde_json::to_string(&tablet).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(lines: &[&str], with: impl Fn(Option<&str>, &Line<'_>) -> Option<String>) -> String {
        let mut value = None;
        for (t, line) in lines.iter().enumerate() {
            let text = format!("{{\"n\":1,\"t\":{t},{line}}}");
            let new = with(value.as_deref(), &serde_json::from_str(&text).unwrap());
            value = new.or(value);
        }
        value.unwrap()
    }

    #[test]
    fn a_tablet_shows_what_it_was_told_last() {
        let shown = |calls: &[(&str, &str)]| {
            let mut value: Option<String> = None;
            for (method, url) in calls {
                let arguments = if url.is_empty() { vec![] } else { vec![*url] };
                let data = serde_json::json!({"method": method, "arguments": arguments}).to_string();
                value = tablet(value.as_deref(), &data).or(value);
            }
            let tablet: Tablet = serde_json::from_str(&value.unwrap()).unwrap();
            (tablet.shows.unwrap_or_default(), tablet.url)
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
        assert_eq!(group(r#"{"group":"ChestLeds"}"#), "ChestLeds");
        assert_eq!(group(r#"{"degrees":5}"#), "EarLeds");
    }

    #[test]
    fn a_resource_has_owners_and_those_who_wait_since_some_time() {
        let all = [
            r#""kind":"resource","path":"a","what":"taken""#,
            r#""kind":"resource","path":"b","what":"waiting","others":["a"]"#,
            r#""kind":"resource","what":"waiting","owner":"mine""#,
            r#""kind":"resource","path":"a","what":"asked","others":["b"]"#,
            r#""kind":"resource","path":"a","what":"released""#,
            r#""kind":"resource","path":"b","what":"taken""#,
            r#""kind":"resource","path":"b","what":"paused""#,
        ];
        let at = |n: usize| folded(&all[..n], |before, line| Some(resource(before, line)));
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
            r#""kind":"timeline","command":"load","frame":1"#,
            r#""kind":"timeline","command":"fps","frame":30"#,
            r#""kind":"timeline","command":"play","frame":1"#,
            r#""kind":"timeline","command":"fps","frame":10"#,
            r#""kind":"timeline","command":"dropped","frame":-1"#,
            r#""kind":"timeline","command":"goto","frame":5"#,
            r#""kind":"timeline","command":"unload","frame":-1"#,
        ];
        let at = |n: usize| folded(&all[..n], timeline);
        assert_eq!(at(1), r#"["load",1.0,0,false,[]]"#);
        assert_eq!(at(2), r#"["load",1.0,0,false,[[1,30.0]]]"#);
        assert_eq!(at(3), r#"["play",1.0,2,true,[[2,30.0]]]"#);
        assert_eq!(at(5), r#"["play",1.0,2,true,[[2,30.0],[3,10.0]]]"#);
        assert_eq!(at(6), r#"["goto",5.0,5,true,[[5,10.0]]]"#);
        assert_eq!(at(7), r#"["unload",5.0,6,false,[[6,10.0]]]"#);
    }
}
