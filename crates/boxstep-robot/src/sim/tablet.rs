//! `ALTabletService`: the tablet on Pepper's chest. NAO has none, and then there is no such service.
//!
//! Nothing is fetched or shown; each call leaves an act. Touches come from outside as signals.
//! Page: ALTabletService API of the NAOqi documentation.

use super::table::{Call, Const, Method, Reply, Service, act, bad, code, done, get, ok, put, quiet, say, service};
use super::world::World;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;

/// The robot's address as the tablet sees it, as documented.
const ROBOT_IP: &str = "198.18.0.1";

const YES: Const = Const::Bool(true);

const METHODS: &[Method] = &[
    act("cleanWebview", 0, 0, "tablet", "web view cleaned", Const::Null),
    act("executeJS", 1, 1, "tablet", "run JavaScript", Const::Null),
    act("hide", 0, 0, "tablet", "hidden", YES),
    act("hideDialog", 0, 0, "tablet", "dialog hidden", Const::Null),
    act("hideImage", 0, 0, "tablet", "image hidden", YES),
    act("hideWebview", 0, 0, "tablet", "web view hidden", YES),
    act("loadApplication", 1, 1, "tablet", "application", YES),
    act("loadUrl", 1, 1, "tablet", "load", YES),
    act("_openSettings", 0, 0, "tablet", "settings opened", Const::Null),
    act("openSettings", 0, 0, "tablet", "settings opened", Const::Null),
    act("pauseGif", 0, 0, "tablet", "image paused", Const::Null),
    act("pauseVideo", 0, 0, "tablet", "video paused", YES),
    act("playVideo", 1, 1, "tablet", "video", YES),
    act("reloadPage", 0, 1, "tablet", "page reloaded", Const::Null),
    act("resetTablet", 0, 0, "tablet", "reset", Const::Null),
    act("resumeGif", 0, 0, "tablet", "image goes on", Const::Null),
    act("resumeVideo", 0, 0, "tablet", "video goes on", YES),
    act("setBackgroundColor", 1, 1, "tablet", "background", YES),
    act("showAlertView", 1, 6, "tablet", "alert", Const::Null),
    act("showImage", 1, 2, "tablet", "image", YES),
    act("showImageNoCache", 1, 1, "tablet", "image", YES),
    act("showInputDialog", 2, 6, "tablet", "input dialog", Const::Null),
    act("showInputTextDialog", 3, 5, "tablet", "input dialog", Const::Null),
    act("showWebview", 0, 1, "tablet", "web view", YES),
    act("stopVideo", 0, 0, "tablet", "video stopped", YES),
    act("goToSleep", 0, 0, "tablet", "asleep", YES),
    act("turnScreenOn", 1, 1, "tablet", "screen on", Const::Null),
    act("wakeUp", 0, 0, "tablet", "awake", YES),
    act("_clearWebview", 0, 0, "tablet", "web view cleaned", Const::Null),
    code("setVolume", 1, 1),
    get("getBrightness", "brightness", 0, Const::Float(1.0)),
    get("getOnTouchScaleFactor", "touchScale", 0, Const::Float(1.0)),
    get("getOnTouchWebviewScaleFactor", "touchScale", 0, Const::Float(1.0)),
    get("getVolume", "volume", 0, Const::Int(15)),
    get("getWifiStatus", "wifi", 0, Const::Str("CONNECTED")),
    get("getTabletLanguage", "language", 0, Const::Str("English")),
    put("setTabletLanguage", "language", 1),
    put("setOnTouchWebviewScaleFactor", "touchScale", 1),
    code("setBrightness", 1, 1),
    code("enableWifi", 0, 0),
    code("disableWifi", 0, 0),
    quiet("enableResetTablet", 0, 1),
    quiet("setOnTouchScaleFactor", 1, 1),
    quiet("resetToDefaultValue", 0, 0),
    quiet("setTabletDefaultValue", 0, 2),
    say("configureWifi", 2, 3, YES),
    say("connectWifi", 1, 1, YES),
    say("disconnectWifi", 0, 0, YES),
    say("forgetWifi", 1, 1, YES),
    say("getAvailableKeyboards", 0, 0, Const::Empty),
    say("getLastVideoErrorLog", 0, 0, Const::Str("")),
    say("getVideoLength", 0, 0, Const::Int(-1)),
    say("getVideoPosition", 0, 0, Const::Int(-1)),
    say("getWifiMacAddress", 0, 0, Const::Str("00:00:00:00:00:00")),
    say("isScreenOn", 0, 0, YES),
    say("preLoadImage", 1, 1, YES),
    say("robotIp", 0, 0, Const::Str(ROBOT_IP)),
    say("getDisplayName", 0, 0, Const::Str("tablet")),
    say("webviewScale", 0, 0, Const::Float(1.34)),
    say("webviewSize", 0, 0, Const::Empty),
    say("version", 0, 0, Const::Str("simulated")),
];

const SIGNALS: &[&str] = &[
    "onConsoleMessage",
    "onImageLoaded",
    "onInputText",
    "onJSEvent",
    "onLoadPageError",
    "onPageFinished",
    "onPageStarted",
    "onTouch",
    "onTouchDown",
    "onTouchDownRatio",
    "onTouchMove",
    "onTouchScaleFactor",
    "onTouchUp",
    "onWifiStatusChange",
    "videoFinished",
    "videoStarted",
];

pub(crate) static SERVICE: Service = Service { code: call, signals: SIGNALS, ..service("ALTabletService", METHODS) };

fn call(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    match call.method {
        "setVolume" => {
            let volume = call.args.int(0, "volume")?;
            if !(0..=15).contains(&volume) {
                return bad(format!("argument 1 (volume) must be from 0 to 15, not {volume}"));
            }
            w.settings.insert("ALTabletService/volume".into(), volume.into());
            ok(true)
        }
        "setBrightness" => {
            let brightness = call.args.number(0, "brightness")?;
            if !(0.0..=1.0).contains(&brightness) {
                return bad(format!("argument 1 (brightness) must be from 0 to 1, not {brightness}"));
            }
            w.settings.insert("ALTabletService/brightness".into(), brightness.into());
            cx.act(
                "tablet",
                format!("brightness {brightness}"),
                Value::map([("brightness", Value::Float(brightness))]),
            );
            ok(true)
        }
        "enableWifi" | "disableWifi" => {
            let status = if call.method == "enableWifi" { "CONNECTED" } else { "IDLE" };
            w.settings.insert("ALTabletService/wifi".into(), status.into());
            w.signal(cx, "ALTabletService", "onWifiStatusChange", Value::list([status.into()]));
            done()
        }
        _ => Err(ServiceError::NoMethod),
    }
}
