//! `ALTabletService`: the tablet on Pepper's chest. NAO has no tablet, and no such service.
//!
//! Nothing is fetched or shown; each call is recorded as an act. Touches come from outside as signals. Source: the page
//! ALTabletService API of the NAOqi documentation.

use super::world::World;
use crate::table::{
    Call, Const, Reply, Service, accepts, acts, answers, bad, done, gets, ok, robot, runs, service, sets, signal,
    unknown,
};
use boxstep_engine::services::ServiceCx;
use boxstep_types::Value;

pub(crate) static SERVICES: &[Service] = &[service(
    "ALTabletService",
    "Screen on the chest",
    &[
        acts("showImage", "Shows a picture of a web address", robot("(s)b (mm)b"), "tablet", "image", YES),
        acts("showImageNoCache", "Shows it anew", robot("(s)b"), "tablet", "image", YES),
        answers("preLoadImage", "Loads a picture", robot("(s)b"), YES),
        acts("hideImage", "Hides the picture", robot("()v"), "tablet", "image hidden", Const::Null),
        acts("resumeGif", "Goes on with an animation", robot("()v"), "tablet", "image goes on", Const::Null),
        acts("pauseGif", "Pauses an animation", robot("()v"), "tablet", "image paused", Const::Null),
        acts("showWebview", "Shows the browser", robot("()b (s)b"), "tablet", "web view", YES),
        acts("hideWebview", "Hides it", robot("()b"), "tablet", "web view hidden", YES),
        acts("loadUrl", "Loads a page", robot("(s)b"), "tablet", "load", YES),
        acts("reloadPage", "Loads the page again", robot("(b)v"), "tablet", "page reloaded", Const::Null),
        acts("loadApplication", "Loads a package's page", robot("(s)b"), "tablet", "application", YES),
        acts("executeJS", "Runs script in the page", robot("(s)v"), "tablet", "run JavaScript", Const::Null),
        acts("cleanWebview", "Empties the browser", robot("()v"), "tablet", "web view cleaned", Const::Null),
        acts("hide", "Hides everything", robot("()v"), "tablet", "hidden", Const::Null),
        answers("robotIp", "Address of the robot as the tablet sees it", robot("()s"), Const::Str(ROBOT_IP)),
        acts("resetTablet", "Usual state", robot("()v"), "tablet", "reset", Const::Null),
        acts("setBackgroundColor", "Colour, #rrggbb", robot("(s)b"), "tablet", "background", YES),
        runs("setVolume", "Loudness, 0…15", robot("(i)b"), set_volume),
        gets("getVolume", "Loudness, 0…15", unknown("()m"), "volume", Const::Int(15)),
        runs("setBrightness", "Brightness, 0…1", robot("(f)b"), set_brightness),
        gets("getBrightness", "Brightness, 0…1", robot("()f"), "brightness", Const::Float(1.0)),
        acts("turnScreenOn", "Screen on or off", robot("(b)v"), "tablet", "screen on", Const::Null),
        acts("wakeUp", "Wakes the screen", robot("()v"), "tablet", "awake", Const::Null),
        acts("goToSleep", "Screen sleeps", robot("()v"), "tablet", "asleep", Const::Null),
        acts("playVideo", "Plays a video", robot("(s)b"), "tablet", "video", YES),
        acts("stopVideo", "Ends it", robot("()b"), "tablet", "video stopped", YES),
        acts("pauseVideo", "Pauses it", robot("()b"), "tablet", "video paused", YES),
        acts("resumeVideo", "Goes on", robot("()b"), "tablet", "video goes on", YES),
        answers("getVideoLength", "Milliseconds", robot("()i"), Const::Int(-1)),
        answers("getVideoPosition", "Milliseconds", robot("()i"), Const::Int(-1)),
        acts(
            "showInputDialog",
            "Asks for text",
            robot("(ssss)v (sssssi)v (mmmmm)v"),
            "tablet",
            "input dialog",
            Const::Null,
        ),
        acts(
            "showInputTextDialog",
            "Asks for text",
            robot("(sss)v (ssssi)v (mmmm)v"),
            "tablet",
            "input dialog",
            Const::Null,
        ),
        acts("hideDialog", "Hides the question", robot("()v"), "tablet", "dialog hidden", Const::Null),
        sets("setOnTouchWebviewScaleFactor", "Scale of touch positions", robot("(f)v"), "touchScale"),
        gets("getOnTouchScaleFactor", "Scale of touch positions", robot("()f"), "touchScale", Const::Float(1.0)),
        answers("getDisplayName", "Name", unknown("()m"), Const::Str("tablet")),
        gets("getWifiStatus", "Network state", robot("()s"), "wifi", Const::Str("CONNECTED")),
        answers("configureWifi", "Sets a network: security, name, key", robot("(sss)b"), YES),
        runs("enableWifi", "Network on", robot("()v"), enable_wifi),
        runs("disableWifi", "Network off", robot("()v"), disable_wifi),
        answers("connectWifi", "Connects", robot("(s)b"), YES),
        answers("disconnectWifi", "Disconnects", robot("()b"), YES),
        answers("forgetWifi", "Forgets a network", robot("(s)b"), YES),
        answers("getWifiMacAddress", "Hardware address", robot("()s"), Const::Str("00:00:00:00:00:00")),
        accepts("resetToDefaultValue", "Usual settings", unknown("()m")),
        accepts("enableResetTablet", "May reset or not", unknown("()m (m)m")),
        answers("version", "Version", robot("()s"), Const::Str("simulated")),
        answers("webviewSize", "Size of the page", unknown("()m"), Const::Empty),
        answers("webviewScale", "Scale of the page", unknown("()m"), Const::Float(1.34)),
        acts("_openSettings", "Undocumented", robot("()v"), "tablet", "settings opened", Const::Null),
        acts("openSettings", "Opens the settings", unknown("()m"), "tablet", "settings opened", Const::Null),
        acts(
            "showAlertView",
            "Shows a warning",
            unknown("(m)m (mm)m (mmm)m (mmmm)m (mmmmm)m (mmmmmm)m"),
            "tablet",
            "alert",
            Const::Null,
        ),
        acts("_clearWebview", "Undocumented", unknown("()m"), "tablet", "web view cleaned", Const::Null),
        gets(
            "getOnTouchWebviewScaleFactor",
            "Scale of touch positions",
            unknown("()m"),
            "touchScale",
            Const::Float(1.0),
        ),
        gets("getTabletLanguage", "Language", unknown("()m"), "language", Const::Str("English")),
        sets("setTabletLanguage", "Language", unknown("(m)m"), "language"),
        accepts("setOnTouchScaleFactor", "Scale of touch positions", unknown("(m)m")),
        accepts("setTabletDefaultValue", "Usual settings", unknown("()m (m)m (mm)m")),
        answers("getAvailableKeyboards", "Keyboards", unknown("()m"), Const::Empty),
        answers("getLastVideoErrorLog", "Last error of a video", unknown("()m"), Const::Str("")),
        answers("isScreenOn", "Whether the screen is on", unknown("()m"), YES),
    ],
)
.signals(&[
    signal("onTouch", "(ff)"),
    signal("onTouchDown", "(ff)"),
    signal("onTouchDownRatio", "(ffs)"),
    signal("onTouchUp", "(ff)"),
    signal("onTouchMove", "(ff)"),
    signal("onTouchScaleFactor", "m"),
    signal("onJSEvent", "(s)"),
    signal("onPageStarted", "()"),
    signal("onPageFinished", "()"),
    signal("onLoadPageError", "(iss)"),
    signal("onInputText", "(is)"),
    signal("onConsoleMessage", "(s)"),
    signal("onWifiStatusChange", "(s)"),
    signal("onImageLoaded", "()"),
    signal("videoFinished", "()"),
    signal("videoStarted", "()"),
])];

