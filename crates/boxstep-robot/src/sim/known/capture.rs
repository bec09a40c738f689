//! Cameras and microphones. No file is written, no picture comes back: scripts name paths of a robot, and a file there,
//! on the machine of whoever plays the behavior, is not the simulation's to make. The robot remembers how long a sound
//! recording is, so that it can play it.
//!
//! Pages: ALPhotoCapture, ALVideoRecorder, ALVideoDevice, ALAudioDevice, ALAudioRecorder API of the
//! NAOqi documentation.

use crate::sim::table::{
    Call, Const, Method, Reply, Service, act, bad, code, done, extractor, failed, get, ok, put, quiet, say, service,
    try_put,
};
use crate::sim::world::{World, readable};
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;

const NO: Const = Const::Bool(false);
const YES: Const = Const::Bool(true);

const PHOTO: &[Method] = &[
    code("takePicture", 2, 3),
    code("takePictures", 3, 4),
    get("getCameraID", "camera", 0, Const::Int(0)),
    get("getCaptureInterval", "interval", 0, Const::Int(200)),
    get("getPictureFormat", "format", 0, Const::Str("jpg")),
    get("getResolution", "resolution", 0, Const::Int(1)),
    get("isHalfPressEnabled", "halfPress", 0, NO),
    get("getColorSpace", "colorSpace", 0, Const::Int(11)),
    put("setCamera", "camera", 1),
    put("setCameraID", "camera", 1),
    put("setCaptureInterval", "interval", 1),
    put("setColorSpace", "colorSpace", 1),
    put("setHalfPressEnabled", "halfPress", 1),
    put("setPictureFormat", "format", 1),
    put("setResolution", "resolution", 1),
    say("halfPress", 0, 0, NO),
    say("isHalfPressed", 0, 0, NO),
];

/// Most pictures that one call takes.
const MOST_PICTURES: i64 = 1000;

fn photo(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let first = usize::from(call.method == "takePictures");
    let count = if first == 1 { args.int(0, "number")? } else { 1 };
    if !(1..=MOST_PICTURES).contains(&count) {
        return bad(format!("argument 1 (number) must be from 1 to {MOST_PICTURES}, not {count}"));
    }
    let (folder, name) = (args.text(first, "folder")?, args.text(first + 1, "file name")?);
    let format = w.setting("ALPhotoCapture", "format").and_then(Value::as_str).unwrap_or("jpg").to_owned();
    let stem = name.strip_suffix(&format!(".{format}")).unwrap_or(name);
    let files: Vec<String> = (0..count)
        .map(|i| {
            let number = if count == 1 { String::new() } else { format!("_{i}") };
            format!("{}/{stem}{number}.{format}", folder.trim_end_matches('/'))
        })
        .collect();
    let text = format!("picture {} (no file is made in the simulation)", files.join(", "));
    let files = Value::from(files);
    cx.act("photo", text, Value::map([("files", files.clone())]));
    ok(files)
}

const VIDEO: &[Method] = &[
    code("subscribe", 4, 5),
    code("subscribeCamera", 5, 5),
    code("subscribeCameras", 5, 5),
    code("unsubscribe", 1, 1),
    code("unsubscribeAllInstances", 1, 1),
    code("getSubscribers", 0, 0),
    code("getActiveCamera", 0, 1),
    code("setActiveCamera", 1, 2),
    get("getColorSpace", "colorSpace", 1, Const::Int(0)),
    get("getFrameRate", "frameRate", 1, Const::Int(15)),
    get("getResolution", "resolution", 1, Const::Int(1)),
    get("getParam", "parameter", 1, Const::Int(0)),
    get("getParameter", "parameter", 2, Const::Int(0)),
    try_put("setAllParametersToDefault", "default", 1),
    try_put("setColorSpace", "colorSpace", 2),
    try_put("setFrameRate", "frameRate", 2),
    try_put("setParam", "parameter", 2),
    try_put("setParamDefault", "parameterDefault", 1),
    try_put("setParameter", "parameter", 3),
    try_put("setParameterToDefault", "parameterDefault", 2),
    try_put("setResolution", "resolution", 2),
    // A camera that sees nothing has no picture: None, as on a robot whose camera fails.
    say("getDirectRawImageLocal", 1, 1, Const::Null),
    say("getDirectRawImageRemote", 1, 1, Const::Null),
    say("getImageLocal", 1, 1, Const::Null),
    say("getImageRemote", 1, 1, Const::Null),
    say("getImagesRemote", 1, 1, Const::Null),
    say("getCameraIndexes", 0, 0, Const::Empty),
    say("getCameraModel", 1, 1, Const::Int(0)),
    say("getHorizontalFOV", 1, 1, Const::Float(0.993)),
    say("getVerticalFOV", 1, 1, Const::Float(0.772)),
    say("hasDepthCamera", 0, 0, NO),
    say("isCameraOpen", 1, 1, YES),
    say("isCameraStarted", 1, 1, YES),
    say("openCamera", 1, 1, YES),
    say("closeCamera", 1, 1, YES),
    say("startCamera", 1, 1, YES),
    say("stopCamera", 1, 1, YES),
    say("releaseImage", 1, 1, YES),
    say("releaseImages", 1, 1, YES),
];

/// A camera has that many clients at most.
const MOST_CLIENTS: usize = 32;

fn video(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    const KEY: &str = "ALVideoDevice/clients";
    // The camera may come after the client's name.
    if call.method.ends_with("ActiveCamera") {
        const ACTIVE: &str = "ALVideoDevice/active";
        if call.method == "getActiveCamera" {
            return ok(w.settings.get(ACTIVE).cloned().unwrap_or(Value::Int(0)));
        }
        w.settings.insert(ACTIVE.into(), call.args.int(call.args.len() - 1, "camera")?.into());
        return ok(true);
    }
    let name = if call.args.len() > 0 { call.args.text(0, "name")? } else { "" };
    let mut clients: Vec<Value> =
        w.settings.get(KEY).and_then(Value::as_list).map(<[Value]>::to_vec).unwrap_or_default();
    let answer = match call.method {
        "subscribe" | "subscribeCamera" | "subscribeCameras" => {
            if clients.len() >= MOST_CLIENTS {
                return failed(format!("the camera has {MOST_CLIENTS} clients; unsubscribe some"));
            }
            let is_new = |id: &String| !clients.iter().any(|c| c.as_str() == Some(id));
            let id = (0..=MOST_CLIENTS).map(|i| format!("{name}_{i}")).find(is_new).unwrap_or_default();
            clients.push(id.as_str().into());
            Value::from(id)
        }
        "unsubscribe" => {
            let before = clients.len();
            clients.retain(|c| c.as_str() != Some(name));
            (clients.len() < before).into()
        }
        "unsubscribeAllInstances" => {
            let prefix = format!("{name}_");
            clients.retain(|c| !c.as_str().is_some_and(|c| c.starts_with(&prefix)));
            true.into()
        }
        "getSubscribers" => Value::List(clients.clone().into()),
        _ => return Err(ServiceError::NoMethod),
    };
    w.settings.insert(KEY.into(), Value::List(clients.into()));
    ok(answer)
}

const VIDEO_RECORDER: &[Method] = &[
    code("startRecording", 2, 3),
    code("stopRecording", 0, 0),
    code("startVideoRecord", 1, 2),
    code("stopVideoRecord", 0, 0),
    code("isRecording", 0, 0),
    get("getCameraID", "camera", 0, Const::Int(0)),
    get("getFrameRate", "frameRate", 0, Const::Int(15)),
    get("getResolution", "resolution", 0, Const::Int(1)),
    get("getVideoFormat", "format", 0, Const::Str("MJPG")),
    put("setCameraID", "camera", 1),
    put("setColorSpace", "colorSpace", 1),
    put("setFrameRate", "frameRate", 1),
    put("setResolution", "resolution", 1),
    put("setVideoFormat", "format", 1),
];

const MICROPHONES: &[Method] = &[
    code("startMicrophonesRecording", 1, 4),
    code("stopMicrophonesRecording", 0, 0),
    act("startPlaying", 1, 1, "sound", "playing", Const::Null),
];