/// The documented address of the robot on the tablet's network.
const ROBOT_IP: &str = "198.18.0.1";

const YES: Const = Const::Bool(true);

fn set_volume(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let volume = call.args.int(0, "volume")?;
    if !(0..=15).contains(&volume) {
        return bad(format!("argument 1 (volume) must be from 0 to 15, not {volume}"));
    }
    w.settings.insert("ALTabletService/volume".into(), volume.into());
    ok(true)
}

fn set_brightness(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let brightness = call.args.number(0, "brightness")?;
    if !(0.0..=1.0).contains(&brightness) {
        return bad(format!("argument 1 (brightness) must be from 0 to 1, not {brightness}"));
    }
    w.settings.insert("ALTabletService/brightness".into(), brightness.into());
    cx.act("tablet", format!("brightness {brightness}"), Value::map([("brightness", Value::Float(brightness))]));
    ok(true)
}

fn enable_wifi(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    set_wifi(w, cx, "CONNECTED")
}

fn disable_wifi(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    set_wifi(w, cx, "IDLE")
}

fn set_wifi(w: &mut World, cx: &mut ServiceCx<'_>, status: &str) -> Reply {
    w.settings.insert("ALTabletService/wifi".into(), status.into());
    w.signal(cx, "ALTabletService", "onWifiStatusChange", Value::list([status.into()]));
    done()
}