const AUDIO_DEVICE: &[Method] = &[
    code("startMicrophonesRecording", 1, 4),
    code("stopMicrophonesRecording", 0, 0),
    code("playSine", 4, 4),
    code("setOutputVolume", 1, 1),
    get("getOutputVolume", "volume", 0, Const::Int(50)),
    get("getParameter", "parameter", 1, Const::Int(0)),
    get("isAudioOutMuted", "muted", 0, NO),
    put("muteAudioOut", "muted", 1),
    put("setParameter", "parameter", 2),
    quiet("closeAudioInputs", 0, 0),
    quiet("closeAudioOutputs", 0, 0),
    quiet("disableEcho", 0, 0),
    quiet("disableEnergyComputation", 0, 0),
    quiet("sendLocalBufferToOutput", 2, 2),
    quiet("sendRemoteBufferToOutput", 2, 2),
    quiet("enableEnergyComputation", 0, 0),
    quiet("flushAudioOutputs", 0, 0),
    quiet("openAudioInputs", 0, 0),
    quiet("openAudioOutputs", 0, 0),
    quiet("setClientPreferences", 4, 4),
    quiet("setFileAsInput", 1, 1),
    quiet("subscribe", 1, 3),
    quiet("unsubscribe", 1, 1),
    say("getFrontMicEnergy", 0, 0, Const::Float(0.0)),
    say("getLeftMicEnergy", 0, 0, Const::Float(0.0)),
    say("getRearMicEnergy", 0, 0, Const::Float(0.0)),
    say("getRightMicEnergy", 0, 0, Const::Float(0.0)),
    say("isInputClosed", 0, 0, NO),
    say("isOutputClosed", 0, 0, NO),
];

/// One recording at a time for each service.
fn record(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (service, args) = (call.service.name, call.args);
    match call.method {
        "startMicrophonesRecording" | "startRecording" | "startVideoRecord" => {
            let file = match call.method {
                "startRecording" => format!("{}/{}", args.text(0, "folder")?, args.text(1, "file name")?),
                _ => args.text(0, "file name")?.to_owned(),
            };
            if w.audio.recording.contains_key(service) {
                return failed("a recording is already going on");
            }
            cx.act(
                "record",
                format!("{file} begins (no file is made in the simulation)"),
                Value::map([("file", Value::from(file.as_str()))]),
            );
            w.audio.recording.insert(service, (file, cx.now()));
            done()
        }
        "stopMicrophonesRecording" | "stopRecording" | "stopVideoRecord" => {
            let file = w.audio.recording.remove(service).map(|(file, since)| {
                let seconds = (cx.now() - since).as_secs_f64();
                let data = [("file", Value::from(file.as_str())), ("seconds", Value::Float(seconds))];
                cx.act("record", format!("{file} ends after {}", readable(seconds)), Value::map(data));
                if service != "ALVideoRecorder" {
                    w.audio.recorded(&file, seconds);
                }
                Value::from(file)
            });
            match (service, file) {
                ("ALVideoRecorder", Some(file)) => ok(Value::list([Value::Int(0), file])),
                ("ALVideoRecorder", None) => ok(Value::list([])),
                _ => done(),
            }
        }
        "isRecording" => ok(w.audio.recording.contains_key(service)),
        "playSine" => {
            let seconds = args.seconds(3, "duration")?;
            let frequency = args.number(0, "frequency")?;
            cx.act(
                "sound",
                format!("tone of {frequency} Hz for {}", readable(seconds)),
                Value::map([("frequency", Value::Float(frequency)), ("seconds", seconds.into())]),
            );
            w.answer_after(cx, call.id, seconds, Value::Null)
        }
        "setOutputVolume" => {
            let volume = args.int(0, "volume")?;
            if !(0..=100).contains(&volume) {
                return bad(format!("argument 1 (volume) must be from 0 to 100, not {volume}"));
            }
            w.settings.insert("ALAudioDevice/volume".into(), volume.into());
            cx.act("sound", format!("volume {volume} %"), Value::map([("volume", Value::Int(volume))]));
            done()
        }
        _ => Err(ServiceError::NoMethod),
    }
}

/// What a press of the volume keys changes, in percent.
const VOLUME_STEP: i64 = 10;

fn slider(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let before = w.setting("ALAudioDevice", "volume").and_then(Value::as_i64).unwrap_or(50);
    let step = if call.method == "increaseVolume" { VOLUME_STEP } else { -VOLUME_STEP };
    let volume = (before + step).clamp(0, 100);
    w.settings.insert("ALAudioDevice/volume".into(), volume.into());
    cx.act("sound", format!("volume {volume} %"), Value::map([("volume", Value::Int(volume))]));
    done()
}

pub(crate) static SERVICES: &[Service] = &[
    Service { code: photo, ..service("ALPhotoCapture", PHOTO) },
    Service { code: video, ..service("ALVideoDevice", VIDEO) },
    Service { code: record, ..service("ALVideoRecorder", VIDEO_RECORDER) },
    Service { code: record, ..extractor("ALAudioRecorder", &[], MICROPHONES) },
    Service { code: record, ..service("ALAudioDevice", AUDIO_DEVICE) },
    Service {
        code: slider,
        ..service("ALVolumeSlider", &[code("increaseVolume", 0, 0), code("decreaseVolume", 0, 0)])
    },
];
